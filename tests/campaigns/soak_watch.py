"""Watch a training slice by slice: does its memory grow, its rate fall, or does a counter become wrong?"""

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
WARM = 0.2
"""The share of a training in which memory may grow: first saves, and what numpy and SQLite keep for the next time."""
LOOKS = 1000
"""The approximate number of measurements of a training: the memory of the watch itself must not grow for long."""


def resident() -> int:
    """The resident memory of this process in bytes; on some systems only the peak is available."""
    if MEMORY.exists():
        return int(MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes where there is no such file


class Watch:
    """Records after each slice of a training the rounds, the processor time of the thread, and the memory."""

    def __init__(self, learner: Learner, rounds: int) -> None:
        self.seen = [(0, 0.0, resident())]
        self._apart = rounds // LOOKS
        self._trained = learner.train
        self._learner = learner
        learner.train = self._train  # type: ignore[method-assign]

    def _train(self, rounds: int) -> None:
        self._trained(rounds)
        if self._learner.rounds - self.seen[-1][0] > self._apart:
            self.seen.append((self._learner.rounds, thread_time(), resident()))

    def _rate(self, tenth: int) -> float:
        """How many rounds a second its slices came to, with all that was done since the one before: the upper quartile.

        So what a busy machine takes from most of them counts for little. Those that a mark cut short are left out: they
        tell of little but their beginning and end.
        """
        total = self.seen[-1][0]
        slices = [
            (after - rounds, ended - begun)
            for (rounds, begun, _), (after, ended, _) in pairwise(self.seen)
            if tenth * total < 10 * after and 10 * rounds < (tenth + 1) * total
        ]
        longest = max(rounds for rounds, _ in slices)
        rates = sorted(rounds / max(took, 1e-9) for rounds, took in slices if 2 * rounds >= longest)
        return rates[3 * len(rates) // 4]

    @property
    def steadiness(self) -> float:
        """The rate of the last tenth by that of the second one."""
        return self._rate(9) / self._rate(1)

    @property
    def growth(self) -> int:
        """The growth of memory in bytes, after the warm-up."""
        total = self.seen[-1][0]
        warm = max(held for rounds, _, held in self.seen if rounds <= WARM * total)
        return max(held for rounds, _, held in self.seen if rounds > WARM * total) - warm


def faults(learner: Learner, rounds: int) -> list[str]:
    """All errors in the statistics and the history of a learner that was trained from the beginning."""
    stats = learner.stats()
    told = dict(_common(learner, rounds))
    if isinstance(learner, Failures):
        told |= _of_failures(learner)
    elif isinstance(learner, Menace):
        told |= _of_beads(learner)
    elif isinstance(learner, Genetic):
        told |= _of_votes(learner)
    wrong = [f"{what}: {have} where it should be {wanted}" for what, (have, wanted) in told.items() if have != wanted]
    return [f"{learner.spec.name} {learner.preset} after {rounds:,}: {each} {stats}" for each in wrong]


def _common(learner: Learner, rounds: int) -> Iterator[tuple[str, tuple[object, object]]]:
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


def _of_failures(learner: Failures) -> dict[str, tuple[object, object]]:
    numbers = np.sort(learner.memory[learner.memory != 0])
    entries = learner.stats()["entries"]
    return {
        "entries": (entries, len(numbers)),
        "numbers of failures": (numbers.tolist(), list(range(1, entries + 1))),
    }


def _of_beads(learner: Menace) -> dict[str, tuple[object, object]]:
    """Statistics of beads, computed again from the settings, the outcomes, and how often each bead was drawn."""
    stats, boxes, times = learner.stats(), learner.boxes, learner.times
    win, draw, loss = (int(learner.settings[key]) for key in ("win", "draw", "loss"))
    first, second, draws = (stats[key] for key in ("first_wins", "second_wins", "draws"))
    plays_both = len(learner.training_sides) > 1
    told: dict[str, tuple[object, object]] = {
        "beads": (stats["beads"], int(learner.memory[boxes.cells].sum())),
        "beads elsewhere": (stats["beads"], int(learner.memory.sum())),
        "gained first": (stats["gained_first"], first * win + draws * draw + second * loss),
        "gained second": (stats["gained_second"], plays_both * (second * win + draws * draw + first * loss)),
        "times": (0 < times.sum() <= stats["plies"] and times.max() <= stats["games"], True),
    }
    if plays_both and learner.settings["singles"] and not stats["resigned"]:
        opening = boxes.cells[boxes.cell_box == boxes.box[0]]
        told |= {
            "every ply is a bead drawn": (int(times.sum()), stats["plies"]),
            "every game is a bead of the first box": (int(times[opening].sum()), stats["games"]),
        }
    return told


def _of_votes(learner: Genetic) -> dict[str, tuple[object, object]]:
    boxes, stats = learner.genome.boxes, learner.stats()
    votes = np.bincount(boxes.cell_box, learner.memory[boxes.cells] % CHAMPION)
    champions = np.bincount(boxes.cell_box, learner.memory[boxes.cells] // CHAMPION)
    return {
        "votes": (set(votes.tolist()), {float(learner.individuals)}),
        "moves of the champion": (set(champions.tolist()), {1.0}),
        "perfect": (stats["perfect"], int(not stats["lost"])),
        "games counted": (stats["played"] >= stats["generation"] * learner.individuals, True),
    }
