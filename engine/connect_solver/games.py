"""Which games the solver knows, and how their positions become bitboards.

word      a mask as in `engine.connect_solver.board_kernel`: column by column from the left, each from the bottom
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.game import BadText, Game, Position
from engine.games.connectfour import ConnectFour
from engine.games.mnk import Mnk
from engine.grid_game import GridGame

WORD_BITS: Final = 63
"""The bits of a signed word that keep it from being negative."""


@dataclass(frozen=True)
class Shape:
    """The size of a board with gravity, and how long a line is that wins."""

    columns: int
    rows: int
    length: int

    @property
    def size(self) -> int:
        """The number of squares."""
        return self.columns * self.rows

    @cached_property
    def _bottom_words(self) -> dict[int, int]:
        """The words of the lowest row, by the squares that are taken in it, as far as they were needed."""
        return {}

    def word(self, mask: int) -> int:
        """Return the word of a mask of the game, which numbers squares row by row from the top left."""
        known, row, word = self._bottom_words, (1 << self.columns) - 1, 0
        for height in range(self.rows - 1, -1, -1):
            taken = mask & row
            if taken not in known:
                known[taken] = sum((taken >> column & 1) << column * (self.rows + 1) for column in range(self.columns))
            word |= known[taken] << height
            mask >>= self.columns
        return word

    def words(self, position: Position) -> tuple[int, int]:
        """Return the words of the pieces of the side to move, and of all pieces."""
        full = (1 << self.size) - 1
        first, second = self.word(position & full), self.word(position >> self.size & full)
        return (second if position >> 2 * self.size & 1 else first), first | second

    def pieces_left(self, position: Position) -> int:
        """Return the number of empty squares."""
        return self.size - (position & (1 << 2 * self.size) - 1).bit_count()

    @cached_property
    def column_words(self) -> tuple[int, ...]:
        """The word of each column."""
        return tuple((1 << self.rows) - 1 << column * (self.rows + 1) for column in range(self.columns))

    @cached_property
    def bottom(self) -> int:
        """The word of the lowest row."""
        return sum(1 << column * (self.rows + 1) for column in range(self.columns))


def shape_of(game: Game) -> Shape | None:
    """Return the shape of a game that the solver knows: pieces fall, a line wins, and the board fits into a word."""
    if not isinstance(game, ConnectFour | Mnk) or not game.falls or game.chooses_piece or game.ends != GridGame.ends:
        return None
    columns, rows = game.grid.columns, game.grid.rows
    return Shape(columns, rows, game.in_a_row) if columns * (rows + 1) <= WORD_BITS else None


def require_shape(game: Game) -> Shape:
    """Return the shape of a game that the solver knows. Raises `BadText`."""
    shape = shape_of(game)
    if shape is None:
        known = f"Connect Four, and mnk:C,R,K+gravity with C × (R + 1) at most {WORD_BITS}"
        raise BadText(f"{game.title} has no solver: the solver knows {known}")
    return shape
