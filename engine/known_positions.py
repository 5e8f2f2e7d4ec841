"""Positions of a large game whose values are known.

Those of Connect Four are the six sets of P. Pons ("Solving Connect 4: how to build a perfect AI", 2015,
http://blog.gamesolver.org), 100 positions each, with the score of each column: above 0 if the side to move wins. They
are in `known_positions.csv`: the set; the columns played, from 1 on the left; the score of the position, and of each
column that has room.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from engine.game import Game, Move, Position


@dataclass(frozen=True)
class KnownPosition:
    """A position with known scores for the side to move: those of `engine.connect_solver`."""

    set: str
    columns: str
    position: Position
    score: int
    scores: Mapping[Move, int]

    @cached_property
    def value(self) -> int:
        """The value for the side to move: 1 a win, 0 a draw, −1 a loss."""
        return _sign(self.score)

    @cached_property
    def moves(self) -> Mapping[Move, int]:
        return {move: _sign(score) for move, score in self.scores.items()}

    def keeps(self, move: Move | None) -> bool:
        """Return whether a move keeps the value of the position. A resignation, `None`, keeps nothing."""
        return move is not None and self.moves[move] == self.value


@cache
def known_positions(game: Game) -> tuple[KnownPosition, ...]:
    if game.name != "connectfour":
        return ()
    from importlib import resources  # slow to import

    text = resources.files("engine").joinpath("known_positions.csv").read_text("utf-8")
    known = []
    for row in csv.DictReader(text.splitlines()):
        position = game.start
        for column in row["moves"]:
            position = game.play(position, int(column) - 1)
        scores = {move: int(row[str(move + 1)]) for move in game.moves(position)}
        known.append(KnownPosition(row["set"], row["moves"], position, int(row["score"]), scores))
    return tuple(known)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
