"""Tables as objects: the contents of JSON and of pickles."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from engine.game import BadText, Game, quoted
from lab.judging.files.answers import add_answers, are_beads, extract_move
from lab.judging.files.arrays import read_arrays
from lab.judging.files.column_names import KIND_NAMES, MOVE_NAMES, NUMBER_NAMES, POSITION_NAMES, column_of
from lab.judging.files.columns import read_named_rows
from lab.judging.files.file_table import FileTable, Row
from lab.judging.notation.reply import SCORE_KEYS, Numbers, read_number
from lab.judging.notation.written_boards import elements_of, is_board, is_side, read_side
from lab.judging.notation.written_moves import DIGITS, NAME, NUMBER, PAIR, read_whole_number, template_of

WRAPPERS: Final = (
    *("policy", "q_table", "qtable", "q", "table", "values", "states"),
    *("boxes", "matchboxes", "menace", "positions", "data", "rows"),
)
"""The keys under which an outer object may hold the table, with other things beside it."""
INDEX_NAME: Final = "index"
"""The name for the index of a pandas table, which may hold the positions."""
BETWEEN: Final = r"\s*(?:[-=]?>|[_|:;/@-])\s*"
"""What may stand between the board and the move in a key."""
MOVES: Final = rf"({NUMBER.pattern}|{NAME.pattern}|{PAIR.pattern})"
BOARD_AND_MOVE: Final = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (f"(.+?){BETWEEN}{MOVES}", rf"(.+[^,\s])(?=[0-9]$){MOVES}", f"(.+?){BETWEEN}([A-Za-z]+[_ ]?[0-9]+)")
)
"""A key with a board and a move, such as `XO..X...._8`, `XO..X....->8`, `XO..X....8` or `XO..X....|action_8`."""


def read_object(content: Any, game: Game) -> FileTable:  # noqa: ANN401  whatever the file holds
    """Return the rows of an object, a list of objects, or an array. Raises `BadText`."""
    content, beside = _unwrap(content, game)
    table = _read_content(content, game)
    table.other_names = dict.fromkeys([*beside, *table.other_names])
    return table


def _read_content(content: Any, game: Game) -> FileTable:  # noqa: ANN401  whatever the file holds
    if hasattr(content, "dtype"):
        return read_arrays({"table": content}, game)
    content = _read_nested_frame(_split_lists(_read_frame(content)), game)
    if isinstance(content, (list, tuple)) and content:
        if all(isinstance(each, Mapping) for each in content):
            return _read_objects(content, game)
        if all(map(_is_pair, content)):
            content = {str(key) if isinstance(key, list) else key: value for key, value in content}
    if not content and isinstance(content, (Mapping, list, tuple)):
        raise BadText("it is empty: there is no position in it")
    if not isinstance(content, Mapping):
        example = f'{{"{game.to_text(game.start)}": {{"{game.move_name(game.moves(game.start)[0])}": 1.0}}, …}}'
        raise BadText(f"it is neither a list of objects nor an object by position\nWrite {example}")
    if any(hasattr(each, "dtype") and (each.ndim > 1 or len(content) == 1) for each in content.values()):
        return read_arrays({str(name): each for name, each in content.items()}, game)
    table = FileTable()
    for side, entries in _split_by_side(content, game).items():
        _add_entries(table, entries, side, game)
    return table


def _read_objects(content: Iterable[Mapping[Any, Any]], game: Game) -> FileTable:
    """Read a list of objects whose keys are the names of columns; an index of pandas may hold the positions."""
    objects = [{str(name): value for name, value in each.items() if value is not None} for each in content]
    header = list(dict.fromkeys(name for each in objects for name in each))
    if INDEX_NAME in header and not column_of(header, POSITION_NAMES):
        names = {INDEX_NAME: POSITION_NAMES[0]}
        header = [names.get(name, name) for name in header]
        objects = [{names.get(name, name): value for name, value in each.items()} for each in objects]
    return read_named_rows(_count_beads(objects, game), header, game)


def _unwrap(content: Any, game: Game) -> tuple[Any, list[str]]:  # noqa: ANN401  whatever the file holds
    """Return the table in an outer object, and the names of the other things there. Raises `BadText` for two tables."""
    beside = list[str]()
    while isinstance(content, Mapping):
        if isinstance(content.get("data"), list) and "schema" in content:  # as pandas writes `orient="table"`
            return content["data"], beside
        if "columns" in content:
            break
        nested = {
            name: value
            for name, value in content.items()
            if isinstance(value, (Mapping, list)) or hasattr(value, "dtype")
        }
        if _are_columns(nested):
            beside += [str(name) for name in content if name not in nested]
            return {str(name).removesuffix("s"): each for name, each in nested.items()}, beside
        if nested and all(is_side(name, game) for name in nested) and len(nested) < len(content):
            beside += [str(name) for name in content if name not in nested]
            content = nested
            continue
        wrapper = _find_wrapper(content, nested, game)
        if wrapper is None:
            break
        beside += [str(name) for name in content if name != wrapper]
        content = nested[wrapper]
    return content, beside


def _find_wrapper(content: Mapping[Any, Any], nested: Mapping[Any, Any], game: Game) -> Any:  # noqa: ANN401
    """Return the key of an outer object that holds the table; `None` without one. Raises `BadText` for two tables."""
    wrappers = [name for name in nested if str(name).lower() in WRAPPERS]
    if not wrappers:
        return None
    with_boards = [name for name, each in nested.items() if any(is_board(board, game) for board in islice(each, 1))]
    are_tables = all(isinstance(nested[name], Mapping) for name in with_boards)
    if len(with_boards) > 1 and are_tables and {*with_boards} & {*wrappers}:
        both = " and ".join(quoted(str(name)) for name in with_boards[:2])
        raise BadText(f"it has {both}, which both have positions: leave only the table in it")
    if len(wrappers) > 1 or not {*with_boards} <= {*wrappers} or any(is_board(name, game) for name in content):
        return None
    return wrappers[0]


def _are_columns(nested: Mapping[Any, Any]) -> bool:
    """Return whether an object has lists or arrays of the same size as values, one of them of positions."""
    if len(nested) < 2 or any(isinstance(each, Mapping) or not getattr(each, "ndim", 1) for each in nested.values()):
        return False
    names = [str(name).removesuffix("s") for name in nested]
    return len({*map(len, nested.values())}) == 1 and column_of(names, POSITION_NAMES) is not None


def _split_lists(content: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table with lists of moves and of their numbers as a list of objects, one a move; others as they are."""
    if isinstance(content, Mapping):
        if all(map(_is_list_of_objects, content.values())):
            return [{POSITION_NAMES[0]: board, **each} for board, answers in content.items() for each in answers]
        if not all(isinstance(each, Mapping) and (_paired_lists(each) or _is_box(each)) for each in content.values()):
            return content
        content = [{POSITION_NAMES[0]: board, **each} for board, each in content.items()]
    if not isinstance(content, list) or not all(isinstance(each, Mapping) and _paired_lists(each) for each in content):
        return content
    return [part for each in content for part in _split_object(each)]


