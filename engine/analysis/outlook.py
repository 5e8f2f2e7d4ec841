"""How best play goes on from a position of a game with gravity: to the threat that decides it, or to its end."""

from dataclasses import dataclass
from time import monotonic

from engine.analysis.rating import PATIENCE, best_of, rate_moves
from engine.connect_solver.lasting_threats import LastingThreat, deciding_threats
from engine.game import Game, Position
from engine.match import Match
from engine.stop import Stop, never


@dataclass(frozen=True)
class Outlook:
    match: Match
    """The moves of best play, as far as they are needed to see how it ends."""
    threats: tuple[LastingThreat, ...]
    """The lasting threats that decide the last position; none if the game is over there."""


def outlook(game: Game, position: Position, stop: Stop = never, seconds: float = PATIENCE) -> Outlook | None:
    """Follow best play from a position; `None` if that takes more than so many seconds. Raises `Stopped`.

    Of several best moves, the leftmost is made: so the answer is always the same.
    """
    match, end = Match(game, [position]), monotonic() + seconds
    while match.outcome is None:
        threats = deciding_threats(game, match.position)
        if threats:
            return Outlook(match, threats)
        best = best_of(rate_moves(game, match.position, stop, end - monotonic()))[0]
        if best.value is None or monotonic() > end:
            return None
        match.play(best.move)
    return Outlook(match, ())
