"""The story of a training: its exact results at every checkpoint, and the turning points between them.

A ghost is an earlier training, to compare a new one with.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from engine.game import BadText, Game, Side
from engine.space import TooLarge
from engine.stop import Stop, never
from lab.results.exact_results import ExactResults, TimelinePoint, exact_of, point_at
from lab.text.axes import mark_of
from lab.training.stalled import Stall, find_stall
from lab.training.turning_points import (
    TurningPoint,
    find_turning_points,
    lasting_changes,
    merge_by_round,
    sentence_with_rounds,
)
from learners import kind_of, revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewind import moments
from saves.errors import LibraryError
from saves.library.library import Library


@dataclass(frozen=True)
class StoryLine:
    rounds: int
    text: str
    mark: str = ""
    """The sign of the turning point on the axis of the chart."""
    warning: bool = False
    """Whether the line says that the learner has stopped learning."""


class TrainingStory:
    """The exact results and turning points of one training, updated from its newest snapshot.

    `points` and `turning_points` are replaced, never changed, so that threads may share them.
    """

    def __init__(self) -> None:
        self.points: tuple[TimelinePoint, ...] = ()
        """The checkpoints, ascending by rounds; the last one is that of the newest snapshot."""
        self.turning_points: tuple[TurningPoint, ...] = ()
        """The turning points, ascending by rounds."""
        self.told: tuple[TurningPoint, ...] = ()
        """The turning points to tell a person; those of the same round are merged into one."""
        self.stall: Stall | None = None
        """How the learner has stopped learning; `None` if it has not."""
        self.complete = False
        """Whether no more turning points will be found: the training has ended, and all of it was searched."""
        self._between: dict[tuple[int, int], list[TurningPoint]] = {}
        """The turning points between two successive checkpoints, by their rounds."""

    @property
    def known(self) -> Mapping[int, ExactResults]:
        """The exact results by number of rounds, ascending."""
        return {point.rounds: point.exact for point in self.points}

    def losses(self, snapshot: Snapshot) -> tuple[float, float] | None:
        """Return the shares of games lost to a perfect player at first and in a snapshot, once both are known."""
        if len(self.points) < 2 or self.points[-1].rounds != snapshot.stats[kind_of(snapshot).spec.round_statistic]:
            return None
        first, last = (self.points[at].loss("perfect") for at in (0, -1))
        return None if first is None or last is None else (first, last)

    def lines(self, round_noun: str) -> list[StoryLine]:
        """Return the turning points as lines; if the learner has stopped learning, the last line says so."""
        lines = [
            StoryLine(each.rounds, sentence_with_rounds(each, round_noun), mark_of(number))
            for number, each in enumerate(self.told)
        ]
        if self.stall is not None:
            lines.append(StoryLine(self.stall.rounds, self.stall.sentence(round_noun), warning=True))
        return lines

    def update(self, snapshot: Snapshot, stop: Stop = never, *, ended: bool = True) -> None:
        """Compute what is new in a snapshot of the training; end early if `stop()` is true.

        Each checkpoint is evaluated once, and each interval between two checkpoints is searched once. `ended` tells
        that this is the last snapshot.
        """
        if not self.update_points(snapshot, stop):
            return
        without_bulk = replace(snapshot, bulk=b"")
        between: dict[tuple[int, int], list[TurningPoint]] = {}
        for low, high in pairwise(self.points):
            interval = low.rounds, high.rounds
            if interval in self._between:
                between[interval] = self._between[interval]
            else:
                between[interval] = find_turning_points(without_bulk, (low, high), stop)
            if stop():
                return
        self._between = between
        changes = [change for interval_changes in between.values() for change in interval_changes]
        self.turning_points = tuple(lasting_changes(changes, self.points, ended=ended))
        self.told = tuple(merge_by_round(self.turning_points, snapshot.game))
        self.stall = find_stall(without_bulk, stop, self.stall)
        self.complete = ended

    def update_points(self, snapshot: Snapshot, stop: Stop = never) -> bool:
        """Compute only the exact results. If `stop()` becomes true, keep the earlier ones and return `False`."""
        points_before, points = {point.rounds: point for point in self.points}, []
        for rounds in moments(snapshot):
            if stop():
                return False
            points.append(points_before.get(rounds) or point_at(snapshot, rounds))
        self.points = tuple(points)
        return True


UNTRAINED: Final = "untrained"
"""The name of a ghost that has learned nothing."""


@dataclass(frozen=True)
class Ghost:
    """An earlier training of the same learner and game, or an untrained learner if there is none."""

    name: str
    learner: Learner
    """The learner, without its bulk, which is slow to read and not drawn."""
    known: Mapping[int, ExactResults]
    """The exact results by number of rounds, ascending."""

    @property
    def sides(self) -> Collection[Side]:
        return self.learner.sides


def untrained_ghost(learner: Learner) -> Ghost | None:
    """Return a ghost of an untrained learner, from the first round to its usual last; `None` without exact results."""
    exact, last = exact_of(learner), learner.spec.rounds_for(learner.preset)
    return Ghost(UNTRAINED, learner, dict.fromkeys((1, last), exact)) if exact else None


def ghost_for(library: Library, learner: Learner, stop: Stop = never) -> Ghost | None:
    """Return the ghost of the newest save of this kind of learner and game; without one, that of the new `learner`."""
    return find_ghost(library, type(learner), learner.game, stop) or untrained_ghost(learner)


def find_ghost(library: Library, kind: type[Learner], game: Game, stop: Stop = never) -> Ghost | None:
    """Return the ghost of the newest trained save of this learner and game; `None` without a readable one in time."""
    story = TrainingStory()
    try:
        for entry in library.entries():
            if entry.rounds and (entry.learner, entry.game) == (kind.spec.name, game.name):
                snapshot = library.load(entry.name)
                story.update_points(snapshot, stop)
                return None if stop() else Ghost(entry.name, revive(replace(snapshot, bulk=b"")), story.known)
    except (BadText, LibraryError, TooLarge):
        return None  # the Library shows why a save cannot be read
    return None
