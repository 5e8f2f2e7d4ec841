"""Rows with named columns: files of CSV, and objects whose keys are the names of columns."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.game import BadText, Game, quoted
from lab.judging.files.file_table import KIND_NAMES, NUMBER_NAMES, FileTable, Row
from lab.judging.notation.packed_boards import possible_packings, written_numbers
from lab.judging.notation.reply import MOVE_KEYS, SCORE_KEYS, Numbers, check_list_size, read_number
from lab.judging.notation.written_boards import read_board
from lab.judging.notation.written_moves import (
    DIGITS,
    has_gravity,
    is_in_parts,
    is_move_like,
    list_sizes,
    move_text,
    strip_template,
    template_of,
)

POSITION_NAMES: Final = (
    *("position", "state", "board", "observation", "obs", "grid", "key"),
    *("stellung", "brett", "spielfeld", "zustand", "plateau", "état", "etat"),
    *("tablero", "posición", "posicion", "estado"),
)
MOVE_NAMES: Final = (
    *("move", "action", "act", "square", "decision", "choice", "cell", "play", "answer", "reply", "label", "target"),
    *("zug", "spielzug", "feld", "aktion", "antwort", "coup", "jugada", "movimiento", "casilla", "acción", "accion"),
)
SIDE_NAMES: Final = ("side", "player", "turn", "to_move", "seite", "spieler", "joueur", "jugador")
"""The possible names of the columns `POSITION_NAMES`, `MOVE_NAMES` and `SIDE_NAMES`, also at the end of a longer one: `best_move`."""
ROW_NAMES: Final = ("row", "r", "zeile")
COLUMN_NAMES: Final = ("column", "col", "c", "spalte")
COORDINATE_NAMES: Final = ((ROW_NAMES, COLUMN_NAMES), (("x",), ("y",)))
"""The names of two columns that replace a column of moves. With `x` and `y`, either can be the row."""
INDEX_COLUMN: Final = re.compile(r"|index|unnamed: [0-9]+|level_[0-9]+")
"""The names of a column with an index, as pandas writes it: numbers of lines, or the positions and moves."""
UNNAMED_COLUMN: Final = "0"
"""The name that pandas writes for the last column, of a series without a name."""
HEADER: Final = "position,move,probability"


def column_of(names: Iterable[str], known: Iterable[str]) -> str | None:
    """Return the column with a known name, or else last word; `None` without one. Raises `BadText` for several."""
    known, words = tuple(known), {name: "_".join(name.strip().lower().replace("-", " ").split()) for name in names}
    found = [name for name, word in words.items() if word in known]
    found = found or [name for name, word in words.items() if word.rpartition("_")[2] in known]
    if len(found) > 1:
        raise BadText(f"{quoted(found[0])} and {quoted(found[1])} may both be the {known[0]}: leave one of them out")
    return found[0] if found else None


def read_columns(text: str, game: Game) -> FileTable:
    """Return the rows of a file of CSV, with or without a line of names. Raises `BadText`."""
    tables = [lines for each in "\t;" if each in text and min(map(len, lines := _lines(text, each)), default=0) > 1]
    lines = tables[0] if tables else _lines(text, ",")
    if not lines:
        raise BadText(f"it is empty\nWrite a line for each move: '{HEADER}'")
    header, size = _name_index_columns(lines, game), game.board.grid.size
    shown = (
        _bitboard_columns(header, lines[1:], game)
        or column_of(header, POSITION_NAMES)
        or _square_columns(header, lines[1:], game)
    )
    if not shown:
        usual = HEADER.split(",")
        if len(header) == size + 1 and all(len(line) == size + 1 for line in lines):
            header = [*(f"square {index}" for index in range(size)), "move"]
        elif 2 <= len(header) <= len(usual):
            if len(lines) > 1 and is_board(lines[1][0], game) and not is_board(header[0], game):
                raise BadText(
                    f"its columns are called {', '.join(map(quoted, header))}\n"
                    f"Call them {', '.join(map(quoted, usual[: len(header)]))}, or 'value' for values"
                )
            header = list(usual[: len(header)])
        else:
            raise BadText(
                f"{quoted(','.join(header))} has no column 'position'\n"
                f"Begin the file with '{HEADER}', or 'position,move,value'"
            )
        lines.insert(0, header)
    for count, line in enumerate(lines[1:], 1):
        if any(map(str.strip, line[len(header) :])):
            raise BadText(f"row {count:,} has more columns than the header")
    return read_named_rows([dict(zip(header, line, strict=False)) for line in lines[1:]], header, game)


def _name_index_columns(lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the names of the columns; index columns that hold positions, and perhaps moves, are named after these."""
    header, places = [*lines[0]], [place for place, name in enumerate(lines[0]) if _is_index(name)]
    if len(lines) > 1 and places and not column_of(header, POSITION_NAMES) and is_board(lines[1][places[0]], game):
        for place, name in zip(places, (POSITION_NAMES[0], MOVE_NAMES[0]), strict=False):
            header[place] = name
    return header


