"""The games that the solver knows, and the conversion of their positions to bitboards.

word      a mask as in `engine.connect_solver.board_kernel`: column by column from the left, each from the bottom
"""

from collections.abc import Iterator
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
    """The size of a board with gravity, and the length of a line that wins."""

    columns: int
    rows: int
    length: int

    @property
    def size(self) -> int:
        return self.columns * self.rows

    @property
    def lengths(self) -> tuple[tuple[None, ...], tuple[None, ...], tuple[None, ...]]:
        """The shape as kernels take it: see `engine.connect_solver.board_kernel`."""
        return (None,) * self.columns, (None,) * self.rows, (None,) * self.length

    @cached_property
    def _bottom_words(self) -> dict[int, int]:
        """The words of the pieces of one row, as if it were the lowest; filled as they are needed."""
        return {}

    def word(self, mask: int) -> int:
        """Return the word of a mask of the game, which numbers squares row by row from the top left."""
        bottom_words, full_row, word = self._bottom_words, (1 << self.columns) - 1, 0
        for height in range(self.rows - 1, -1, -1):
            row = mask & full_row
            if row not in bottom_words:
                bits = ((row >> column & 1) << column * (self.rows + 1) for column in range(self.columns))
                bottom_words[row] = sum(bits)
            word |= bottom_words[row] << height
            mask >>= self.columns
        return word

    def words(self, position: Position) -> tuple[int, int]:
        """Return the words of the pieces of the side to move, and of all pieces."""
        full = (1 << self.size) - 1
        first, second = self.word(position & full), self.word(position >> self.size & full)
        return (second if position >> 2 * self.size & 1 else first), first | second

    def pieces_left(self, position: Position) -> int:
        return self.size - (position & (1 << 2 * self.size) - 1).bit_count()


def shape_of(game: Game) -> Shape | None:
    """Return the shape of a game that the solver knows; `None` for any other.

    It knows games in which pieces fall, a line wins, and the board fits into a word.
    """
    if not isinstance(game, ConnectFour | Mnk) or not game.falls or game.chooses_piece or game.ends != GridGame.ends:
        return None
    columns, rows = game.grid.columns, game.grid.rows
    if columns * (rows + 1) > WORD_BITS:
        return None
    return Shape(columns, rows, game.in_a_row)


def require_shape(game: Game) -> Shape:
    """Return the shape of a game that the solver knows. Raises `BadText`."""
    shape = shape_of(game)
    if shape is None:
        solved_games = f"Connect Four, and mnk:C,R,K+gravity with C × (R + 1) at most {WORD_BITS}"
        raise BadText(f"{game.title} has no solver: the solver knows {solved_games}")
    return shape


class WordBoard:
    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.width = shape.rows + 1
        self.columns = tuple((1 << shape.rows) - 1 << column * self.width for column in range(shape.columns))
        self.bottom = sum(1 << column * self.width for column in range(shape.columns))
        self.full = sum(self.columns)

    def possible_squares(self, taken: int) -> int:
        return (taken + self.bottom) & self.full

    def winning_squares(self, pieces: int) -> int:
        """Return the squares, taken or not, that complete a line of these pieces."""
        squares, length = 0, self.shape.length
        for step in (1, self.width - 1, self.width, self.width + 1):
            for gap in range(length):
                line = self.full
                for distance in range(1, length - gap):
                    line &= pieces >> distance * step
                for distance in range(1, gap + 1):
                    line &= pieces << distance * step
                squares |= line
        return squares

    def key(self, own: int, taken: int) -> int:
        return min(own + taken, self.mirror_image(own) + self.mirror_image(taken))

    def mirror_image(self, word: int) -> int:
        last_column = (self.shape.columns - 1) * self.width
        column_mask = (1 << self.width) - 1
        return sum(
            (word >> first_bit & column_mask) << last_column - first_bit
            for first_bit in range(0, last_column + 1, self.width)
        )

    def forced_reply(self, own: int, taken: int) -> int | None:
        """Return the only reply to a threat; `None` if there is no threat, or if the side to move wins at once."""
        possible = self.possible_squares(taken)
        if self.winning_squares(own) & possible:
            return None
        threats = self.winning_squares(taken ^ own) & possible
        return threats & -threats or None

    def is_quiet(self, own: int, taken: int) -> bool:
        """Return whether the side to move neither wins at once nor must stop a threat."""
        return not (self.winning_squares(own) | self.winning_squares(taken ^ own)) & self.possible_squares(taken)

    def positions_after(self, own: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield own pieces and taken squares after each move, for the next mover; no move may win."""
        possible = self.possible_squares(taken)
        for column in self.columns:
            move = possible & column
            if move:
                yield taken ^ own, taken | move

    def positions_before(self, own: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield the positions before each move that could have been the last one."""
        other = taken ^ own
        for column in self.columns:
            top = 1 << (taken & column).bit_length() >> 1
            if top & other:
                yield other ^ top, taken ^ top

    def positions(self, plies: int) -> list[dict[int, tuple[int, int]]]:
        """Return all positions of up to `plies` pieces that nobody has won: by key, a mapping for each ply.

        Of two mirror images, there is only one.
        """
        by_ply: list[dict[int, tuple[int, int]]] = [{0: (0, 0)}]
        for _ in range(plies):
            reached: dict[int, tuple[int, int]] = {}
            for own, taken in by_ply[-1].values():
                wins = self.winning_squares(own)
                for reply_own, reply_taken in self.positions_after(own, taken):
                    if not wins & reply_taken & ~taken:
                        reached.setdefault(self.key(reply_own, reply_taken), (reply_own, reply_taken))
            by_ply.append(reached)
        return by_ply
