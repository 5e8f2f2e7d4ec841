"""How strong a player is, from harmless to perfect: by its exact results, in a large game by how far it looks ahead.

A level is the share of games that a player loses, on average over three opponents: one that moves at random, as a
beginner does by mistake; one that plays perfectly; and one that knows the player by heart and plays to beat it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from engine.evaluate import Policy, Results, results
from engine.game import Side
from engine.solve import values
from engine.space import Space, space_of
from engine.stop import Stop, never
from learners.core.learner import BOTH, Learner
from learners.core.player import Player
from learners.players.searchers import Searcher, until

MEASURES: Final = ("random", "perfect", "best_responder")
"""The opponents that tell how strong a player is: to none it loses more often than to the last."""


@dataclass(frozen=True)
class Rank:
    """A name for all who lose at most that share of their games, on average over `MEASURES`."""

    name: str
    most: float


RANKS: Final = (
    Rank("perfect", 0.0),  # proven: even the opponent that knows it by heart never beats it
    Rank("strong", 1 / 6),
    Rank("good", 2 / 6),
    Rank("fair", 3 / 6),
    Rank("weak", 4 / 6),
    Rank("harmless", 1.0),  # as whoever moves at random does, in every small game
)
"""The strongest first, in even steps; a player has the first that fits it."""


@dataclass(frozen=True)
class Level:
    """How strong a player is, exactly."""

    name: str
    rank: int
    """0 for harmless, one more for each name that is stronger."""
    losses: Mapping[str, float]
    """The share of games lost to each of `MEASURES`: the mean over the sides that it is judged by."""
    wins: float
    """The share of games won against random play, the same mean."""
    judged: tuple[Side, ...]
    """The sides that it plays and that can be held against everybody; all that it plays where there are none."""
    lost: tuple[Side, ...]
    """The sides that it plays and that nobody can hold against perfect play."""
    plays: tuple[Side, ...]
    """The sides that it can play."""

    @property
    def loss(self) -> float:
        """The share of games lost, on average over `MEASURES`: what the level is told by."""
        return fmean(self.losses.values())

    @property
    def strength(self) -> tuple[float, ...]:
        """To sort by: the stronger, the greater. Who loses as often is stronger who wins more against random play."""
        return -self.loss, self.wins


@dataclass(frozen=True)
class Foresight:
    """How far a player looks ahead: all that can be told where a game is too large for exact results."""

    depth: int
    """In moves; 0 where it does not look at all."""
    plays: tuple[Side, ...] = BOTH

    @property
    def name(self) -> str:
        return f"{self.depth} ahead" if self.depth else "blind"

    @property
    def strength(self) -> tuple[float, ...]:
        return (self.depth,)


def level_of(player: Player, stop: Stop = never) -> Level | Foresight:
    """How strong a player is as the sides that it can play. Raises `Stopped`."""
    if not player.game.numbered:
        return Foresight((player.depth or 0) if isinstance(player, Searcher) else 0)
    plays = player.sides if isinstance(player, Learner) else BOTH
    return exact_level(space_of(player.game), until(player, stop).policy(), plays)


def exact_level(space: Space, policy: Policy, plays: Sequence[Side] = BOTH) -> Level:
    """How strong whoever follows a policy is as the sides that it plays."""
    lost = tuple(side for side in plays if side is _lost_side(space))
    judged = tuple(side for side in plays if side not in lost) or tuple(plays)
    seen = [results(space, side, policy) for side in judged]
    losses = {opponent: _mean_loss(seen, opponent) for opponent in MEASURES}
    loss = fmean(losses.values())
    place = next(place for place, rank in enumerate(RANKS) if loss <= rank.most)
    return Level(
        name=RANKS[place].name,
        rank=len(RANKS) - 1 - place,
        losses=losses,
        wins=fmean(each.against["random"].win for each in seen),
        judged=judged,
        lost=lost,
        plays=tuple(plays),
    )


def _mean_loss(seen: Sequence[Results], opponent: str) -> float:
    return fmean(each.against[opponent].loss for each in seen)


def _lost_side(space: Space) -> Side | None:
    """The side that loses from the start when the other one plays perfectly."""
    value = int(values(space)[0])
    return (Side.SECOND if value > 0 else Side.FIRST) if value else None
