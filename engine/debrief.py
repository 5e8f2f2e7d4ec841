"""What decided a game: of every move whether it gave something away, what was better, and what it overlooked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.game import Game, Move, Outcome, Position, Side
from engine.match import Match
from engine.prospects import Prospect, best_of, prospects
from engine.solve import WORTH
from engine.stop import Stop, never
from engine.tactics import forks, threats, wins

BY_A_THREAT: Final = 3
"""After how many plies a game is over that a threat wins: the move that makes it, any answer, and the threat."""


@dataclass(frozen=True)
class Turn:
    """A move of a game, held against the others that could have been made."""

    ply: int
    """How many moves of the game came before."""
    position: Position
    side: Side
    played: Prospect
    best: tuple[Prospect, ...]
    """Those that nothing is better than."""
    moves: int
    """How many moves there were."""
    holding: int
    """How many moves are worth as much as the best, be it sooner or later."""
    wins: tuple[Move, ...]
    """The moves by which it could have won at once."""
    forks: tuple[Move, ...]
    """The moves by which it could have won through a fork."""
    unmet: tuple[Move, ...]
    """The threats that were there before it and are carried out after it, on the same squares, if the other side likes.

    A piece that meets a threat in a column may make the next one there: that is allowed, yet nothing was left unmet.
    """
    allowed: tuple[Move, ...]
    """All moves by which the other side can win at once after it."""
    forked: tuple[Move, ...]
    """The moves by which the other side can win through a fork after it, where it cannot win at once."""

    @property
    def worth(self) -> int:
        """What the position was worth to its side before it; what is beyond the horizon counts as even."""
        return self.best[0].worth or 0

    @property
    def cost(self) -> int:
        """How much of that the move gave away: 2 where a win became a loss, 1 where either became or was a draw.

        A win that the move only lets out of sight counts as given away, and a loss in sight as a move that loses,
        though the others may lose beyond the horizon: `played.worth` and that of `best` tell.
        """
        return self.worth - (self.played.worth or 0)

    @property
    def alone(self) -> bool:
        """Whether it was the only one of several moves worth as much."""
        return self.holding == 1 < self.moves and self.cost == 0

    @property
    def missed_win(self) -> bool:
        return self.played.move not in self.wins and bool(self.wins)

    @property
    def missed_fork(self) -> bool:
        """Whether a fork would have won, and the move does not as far as can be seen."""
        return self.played.worth != 1 and bool(self.forks)


def examined(game: Game, position: Position, move: Move, ply: int = 0, stop: Stop = never) -> Turn:
    """A move held against the others. Raises `KeyError` for a position that play cannot reach, `Stopped`."""
    rated = prospects(game, position, stop)
    worth = max(prospect.worth or 0 for prospect in rated)
    after = game.play(position, move)
    over = game.outcome(after) is not None
    allowed = () if over else wins(game, after)
    return Turn(
        ply=ply,
        position=position,
        side=game.side(position),
        played=next(prospect for prospect in rated if prospect.move == move),
        best=best_of(rated),
        moves=len(rated),
        holding=sum((prospect.worth or 0) == worth for prospect in rated),
        wins=wins(game, position),
        forks=winning_forks(game, position, rated),
        unmet=tuple(
            threat
            for threat in threats(game, position)
            if threat in allowed and game.board.squares(position, threat) == game.board.squares(after, threat)
        ),
        allowed=allowed,
        forked=() if over or allowed else winning_forks(game, after, prospects(game, after, stop)),
    )


def winning_forks(game: Game, position: Position, rated: Sequence[Prospect]) -> tuple[Move, ...]:
    """The forks that win by one of their threats: one answer may meet both, or turn the tables."""
    winning = {prospect.move for prospect in rated if prospect.worth == 1 and prospect.plies == BY_A_THREAT}
    return tuple(move for move in forks(game, position) if move in winning)


def debrief(match: Match, stop: Stop = never) -> tuple[Turn, ...]:
    """Every move of a game held against the others, in order. Raises `KeyError`, `Stopped`."""
    turns = zip(match.positions, match.moves, strict=False)
    return tuple(examined(match.game, position, move, ply, stop) for ply, (position, move) in enumerate(turns))


def decisive(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The moves that gave something away, in order."""
    return tuple(turn for turn in turns if turn.cost > 0)


def decider(turns: Sequence[Turn], outcome: Outcome | None) -> Turn | None:
    """The move that decided a game: the last that gave something away, if its side got less than it could have had.

    Else that move was made good by a mistake beyond the horizon, or by a side that gave up or agreed too soon.
    """
    last = next(reversed(decisive(turns)), None)
    if last is None or outcome is None:
        return last
    got = WORTH[outcome] * (1 if last.side is Side.FIRST else -1)
    return last if got < last.worth else None