def _lines(text: str, delimiter: str) -> list[list[str]]:
    """Return the lines of a file of CSV with this delimiter, without empty lines. Raises `BadText`."""
    spaced = f'{delimiter} "' in text
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=spaced)
    try:
        return [line for line in reader if any(map(str.strip, line))]
    except csv.Error as error:  # such as a field of more than 131,072 characters
        raise BadText(f"line {reader.line_num:,}: {error}\nIs a quotation mark not closed?") from error


def is_board(written: str, game: Game) -> bool:
    try:
        read_board(written, game)
    except BadText:
        return False
    return True


def _is_index(name: str) -> bool:
    return INDEX_COLUMN.fullmatch(name.strip().lower()) is not None


def _unknown_columns(header: Sequence[str]) -> list[str]:
    """Return the columns whose names are not known, so that they may hold boards."""
    known = (*MOVE_NAMES, *SIDE_NAMES, *NUMBER_NAMES)
    coordinates = coordinate_columns(header)
    return [each for each in header if not _is_index(each) and each not in coordinates and not column_of([each], known)]


def _square_columns(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    columns = _unknown_columns(header)
    if len(columns) != game.board.grid.size or len(columns) == len(header):
        return []
    marks = {piece.mark.lower() for piece in game.board.pieces}
    known = {*marks, "", "0", "1", "2", "-1", "0.0", "1.0", "2.0", "-1.0", ".", "-", "_", "b", "none", "nan", "empty"}
    places = [index for index, name in enumerate(header) if name in columns]
    found = {line[index].strip().lower() for line in lines for index in places if index < len(line)}
    return columns if found <= known else []


def _bitboard_columns(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the two columns that have a bit for each piece of a side; empty if the file has none."""
    found = _unknown_columns(header)
    if len(found) != 2 or sum(column_of([name], POSITION_NAMES) is not None for name in found) == 1:
        return []
    places = [header.index(name) for name in found]
    boards = [written_numbers([line[place] for place in places if place < len(line)]) for line in lines]
    return found if boards and "bits-big" in possible_packings(boards, game.board.grid.size) else []


def _merge_columns(
    objects: list[dict[str, Any]], header: list[str], game: Game
) -> tuple[list[dict[str, Any]], list[str], frozenset[str]]:
    """Merge the columns of squares, or of bitboards, into one of positions, and those of coordinates into one of moves.

    Return the rows, their columns, and what the names of the columns tell of the convention.
    """
    lines = [[str(each.get(name, "")) for name in header] for each in objects] if _unknown_columns(header)[1:] else []
    places = _bitboard_columns(header, lines, game) or _square_columns(header, lines, game)
    known = frozenset[str]()
    for name, columns in (
        (POSITION_NAMES[0], places),
        (MOVE_NAMES[0], coordinate_columns([each for each in header if each not in places])),
    ):
        if columns:
            objects = [{**each, name: [each.get(column, "") for column in columns]} for each in objects]
            header = [*(each for each in header if each not in columns), name]
            known = frozenset({"y-x"} if name == MOVE_NAMES[0] and columns[0].strip().lower() in ROW_NAMES else ())
    return objects, header, known


def coordinate_columns(header: Sequence[str]) -> list[str]:
    """Return the two columns with the row and the column of a move; empty if the file has none."""
    if column_of([name for name in header if not column_of([name], SIDE_NAMES)], MOVE_NAMES) is not None:
        return []
    pairs = [
        [[each for each in header if each.strip().lower() in names] for names in pair] for pair in COORDINATE_NAMES
    ]
    return next(([row[0], column[0]] for row, column in pairs if len(row) == len(column) == 1), [])


def read_named_rows(objects: list[dict[str, Any]], header: list[str], game: Game) -> FileTable:
    """Read rows with named columns. Raises `BadText`."""
    if len(set(header)) < len(header):
        raise BadText(f"two columns are called {quoted(Counter(header).most_common(1)[0][0])}")
    squares = [name for name in header if is_move_like(name, game)]
    squares = squares if len(squares) == game.board.grid.size else []  # as those of a compass, whose N is no number
    objects, header, known = _merge_columns(objects, header, game)
    words = [name for name in header if name not in squares]
    position, side = column_of(words, POSITION_NAMES), column_of(words, SIDE_NAMES)
    if position is None:
        raise BadText(f"it has no column 'position'\nName the columns as in '{HEADER}'")
    nested = [name for name in words if name != position and all(_is_nested(each.get(name)) for each in objects)]
    named = _columns_by_kind(nested) if any(_columns_by_kind(nested).values()) else _columns_by_kind(words)
    known_moves = (*MOVE_NAMES, *COLUMN_NAMES) if has_gravity(game) else MOVE_NAMES
    move = column_of([name for name in words if name not in {position, side}], known_moves)
    kind = next((kind for kind in KIND_NAMES if named[kind]), None)
    others = [name for name in header if name not in {position, side, move, *named.values()}]
    wide = _move_columns(others, game) or [name for name in others if is_move_like(name, game)]
    numbers = (
        named[kind]
        if kind
        else UNNAMED_COLUMN
        if move is not None and wide == [UNNAMED_COLUMN] == header[-1:]
        else None
    )
    wide = [name for name in wide if name != numbers]
    unused = [name for name in others if name != numbers and not _is_index(name)]
    column = numbers or "" if move is None and not wide else ""
    listed = bool(column) and all(_is_nested(each.get(column)) for each in objects)
    of_positions = not listed and bool(column) and kind is Numbers.VALUES
    if not of_positions and not listed:
        _check_moves(move, wide, unused)
    used = (position, side, move, numbers, *([column] if listed or of_positions else () if move else wide))
    beside = dict.fromkeys(name for name in words if name not in used and not _is_index(name))
    table = FileTable(
        kind=kind or next(map(_kind_in_name, wide), None),
        listed=listed and not any(isinstance(each[column], Mapping) for each in objects),
        uncounted=unused[0] if unused else "",
        beside=beside,
        known=known,
    )
    _check_filled(objects, position, move)

    def written_side(each: Mapping[str, Any]) -> Any:  # noqa: ANN401
        return None if side is None or each.get(side) is None else str(each[side])

    if move is not None and numbers is None:
        places = [(each[position], written_side(each), f"row {count:,}") for count, each in enumerate(objects, 1)]
        add_answers(table, places, [each[move] for each in objects], game)
        return table
    grouped = dict[tuple[str, str], Row]()
    for count, each in enumerate(objects, 1):
        where, board, mover = f"row {count:,}", each[position], written_side(each)
        try:
            if listed or of_positions:
                pairs = numbers_in_list(each[column], game) if listed else None
                single = read_number(each.get(column, "")) if of_positions else None
                table.rows.append(Row(board, mover, pairs, single, where))
            elif move is None:
                pairs = [(name, read_number(each[name])) for name in wide if str(each.get(name, "")).strip()]
                table.rows.append(Row(board, mover, pairs, None, where))
            else:
                row = grouped.setdefault((str(board), str(mover)), Row(board, mover, [], None, where))
                assert row.pairs is not None  # noqa: S101  as created
                row.pairs.append((extract_move(each[move]), read_number(each.get(numbers or "", ""))))
        except BadText as error:
            raise BadText(f"{where}: {error}") from error
    table.rows += grouped.values()
    return table


def _check_filled(objects: Sequence[Mapping[str, Any]], position: str, move: str | None) -> None:
    for count, each in enumerate(objects, 1):
        if position not in each or (move is not None and move not in each):
            raise BadText(f"row {count:,} has too few columns")


def _columns_by_kind(names: Sequence[str]) -> dict[Numbers, str | None]:
    return {kind: column_of(names, known) for kind, known in KIND_NAMES.items()}


def _kind_in_name(name: str) -> Numbers | None:
    """Return the kind of numbers named before the move in the name of a column, as in `q_3`."""
    word = DIGITS.sub("", name).strip(" _").lower()
    return next((kind for kind, known in KIND_NAMES.items() if word in known), None)


def _move_columns(names: Iterable[str], game: Game) -> list[str]:
    """Return the columns for all moves, named by the same word and a number, as `action_3`; empty if there are none."""
    alike = dict[str, list[str]]()
    for name in names:
        alike.setdefault(template_of(name), []).append(name)
    columns = max(alike.values(), key=len, default=[])
    return columns if len(columns) in list_sizes(game) and strip_template(columns, game) else []


def _check_moves(move: str | None, wide: list[str], others: Iterable[str]) -> None:
    if move is not None and wide:
        raise BadText(f"{quoted(move)} and {quoted(wide[0])} are both columns of moves: leave one of them out")
    strange = [name for name in others if name not in wide]
    if move is None and (strange or not wide):
        raise BadText(
            (f"{quoted(strange[0])} is not the name of a move" if strange else "it has no column with a move") + "\n"
            "Call the column with the move 'move', or name the columns of numbers after moves: 'board,0,1,…'"
        )


def _is_nested(written: object) -> bool:
    return isinstance(written, (list, tuple, Mapping))


def numbers_in_list(listed: Any, game: Game) -> list[tuple[Any, Any]]:  # noqa: ANN401
    """Return the (move, number) pairs of an object, or of a list with a number or `None` for each square."""
    if isinstance(listed, Mapping):
        return [*listed.items()]
    if listed and all(isinstance(row, (list, tuple)) for row in listed):
        listed = [each for row in listed for each in row]
    check_list_size(listed, game)
    return [(index, each) for index, each in enumerate(listed) if each is not None]


def extract_move(answer: Any) -> Any:  # noqa: ANN401
    """Return the move of an object with a move and perhaps a score, or with a row and a column; others as they are."""
    if not isinstance(answer, Mapping):
        return answer
    if pair := coordinate_columns([*map(str, answer)]) if len(answer) == 2 else []:
        return [answer[name] for name in pair]
    moves = answer.keys() & MOVE_KEYS
    return answer[min(moves)] if len(moves) == 1 and answer.keys() <= MOVE_KEYS | SCORE_KEYS else answer


def add_answers(table: FileTable, rows: Sequence[tuple[Any, Any, str]], answers: Iterable[Any], game: Game) -> None:
    """Add rows, each of a board, a side and its place in the file, with their moves, or numbers for each move."""
    answers = [*map(extract_move, answers)]
    if all(is_in_parts(each, game) for each in answers):
        answers = [*map(move_text, answers)]
    beads = are_beads(answers, game)
    table.kind = Numbers.COUNTS if beads else table.kind
    for (board, side, where), listed in zip(rows, answers, strict=True):
        pairs, in_list = None, isinstance(listed, (list, tuple))
        if beads:
            pairs = [*Counter(listed).items()]
        elif isinstance(listed, Mapping):
            pairs = [*listed.items()]
        elif in_list and listed and all(map(_is_scored, listed)):
            pairs = [(move, each) for move, each in listed]
        elif in_list and not (len(listed) == 2 and {*map(type, listed)} in ({int}, {str})):
            try:
                pairs = numbers_in_list(listed, game)
            except BadText as error:
                raise BadText(f"{where}: {error}") from error
            table.listed = True
        table.rows.append(Row(board, side, pairs, listed if pairs is None else None, where))


def are_beads(answers: Iterable[Any], game: Game) -> bool:
    """Return whether all answers are lists of squares, in which each square occurs once for each of its beads."""
    sizes, lists = list_sizes(game), [*answers]
    return (
        all(isinstance(each, (list, tuple)) and all(type(square) is int for square in each) for each in lists)
        and max(map(len, lists), default=0) > len(("row", "column"))
        and any(len(each) not in sizes for each in lists)
        and all(0 <= square <= game.board.grid.size for each in lists for square in each)
    )


def _is_scored(each: Any) -> bool:  # noqa: ANN401
    return isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[1], (int, float))
