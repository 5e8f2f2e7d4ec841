"""A hint: which move to suggest in a position, and what it was chosen from."""

from dataclasses import dataclass
from typing import Final

from engine.debrief import Turn, assess
from engine.game import Game, Move, Position
from engine.rating import RatedMove, best_of, rate_moves
from engine.stop import Stop, never

OBVIOUS: Final = 2
"""The maximum number of plies of an obvious loss: the side moves, and the opponent wins at once."""


@dataclass(frozen=True)
class Hint:
    """The move to suggest in a position, and what every move leads to. `lab.advice.advice` puts it into words."""

    game: Game
    rated: tuple[RatedMove, ...]
    """What each legal move leads to, in the order of the moves."""
    turn: Turn
    """The suggested move, compared with the other moves."""

    @property
    def move(self) -> Move:
        """The suggested move."""
        return self.turn.played.move


def find_hint(game: Game, position: Position, stop: Stop = never) -> Hint:
    """Find a hint for the side to move; in a large game this takes a search.

    Raises `KeyError` for a position that play cannot reach, `Stopped`.
    """
    rated = rate_moves(game, position, stop)
    move = _suggested(game, position, rated, stop)
    return Hint(game, rated, assess(game, position, move, stop=stop))


def _suggested(game: Game, position: Position, rated: tuple[RatedMove, ...], stop: Stop) -> Move:
    """The best move; of several best moves the one that sets the most traps."""
    best = best_of(rated)
    if len(best) == 1:
        return best[0].move
    return max(best, key=lambda rated_move: traps(game, game.play(position, rated_move.move), stop)).move


def traps(game: Game, position: Position, stop: Stop = never) -> int:
    """Count the moves that lose, but not obviously; 0 if every move loses. Raises `Stopped`."""
    rated = rate_moves(game, position, stop)
    safe = any(rated_move.value != -1 for rated_move in rated)
    return sum(safe and rated_move.value == -1 and rated_move.plies > OBVIOUS for rated_move in rated)
