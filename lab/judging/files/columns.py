"""Rows with named columns: files of CSV, and objects whose keys are the names of columns."""

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.game import BadText, Game, quoted
from lab.judging.files.answers import add_answers, extract_move, numbers_in_list
from lab.judging.files.column_names import (
    COLUMN_NAMES,
    MOVE_NAMES,
    POSITION_NAMES,
    ROW_NAMES,
    SIDE_NAMES,
    column_of,
    columns_by_kind,
    coordinate_columns,
    is_index,
    kind_in_name,
    unknown_columns,
)
from lab.judging.files.file_reading import ROW_FIRST
from lab.judging.files.file_table import FileTable, Row, name_place
from lab.judging.notation.packed_boards import possible_packings, written_numbers
from lab.judging.notation.reply import Numbers, read_number
from lab.judging.notation.written_boards import is_board
from lab.judging.notation.written_moves import has_gravity, is_move_like, list_sizes, strip_template, template_of

UNNAMED_COLUMN: Final = "0"
"""The name that pandas writes for the last column, of a series without a name."""
HEADER: Final = "position,move,probability"


def read_columns(text: str, game: Game) -> FileTable:
    """Return the rows of a file of CSV, with or without a line of names. Raises `BadText`."""
    lines = _split_lines(text)
    if not lines:
        raise BadText(f"it is empty\nWrite a line for each move: '{HEADER}'")
    header = _name_index_columns(lines, game)
    if not _has_positions(header, lines[1:], game):
        header = _usual_header(header, lines, game)
        lines.insert(0, header)
    for count, line in enumerate(lines[1:], 1):
        if any(map(str.strip, line[len(header) :])):
            raise BadText(f"row {count:,} has more columns than the header")
    return read_named_rows([dict(zip(header, line, strict=False)) for line in lines[1:]], header, game)


def _split_lines(text: str) -> list[list[str]]:
    """Return the lines of a file of CSV, divided by tabs or semicolons if that gives several columns, else by commas.

    Raises `BadText`.
    """
    for delimiter in "\t;":
        if delimiter in text:
            lines = _lines(text, delimiter)
            if min(map(len, lines), default=0) > 1:
                return lines
    return _lines(text, ",")


