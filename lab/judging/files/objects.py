"""Tables as objects: the contents of JSON and of pickles."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from engine.game import BadText, Game, quoted
from lab.judging.files.arrays import read_arrays
from lab.judging.files.columns import (
    MOVE_NAMES,
    POSITION_NAMES,
    add_answers,
    are_beads,
    column_of,
    extract_move,
    is_board,
    read_named_rows,
)
from lab.judging.files.file_table import KIND_NAMES, NUMBER_NAMES, FileTable, Row
from lab.judging.notation.reply import SCORE_KEYS, Numbers, read_number
from lab.judging.notation.written_boards import elements_of, is_side, read_side
from lab.judging.notation.written_moves import DIGITS, NAME, NUMBER, PAIR, read_whole_number, template_of

WRAPPERS: Final = (
    *("policy", "q_table", "qtable", "q", "table", "values", "states"),
    *("boxes", "matchboxes", "menace", "positions", "data", "rows"),
)
"""The keys under which an outer object may hold the table, with other things beside it."""
INDEX_NAME: Final = "index"
"""The name for the index of a pandas table, which may hold the positions."""
BETWEEN: Final = r"\s*(?:[-=]?>|[_|:;/@-])\s*"
MOVES: Final = rf"({NUMBER.pattern}|{NAME.pattern}|{PAIR.pattern})"
KEYED: Final = tuple(
    re.compile(both, re.DOTALL)
    for both in (f"(.+?){BETWEEN}{MOVES}", rf"(.+[^,\s])(?=[0-9]$){MOVES}", f"(.+?){BETWEEN}([A-Za-z]+[_ ]?[0-9]+)")
)
"""A key with a board and a move, such as `XO..X...._8`, `XO..X....->8`, `XO..X....8` or `XO..X....|action_8`."""


def read_object(found: Any, game: Game) -> FileTable:  # noqa: ANN401  whatever the file holds
    """Return the rows of an object, a list of objects, or an array. Raises `BadText`."""
    found, beside = _unwrap(found, game)
    table = _read_table(found, game)
    table.beside = dict.fromkeys([*beside, *table.beside])
    return table


def _read_table(found: Any, game: Game) -> FileTable:  # noqa: ANN401  whatever the file holds
    if hasattr(found, "dtype"):
        return read_arrays({"table": found}, game)
    found = _read_nested_frame(_split_lists(_read_frame(found)), game)
    if isinstance(found, (list, tuple)) and found and all(isinstance(each, Mapping) for each in found):
        objects = [{str(name): value for name, value in each.items() if value is not None} for each in found]
        header = list(dict.fromkeys(name for each in objects for name in each))
        if INDEX_NAME in header and not column_of(header, POSITION_NAMES):
            header = [POSITION_NAMES[0] if name == INDEX_NAME else name for name in header]
            objects = [
                {POSITION_NAMES[0] if name == INDEX_NAME else name: it for name, it in each.items()} for each in objects
            ]
        return read_named_rows(_count_beads(objects, game), header, game)
    if isinstance(found, (list, tuple)) and found and all(_is_pair(each) for each in found):
        found = {str(key) if isinstance(key, list) else key: value for key, value in found}
    if not found and isinstance(found, (Mapping, list, tuple)):
        raise BadText("it is empty: there is no position in it")
    if not isinstance(found, Mapping):
        raise BadText(
            "it is neither a list of objects nor an object by position\n"
            f"""Write {{"{game.to_text(game.start)}": {{"{game.move_name(game.moves(game.start)[0])}": 1.0}}, …}}"""
        )
    if any(hasattr(each, "dtype") and (each.ndim > 1 or len(found) == 1) for each in found.values()):
        return read_arrays({str(name): each for name, each in found.items()}, game)
    table = FileTable()
    sides = _split_by_side(found, game)
    for side, entries in sides.items():
        _add_entries(table, entries, side, game)
    return table


def _unwrap(found: Any, game: Game) -> tuple[Any, list[str]]:  # noqa: ANN401  whatever the file holds
    """Return the table in an outer object, and the names of the other things there. Raises `BadText` for two tables."""
    beside = list[str]()
    while isinstance(found, Mapping):
        if isinstance(found.get("data"), list) and "schema" in found:  # as pandas writes `orient="table"`
            return found["data"], beside
        nested = {name: it for name, it in found.items() if isinstance(it, (Mapping, list)) or hasattr(it, "dtype")}
        if "columns" in found:
            break
        if _are_columns(nested):
            beside += [str(name) for name in found if name not in nested]
            return {str(name).removesuffix("s"): each for name, each in nested.items()}, beside
        tables = [name for name in nested if str(name).lower() in WRAPPERS]
        shown = [name for name, each in nested.items() if tables and any(is_board(it, game) for it in islice(each, 1))]
        if len(shown) > 1 and {*shown} & {*tables} and all(isinstance(nested[name], Mapping) for name in shown):
            both = " and ".join(quoted(str(name)) for name in shown[:2])
            raise BadText(f"it has {both}, which both have positions: leave only the table in it")
        if nested and all(is_side(name, game) for name in nested) and len(nested) < len(found):
            tables, kept = [], nested
        elif len(tables) == 1 and not {*shown} - {*tables} and not any(is_board(name, game) for name in found):
            kept = nested[tables[0]]
        else:
            break
        beside += [str(name) for name in found if name not in (tables or nested)]
        found = kept
    return found, beside


def _are_columns(nested: Mapping[Any, Any]) -> bool:
    """Return whether an object has lists or arrays of the same size as values, one of them of positions."""
    if len(nested) < 2 or any(isinstance(each, Mapping) or not getattr(each, "ndim", 1) for each in nested.values()):
        return False
    names = [str(name).removesuffix("s") for name in nested]
    return len({*map(len, nested.values())}) == 1 and column_of(names, POSITION_NAMES) is not None


def _split_lists(found: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table with lists of moves and of their numbers as a list of objects, one a move; others as they are."""
    if isinstance(found, Mapping):
        if all(
            isinstance(each, list) and each and all(isinstance(it, Mapping) for it in each) for each in found.values()
        ):
            return [{POSITION_NAMES[0]: board, **each} for board, answers in found.items() for each in answers]
        if not all(isinstance(each, Mapping) and (_paired_lists(each) or _is_box(each)) for each in found.values()):
            return found
        found = [{POSITION_NAMES[0]: board, **each} for board, each in found.items()]
    if not isinstance(found, list) or not all(isinstance(each, Mapping) and _paired_lists(each) for each in found):
        return found
    return [
        {name: value for name, value in each.items() if name not in names}
        | dict(zip((name.removesuffix("s") for name in names), both, strict=True))
        for each in found
        for names in (_paired_lists(each),)
        for both in zip(*(each[name] for name in names), strict=True)
    ]