def _is_list_of_objects(answers: Any) -> bool:  # noqa: ANN401
    return isinstance(answers, list) and bool(answers) and all(isinstance(each, Mapping) for each in answers)


def _split_object(each: Mapping[Any, Any]) -> list[dict[Any, Any]]:
    """Return an object with a list of moves and one of their numbers as several objects, one a move."""
    names = _paired_lists(each)
    shared = {name: value for name, value in each.items() if name not in names}
    singular = [name.removesuffix("s") for name in names]
    return [{**shared, **dict(zip(singular, pair, strict=True))} for pair in zip(*map(each.get, names), strict=True)]


def _is_box(each: Mapping[Any, Any]) -> bool:
    """Return whether an object has numbers for all moves under one name, as a box of MENACE has beads."""
    nested = [str(name) for name, listed in each.items() if isinstance(listed, (list, tuple, Mapping))]
    return column_of(nested, NUMBER_NAMES) is not None


def _paired_lists(each: Mapping[Any, Any]) -> list[str]:
    """Return the names of an object's list of moves and list of their numbers; empty if it has no such lists."""
    lists = {str(name).removesuffix("s"): name for name, listed in each.items() if isinstance(listed, list)}
    move = column_of(lists, MOVE_NAMES)
    if not move:
        return []
    numbers = column_of(lists, NUMBER_NAMES)
    if not numbers or len(each[lists[move]]) != len(each[lists[numbers]]):
        return []
    return [lists[move], lists[numbers]]