def _has_positions(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> bool:
    if _bitboard_columns(header, lines, game) or column_of(header, POSITION_NAMES):
        return True
    return bool(_square_columns(header, lines, game))


def _usual_header(first_line: list[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the names of the columns of a file whose first line has none. Raises `BadText` if they are not clear."""
    size, usual = game.board.grid.size, HEADER.split(",")
    if len(first_line) == size + 1 and all(len(line) == size + 1 for line in lines):
        return [*(f"square {index}" for index in range(size)), "move"]
    if not 2 <= len(first_line) <= len(usual):
        raise BadText(
            f"{quoted(','.join(first_line))} has no column 'position'\n"
            f"Begin the file with '{HEADER}', or 'position,move,value'"
        )
    header = usual[: len(first_line)]
    if len(lines) > 1 and is_board(lines[1][0], game) and not is_board(first_line[0], game):
        raise BadText(
            f"its columns are called {', '.join(map(quoted, first_line))}\n"
            f"Call them {', '.join(map(quoted, header))}, or 'value' for values"
        )
    return header


def _name_index_columns(lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the names of the columns; index columns that hold positions, and perhaps moves, are named after these."""
    header = [*lines[0]]
    places = [place for place, name in enumerate(header) if is_index(name)]
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


def _square_columns(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the columns that hold a square each; empty if the file has none."""
    columns = unknown_columns(header)
    if len(columns) != game.board.grid.size or len(columns) == len(header):
        return []
    pieces = {piece.mark.lower() for piece in game.board.pieces} | {"1", "2", "-1", "1.0", "2.0", "-1.0"}
    empty = {"", "0", "0.0", ".", "-", "_", "b", "none", "nan", "empty"}
    places = [place for place, name in enumerate(header) if name in columns]
    squares = {line[place].strip().lower() for line in lines for place in places if place < len(line)}
    return columns if squares <= pieces | empty else []


def _bitboard_columns(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the two columns that have a bit for each piece of a side; empty if the file has none."""
    columns = unknown_columns(header)
    if len(columns) != 2 or sum(column_of([name], POSITION_NAMES) is not None for name in columns) == 1:
        return []
    places = [header.index(name) for name in columns]
    boards = [written_numbers([line[place] for place in places if place < len(line)]) for line in lines]
    return columns if boards and "bits-big" in possible_packings(boards, game.board.grid.size) else []


def _merge_columns(
    objects: list[dict[str, Any]], header: list[str], game: Game
) -> tuple[list[dict[str, Any]], list[str], frozenset[str]]:
    """Merge the columns of squares, or of bitboards, into one of positions, and those of coordinates into one of moves.

    Return the rows, their columns, and what the names of the columns tell of the convention.
    """
    boards, known = list[str](), frozenset[str]()
    if len(unknown_columns(header)) > 1:
        lines = [[str(each.get(name, "")) for name in header] for each in objects]
        boards = _bitboard_columns(header, lines, game) or _square_columns(header, lines, game)
    coordinates = coordinate_columns([name for name in header if name not in boards])
    if boards:
        objects, header = _merge_into(POSITION_NAMES[0], boards, objects, header)
    if coordinates:
        objects, header = _merge_into(MOVE_NAMES[0], coordinates, objects, header)
        if coordinates[0].strip().lower() in ROW_NAMES:
            known = frozenset({ROW_FIRST})
    return objects, header, known


def _merge_into(
    name: str, columns: Sequence[str], objects: Sequence[Mapping[str, Any]], header: Sequence[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return rows with a list of the values of some columns under another name, and their columns."""
    merged = [{**each, name: [each.get(column, "") for column in columns]} for each in objects]
    return merged, [*(column for column in header if column not in columns), name]


@dataclass(frozen=True)
class _Layout:
    """What the columns of a table hold."""

    position: str
    side: str | None
    move: str
    """The column of moves; empty without one."""
    numbers: str
    """The column of numbers for moves or positions, or of lists of them; empty without one."""
    kind: Numbers | None
    """The kind of the numbers, if the name of their column tells."""
    wide: Sequence[str]
    """The columns that have the numbers of one move each."""
    has_lists: bool
    """Whether `numbers` are lists or objects with a number for each move."""
    has_position_values: bool
    """Whether `numbers` are values of positions."""
    unused: Sequence[str]
    """The columns of no known meaning, but for those in `wide`, first."""

    def row(self, each: Mapping[str, Any], where: str, game: Game) -> Row:
        """Read a row that is a whole position: with a value, a list, or a number in each column of `wide`."""
        board, side = each[self.position], self.written_side(each)
        if self.has_position_values:
            return Row(board, side, None, read_number(each.get(self.numbers, "")), where)
        if self.has_lists:
            return Row(board, side, numbers_in_list(each[self.numbers], game), None, where)
        pairs = [(name, read_number(each[name])) for name in self.wide if str(each.get(name, "")).strip()]
        return Row(board, side, pairs, None, where)

    def written_side(self, each: Mapping[str, Any]) -> str | None:
        side = None if self.side is None else each.get(self.side)
        return None if side is None else str(side)


def read_named_rows(objects: list[dict[str, Any]], header: list[str], game: Game) -> FileTable:
    """Read rows with named columns. Raises `BadText`."""
    if len(set(header)) < len(header):
        raise BadText(f"two columns are called {quoted(Counter(header).most_common(1)[0][0])}")
    squares = [name for name in header if is_move_like(name, game)]
    if len(squares) != game.board.grid.size:
        squares = []  # as those of a compass, whose N is no number
    objects, header, known = _merge_columns(objects, header, game)
    layout = _find_layout(objects, header, squares, game)
    used = {layout.position, layout.side, layout.move, layout.numbers}
    if not layout.move and not layout.has_lists and not layout.has_position_values:
        used |= {*layout.wide}
    words = [name for name in header if name not in squares]
    has_objects = layout.has_lists and any(isinstance(each[layout.numbers], Mapping) for each in objects)
    table = FileTable(
        kind=layout.kind or next(map(kind_in_name, layout.wide), None),
        has_lists=layout.has_lists and not has_objects,
        unused_column=layout.unused[0] if layout.unused else "",
        other_names=dict.fromkeys(name for name in words if name not in used and not is_index(name)),
        known_words=known,
    )
    for count, each in enumerate(objects, 1):
        if layout.position not in each or (layout.move and layout.move not in each):
            raise BadText(f"row {count:,} has too few columns")
    if not layout.move:
        for count, each in enumerate(objects, 1):
            with name_place(f"row {count:,}"):
                table.rows.append(layout.row(each, f"row {count:,}", game))
    elif not layout.numbers:
        places = [
            (each[layout.position], layout.written_side(each), f"row {count:,}")
            for count, each in enumerate(objects, 1)
        ]
        add_answers(table, places, [each[layout.move] for each in objects], game)
    else:
        table.rows += _group_by_position(objects, layout)
    return table


def _find_layout(
    objects: Sequence[Mapping[str, Any]], header: Sequence[str], squares: Collection[str], game: Game
) -> _Layout:
    """Find out what the columns hold; `squares` are the names of columns of squares. Raises `BadText`."""
    words = [name for name in header if name not in squares]
    position, side = column_of(words, POSITION_NAMES), column_of(words, SIDE_NAMES)
    if position is None:
        raise BadText(f"it has no column 'position'\nName the columns as in '{HEADER}'")
    nested = [name for name in words if name != position and all(_is_nested(each.get(name)) for each in objects)]
    columns_of_numbers = columns_by_kind(nested)
    if not any(columns_of_numbers.values()):
        columns_of_numbers = columns_by_kind(words)
    kind = next((kind for kind, name in columns_of_numbers.items() if name), None)
    move_names = (*MOVE_NAMES, *COLUMN_NAMES) if has_gravity(game) else MOVE_NAMES
    move = column_of([name for name in words if name not in {position, side}], move_names)
    others = [name for name in header if name not in {position, side, move, *columns_of_numbers.values()}]
    wide = _move_columns(others, game) or [name for name in others if is_move_like(name, game)]
    numbers = None if kind is None else columns_of_numbers[kind]
    if kind is None and move is not None and wide == [UNNAMED_COLUMN] == header[-1:]:
        numbers = UNNAMED_COLUMN
    wide = [name for name in wide if name != numbers]
    unused = [name for name in others if name != numbers and not is_index(name)]
    has_lists = has_position_values = False
    if numbers is not None and move is None and not wide:
        has_lists = all(_is_nested(each.get(numbers)) for each in objects)
        has_position_values = not has_lists and kind is Numbers.VALUES
    if not has_position_values and not has_lists:
        _check_moves(move, wide, unused)
    return _Layout(position, side, move or "", numbers or "", kind, wide, has_lists, has_position_values, unused)


def _group_by_position(objects: Sequence[Mapping[str, Any]], layout: _Layout) -> Iterable[Row]:
    """Return a row for each position of a table that has a move and its number in each line. Raises `BadText`."""
    rows, pairs = dict[tuple[str, str], Row](), dict[tuple[str, str], list[tuple[Any, Any]]]()
    for count, each in enumerate(objects, 1):
        where, board, side = f"row {count:,}", each[layout.position], layout.written_side(each)
        key = str(board), str(side)
        if key not in rows:
            pairs[key] = []
            rows[key] = Row(board, side, pairs[key], None, where)
        with name_place(where):
            pairs[key].append((extract_move(each[layout.move]), read_number(each.get(layout.numbers, ""))))
    return rows.values()


def _move_columns(names: Iterable[str], game: Game) -> list[str]:
    """Return the columns for all moves, named by the same word and a number, as `action_3`; empty if there are none."""
    by_template = dict[str, list[str]]()
    for name in names:
        by_template.setdefault(template_of(name), []).append(name)
    columns = max(by_template.values(), key=len, default=[])
    return columns if len(columns) in list_sizes(game) and strip_template(columns, game) else []


def _check_moves(move: str | None, wide: Sequence[str], others: Iterable[str]) -> None:
    """Raise `BadText` unless either one column has the moves, or only known columns and those of moves are left."""
    if move is not None:
        if wide:
            raise BadText(f"{quoted(move)} and {quoted(wide[0])} are both columns of moves: leave one of them out")
        return
    strange = next((name for name in others if name not in wide), None)
    if strange is None and wide:
        return
    problem = "it has no column with a move" if strange is None else f"{quoted(strange)} is not the name of a move"
    raise BadText(
        f"{problem}\nCall the column with the move 'move', or name the columns of numbers after moves: 'board,0,1,…'"
    )


def _is_nested(written: object) -> bool:
    return isinstance(written, (list, tuple, Mapping))