def _is_box(each: Mapping[Any, Any]) -> bool:
    """Return whether an object has numbers for all moves under one name, as a box of MENACE has beads."""
    nested = [str(name) for name, listed in each.items() if isinstance(listed, (list, tuple, Mapping))]
    return column_of(nested, NUMBER_NAMES) is not None


def _paired_lists(each: Mapping[Any, Any]) -> list[str]:
    """Return the names of an object's list of moves and list of their numbers; empty if it has no such lists."""
    lists = {str(name).removesuffix("s"): name for name, listed in each.items() if isinstance(listed, list)}
    move = column_of(lists, MOVE_NAMES)
    numbers = move and column_of(lists, NUMBER_NAMES)
    both = [lists[move], lists[numbers]] if move and numbers else []
    return both if len({len(each[name]) for name in both}) == 1 else []


def _read_frame(found: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table of columns, or of lines with their names, as a list of objects; any other table as it is."""
    if not isinstance(found, Mapping) or not all(isinstance(each, list) for each in found.values()):
        return found
    if found.keys() >= {"columns", "index", "data"}:
        header, rows, index = [*map(str, found["columns"])], found["data"], found["index"]
        if len(index) != len(rows) or not all(isinstance(row, list) and len(row) == len(header) for row in rows):
            raise BadText("its lists 'columns', 'index' and 'data' do not have the same sizes")
        return [{INDEX_NAME: at, **dict(zip(header, row, strict=True))} for at, row in zip(index, rows, strict=True)]
    if not column_of(map(str, found), POSITION_NAMES) or len({*map(len, found.values())}) > 1:
        return found
    return [dict(zip(found, line, strict=True)) for line in zip(*found.values(), strict=True)]


def _read_nested_frame(found: Any, game: Game) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table that pandas wrote by rows or by columns as a list of objects; anything else as it is."""
    if not isinstance(found, Mapping) or not found or not all(isinstance(each, Mapping) for each in found.values()):
        return found
    if all(column_of(map(str, each), POSITION_NAMES) for each in found.values()):
        return [*found.values()]
    index = [*next(iter(found.values()))]
    if column_of(map(str, found), POSITION_NAMES) and all([*each] == index for each in found.values()):
        return [{name: each[row] for name, each in found.items()} for row in index]
    if (
        all([*each] == index for each in found.values())
        and all(is_board(str(row), game) for row in index)
        and not any(is_board(str(name), game) for name in found)
        and not all(is_side(name, game) for name in found)
    ):
        return {row: {name: each[row] for name, each in found.items() if each[row] is not None} for row in index}
    return found


def _is_pair(each: Any) -> bool:  # noqa: ANN401
    return isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[0], (str, list, tuple, bytes))


