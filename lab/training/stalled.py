"""Whether a learner has stopped learning, since when, and what to change."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.evaluate import SAME, chances
from engine.game import Side
from engine.stop import Stop, never
from lab.training.setup import accepted_opponents
from lab.training.turning_points import trace_if_possible
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import ITSELF, Snapshot
from learners.rewind import moments, rewind_to

NEARLY_ALL: Final = 0.99
"""A learner that draws at least this share of its games with itself hardly learns any more."""
MIN_STALL_ROUNDS: Final = 100
"""A learner counts as stalled after at least this many rounds without progress, and at least half of its training."""

TRAIN_AGAINST_RANDOM: Final = "train it against random play"

Sign = Callable[[Learner], bool]


@dataclass(frozen=True)
class Stall:
    """How a learner stopped learning: since when, why, and what to change."""

    rounds: int
    """The earliest number of rounds after which the learner is known to have stopped."""
    is_traced: bool
    """Whether the learner stopped exactly then; otherwise it stopped after the checkpoint before."""
    reason: str
    """The reason, as a clause: `it resigns every game as X at its first move`."""
    remedy: str
    """The advice, as an imperative without a full stop."""

    def sentence(self, noun: str) -> str:
        """Return when the learner stopped learning, why, and what to change; `noun` is the word for a round."""
        when = f"Since {noun} {self.rounds:,}{'' if self.is_traced else ' or earlier'}"
        remedy = f" {self.remedy[0].upper()}{self.remedy[1:]}." if self.remedy else ""
        return f"{when} {self.reason}.{remedy}"


def find_stall(snapshot: Snapshot, stop: Stop = never, known: Stall | None = None) -> Stall | None:
    """Return why and since when a learner has stopped learning; `None` if it learns, or has nothing left to learn.

    `known` is the stall found in an earlier snapshot of the same training; it is returned if it still holds.
    """
    learner = revive(replace(snapshot, bulk=b""))  # reading a bulk is slow
    if learner.perfect or not learner.rounds or not learner.game.learnable:
        return None
    for sign, reason in _signs_of(learner):
        if not sign(learner):
            continue
        if known is not None and known.reason == reason:
            return known
        rounds, is_traced = _first_round(snapshot, sign, stop)
        _, accepts_others = accepted_opponents(revive(replace(snapshot, bulk=b"")))
        remedy = TRAIN_AGAINST_RANDOM if accepts_others and learner.opponent == ITSELF else learner.shown.remedy
        return Stall(rounds, is_traced, reason, remedy)
    return _stall_without_progress(learner)


def _signs_of(learner: Learner) -> list[tuple[Sign, str]]:
    signs: list[tuple[Sign, str]] = [
        (_resigns_as(side), f"it resigns every game as {learner.game.mark(side)} at its first move, and learns no more")
        for side in learner.trained_sides
    ]
    spec = learner.spec
    learns_from_itself = spec.plays_games and not spec.explores and learner.opponent == ITSELF
    if learns_from_itself and len(learner.sides) == len(Side) and learner.game.has_draws:
        if _draw_share(learner) >= 1:
            signs.append((_draws_itself(1.0), "it draws every game with itself, and learns no more"))
        else:
            signs.append((_draws_itself(NEARLY_ALL), "it draws nearly always, and hardly learns"))
    return signs


def _resigns_as(side: Side) -> Sign:
    """Return the sign that a learner has no move left, as `side`, in any position where it makes its first move."""

    def resigns(learner: Learner) -> bool:
        space = learner.space
        first = (space.ply[space.source] == int(side)) & (space.side[space.source] == side)
        return bool(first.any()) and float(learner.policy()[first].sum()) <= SAME

    return resigns


def _draw_share(learner: Learner) -> float:
    """Return the share of games that a learner draws against itself."""
    policy = learner.policy()
    return chances(learner.space, policy, policy).draw


def _draws_itself(share: float) -> Sign:
    """Return the sign that a learner draws at least this share of its games against itself."""
    return lambda learner: learner.opponent == ITSELF and _draw_share(learner) >= share


def _stall_without_progress(learner: Learner) -> Stall | None:
    """Return the stall of a learner whose progress statistic has not risen for long; otherwise `None`."""
    shown, history = learner.shown, learner.history.statistics
    if not shown.progress_statistic or not history:
        return None
    progress = np.array([stats[shown.progress_statistic] for stats in history])
    last_rise = int(history[int(progress.argmax())][learner.spec.round_statistic])
    if learner.rounds - last_rise < max(MIN_STALL_ROUNDS, learner.rounds // 2):
        return None
    return Stall(last_rise, is_traced=True, reason="its best strategy has not improved", remedy=shown.remedy)


def _first_round(snapshot: Snapshot, sign: Sign, stop: Stop) -> tuple[int, bool]:
    """Return the first round after which a sign holds at every checkpoint, and whether this round is exact."""
    checkpoints = moments(snapshot)
    at = len(checkpoints) - 1
    while at > 0 and not stop() and sign(revive(rewind_to(snapshot, checkpoints[at - 1]))):
        at -= 1
    if at == 0:
        return checkpoints[0], True
    change = trace_if_possible(snapshot, checkpoints[at - 1], checkpoints[at], sign, stop)
    return change.rounds, change.is_exact
