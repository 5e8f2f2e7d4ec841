"""Runs a plan of training in short slices, and tells by time how it goes."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from learners.learner import Learner, Snapshot

MOST_GAMES: Final = 100_000_000
"""The most games of one plan."""
SLICE: Final = 0.04
"""The seconds that one uninterrupted slice of training aims at."""
STEPS: Final = (10, 12, 16, 20, 25, 32, 40, 50, 63, 80)
"""The marks of a decade, ten to a decade and evenly apart on a logarithmic axis (ISO 3, series R10)."""
MARKS: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 6, 8, *(step * 10**power for power in range(12) for step in STEPS))
"""The numbers of games after which the statistics go into the history: all of 1, 2, 5, 10, 20, 50 … among them."""
CHECKPOINTS: Final = frozenset(step * 10**power for power in range(13) for step in (1, 2, 5))
"""Those of them after which the memory is kept as well."""


@dataclass(frozen=True)
class Plan:
    """How many games to play, and how often at most to tell of it, in seconds."""

    games: int
    interval: float = 0.1


@dataclass(frozen=True)
class Progress:
    """How far a plan has come."""

    done: int
    total: int
    seconds: float
    snapshot: Snapshot

    @property
    def games_per_second(self) -> float:
        return self.done / self.seconds if self.seconds else 0.0

    @property
    def finished(self) -> bool:
        return self.done == self.total


def next_mark(games: int) -> int:
    """The first mark after `games` games."""
    return MARKS[bisect_right(MARKS, games)]


def note(learner: Learner) -> None:
    """Put this moment into the history where its number of games is a mark, and the memory with it at a checkpoint."""
    games = learner.stats()["games"]
    if games == next_mark(games - 1):
        learner.mark_history()
    if games in CHECKPOINTS:
        learner.keep_memory()


def run(learner: Learner, plan: Plan, stop: Callable[[], bool] = lambda: False) -> Iterator[Progress]:
    """Train by `plan`; yields at most every `interval` seconds, and once at the end or soon after `stop()` holds.

    The time between two looks at `stop` is about 50 ms, whatever the speed. Only the time spent training counts as
    seconds: a caller may take its time between two values.
    """
    done, seconds, told = 0, 0.0, perf_counter()
    slice_games = 16
    games = learner.stats()["games"]
    while done < plan.games and not stop():
        count = min(slice_games, plan.games - done, next_mark(games) - games)
        begun = perf_counter()
        learner.train(count)
        took = perf_counter() - begun
        done, games, seconds = done + count, games + count, seconds + took
        note(learner)
        if count == slice_games:
            slice_games = max(1, int(slice_games * min(4.0, SLICE / max(took, 1e-6))))
        if perf_counter() - told >= plan.interval and done < plan.games:
            yield Progress(done, plan.games, seconds, learner.snapshot())
            told = perf_counter()
    yield Progress(done, plan.games, seconds, learner.snapshot())
