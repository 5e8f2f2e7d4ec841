"""The opponents of a learner in training."""

from collections.abc import Collection

import numpy as np

from engine.evaluate import SAME, Policy, resignations
from engine.game import BadText, Side
from engine.space import RUNNING, Space
from learners.core.kernel_tables import DRAWS, Counts
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.snapshot import ITSELF
from learners.players.registry import is_player, parse_player


class OpposedLearner(Learner):
    """A learner that trains against itself or another player. Against another player, it plays first if it can."""

    _player: Player | None = None
    """The opponent; `None` in self-play, and if it is known by its label only."""

    @property
    def training_sides(self) -> tuple[Side, ...]:
        """As in `Learner`."""
        return self.sides if self.opponent in (ITSELF, PERSON) else self.sides[:1]

    def set_opponent(self, opponent: Player | None) -> None:
        """As in `Learner`. Raises `BadText` for a player of another game, or one that does not play the other side."""
        if opponent is not None:
            require_opponent(self, opponent)
        self.record_opponent(ITSELF if opponent is None else opponent.label)
        self._player = opponent

    def record_opponent(self, opponent: str) -> None:
        """As in `Learner`."""
        super().record_opponent(opponent)
        self._player = None

    def opposing(self) -> Player | None:
        """Return the opponent, `None` for self-play. Raises `BadText` for a player that is not available here."""
        if self._player is not None or self.opponent == ITSELF:
            return self._player
        if not is_player(self.opponent):
            raise BadText(f"its last opponent was {self.opponent}: name an opponent for it now")
        return parse_player(self.opponent, self.game)


def require_opponent(learner: Learner, opponent: Player) -> None:
    """Raise `BadText` for a player of another game, or one that does not play the side that is left for it."""
    game, other = learner.game, learner.sides[0].other
    if opponent.game is not game:
        raise BadText(f"{opponent.label} plays {opponent.game.title}, not {game.title}")
    if isinstance(opponent, Learner) and other not in opponent.sides:
        raise BadText(f"{opponent.label} does not play {game.mark(other)}: choose another opponent")


def draw_bounds(space: Space, sides: Collection[Side], opponent: Policy) -> Counts:
    """Return for each move of the opponent the bound below which a draw chooses it or an earlier one, shape (m,).

    A draw is below `DRAWS`; one that is below no bound of a position is a resignation. `opponent` is a policy of shape
    (m,). The moves of the learner, which plays `sides`, have no bound that a draw can be below.
    """
    theirs = (space.outcome == RUNNING) & ~np.isin(space.side, list(sides))
    chance = np.concatenate(([0.0], np.cumsum(np.where(theirs[space.source], opponent, 0))))
    bound: Counts = np.rint((chance[1:] - chance[space.first_edge[space.source]]) * DRAWS).astype(np.int64)
    never_resigns = theirs & (resignations(space, opponent) <= SAME)
    bound[space.first_edge[1:][never_resigns] - 1] = DRAWS
    return bound