def _split_by_side(found: Mapping[Any, Any], game: Game) -> dict[Any, Mapping[Any, Any]]:
    """Return the tables of a file by side; if it has only one, return that under `None`."""
    if 0 < len(found) <= 2 and all(isinstance(each, Mapping) and each for each in found.values()):
        sides = {}
        for name, entries in found.items():
            try:
                sides[read_side(name, game)] = entries
            except BadText:
                return {None: found}
        return {game.mark(side): entries for side, entries in sides.items()}
    return {None: found}


def _add_entries(table: FileTable, found: Mapping[Any, Any], side: Any, game: Game) -> None:  # noqa: ANN401
    split = _split_keys(found, game)
    if split is not None:
        grouped = dict[str, Row]()
        for board, move, value in split:
            row = grouped.setdefault(str(board), Row(board, side, [], None, quoted(str(board))))
            assert row.pairs is not None  # noqa: S101  as created
            row.pairs.append((move, read_number(value)))
        for row in grouped.values():
            _sort_by_square(row.pairs or [])
        table.rows += grouped.values()
        table.kind = table.kind or Numbers.VALUES
        return
    answers = [answer.tolist() if hasattr(answer, "tolist") else answer for answer in found.values()]
    table.beside |= _score_names(found.values(), map(extract_move, answers))
    add_answers(table, [(each, side, quoted(str(each))) for each in found], answers, game)


def _count_beads(objects: list[dict[str, Any]], game: Game) -> list[dict[str, Any]]:
    name = column_of([*objects[0]], KIND_NAMES[Numbers.COUNTS])
    if name is None or not are_beads([each.get(name) for each in objects], game):
        return objects
    return [{**each, name: Counter(each[name])} for each in objects]


def _score_names(found: Iterable[Any], moves: Iterable[Any]) -> dict[str, None]:
    """Return the names of the scores in objects of which only the moves are read."""
    objects = [each for each, move in zip(found, moves, strict=True) if isinstance(each, Mapping) and move is not each]
    return dict.fromkeys(str(name) for each in objects for name in each if name in SCORE_KEYS)


def _sort_by_square(pairs: list[tuple[Any, Any]]) -> None:
    """Sort (move, number) pairs by square, the usual order of programs: a table has them in the order first tried."""
    if len({template_of(str(move)) for move, _ in pairs}) == 1:
        pairs.sort(key=lambda pair: [*map(read_whole_number, DIGITS.findall(str(pair[0])))])


def _split_keys(found: Mapping[Any, Any], game: Game) -> list[tuple[Any, Any, Any]] | None:
    """Return the (board, move, number) triples of a table by position and move; `None` for a table by position only."""
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in found.values()):
        return None
    triples, moves = [], set[str]()
    large = 2**game.board.grid.size  # for a bitboard
    packed = any(
        isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], int) and key[0] >= large for key in found
    )
    for key, value in found.items():
        both = _board_and_move(key, game, packed=packed)
        if both is None:
            return None
        moves.add(str(both[1]))
        triples.append((*both, value))
    marks = {*map(str.lower, game.marks)}
    sides = all(NUMBER.fullmatch(each) and read_whole_number(each) in (0, 1, 2, -1) for each in moves) or (
        {*map(str.lower, moves)} <= marks
    )
    sides = sides or all(is_board(key, game) for key in found)
    return None if not triples or (sides and len({str(board) for board, _, _ in triples}) == len(triples)) else triples


def _board_and_move(key: Any, game: Game, *, packed: bool) -> tuple[Any, Any] | None:  # noqa: ANN401
    """Return the board and the move in a key; `None` if it has only a board. With `packed`, boards are numbers."""
    size = game.board.grid.size
    parts = elements_of(key) if isinstance(key, str) else key
    if isinstance(key, str):
        for each in KEYED:
            if (split := each.fullmatch(key)) and is_board(split[1], game):
                return split[1], split[2]
    if not isinstance(parts, (list, tuple)):
        return None
    if len(parts) == 3 and parts is not key and len(parts[0]) >= size:
        return parts[0], parts[1:]
    if len(parts) == 2:
        apart = packed or (len(parts[0]) >= size if parts is not key else isinstance(parts[0], (str, tuple, bytes)))
        return (parts[0], parts[1]) if apart else None
    if len(parts) == size + 2 and all(str(each).isdecimal() for each in parts[size:]):
        return parts[:size], parts[size:]
    return (parts[:-1], parts[-1]) if len(parts) == size + 1 else None
