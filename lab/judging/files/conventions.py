"""Find the convention of a whole file: what its positions and moves mean.

    way       whose the pieces are: X or 1 belongs to the side that moves first in the game (`x-first`), or O, 2 or −1
              does (`o-first`); or X or 1 is a piece of the side to move (`mine`), or of the other side (`yours`)
    packing   how boards are written as numbers, if they are: see `lab.judging.notation.packed_boards`
    first     the number of the first square, row and column
    meaning   how moves differ from the usual: `x-y`, a pair has the column first; `from-top`, `A1` is the top left
              square, as in a spreadsheet, not the bottom left one, as in chess; `numpad`, 7 is the top left square;
              `taken`, a pair is a heap of nim and how many stones are taken, not how many are left

A *convention* is one of each. It *explains* a row if play can reach the position and the moves are legal there. A
convention that explains all rows is taken. If several do so and read different policies, at most one is right, and it
is taken only if it stands out (`lab.judging.files.convention_choice`). Otherwise the file is refused: a table of the
side that moves first may be from a game in which O does so. In a table that is too small to tell, squares are not read
as those of a number pad; beside positions in the text form of Noughts, names of squares are those of Noughts.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

from engine.game import BadText, Game, Position, quoted
from lab.judging.files.convention_choice import LEAST_IF_SMALL, choose_reading
from lab.judging.files.file_boards import BoardOrPosition, plausible_positions, position_of, read_boards, read_row
from lab.judging.files.file_reading import (
    COLUMN_FIRST,
    FROM_BOTTOM,
    FROM_TOP,
    LEAST_DECISIVE,
    LEAST_EXPLAINED,
    NUMBER_PAD,
    ROW_FIRST,
    TAKEN,
    WAYS,
    Convention,
    FileReading,
)
from lab.judging.files.file_table import FileTable, Row
from lab.judging.notation.form_words import words_of
from lab.judging.notation.packed_boards import PACKINGS
from lab.judging.notation.reply import PERSPECTIVES
from lab.judging.notation.written_boards import WrittenBoard
from lab.judging.notation.written_moves import (
    NUMBER,
    flip_row_of_name,
    is_numbered,
    last_number,
    move_text,
    read_number_pad,
    read_whole_number,
    rewrite_taken,
    strip_template,
    swap_pair,
)

FIRSTS: Final = {"from-0": 0, "from-1": 1}
MOVE_WORDS: Final = (*FIRSTS, NUMBER_PAD, ROW_FIRST, COLUMN_FIRST, TAKEN, FROM_BOTTOM, FROM_TOP)
"""The words for how moves are written."""
IMAGE_WORDS: Final = ("symmetric", "whole")
"""The words for whether positions stand for their mirror images and rotations."""


@dataclass(frozen=True)
class FoundConvention:
    reading: FileReading
    share: float
    """The share of the rows with reachable positions that the convention explains."""
    unreachable: int
    """The number of rows whose positions play cannot reach by any convention."""
    has_numbers: bool
    """Whether squares are written as numbers."""


def find_convention(table: FileTable, game: Game, wanted: str | None) -> FoundConvention:
    """Find the convention of a file; it must have the words in `wanted`. Raises `BadText`."""
    words = {*table.known_words, *words_of(wanted)}
    unknown = words - {*WAYS, *PACKINGS, *PERSPECTIVES, *MOVE_WORDS, *IMAGE_WORDS}
    if unknown:
        known = ", ".join((*WAYS, *PACKINGS, *MOVE_WORDS))
        raise BadText(f"{quoted(min(unknown))} is no word for a file; there are {known}")
    boards, moves = read_boards(table, game), _moves_in(table)
    plain_moves = strip_template(moves, game)
    if plain_moves:
        table, moves = table.rewrite_moves(plain_moves), {*plain_moves.values()}
    _check_squares(moves, game)
    readings = _possible_readings(table, boards, moves, words, game)
    if not readings:
        raise BadText(f"it cannot be read as {' '.join(sorted(words))}")
    reached = frozenset[int]().union(*(each.reached_rows for each in readings))
    if not reached:
        raise BadText(f"it has no position of {game.title} that play can reach: is it a policy of another game?")
    least = LEAST_EXPLAINED if len(table.rows) >= LEAST_DECISIVE else LEAST_IF_SMALL
    reading = choose_reading(readings, reached, 0.0 if wanted else least)
    share, unreachable = len(reading.explained_rows) / len(reached), len(table.rows) - len(reached)
    return FoundConvention(reading, share, unreachable, any(is_numbered(move, game) for move in moves))


def _possible_readings(
    table: FileTable, boards: dict[str, list[BoardOrPosition]], moves: Collection[str], words: set[str], game: Game
) -> list[FileReading]:
    """Return the readings by all conventions that have the given words."""
    numbered = any(is_numbered(move, game) for move in moves)
    if not numbered:
        words = words - {*FIRSTS, NUMBER_PAD}
    written = [board for packed in boards.values() for board in packed if isinstance(board, WrittenBoard)]
    has_letters = any(board.has_letters for board in written)
    perspective = next((word for word in PERSPECTIVES if word in words), PERSPECTIVES[0])
    left_out = set[str]()
    if len(table.rows) < LEAST_DECISIVE and NUMBER_PAD not in words:
        left_out.add(NUMBER_PAD)
    if not written and FROM_TOP not in words:  # positions in our text form
        left_out.add(FROM_TOP)
    firsts = [*FIRSTS.values()] if numbered else [0]
    tables = _tables_by_meaning(table, moves, game, left_out)
    are_owned = any(piece.side is not None for piece in game.board.pieces)
    ways = [*WAYS] if written and are_owned else ["x-first"]
    readings = list[FileReading]()
    for (way, packing), positions in plausible_positions(boards, ways, game).items():
        for first, (meaning, rewritten) in product(firsts, tables.items()):
            convention = Convention(way, packing, first, meaning)
            is_wanted = convention.words >= words & {*WAYS, *PACKINGS, *MOVE_WORDS}
            if is_wanted and not (first and meaning == NUMBER_PAD):
                readings.append(FileReading(convention, rewritten, positions, game, has_letters, perspective))
    return readings


def place_rows(rows: Sequence[Row], convention: Convention, game: Game) -> Iterator[tuple[Position, Row]]:
    """Yield the positions of the rows that play can reach and in which the game goes on, each with its row."""
    for row in rows:
        position = position_of(read_row(row, convention.packing, game), convention.way, game)
        if position is not None and game.outcome(position) is None:
            yield position, row


def _moves_in(table: FileTable) -> set[str]:
    """Return the moves of a table as they are written; none if it has values of positions, or lists of numbers."""
    if table.has_position_values:
        return set()
    moves = [row.single for row in table.rows if row.pairs is None]
    if not table.has_lists:
        moves += [move for row in table.rows for move, _ in row.pairs or ()]
    return {*map(move_text, moves)}


def _check_squares(moves: Collection[str], game: Game) -> None:
    """Raise `BadText` if all moves of a file are numbers of squares, where a square does not tell the move."""
    last, squares = last_number(game), game.board.grid.size
    if not moves or last < squares:
        return
    if all(NUMBER.fullmatch(move) and read_whole_number(move) <= squares for move in moves):
        raise BadText(
            f"its moves are numbers of squares, which do not say the whole move in {game.title}\n"
            f"Write moves as names, as in {game.move_name(game.moves(game.start)[0])}, or as numbers from 0 to {last}"
        )


def _tables_by_meaning(
    table: FileTable, moves: Collection[str], game: Game, left_out: set[str]
) -> dict[str, FileTable]:
    """Return a table as it is, and with its moves rewritten by each meaning that changes any, by its word."""
    tables = {"": table}
    if table.has_lists:
        return tables
    rewritings: dict[str, Callable[[Any], Any]] = {
        COLUMN_FIRST: swap_pair,
        FROM_TOP: partial(flip_row_of_name, game=game),
        NUMBER_PAD: partial(read_number_pad, game=game),
    }
    if game.board.heaps:
        rewritings[TAKEN] = rewrite_taken
    for word, rewrite in rewritings.items():
        changes = {move: rewrite(move) for move in moves if rewrite(move) != move}
        if changes and word not in left_out:
            tables[word] = table.rewrite_moves(changes)
    return tables
