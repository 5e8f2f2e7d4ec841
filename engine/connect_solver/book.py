"""The book: scores of positions near the start that were computed once, for games in which they take long to find.

key       own + taken, of the position or of its mirror image, the lesser one
file      `book.npz`: `keys`, int64, ascending, and `scores`, int8, of the positions of Connect Four that were computed.
          `make book` computes it, and goes on where it stopped
covered   the positions of at most `PLIES` pieces in which the side to move neither wins at once nor has a forced reply
"""

from functools import cache
from importlib import resources
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from engine.connect_solver.games import WordBoard, require_shape
from engine.game import Game
from engine.games.connectfour import CONNECT_FOUR

FILE: Final = resources.files("engine.connect_solver").joinpath("book.npz")
PLIES: Final = 8
"""The number of pieces of the last positions in the book."""


class Book:
    def __init__(self, board: WordBoard, keys: NDArray[np.int64], scores: NDArray[np.int8]) -> None:
        """Take keys in ascending order, and the score of each."""
        self.board, self.keys, self.scores = board, keys, scores

    @classmethod
    def read(cls, board: WordBoard) -> Self:
        with FILE.open("rb") as file, np.load(file) as stored:
            return cls(board, stored["keys"], stored["scores"])

    def score(self, own: int, taken: int) -> int | None:
        """Return a position's score for the side to move, after forced replies; `None` if the book does not have it."""
        sign = 1
        while taken.bit_count() <= PLIES:
            key = self.board.key(own, taken)
            index = int(np.searchsorted(self.keys, key))
            if index < len(self.keys) and self.keys[index] == key:
                return sign * int(self.scores[index])
            move = self.board.forced_reply(own, taken)
            if move is None:
                return None
            own, taken, sign = taken ^ own, taken | move, -sign
        return None

    def lower_bound(self, own: int, taken: int) -> int | None:
        """Return a lower bound of a position's score, by the scores of positions before it; `None` without any.

        The best move of a position before it leaves the other side the least: any other move leaves it at least that.
        """
        if taken.bit_count() > PLIES + 1:
            return None
        scores = (self.score(*before) for before in self.board.positions_before(own, taken))
        return max((-score for score in scores if score is not None), default=None)


@cache
def book_of(game: Game) -> Book | None:
    """Return the book of a game, which may be Connect Four by another name; `None` if there is none."""
    shape = require_shape(game)
    if shape != require_shape(CONNECT_FOUR):
        return None
    return Book.read(WordBoard(shape))
