"""Connect Four: pieces are dropped into seven columns of six squares, and four in a row win.

move     a column, 0 … 6 from the left; its name is the column's letter
square   0 … 41 from the top left, row by row: 35 is a1, where the first piece dropped into column a lands
"""

from collections.abc import Sequence
from typing import Final

from engine.game import Heuristic, IllegalMove, Move, Outcome, Position, Successor
from engine.grid import Grid
from engine.grid_game import GridBoard
from engine.row_game import LINE_FACTOR, RowGame, open_lines

ROWS: Final = 6
COLUMNS: Final = 7
SIZE: Final = ROWS * COLUMNS
LETTERS: Final = "abcdefg"
COLUMN: Final = tuple(sum(1 << row * COLUMNS + column for row in range(ROWS)) for column in range(COLUMNS))
OPEN: Final = tuple(tuple(column for column in range(COLUMNS) if not top >> column & 1) for top in range(1 << COLUMNS))
"""The columns with room for another piece, by the mask of the pieces in the top row."""
LINES: Final = tuple(Grid(ROWS, COLUMNS).line_starts(4).items())
"""For each direction, the step from square to square, and the mask of the squares where a line of four begins."""


def has_four(mask: int) -> bool:
    for step, starts in LINES:
        pairs = mask & mask >> step
        if pairs & pairs >> 2 * step & starts:
            return True
    return False


def has_room(position: Position, column: int) -> bool:
    return not (position | position >> SIZE) >> column & 1


def landing(position: Position, column: int) -> int:
    """Return the square where a piece dropped into a column with room lands."""
    height = ((position | position >> SIZE) & COLUMN[column]).bit_count()
    return (ROWS - 1 - height) * COLUMNS + column


class ColumnBoard(GridBoard):
    """A board on which a move is a column, and a person points at the square where the piece lands."""

    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        return (landing(position, move),)


class ConnectFour(RowGame):
    name = "connectfour"
    title = "Connect Four"
    summary = "Drop pieces into columns; four in a row wins."
    in_a_row = 4
    numbered = False
    places_pieces = True
    falls = True
    grid = Grid(ROWS, COLUMNS)

    def __init__(self) -> None:
        super().__init__()
        self.board = ColumnBoard(self)
        self.symmetries = (*self.symmetries, self.grid.mirror)
        words = f"open lines: with two {{0}} 1 point, with three {LINE_FACTOR}, less those of {{1}}"
        self.heuristic = Heuristic(words, open_lines(self))

    def outcome(self, position: Position) -> Outcome | None:
        """Return who has four in a row (only the side that moved last can), a draw on a full board, or `None`."""
        first, second = position & self.full, position >> self.size & self.full
        if position >> 2 * self.size:
            if has_four(first):
                return Outcome.FIRST_WINS
        elif has_four(second):
            return Outcome.SECOND_WINS
        return Outcome.DRAW if first | second == self.full else None

    def moves(self, position: Position) -> tuple[Move, ...]:
        if self.outcome(position) is not None:
            return ()
        return OPEN[(position | position >> self.size) & (1 << COLUMNS) - 1]

    def play(self, position: Position, move: Move) -> Position:
        if not 0 <= move < COLUMNS or self.outcome(position) is not None or not has_room(position, move):
            raise IllegalMove(f"move {move} cannot be played in {self.to_text(position)}")
        return self.after(position, move)

    def successors(self, position: Position) -> Sequence[Successor]:
        first, second = position & self.full, position >> self.size & self.full
        turn = position >> 2 * self.size
        own, enemy, shift = (second, first, self.size) if turn else (first, second, 0)
        if has_four(enemy):
            return ()
        won, taken, passed = Outcome(turn), first | second, position ^ 1 << 2 * self.size
        successors: list[Successor] = []
        for move in OPEN[taken & (1 << COLUMNS) - 1]:
            piece = 1 << landing(position, move)
            outcome: Outcome | None = None
            if has_four(own | piece):
                outcome = won
            elif taken | piece == self.full:
                outcome = Outcome.DRAW
            successors.append((move, passed | piece << shift, outcome))
        return successors

    def after(self, position: Position, move: Move) -> Position:
        return super().after(position, landing(position, move))

    def move_name(self, move: Move) -> str:
        return LETTERS[move]

    def is_move_name(self, text: str) -> bool:
        return len(text) == 1 and text in LETTERS


CONNECT_FOUR: Final = ConnectFour()
