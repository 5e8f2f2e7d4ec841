"""Find out, for a whole file, what its positions and moves mean.

    way       who the pieces belong to: the side that moves first has X or 1 (`x-first`), or O, 2 or −1 (`o-first`), or
              X or 1 is a piece of the side to move (`mine`), or of the other side (`yours`)
    packing   how boards are written as numbers, if they are: see `lab.judging.packed_boards`
    first     the number of the first square, row and column
    meant     how moves differ from what is usual: `x-y`, a pair has the column first; `from-top`, `A1` is the top left
              square, as in a spreadsheet, not the bottom left one, as in chess; `numpad`, 7 is the top left square

A *convention* is one of each. It *explains* a row if play can reach the position and the moves are legal there. The one
that explains all rows is taken. If several do and read different policies, one is wrong: then one is taken only if it
stands out (`lab.judging.standing_out`); else the file is refused. Nothing is usual: a table of the side that moves
first may be one of a game in which O does. But in a table that is too small to tell, squares are not those of a number
pad, and names of squares are ours, as they are beside our own text of positions.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import filterfalse, islice, product
from typing import Any, Final

from engine.game import BadText, Game, Move, Outcome, Position, Side, quoted
from engine.solve import perfect_edges
from engine.spaces import space_of
from lab.judging.notation import (
    NUMBER,
    PAIR,
    WrittenBoard,
    board_text,
    is_beyond,
    named_from_top,
    on_number_pad,
    read_board,
    read_move,
    turned,
    written_move,
)
from lab.judging.packed_boards import MINUS, PACKINGS, numbers_of, packings_of
from lab.judging.standing_out import CLEAR, SURE, knows_its_wins, stands_out
from lab.judging.tables import FileTable, Row

WAYS: Final = {
    "x-first": "{0} or 1 moves first",
    "o-first": "{1}, 2 or −1 moves first",
    "mine": "1 or {0} is the side to move",
    "yours": "{1}, 2 or −1 is the side to move",
}
"""The ways to read pieces, in words."""
FIRSTS: Final = {"from-0": 0, "from-1": 1}
ROW_FIRST: Final = "y-x"
COLUMN_FIRST: Final = "x-y"
FROM_BOTTOM: Final = "from-bottom"
FROM_TOP: Final = "from-top"
NUMBER_PAD: Final = "numpad"
WRITTEN: Final = (*FIRSTS, NUMBER_PAD, ROW_FIRST, COLUMN_FIRST, FROM_BOTTOM, FROM_TOP)
"""The words for how moves are written."""
MEANT: Final = {
    "": "",
    COLUMN_FIRST: "pairs are column and row",
    FROM_TOP: "a1 is at the top left",
    NUMBER_PAD: "squares as on a number pad",
}
IMAGES: Final = ("symmetric", "whole")
"""The words for whether positions stand for their mirror images and rotations."""
PERSPECTIVES: Final = ("after-mover", "after-next", "after-first", "after-second")
"""Whose value a value of a position is: see `lab.judging.afterstates`."""
NEARLY: Final = 0.9
"""The least share of the rows that a convention must explain, unless a person has chosen it, …"""
LEAST: Final = 0.5
"""… and in a table that is too small to tell. A packing by which play reaches less than this share of the positions of
another one is none."""
DECIDES: Final = 12
"""The least number of positions that decide which convention stands out."""
QUIET: Final = 100
"""The same if the agent errs, and each side may have the other's pieces. Then only positions in which no side can win
at once count: there an agent that blocks before it wins does not play better if it is misread."""
BETTER: Final = 0.05
"""A convention that explains all rows is doubted if by another so many more of the moves are perfect."""
BOARDS: Final = 100_000
"""How many boards are kept as they were read: those of a table with a row for each number of nine digits in base 3."""

Entry = tuple[Position, tuple[tuple[Any, Any], ...]]
"""A position, and the moves there with what is written of them."""


@dataclass(frozen=True)
class Convention:
    """What positions and moves mean."""

    way: str
    packing: str = ""
    first: int = 0
    meant: str = ""

    def describe(self, game: Game, *, numbered: bool) -> str:
        """Return the convention in words; `numbered` says whether squares are written as numbers."""
        return "; ".join(
            [
                WAYS[self.way].format(*game.marks),
                *([PACKINGS[self.packing].words] if self.packing else []),
                *([f"squares from {self.first}"] if numbered and self.meant != NUMBER_PAD else []),
                *([MEANT[self.meant]] if self.meant else []),
            ]
        )

    @property
    def words(self) -> set[str]:
        """Its words for `--as`."""
        numbers = NUMBER_PAD if self.meant == NUMBER_PAD else f"from-{self.first}"
        pairs = COLUMN_FIRST if self.meant == COLUMN_FIRST else ROW_FIRST
        names = FROM_TOP if self.meant == FROM_TOP else FROM_BOTTOM
        return {self.way, self.packing, numbers, pairs, names} - {""}


@dataclass(frozen=True, eq=False)
class FileReading:
    """The rows of a file as one convention reads them."""

    convention: Convention
    table: FileTable
    """The file, with its moves as they are meant."""
    positions: Sequence[Position | None]
    """The position of each row; `None` if play cannot reach it."""
    game: Game

    @cached_property
    def explained(self) -> frozenset[int]:
        """The indices of the rows that it explains."""
        return frozenset(filter(self.explains, range(len(self.positions))))

    @cached_property
    def rows(self) -> dict[Position, list[Row]]:
        """The rows of each position that play can reach."""
        found = dict[Position, list[Row]]()
        for position, row in zip(self.positions, self.table.rows, strict=True):
            if position is not None:
                found.setdefault(position, []).append(row)
        return found

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """What it reads in each row, by the index of the row."""
        return {
            index: (
                position,
                tuple(
                    (self.move(move, position), value)
                    for move, value in ([(row.single, 1)] if row.pairs is None else row.pairs)
                ),
            )
            for index, (position, row) in enumerate(zip(self.positions, self.table.rows, strict=True))
            if position is not None
        }

    @cached_property
    def policy(self) -> dict[Position, list[tuple[tuple[Any, Any], ...]]]:
        """What it reads of each position."""
        found = dict[Position, list[tuple[tuple[Any, Any], ...]]]()
        for position, moves in self.entries.values():
            found.setdefault(position, []).append(moves)
        return found

    @cached_property
    def is_filled(self) -> bool:
        """Whether no row has two different numbers for squares that are not legal: they were never learned.

        A few rows may have them if the names of squares may be misread: they are mistakes of the agent.
        """
        different = sum(
            len({value for move, value in row.pairs or () if self.move(move, position) is None}) > 1
            for position, rows in self.rows.items()
            if self.game.outcome(position) is None
            for row in rows
        )
        return different < (1 if self.table.listed else DECIDES)

    @cached_property
    def met(self) -> frozenset[Position] | None:
        """The positions that the agent meets as its sides, if it plays the highest moves; `None` if one has no row.

        By a wrong convention it meets others than those in the file.
        """
        own = {position: moves for position, moves in self.policy.items() if self.game.outcome(position) is None}
        found = set[Position]()
        for side in {*map(self.game.side, own)}:
            seen, queue = {self.game.start}, [self.game.start]
            while queue:
                position = queue.pop()
                mine = self.game.side(position) is side
                if self.table.of_positions or (mine and position not in own):
                    return None
                played = _highest(own[position]) if mine else None
                for move, after, outcome in self.game.successors(position):
                    if (played is None or move in played) and outcome is None and after not in seen:
                        seen.add(after)
                        queue.append(after)
            found |= {position for position in seen if self.game.side(position) is side}
        return frozenset(found)

    @property
    def is_met(self) -> bool:
        """Whether the positions are just those that the agent meets."""
        return self.met is not None and self.met >= {each for each in self.policy if self.game.outcome(each) is None}

    def explains(self, index: int) -> bool:
        """Return whether play can reach the position of a row, and its moves are legal there."""
        position = self.positions[index]
        if position is None:
            return False
        return self.game.outcome(position) is not None or self._is_legal(self.table.rows[index], position)

    def move(self, written: Any, position: Position) -> Any:  # noqa: ANN401
        """Return the move that is written; `None` if it is not legal, or what is written if it is no move."""
        try:
            return read_move(written, self.game, position, self.convention.first)
        except BadText:
            return written

    def _is_legal(self, row: Row, position: Position) -> bool:
        """Return whether all moves of a row are legal.

        A row with a number for each square may have some for occupied ones.
        """
        first = self.convention.first
        if row.pairs is None:
            return self.table.of_positions or self.move(row.single, position) is not None
        if self.table.listed or len(row.pairs) >= self.game.board.grid.size:
            return self.table.listed or not any(is_beyond(move, self.game, first) for move, _ in row.pairs)
        return all(self.move(move, position) is not None for move, value in row.pairs if value)


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
    words = set(table.known) | words_of(wanted)
    unknown = words - {*WAYS, *PACKINGS, *PERSPECTIVES, *WRITTEN, *IMAGES}
    if unknown:
        known = ", ".join((*WAYS, *PACKINGS, *WRITTEN))
        raise BadText(f"{quoted(min(unknown))} is no word for a file; there are {known}")
    boards, (numbered, firsts) = _boards(table, game), _numberings(table)
    must = words & {*WAYS, *PACKINGS, *WRITTEN} - (set() if numbered else {*FIRSTS, NUMBER_PAD})
    own = not any(isinstance(board, WrittenBoard) for each in boards.values() for board in each)
    small = len(table.rows) < DECIDES
    meanings = _meanings(
        table, game, ({NUMBER_PAD} if small else set()) | ({FROM_TOP} if small or own else set()) - words
    )
    readings = [
        FileReading(convention, read_as, positions, game)
        for (way, packing), positions in _positions(boards, ("x-first",) if own else (*WAYS,), game).items()
        for first, (meant, read_as) in product(firsts, meanings.items())
        if (convention := Convention(way, packing, first, meant)).words >= must and not (first and meant == NUMBER_PAD)
    ]
    if not readings:
        raise BadText(f"it cannot be read as {' '.join(sorted(words))}")
    reached = {index for each in readings for index, position in enumerate(each.positions) if position is not None}
    if not reached:
        raise BadText(f"it has no position of {game.title} that play can reach: is it a policy of another game?")
    best = _best(readings, frozenset(reached), 0 if wanted else LEAST if small else NEARLY)
    return Found(best, len(best.explained) / len(reached), len(table.rows) - len(reached), numbered)


def words_of(wanted: str | None) -> set[str]:
    """Return the words of `--as`."""
    return {*(wanted or "").replace(",", " ").split()}


def _best(readings: list[FileReading], reached: frozenset[int], least: float) -> FileReading:
    """Return the convention that explains all rows, or stands out among those that do. Raises `BadText`.

    A row that no convention explains has an illegal move, which is a mistake of the agent: it tells nothing. `least` is
    the share of the rows with reached positions that must be explained.
    """
    possible, full = reached, [each for each in readings if all(map(each.explains, reached))]
    if not full:
        possible = _explained(readings, reached, least)
        full = [each for each in readings if each.explained == possible]
    if not full:
        one, other, *_ = sorted(readings, key=lambda each: -len(each.explained))
        clear = len(one.explained) - len(other.explained) >= CLEAR * len(possible)
        if len(one.explained) >= NEARLY * len(possible) and clear:
            return one
        raise _refusal("no convention explains all of its rows", one, other, possible)
    different = list[FileReading]()
    for each in [each for each in full if each.is_filled] or full:
        if not any(_is_same(each, other) for other in different):
            different.append(each)
    rivals = [*different, *(each for each in readings if each not in full and _is_near(each, reached))]
    chosen = rivals if len(rivals) == 1 else [each for each in rivals if each.is_met]
    if len(chosen) != 1:
        chosen = [one for one in different if all(_is_clear(one, other) for other in rivals if other is not one)]
    if len(chosen) != 1:
        what = "two conventions explain all" if len(different) > 1 else "another convention explains nearly all"
        raise _refusal(f"{what} of its rows", rivals[0], rivals[1], possible)
    return _unless_better(chosen[0], readings, possible)


def _explained(readings: list[FileReading], reached: frozenset[int], least: float) -> frozenset[int]:
    """Return the rows that any reading explains. Raises `BadText` if each explains too few of those reached."""
    most, title = max(len(each.explained) for each in readings), readings[0].game.title
    if not most:
        raise BadText(f"none of its moves is legal, however its squares are numbered: are they moves of {title}?")
    if most < least * len(reached):
        raise BadText(
            f"only {most:,} of its {len(reached):,} rows have a legal move, however they are read\n"
            "If its numbers are values of positions, add --values; else say how to read it, as in --as x-first"
        )
    return frozenset[int]().union(*(each.explained for each in readings))


def _is_near(reading: FileReading, reached: frozenset[int]) -> bool:
    """Return whether a reading explains all rows but for a few illegal moves, which may be mistakes of the agent."""
    most = int((1 - NEARLY) * len(reached))
    if any(reading.positions[row] is None for row in reached):
        return False
    return next(islice(filterfalse(reading.explains, reached), most, None), None) is None


def _unless_better(one: FileReading, readings: Sequence[FileReading], possible: frozenset[int]) -> FileReading:
    """Return the only convention that explains all rows, unless more moves are perfect if the pieces change sides.

    Legal moves do not tell whose pieces are whose, and a program that errs may have written the rows that do.
    Raises `BadText`.
    """
    enough = (1 - CLEAR) * len(one.explained)
    for other in [each for each in readings if enough < len(each.explained) < len(one.explained)]:
        if replace(other.convention, way=one.convention.way) != one.convention:
            continue
        rows = {row for row, entry in one.entries.items() if entry != other.entries.get(row)} & other.entries.keys()
        mine, yours = (_perfect(each, rows) for each in (one, other))
        if min(len(mine), len(yours)) >= QUIET and sum(yours) / len(yours) > sum(mine) / len(mine) + BETTER:
            raise _refusal(
                "one convention explains all of its rows, but by another it plays better", one, other, possible
            )
    return one


def _is_same(one: FileReading, other: FileReading) -> bool:
    """Return whether two readings say the same: of all positions, or of their images if they have values only."""
    if one.policy == other.policy:
        return True
    if not one.table.of_positions:
        return False
    game = one.game
    mine, yours = ({position: [*map(id, rows)] for position, rows in each.rows.items()} for each in (one, other))
    return any(
        {game.transform(position, symmetry): rows for position, rows in mine.items()} == yours
        for symmetry in game.symmetries
    )


def _is_clear(one: FileReading, other: FileReading) -> bool:
    """Return whether one reading stands out against another."""
    rows = {row for row, entry in one.entries.items() if entry != other.entries.get(row)}
    if one.met is None and other.met is not None:
        return False
    if one.convention.way == other.convention.way:
        return stands_out(_perfect(one, rows), _perfect(other, rows), DECIDES)
    if knows_its_wins(_values(one, rows, wins=True), _values(other, rows, wins=True), _values(one, rows)):
        return True
    quiet = {row for row in rows if not any(_wins(each.positions[row], each.game) for each in (one, other))}
    sure = min(_perfect(one, {*one.entries}), default=0) >= SURE
    return stands_out(_perfect(one, quiet), _perfect(other, quiet), DECIDES if sure else QUIET)


def _refusal(problem: str, one: FileReading, other: FileReading, possible: frozenset[int]) -> BadText:
    """Say why no convention can be chosen, with an example of each, and what to type."""
    shown, typed, game = [], [], one.game
    for each, rival in ((one, other), (other, one)):
        if each.explained == possible:
            position = next(here for here, moves in each.policy.items() if rival.policy.get(here) != moves)
            row = each.rows[position][0]
            example = f"{row.where} is {game.to_text(position)}{_example_move(each, position, row)}"
        else:
            missed = each.table.rows[min(possible - each.explained)].where
            example = f"{len(each.explained) / len(possible):.1%} of them, not {missed}"
        shown.append(f"'{each.convention.describe(game, numbered=True)}': {example}")
        typed.append(f"--as {','.join(sorted(each.convention.words - rival.convention.words))}")
    return BadText(f"{problem}: {'; or '.join(shown)}\nSay which: {' or '.join(typed)}")


def _example_move(reading: FileReading, position: Position, row: Row) -> str:
    written = row.single if row.pairs is None else next((move for move, chance in row.pairs if chance), None)
    move = reading.move(written, position)
    return f" {reading.game.move_name(move)}" if move in reading.game.moves(position) else ""


def _perfect(reading: FileReading, rows: set[int]) -> list[float]:
    """Return how likely the moves in some rows are perfect, in positions with at least as many moves that are not."""
    space, found = space_of(reading.game), list[float]()
    good = perfect_edges(space)
    for position, values in _running(reading, rows):
        edges = space.edges(position)
        perfect = {int(space.move[edge]) for edge in edges if good[edge]}
        if len(perfect) * 2 > len(edges) or not values:
            continue
        highest = max(value for _, value in values)
        best = [move for move, value in values if value == highest]
        found.append(sum(move in perfect for move in best) / len(best))
    return found


def _values(reading: FileReading, rows: set[int], *, wins: bool = False) -> list[float]:
    """Return what is written of the legal moves in some rows, or of those that win at once."""
    return [
        value
        for position, values in _running(reading, rows)
        for move, value in values
        if not wins or move in _wins(position, reading.game)
    ]


@lru_cache(BOARDS)
def _wins(position: Position | None, game: Game) -> frozenset[Move]:
    """Return the moves that win at once."""
    if position is None or game.outcome(position) is not None:
        return frozenset()
    won = Outcome.won_by(game.side(position))
    return frozenset(move for move, _, outcome in game.successors(position) if outcome is won)


def _running(reading: FileReading, rows: set[int]) -> Iterator[tuple[Position, list[tuple[Move, float]]]]:
    """Yield the positions of some rows in which play goes on, with the numbers of the legal moves."""
    for position, moves in (reading.entries[row] for row in rows & reading.entries.keys()):
        if reading.game.outcome(position) is None:
            legal = reading.game.moves(position)
            yield position, [(move, float(value)) for move, value in moves if move in legal and _is_number(value)]


def _highest(rows: Sequence[tuple[tuple[Any, Any], ...]]) -> set[Any]:
    """Return the moves with the highest number in some rows of a position."""
    numbers = [(move, value) for moves in rows for move, value in moves if _is_number(value)]
    highest = max((value for _, value in numbers), default=0)
    return {move for move, value in numbers if value == highest}


def _is_number(value: Any) -> bool:  # noqa: ANN401
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _boards(table: FileTable, game: Game) -> dict[str, list[WrittenBoard | Position | None]]:
    """Return the boards of the rows, by how they may be packed. Raises `BadText` if they cannot be read at all."""
    numbers = [numbers_of(row.board) for row in table.rows]
    packings = packings_of(numbers, game.board.grid.size)
    found = dict[str, list[WrittenBoard | Position | None]]()
    try:
        found[""] = [_board(row, "", game) for row in table.rows]
    except BadText:
        if not packings:
            raise
    else:
        packings = [each for each in packings if each == MINUS]  # in other numbers, the same digits are seen
    return found | {packing: [_board(row, packing, game) for row in table.rows] for packing in packings}


def _board(row: Row, packing: str, game: Game) -> WrittenBoard | Position | None:
    """Return the board that a row describes, or its position if that has our own form. Raises `BadText`.

    `None` if it cannot be packed so.
    """
    if packing:
        squares = PACKINGS[packing].squares(numbers_of(row.board), game.board.grid.size)
        return None if squares is None else _read_squares(squares, game, row.side)
    if row.side is None and isinstance(row.board, str) and "/" in row.board:
        try:
            return game.from_text(row.board)
        except BadText:
            pass  # it may be reached if another side moves first
    try:
        return read_board(row.board, game, row.side)
    except BadText as error:
        raise BadText(f"{row.where}: {error}" if row.where.startswith("row") else str(error)) from error


@lru_cache(BOARDS)
def _read_squares(squares: tuple[int, ...], game: Game, side: Any) -> WrittenBoard:  # noqa: ANN401
    """Return the board with these numbers, cached: all packings of a table share their boards."""
    return read_board(squares, game, side)


def _positions(
    boards: dict[str, list[WrittenBoard | Position | None]], ways: Sequence[str], game: Game
) -> dict[tuple[str, str], list[Position | None]]:
    """Return the positions of the rows by way and packing, without packings by which play reaches far fewer of them."""
    found = {
        (way, packing): [_position(board, way, game) for board in each]
        for packing, each in boards.items()
        for way in ways
    }
    reached = {
        packing: max(sum(each is not None for each in found[way, packing]) for way in ways) for packing in boards
    }
    return {key: each for key, each in found.items() if reached[key[1]] >= LEAST * max(reached.values())}


def _position(board: WrittenBoard | Position | None, way: str, game: Game) -> Position | None:
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
    texts = {*map(written_move, written)}
    numbered = any(NUMBER.fullmatch(each) or PAIR.fullmatch(each) for each in texts)
    return numbered, [*FIRSTS.values()] if numbered else [0]


def _meanings(table: FileTable, game: Game, left_out: set[str]) -> dict[str, FileTable]:
    """Return a table as it is, and with its moves as they may be meant, by each word of `MEANT` that changes any."""
    found = {"": table}
    if table.of_positions or table.listed:
        return found
    ways: dict[str, Callable[[Any], Any]] = {
        COLUMN_FIRST: turned,
        FROM_TOP: partial(named_from_top, game=game),
        NUMBER_PAD: partial(on_number_pad, game=game),
    }
    for word, meant in ways.items():
        rows = [
            row._replace(
                single=meant(row.single), pairs=row.pairs and [(meant(move), each) for move, each in row.pairs]
            )
            for row in table.rows
        ]
        if word not in left_out and rows != table.rows:
            found[word] = replace(table, rows=rows)
    return found
