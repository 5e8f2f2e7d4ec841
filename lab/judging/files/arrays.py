"""Tables as arrays of numpy, and the contents of pickles."""

import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from engine.game import BadText, Game
from lab.judging.files.column_names import POSITION_NAMES, column_of
from lab.judging.files.columns import read_named_rows
from lab.judging.files.file_table import FILE_SIGNATURES, FileTable, Row
from lab.judging.notation.reply import check_list_size

MAX_NAMED_ARRAYS: Final = 9
"""The maximum number of arrays that a message names."""


def read_numpy(data: bytes) -> dict[str, Any]:
    """Return the arrays of a numpy file by name; a file of objects gives their content under ''. Raises `BadText`."""
    try:
        if data.startswith(FILE_SIGNATURES[".npy"]):
            objects = _pickle_in(data)
            if objects is not None:
                from lab.judging.files.data_pickle import read_pickle  # few files need it

                return {"": read_pickle(objects)}
        content = np.load(io.BytesIO(data), allow_pickle=False)
        if isinstance(content, np.ndarray):
            return {"table": content}
        return {name: content[name] for name in content.files}
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


def _pickle_in(data: bytes) -> bytes | None:
    """Return the pickle in a `.npy` file of objects; `None` if the file has numbers."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    _, _, kind = read_header(file)
    return file.read() if kind.hasobject else None


def read_arrays(arrays: Mapping[str, Any], game: Game) -> FileTable:
    """Read a table from arrays: one of all positions by packed number, or one of boards and one of what to play."""
    size = game.board.grid.size
    numbers = {name: np.asarray(array) for name, array in arrays.items() if np.asarray(array).dtype.kind in "iufb"}
    shapes = ", ".join(f"{name} {array.shape}" for name, array in [*numbers.items()][:MAX_NAMED_ARRAYS]) or "none"
    if len(numbers) == 1:
        (only,) = numbers.values()
        known = frozenset[str]()
        if only.ndim in (size, size + 1) and only.shape[:size] == (3,) * size:
            only, known = only.reshape(3**size, -1), frozenset({"big"})
        if only.ndim in (1, 2) and len(only) == 3**size:
            return _read_packed_array(only.reshape(3**size, -1), known, game)
        if only.ndim == 2 and only.shape[1] in (size + 1, 2 * size):
            numbers = {"boards": only[:, :size], "moves": only[:, size:]}
    table = _read_boards_and_answers(numbers, game)
    if table is not None:
        return table
    columns = {name.removesuffix("s"): np.asarray(array).tolist() for name, array in arrays.items()}
    if column_of(columns, POSITION_NAMES) and len({*map(len, columns.values())}) == 1:
        lines = [dict(zip(columns, line, strict=True)) for line in zip(*columns.values(), strict=True)]
        return read_named_rows(lines, [*columns], game)
    raise BadText(
        f"its arrays are {shapes}: none has {3**size:,} rows, one for each board, and there are no two with a row for "
        f"each position\nSave boards of shape (n, {size}) and moves of shape (n,) or numbers of shape (n, {size})"
    )


def _read_boards_and_answers(numbers: Mapping[str, Any], game: Game) -> FileTable | None:
    """Read one array of boards and one of what to play on each of them; return `None` if the arrays are no such two."""
    size = game.board.grid.size
    names = [name for name, array in numbers.items() if array.ndim > 1 and array[0].size in (size, 2 * size, 3 * size)]
    if len(numbers) != 2 or not names:
        return None
    known = (*POSITION_NAMES, "boards", "states", "positions")
    board_name = next((name for name in names if column_of([name], known)), names[0])
    (answer_name,) = numbers.keys() - {board_name}
    boards, answers = numbers[board_name], numbers[answer_name]
    if len(answers) != len(boards):
        return None
    answers = answers.reshape(len(answers), -1)
    rows = [
        _row_of(board.ravel().tolist(), answer.tolist(), f"row {count:,}", game)
        for count, (board, answer) in enumerate(zip(boards, answers, strict=True))
    ]
    return FileTable(rows, has_lists=answers.shape[1] > 1)


def _row_of(board: Any, answer: list[Any], where: str, game: Game) -> Row:  # noqa: ANN401
    """Return the row of a board with a move, or with a number for each move."""
    if len(answer) == 1:
        (move,) = answer
        return Row(board, None, None, int(move) if isinstance(move, float) and move.is_integer() else move, where)
    check_list_size(answer, game)
    return Row(board, None, list(enumerate(answer)), None, where)


def _read_packed_array(table: Any, known: frozenset[str], game: Game) -> FileTable:  # noqa: ANN401  an array
    """Read an array with a row for each packed board. A row whose numbers are all equal was never visited."""
    usual = table[:, :1] if table.shape[1] > 1 else np.median(table)
    visited = (table != usual).any(axis=1)
    rows, unvisited = list[Row](), list[Row]()
    for index, answer in enumerate(table.tolist()):
        row = _row_of(index, answer, f"entry {index:,}", game)
        if visited[index]:
            rows.append(row)
        else:
            unvisited.append(row)
    return FileTable(rows, has_lists=True, known_words=known, unvisited_rows=unvisited)