def _read_frame(content: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table of columns, or of lines with their names, as a list of objects; any other table as it is."""
    if not isinstance(content, Mapping) or not all(isinstance(each, list) for each in content.values()):
        return content
    if content.keys() >= {"columns", "index", "data"}:
        header, lines, index = [*map(str, content["columns"])], content["data"], content["index"]
        if len(index) != len(lines) or not all(isinstance(line, list) and len(line) == len(header) for line in lines):
            raise BadText("its lists 'columns', 'index' and 'data' do not have the same sizes")
        return [
            {INDEX_NAME: number, **dict(zip(header, line, strict=True))}
            for number, line in zip(index, lines, strict=True)
        ]
    if not column_of(map(str, content), POSITION_NAMES) or len({*map(len, content.values())}) > 1:
        return content
    return [dict(zip(content, line, strict=True)) for line in zip(*content.values(), strict=True)]


def _read_nested_frame(content: Any, game: Game) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table that pandas wrote by rows or by columns as a list of objects; anything else as it is."""
    if (
        not isinstance(content, Mapping)
        or not content
        or not all(isinstance(each, Mapping) for each in content.values())
    ):
        return content
    if all(column_of(map(str, each), POSITION_NAMES) for each in content.values()):
        return [*content.values()]
    index = [*next(iter(content.values()))]
    are_alike = all([*each] == index for each in content.values())
    if column_of(map(str, content), POSITION_NAMES) and are_alike:
        return [{name: each[row] for name, each in content.items()} for row in index]
    if not are_alike or not all(is_board(str(row), game) for row in index):
        return content
    if any(is_board(str(name), game) for name in content) or all(is_side(name, game) for name in content):
        return content
    return {row: {name: each[row] for name, each in content.items() if each[row] is not None} for row in index}


def _is_pair(each: Any) -> bool:  # noqa: ANN401
    return isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[0], (str, list, tuple, bytes))


def _split_by_side(content: Mapping[Any, Any], game: Game) -> dict[str | None, Mapping[Any, Any]]:
    """Return the tables of a file by the mark of the side; if it has only one, return that under `None`."""
    if not 0 < len(content) <= 2 or not all(isinstance(each, Mapping) and each for each in content.values()):
        return {None: content}
    try:
        sides = {read_side(name, game): entries for name, entries in content.items()}
    except BadText:
        return {None: content}
    return {game.mark(side): entries for side, entries in sides.items()}


def _add_entries(table: FileTable, entries: Mapping[Any, Any], side: str | None, game: Game) -> None:
    """Add the rows of an object by position, or by position and move."""
    triples = _split_keys(entries, game)
    if triples is None:
        answers = [answer.tolist() if hasattr(answer, "tolist") else answer for answer in entries.values()]
        table.other_names |= _score_names(entries.values(), map(extract_move, answers))
        add_answers(table, [(board, side, quoted(str(board))) for board in entries], answers, game)
        return
    boards, pairs = dict[str, Any](), dict[str, list[tuple[Any, Any]]]()
    for board, move, value in triples:
        boards.setdefault(str(board), board)
        pairs.setdefault(str(board), []).append((move, read_number(value)))
    for text, board in boards.items():
        table.rows.append(Row(board, side, _sorted_by_square(pairs[text]), None, quoted(text)))
    table.kind = table.kind or Numbers.VALUES


