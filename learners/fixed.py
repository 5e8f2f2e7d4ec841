"""Players that take part like learners, but never learn.

A fixed policy is what an outside agent plays, kept as a memory that can be played against and inspected. The memory
holds the probability of each move, times 2^30. In a position whose numbers are all 0, the policy has no answer, and
resigns. In a game that is too large for such a table, a `FixedPlayer` has no memory, and asks a player for each move.
"""

from random import Random
from typing import ClassVar, Final

import numpy as np

from engine.evaluate import Policy
from engine.game import BadText, Game, Position, Side
from engine.stop import Stop, never
from learners.core.learner import Learner
from learners.core.player import Choice, Player, Thought
from learners.core.snapshot import Memory, Snapshot
from learners.core.spec import LearnerSpec, Statistic
from learners.core.view import MemoryView, MemoryWords, Presentation, ShownLearner

PARTS: Final = 2**30
"""The number in the memory of a move that is played with certainty."""


class FixedView(MemoryView[ShownLearner]):
    """Shows a policy that does not learn, with a card for each position."""

    words: ClassVar[MemoryWords] = MemoryWords(
        newest="Positions of the last game", none="No position has an answer", games_label="games"
    )

    def shown_numbers(self, numbers: Memory) -> Memory:
        """Return the probability of each move, in per cent."""
        shown: Memory = np.rint(100 * numbers / PARTS).astype(np.int64)
        return shown


class FixedPolicy(Learner):
    spec = LearnerSpec(
        name="fixed",
        title="Fixed policy",
        summary="plays as an outside agent does, and does not learn",
        statistics=(Statistic("positions", "positions answered"),),
        learns=False,
        learns_records=False,
    )
    shown = Presentation(size_statistic="positions")
    view_type = FixedView

    def train(self, rounds: int) -> None:
        if rounds:
            self.prepare_training()

    def prepare_training(self, stop: Stop = never) -> None:
        raise BadText("a fixed policy does not learn: train the agent in its own program, and judge it again")

    def set_policy(self, policy: Policy) -> None:
        """Play by these probabilities from now on, shape (m,)."""
        self.memory = np.rint(policy * PARTS).astype(np.int64)
        self.counts["positions"] = self._count_answers()

    def _count_answers(self) -> int:
        """Return the number of positions in which the policy has an answer."""
        return len(np.unique(self.space.source[self.memory > 0]))

    @property
    def trained_sides(self) -> tuple[Side, ...]:
        """The sides for which the policy has an answer in at least one position."""
        answering = self.space.side[self.space.source[self.memory > 0]]
        return tuple(side for side in Side if side in answering)

    def policy(self) -> Policy:
        """Return the policy; the probabilities of a position whose sum is 1 up to rounding are scaled to sum to 1."""
        space = self.space
        total = np.bincount(space.source, self.memory, len(space.position))
        moves = np.bincount(space.source, minlength=len(space.position))
        divisor = np.where(np.abs(total - PARTS) <= moves, np.maximum(total, 1), PARTS)
        policy: Policy = self.memory / divisor[space.source]
        return policy

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        policy, thoughts = self.policy(), []
        for edge in self.space.edges(position):
            chance = float(policy[edge])
            words = "never"
            if chance == 1:
                words = "always"
            elif chance:
                words = "at times"
            thoughts.append(Thought(int(self.space.move[edge]), chance, f"{chance:.0%}", words, excluded=not chance))
        return tuple(thoughts)

    def restore_memory(self, snapshot: Snapshot) -> None:
        super().restore_memory(snapshot)
        space = self.space
        moves = np.bincount(space.source, minlength=len(space.position))
        if (np.bincount(space.source, self.memory, len(space.position)) > PARTS + moves).any():
            raise BadText("the probabilities of a position sum to more than 1")
        counted, answers = self.counts["positions"], self._count_answers()
        if counted != answers:
            raise BadText(f"the statistics count {counted:,} positions, the memory has {answers:,}")


class FixedPlayer(Learner):
    """Plays as another player does, in a game that is too large for a policy as a table."""

    spec = LearnerSpec(
        name="fixed",
        title="Fixed player",
        summary="plays as a player does, and does not learn",
        parameters=True,
        fits=lambda _game: True,
        learns=False,
        learns_records=False,
    )

    def __init__(self, player: Player) -> None:
        super().__init__(player.game, next(iter(self.spec.presets)), 0)
        self.player = player
        self.label = player.label
        self.sides = player.trained_sides

    def train(self, rounds: int) -> None:
        if rounds:
            raise BadText(f"{self.label} does not learn here")

    def new_memory(self) -> Memory:
        return np.zeros(0, np.int64)

    def policy(self) -> Policy:
        return self.player.policy()

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        return self.player.thoughts(position)

    def choose(self, position: Position, random: Random) -> Choice:
        return self.player.choose(position, random)


def fixed_policy(game: Game, policy: Policy) -> FixedPolicy:
    """Return the fixed policy that plays by these probabilities, shape (m,). Raises `TooLarge`."""
    learner = FixedPolicy(game, next(iter(FixedPolicy.spec.presets)), 0)
    learner.set_policy(policy)
    return learner


def policy_of(player: Player) -> FixedPolicy:
    """Return a fixed policy that plays as the player does now, with the same label. Raises `TooLarge`."""
    learner = fixed_policy(player.game, player.policy())
    learner.label = player.label
    learner.sides = player.trained_sides
    return learner
