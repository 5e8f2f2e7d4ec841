"""Watch a training slice by slice: find out whether its memory grows, its rate falls, or a counter is wrong."""

import os
import resource
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from time import thread_time

import numpy as np

from engine.space import RUNNING
from learners.core.checkpoint_marks import CHECKPOINTS
from learners.core.learner import Learner
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.genetic.view import CHAMPION
from learners.menace.learner import Menace

MEMORY = Path("/proc/self/statm")
WARM_UP = 0.2
"""The share of a training in which memory may grow: first saves, and caches of numpy and SQLite."""
MEASUREMENTS = 1000
"""About how often a training is measured at most, since the measurements need memory themselves."""


def resident_memory() -> int:
    """The resident memory of this process in bytes; on some systems only the peak is available."""
    if MEMORY.exists():
        return int(MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS


class TrainingWatch:
    """Records the rounds, the processor time of the thread and the memory after slices of a training."""

    def __init__(self, learner: Learner, rounds: int) -> None:
        self.measured = [(0, 0.0, resident_memory())]
        self._interval = rounds // MEASUREMENTS
        self._trained = learner.train
        self._learner = learner
        learner.train = self._train  # type: ignore[method-assign]

    def _train(self, rounds: int) -> None:
        self._trained(rounds)
        if self._learner.rounds - self.measured[-1][0] > self._interval:
            self.measured.append((self._learner.rounds, thread_time(), resident_memory()))

    def _rate(self, tenth: int) -> float:
        """The upper quartile of the rates of the slices in a tenth of the training, in rounds per second.

        The time of a slice includes the work since the last one. A busy machine slows down most slices, so the upper
        quartile is compared. Slices that a mark has cut short are left out, since their overhead dominates.
        """
        total = self.measured[-1][0]
        slices = [
            (after - rounds, ended - begun)
            for (rounds, begun, _), (after, ended, _) in pairwise(self.measured)
            if tenth * total < 10 * after and 10 * rounds < (tenth + 1) * total
        ]
        longest = max(rounds for rounds, _ in slices)
        rates = sorted(rounds / max(took, 1e-9) for rounds, took in slices if 2 * rounds >= longest)
        return rates[3 * len(rates) // 4]

    @property
    def steadiness(self) -> float:
        """The rate of the last tenth, divided by that of the second tenth."""
        return self._rate(9) / self._rate(1)

    @property
    def growth(self) -> int:
        """The growth of the peak memory after the warm-up, in bytes."""
        total = self.measured[-1][0]
        warm = max(resident_bytes for rounds, _, resident_bytes in self.measured if rounds <= WARM_UP * total)
        return max(resident_bytes for rounds, _, resident_bytes in self.measured if rounds > WARM_UP * total) - warm


def wrong_counters(learner: Learner, rounds: int) -> list[str]:
    """All errors in the statistics and the history of a learner that was trained from the beginning."""
    stats = learner.stats()
    checks = dict(_common_counters(learner, rounds))
    if isinstance(learner, Failures):
        checks |= _failures_counters(learner)
    elif isinstance(learner, Menace):
        checks |= _menace_counters(learner)
    elif isinstance(learner, Genetic):
        checks |= _genetic_counters(learner)
    wrong = [f"{what}: {have} where it should be {wanted}" for what, (have, wanted) in checks.items() if have != wanted]
    return [f"{learner.spec.name} {learner.preset} after {rounds:,}: {each} {stats}" for each in wrong]


def _common_counters(learner: Learner, rounds: int) -> Iterator[tuple[str, tuple[object, object]]]:
    stats, space = learner.stats(), learner.space
    yield learner.spec.round_statistic, (stats[learner.spec.round_statistic], rounds)
    yield "ends of games", (stats["games"], stats["first_wins"] + stats["second_wins"] + stats["draws"])
    over = space.ply[space.outcome != RUNNING]
    shortest = int(over.min()) * (stats["games"] - stats.get("resigned", 0))
    yield "plies", (shortest <= stats["plies"] <= int(over.max()) * stats["games"], True)
    noted = [each[learner.spec.round_statistic] for each in learner.history.statistics]
    yield "history", (noted, [mark for mark in learner.spec.history_marks if mark <= rounds])
    yield "checkpoints", (sorted(learner.history.checkpoints), sorted(mark for mark in CHECKPOINTS if mark <= rounds))
    counts = [each[learner.spec.games_statistic] for each in (*learner.history.statistics, stats)]
    yield "games of the history", (counts, sorted(counts))


def _failures_counters(learner: Failures) -> dict[str, tuple[object, object]]:
    numbers = np.sort(learner.memory[learner.memory != 0])
    entries = learner.stats()["entries"]
    return {
        "entries": (entries, len(numbers)),
        "numbers of failures": (numbers.tolist(), list(range(1, entries + 1))),
    }


def _menace_counters(learner: Menace) -> dict[str, tuple[object, object]]:
    """The statistics of beads, recomputed from the settings, the outcomes, and how often each bead was drawn."""
    stats, boxes, times = learner.stats(), learner.boxes, learner.times
    win, draw, loss = (int(learner.settings[key]) for key in ("win", "draw", "loss"))
    first, second, draws = (stats[key] for key in ("first_wins", "second_wins", "draws"))
    plays_both = len(learner.training_sides) > 1
    checks: dict[str, tuple[object, object]] = {
        "beads": (stats["beads"], int(learner.memory[boxes.cells].sum())),
        "beads elsewhere": (stats["beads"], int(learner.memory.sum())),
        "gained first": (stats["gained_first"], first * win + draws * draw + second * loss),
        "gained second": (stats["gained_second"], plays_both * (second * win + draws * draw + first * loss)),
        "times": (0 < times.sum() <= stats["plies"] and times.max() <= stats["games"], True),
    }
    if plays_both and learner.settings["singles"] and not stats["resigned"]:
        opening = boxes.cells[boxes.cell_box == boxes.box[0]]
        checks |= {
            "every ply is a bead drawn": (int(times.sum()), stats["plies"]),
            "every game is a bead of the first box": (int(times[opening].sum()), stats["games"]),
        }
    return checks


def _genetic_counters(learner: Genetic) -> dict[str, tuple[object, object]]:
    boxes, stats = learner.genome.boxes, learner.stats()
    votes = np.bincount(boxes.cell_box, learner.memory[boxes.cells] % CHAMPION)
    champions = np.bincount(boxes.cell_box, learner.memory[boxes.cells] // CHAMPION)
    return {
        "votes": (set(votes.tolist()), {float(learner.individuals)}),
        "moves of the champion": (set(champions.tolist()), {1.0}),
        "perfect": (stats["perfect"], int(not stats["lost"])),
        "games counted": (stats["played"] >= stats["generation"] * learner.individuals, True),
    }
