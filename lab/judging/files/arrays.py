"""Tables as arrays of numpy, and the contents of pickles."""

import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from engine.game import BadText, Game
from lab.judging.files.columns import POSITION_NAMES, column_of, read_named_rows
from lab.judging.files.file_table import FILE_SIGNATURES, FileTable, Row
from lab.judging.notation.reply import check_list_size

MAX_NAMED_ARRAYS: Final = 9
"""A message names at most this many arrays."""


def read_numpy(data: bytes) -> dict[str, Any]:
    """Return the arrays of a numpy file by name; a file of objects gives their content under ''. Raises `BadText`."""
    try:
        if data.startswith(FILE_SIGNATURES[".npy"]):
            file = io.BytesIO(data)
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            if read(file)[2].hasobject:
                from lab.judging.files.data_pickle import read_pickle  # few files need it

                return {"": read_pickle(file.read())}
        found = np.load(io.BytesIO(data), allow_pickle=False)
        arrays = {"table": found} if isinstance(found, np.ndarray) else {name: found[name] for name in found.files}
    except BadText:
        raise
    except (ValueError, OSError, EOFError, KeyError) as error:
        if "pickle" in str(error):  # numpy advises to load it unsafely
            raise BadText(
                "it has objects, not numbers alone, and building them may run code\n"
                "Save each array with the type of its numbers, as in numpy.savez(file, table.astype(float))"
            ) from error
        raise BadText(f"it is no file of numpy that can be read: {error}") from error
    except Exception as error:  # zipfile raises errors of many types for a damaged archive
        raise BadText(f"it is no file of numpy that can be read: {type(error).__name__}") from error
    return arrays


def read_arrays(arrays: Mapping[str, Any], game: Game) -> FileTable:
    """Read a table from arrays: one of all positions by packed number, or one of boards and one of what to play."""
    size = game.board.grid.size
    numbers = {name: np.asarray(each) for name, each in arrays.items() if np.asarray(each).dtype.kind in "iufb"}
    shapes = ", ".join(f"{name} {each.shape}" for name, each in [*numbers.items()][:MAX_NAMED_ARRAYS]) or "none"
    if len(numbers) == 1:
        (only,) = numbers.values()
        known = frozenset[str]()
        if only.ndim in (size, size + 1) and only.shape[:size] == (3,) * size:
            only, known = only.reshape(3**size, -1), frozenset({"big"})
        if only.ndim in (1, 2) and len(only) == 3**size:
            return _read_packed_array(only.reshape(3**size, -1), known, game)
        if only.ndim == 2 and only.shape[1] in (size + 1, 2 * size):
            numbers = {"boards": only[:, :size], "moves": only[:, size:]}
    boards = [name for name, each in numbers.items() if each.ndim > 1 and each[0].size in (size, 2 * size, 3 * size)]
    if len(numbers) == 2 and boards:
        name = next(
            (each for each in boards if column_of([each], (*POSITION_NAMES, "boards", "states", "positions"))),
            boards[0],
        )
        given, answers = numbers[name], next(each for other, each in numbers.items() if other != name)
        if len(answers) == len(given):
            answers = answers.reshape(len(answers), -1)
            rows = [
                Row(board.ravel().tolist(), None, *_pairs_and_single(answer.tolist(), game), f"row {count:,}")
                for count, (board, answer) in enumerate(zip(given, answers, strict=True))
            ]
            return FileTable(rows, listed=answers.shape[1] > 1)
    columns = {name.removesuffix("s"): np.asarray(each).tolist() for name, each in arrays.items()}
    if column_of(columns, POSITION_NAMES) and len({*map(len, columns.values())}) == 1:
        return read_named_rows(
            [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], [*columns], game
        )
    raise BadText(
        f"its arrays are {shapes}: none has {3**size:,} rows, one for each board, and there are no two with a row for "
        f"each position\nSave boards of shape (n, {size}) and moves of shape (n,) or numbers of shape (n, {size})"
    )


def _pairs_and_single(answer: list[Any], game: Game) -> tuple[list[tuple[Any, Any]] | None, Any]:
    if len(answer) == 1:
        value = answer[0]
        return None, int(value) if isinstance(value, float) and value.is_integer() else value
    check_list_size(answer, game)
    return list(enumerate(answer)), None


def _read_packed_array(table: Any, known: frozenset[str], game: Game) -> FileTable:  # noqa: ANN401  an array
    """Read an array with a row for each packed board. A row whose numbers are all equal was never visited."""
    if table.shape[1] > 1:
        check_list_size(table[0].tolist(), game)
        visited = (table != table[:, :1]).any(axis=1)
    else:
        visited = table[:, 0] != np.median(table[:, 0])
    rows = [
        Row(index, None, *_pairs_and_single(row, game), f"entry {index:,}") for index, row in enumerate(table.tolist())
    ]
    return FileTable(
        [row for row, seen in zip(rows, visited, strict=True) if seen],
        listed=True,
        known=known,
        unvisited=[row for row, seen in zip(rows, visited, strict=True) if not seen],
    )
