"""Find out, for a whole file, what its positions and moves mean.

    way       who the pieces belong to: the side that moves first has X or 1 (`x-first`), or O, 2 or −1 (`o-first`), or
              X or 1 is a piece of the side to move (`mine`), or of the other side (`yours`)
    packing   of boards written as one number in base 3: the first square has the largest place value (`big`) or the
              smallest (`little`); the digits are 0, 1, 2, or −1, 0, 1 plus 1 (`big-signed`, `little-signed`)
    first     the number of the first square, row and column
    x-y       whether a pair has the column first
    from-top  whether `A1` is the top left square, as in a spreadsheet, not the bottom left one, as in chess

A *convention* is one of each. It *explains* a row if play can reach the position and the moves are legal there. The one
that explains all rows is taken. If several do and read different policies, one is wrong: then one is taken only if it
stands out (`lab.judging.standing_out`); else the file is refused. Nothing is usual: a table of the side that moves
first may be one of a game in which O does. But names of squares are ours beside our own text of positions, and in a
table that is too small to tell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any, Final

from engine.game import BadText, Game, Position, Side, quoted
from engine.solve import perfect_edges
from engine.spaces import space_of
from lab.judging.notation import (
    NUMBER,
    PAIR,
    WrittenBoard,
    board_text,
    is_beyond,
    named_from_top,
    read_board,
    read_move,
    whole,
)
from lab.judging.standing_out import CLEAR, SURE, stands_out
from lab.judging.tables import FileTable, Row

WAYS: Final = {
    "x-first": "{0} or 1 moves first",
    "o-first": "{1}, 2 or −1 moves first",
    "mine": "1 or {0} is the side to move",
    "yours": "{1}, 2 or −1 is the side to move",
}
"""The ways to read pieces, in words."""
SIGNED: Final = "-signed"
PACKINGS: Final = ("big", "little", f"big{SIGNED}", f"little{SIGNED}")
FIRSTS: Final = {"from-0": 0, "from-1": 1}
ROW_FIRST: Final = "y-x"
COLUMN_FIRST: Final = "x-y"
FROM_BOTTOM: Final = "from-bottom"
FROM_TOP: Final = "from-top"
WRITTEN: Final = (*FIRSTS, ROW_FIRST, COLUMN_FIRST, FROM_BOTTOM, FROM_TOP)
"""The words for how moves are written."""
PERSPECTIVES: Final = ("after-mover", "after-next", "after-first", "after-second")
"""Whose value a value of a position is: see `lab.judging.afterstates`."""
NEARLY: Final = 0.9
"""The least share of the rows that a convention must explain, unless a person has chosen it, …"""
LEAST: Final = 0.5
"""… and in a table that is too small to tell."""
DECIDES: Final = 12
"""The least number of positions that decide which convention stands out."""
BOARDS: Final = 100_000
"""How many boards are kept as they were read: those of a table with a row for each number of nine digits in base 3."""


@dataclass(frozen=True)
class Convention:
    """What positions and moves mean."""

    way: str
    packing: str = ""
    first: int = 0
    column_first: bool = False
    from_top: bool = False

    def describe(self, game: Game, *, numbered: bool) -> str:
        """Return the convention in words; `numbered` says whether squares are written as numbers."""
        words = [WAYS[self.way].format(*game.marks)]
        digits = " of digits −1, 0 and 1, plus 1" if self.packing.endswith(SIGNED) else ""
        end = self.packing.removesuffix(SIGNED)
        words += [f"boards are numbers in base 3{digits}, {end} end first"] if self.packing else []
        words += [f"squares from {self.first}"] if numbered else []
        words += ["pairs are column and row"] if self.column_first else []
        words += ["a1 is at the top left"] if self.from_top else []
        return "; ".join(words)

    @property
    def words(self) -> set[str]:
        """Its words for `--as`."""
        pairs, names = COLUMN_FIRST if self.column_first else ROW_FIRST, FROM_TOP if self.from_top else FROM_BOTTOM
        return {self.way, f"from-{self.first}", self.packing, pairs, names} - {""}


@dataclass
class FileReading:
    """The rows of a file as one convention reads them."""

    convention: Convention
    rows: dict[Position, list[Row]] = field(default_factory=dict)
    """The rows of each position that play can reach."""
    explained: set[int] = field(default_factory=set)
    """The indices of the rows that it explains."""


@dataclass(frozen=True)
class Found:
    """The convention of a file."""

    reading: FileReading
    share: float
    """The share of the rows that it explains, among those with positions that play can reach."""
    unreachable: int
    """The number of rows whose positions play cannot reach by any convention."""
    numbered: bool
    """Whether squares are written as numbers."""


def find_convention(table: FileTable, game: Game, wanted: str | None) -> Found:
    """Find the convention of a file; `wanted` has words that it must have. Raises `BadText`."""
    words = set(table.known) | set((wanted or "").replace(",", " ").split())
    unknown = words - {*WAYS, *PACKINGS, *PERSPECTIVES, *WRITTEN, "symmetric"}
    if unknown:
        known = ", ".join((*WAYS, *PACKINGS, *WRITTEN))
        raise BadText(f"{quoted(min(unknown))} is no word for a file; there are {known}")
    size = game.board.grid.size
    packed = [_packed(row.board, size) for row in table.rows]
    packings: Sequence[str] = PACKINGS if all(each is not None for each in packed) else ("",)
    numbered, firsts = _numberings(table)
    readings, reached = list[FileReading](), set[int]()
    boards = {packing: [_board(row, packing, game) for row in table.rows] for packing in packings}
    own = not any(isinstance(board, WrittenBoard) for board in boards[packings[0]])
    usual = (own or len(table.rows) < DECIDES) and FROM_TOP not in words
    tables = {key: each for key, each in _tables(table, game).items() if key != (False, True) or not usual}
    for packing in packings:
        for way in ("x-first",) if own else WAYS:
            positions = [_position(board, way, game) for board in boards[packing]]
            reached |= {index for index, position in enumerate(positions) if position is not None}
            for first, ((column_first, from_top), read_as) in product(firsts, tables.items()):
                convention = Convention(way, packing, first, column_first, from_top)
                if convention.words >= words & {*WAYS, *PACKINGS, *WRITTEN} - (set() if numbered else {*FIRSTS}):
                    readings.append(_read(read_as, convention, positions, game))
    if not readings:
        raise BadText(f"it cannot be read as {' '.join(sorted(words))}")
    if not reached:
        raise BadText(f"it has no position of {game.title} that play can reach: is it a policy of another game?")
    most, least = max(len(each.explained) for each in readings), NEARLY if len(table.rows) >= DECIDES else LEAST
    if 0 < most < least * len(reached) and not wanted:
        raise BadText(
            f"only {most:,} of its {len(reached):,} rows have a legal move, however they are read\n"
            "If its numbers are values of positions, add --values; else say how to read it, as in --as x-first"
        )
    best = _best(readings, table, game)
    return Found(best, len(best.explained) / len(reached), len(table.rows) - len(reached), numbered)


def _best(  # noqa: C901  each way to decide, in turn
    readings: list[FileReading], table: FileTable, game: Game
) -> FileReading:
    """Return the convention that explains all rows, or stands out among those that do. Raises `BadText`.

    A row that no convention explains has an illegal move, which is a mistake of the agent: it tells nothing.
    """
    possible = set[int]().union(*(each.explained for each in readings))
    if not possible:
        raise BadText(f"none of its moves is legal, however its squares are numbered: are they moves of {game.title}?")
    full = [each for each in readings if each.explained == possible]
    if not full:
        one, *others = sorted(readings, key=lambda each: -len(each.explained))
        clear = len(one.explained) - len(others[0].explained) >= CLEAR * len(possible)
        if len(one.explained) >= NEARLY * len(possible) and clear:
            return one
        raise _refusal("no convention explains all of its rows", [one, *others], possible, table, game)
    full = [each for each in full if _is_filled(each, table, game)] or full
    if len(full) == 1:
        return full[0]
    entries = {id(each): _entries(each, game) for each in full}
    different = [full[0]]
    for each in full[1:]:
        if not any(_is_same(entries, each, other, table, game) for other in different):
            different.append(each)
    if len(different) == 1:
        return full[0]

    def is_clear(one: FileReading, other: FileReading) -> bool:
        mine, yours = entries[id(one)], entries[id(other)]
        rows = {row for row in mine if mine[row] != yours.get(row)}
        if one.convention.way != other.convention.way and min(_perfect(mine, {*mine}, game), default=0) < SURE:
            return False
        return stands_out(_perfect(mine, rows, game), _perfect(yours, rows, game), DECIDES)

    for one in different:
        if all(is_clear(one, other) for other in different if other is not one):
            return one
    raise _refusal("two conventions explain all of its rows", different, possible, table, game)


def _is_filled(reading: FileReading, table: FileTable, game: Game) -> bool:
    """Return whether no list has two different numbers for squares that are not legal: they were never learned."""
    return table.listed and all(
        len({value for move, value in row.pairs or () if _move(move, game, position, 0) is None}) <= 1
        for position, rows in reading.rows.items()
        if game.outcome(position) is None
        for row in rows
    )


def _is_same(
    entries: dict[int, dict[int, "Entry"]], one: FileReading, other: FileReading, table: FileTable, game: Game
) -> bool:
    """Return whether two readings say the same: of all positions, or of their images if they have values only."""
    if _policy(entries[id(one)]) == _policy(entries[id(other)]):
        return True
    if not table.of_positions:
        return False
    mine, yours = ({position: [*map(id, rows)] for position, rows in each.rows.items()} for each in (one, other))
    return any(
        {game.transform(position, symmetry): rows for position, rows in mine.items()} == yours
        for symmetry in game.symmetries
    )


def _refusal(
    problem: str, readings: Sequence[FileReading], possible: set[int], table: FileTable, game: Game
) -> BadText:
    """Say why no convention can be chosen, with an example of each."""
    shown = []
    for each, other in ((readings[0], readings[1]), (readings[1], readings[0])):
        words = each.convention.describe(game, numbered=True)
        if each.explained == possible:
            theirs = _policy(_entries(other, game))
            mine = _policy(_entries(each, game))
            position = next(here for here, moves in mine.items() if theirs.get(here) != moves)
            row = each.rows[position][0]
            example = f"{row.where} is {game.to_text(position)}{_example_move(each, position, row, game)}"
        else:
            missed = table.rows[min(possible - each.explained)].where
            example = f"{len(each.explained) / len(possible):.1%} of them, not {missed}"
        shown.append(f"'{words}': {example}")
    words = min(readings[0].convention.words - readings[1].convention.words)
    return BadText(f"{problem}: {shown[0]}; or {shown[1]}\nSay which with --as, as in --as {words}")


def _example_move(reading: FileReading, position: Position, row: Row, game: Game) -> str:
    written = row.single if row.pairs is None else next((move for move, chance in row.pairs if chance), None)
    try:
        move = read_move(written, game, position, reading.convention.first)
    except BadText:
        return ""
    return "" if move is None else f" {game.move_name(move)}"


Entry = tuple[Position, tuple[tuple[Any, Any], ...]]
"""A position, and the moves there with what is written of them."""


def _entries(reading: FileReading, game: Game) -> dict[int, Entry]:
    """Return what a convention reads in each row, by the identity of the row."""
    first = reading.convention.first
    return {
        id(row): (
            position,
            tuple(
                (_move(written, game, position, first), value)
                for written, value in ([(row.single, 1)] if row.pairs is None else row.pairs)
            ),
        )
        for position, rows in reading.rows.items()
        for row in rows
    }


def _policy(entries: dict[int, Entry]) -> dict[Position, list[tuple[tuple[Any, Any], ...]]]:
    """Return what is read of each position."""
    found = dict[Position, list[tuple[tuple[Any, Any], ...]]]()
    for position, moves in entries.values():
        found.setdefault(position, []).append(moves)
    return found


def _move(written: Any, game: Game, position: Position, first: int) -> Any:  # noqa: ANN401
    try:
        return read_move(written, game, position, first)
    except BadText:
        return written


def _perfect(entries: dict[int, Entry], rows: set[int], game: Game) -> list[float]:
    """Return how likely the moves in some rows are perfect, in positions with at least as many moves that are not."""
    space, found = space_of(game), list[float]()
    good = perfect_edges(space)
    for position, moves in (entries[row] for row in rows & entries.keys()):
        if game.outcome(position) is not None:
            continue
        edges = space.edges(position)
        perfect = {int(space.move[edge]) for edge in edges if good[edge]}
        values = [(float(value), move) for move, value in moves if move in game.moves(position) and _is_number(value)]
        if len(perfect) * 2 > len(edges) or not values:
            continue
        highest = max(value for value, _ in values)
        best = [move for value, move in values if value == highest]
        found.append(sum(move in perfect for move in best) / len(best))
    return found


def _is_number(value: Any) -> bool:  # noqa: ANN401
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _packed(board: Any, size: int) -> int | None:  # noqa: ANN401
    """Return the number of a packed board; `None` if it is written otherwise."""
    text = str(board).strip()
    if not NUMBER.fullmatch(text) or (isinstance(board, str) and len(text) == size):
        return None
    number = whole(text)
    return number if 0 <= number < 3**size else None


def _board(row: Row, packing: str, game: Game) -> WrittenBoard | Position:
    """Return the board that a row describes, or its position if that has our own form. Raises `BadText`."""
    if not packing:
        if row.side is None and isinstance(row.board, str) and "/" in row.board:
            try:
                return game.from_text(row.board)
            except BadText:
                pass  # it may be reached if another side moves first
        try:
            return read_board(row.board, game, row.side)
        except BadText as error:
            raise BadText(f"{row.where}: {error}" if row.where.startswith("row") else str(error)) from error
    size = game.board.grid.size
    number, signed = whole(str(row.board)), packing.endswith(SIGNED)
    places = range(size - 1, -1, -1) if packing.startswith("big") else range(size)
    return _digits(tuple(number // 3**place % 3 - signed for place in places), game, row.side)


@lru_cache(BOARDS)
def _digits(digits: tuple[int, ...], game: Game, side: Any) -> WrittenBoard:  # noqa: ANN401
    """Return the board of these digits, cached: all packings of a table share their boards."""
    return read_board(digits, game, side)


def _position(board: WrittenBoard | Position, way: str, game: Game) -> Position | None:
    """Return the position of a board, if a convention can explain it."""
    if not isinstance(board, WrittenBoard):
        return board if way == "x-first" else None
    if way == "yours" and board.lettered:
        return None  # nobody writes an X for the other side's pieces
    if way == "x-first":
        return _reached(board.pieces, board.side, game)
    if way == "o-first":
        return _reached(board.pieces, None if board.side is None else board.side.other, game, swapped=True)
    own = Side.FIRST if way == "mine" else Side.SECOND
    sides = [side for side in Side if board.side in (None, side)]
    found = [_reached(board.pieces, side, game, swapped=side is not own) for side in sides]
    reached = [each for each in found if each is not None]
    return reached[0] if len(reached) == 1 else None


@lru_cache(BOARDS)
def _reached(pieces: tuple[int, ...], side: Side | None, game: Game, *, swapped: bool = False) -> Position | None:
    """Return the position with these pieces, if play can reach it; the sides may have each other's pieces.

    Most conventions ask for the same ones.
    """
    if swapped:
        pieces = tuple({0: 1, 1: 0}.get(piece, piece) for piece in pieces)
    try:
        return game.from_text(board_text(pieces, game, side))
    except BadText:
        return None


def placed(rows: Sequence[Row], convention: Convention, game: Game) -> Iterator[tuple[Position, Row]]:
    """Yield the rows whose positions play can reach, and in which it goes on, with the positions."""
    for row in rows:
        position = _position(_board(row, convention.packing, game), convention.way, game)
        if position is not None and game.outcome(position) is None:
            yield position, row


def _numberings(table: FileTable) -> tuple[bool, list[int]]:
    """Return whether moves are written as numbers, and the numbers that the first square can have."""
    if table.of_positions:
        return False, [0]
    written = [row.single for row in table.rows if row.pairs is None]
    if not table.listed:
        written += [move for row in table.rows for move, _ in row.pairs or ()]
    texts = {*map(_text, written)}
    numbered = any(NUMBER.fullmatch(each) or PAIR.fullmatch(each) for each in texts)
    return numbered, [0, 1] if numbered else [0]


def _tables(table: FileTable, game: Game) -> dict[tuple[bool, bool], FileTable]:
    """Return a table as it is, and with its moves as they may be meant: pairs turned, or names counted from the top."""
    found = {(False, False): table}
    if table.of_positions or table.listed:
        return found

    def turned(move: Any) -> Any:  # noqa: ANN401
        pair = PAIR.fullmatch(_text(move))
        return f"{pair[2]} {pair[1]}" if pair else move

    for key, other in (((True, False), turned), ((False, True), partial(named_from_top, game=game))):
        rows = [
            row._replace(
                single=other(row.single), pairs=row.pairs and [(other(move), each) for move, each in row.pairs]
            )
            for row in table.rows
        ]
        if rows != table.rows:
            found[key] = replace(table, rows=rows)
    return found


def _text(written: Any) -> str:  # noqa: ANN401
    return " ".join(map(str, written)) if isinstance(written, (list, tuple)) else str(written).strip()


def _read(table: FileTable, convention: Convention, positions: Sequence[Position | None], game: Game) -> FileReading:
    """Read all rows by a convention."""
    reading = FileReading(convention)
    for index, (row, position) in enumerate(zip(table.rows, positions, strict=True)):
        if position is None:
            continue
        if game.outcome(position) is not None or _is_legal(row, position, table, convention.first, game):
            reading.explained.add(index)
        reading.rows.setdefault(position, []).append(row)
    return reading


def _is_legal(row: Row, position: Position, table: FileTable, first: int, game: Game) -> bool:
    """Return whether all moves of a row are legal.

    A row with a number for each square may have some for occupied ones.
    """
    if row.pairs is None:
        return table.of_positions or _move(row.single, game, position, first) is not None
    if table.listed or len(row.pairs) >= game.board.grid.size:
        return table.listed or not any(is_beyond(move, game, first) for move, _ in row.pairs)
    return all(_move(move, game, position, first) is not None for move, value in row.pairs if value)