def _count_beads(objects: list[dict[str, Any]], game: Game) -> list[dict[str, Any]]:
    """Return objects with counts of beads in place of lists with each square once for each bead; others as they are."""
    name = column_of([*objects[0]], KIND_NAMES[Numbers.COUNTS])
    if name is None or not are_beads([each.get(name) for each in objects], game):
        return objects
    return [{**each, name: Counter(each[name])} for each in objects]


def _score_names(answers: Iterable[Any], moves: Iterable[Any]) -> dict[str, None]:
    """Return the names of the scores in answers of which only the moves are read."""
    names = dict[str, None]()
    for answer, move in zip(answers, moves, strict=True):
        if isinstance(answer, Mapping) and move is not answer:
            names |= dict.fromkeys(str(name) for name in answer if name in SCORE_KEYS)
    return names


def _sorted_by_square(pairs: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return (move, number) pairs by square, the usual order of programs: a table has them in the order first tried."""
    if len({template_of(str(move)) for move, _ in pairs}) > 1:
        return pairs
    return sorted(pairs, key=lambda pair: [*map(read_whole_number, DIGITS.findall(str(pair[0])))])


def _split_keys(entries: Mapping[Any, Any], game: Game) -> list[tuple[Any, Any, Any]] | None:
    """Return the (board, move, number) triples of a table by position and move; `None` for a table by position only."""
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in entries.values()):
        return None
    large = 2**game.board.grid.size  # for a bitboard
    packed = any(
        isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], int) and key[0] >= large for key in entries
    )
    triples = list[tuple[Any, Any, Any]]()
    for key, value in entries.items():
        parts = _board_and_move(key, game, packed=packed)
        if parts is None:
            return None
        triples.append((*parts, value))
    boards, moves = {str(board) for board, _, _ in triples}, {str(move) for _, move, _ in triples}
    if len(boards) == len(triples) and (_are_sides(moves, game) or all(is_board(key, game) for key in entries)):
        return None
    return triples


def _are_sides(texts: Iterable[str], game: Game) -> bool:
    """Return whether all texts may be sides instead of moves; true for none."""
    marks, words = {*map(str.lower, game.marks)}, {text.lower() for text in texts}
    return words <= marks or all(NUMBER.fullmatch(word) and read_whole_number(word) in (0, 1, 2, -1) for word in words)


def _board_and_move(key: Any, game: Game, *, packed: bool) -> tuple[Any, Any] | None:  # noqa: ANN401
    """Return the board and the move in a key; `None` if it has only a board. With `packed`, boards are numbers."""
    if isinstance(key, str):
        return _split_text(key, game)
    if not isinstance(key, (list, tuple)):
        return None
    if len(key) == 2:
        return (key[0], key[1]) if packed or isinstance(key[0], (str, tuple, bytes)) else None
    return _split_squares(key, game)


def _split_text(key: str, game: Game) -> tuple[Any, Any] | None:
    for pattern in BOARD_AND_MOVE:
        match = pattern.fullmatch(key)
        if match and is_board(match[1], game):
            return match[1], match[2]
    parts = elements_of(key)
    if len(parts) in {2, 3} and len(parts[0]) >= game.board.grid.size:
        return parts[0], parts[1] if len(parts) == 2 else parts[1:]
    return None if len(parts) == 2 else _split_squares(parts, game)


def _split_squares(parts: Sequence[Any], game: Game) -> tuple[Any, Any] | None:
    """Return the board and the move in a list of squares followed by a move, or by a row and a column."""
    size = game.board.grid.size
    if len(parts) == size + 2 and all(str(number).isdecimal() for number in parts[size:]):
        return parts[:size], parts[size:]
    return (parts[:-1], parts[-1]) if len(parts) == size + 1 else None
