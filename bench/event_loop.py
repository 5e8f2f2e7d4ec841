"""Training at full speed inside the app: its rate compared with the headless one, and the delay of the event loop.

    python bench/event_loop.py

The two rates are measured alternately in one process. A timer of 10 ms on the event loop measures the delay on the
Train screen: for the failure-based reasoner with both curves, and for MENACE with the wall of boxes as well. Exits
with code 1 if a bound is missed.
"""

import asyncio
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Final

from run import Figure, each_round, report
from textual.widgets import Input, Select

from engine.games import GAMES
from lab.jobs import JobState
from lab.training.training_job import FULL_SPEED, PACES, TrainingJob
from learners import parse_learner
from learners.core.learner import Learner
from learners.core.training import TrainingPlan, run
from saves.library.library import Library
from tui.app import NoughtsApp
from tui.widgets.wall import Wall

ROUNDS: Final = 5
SEED: Final = 5
TICK: Final = 0.01
SLOW: Final = PACES[2]
"""The pace while the screen is set up for the measurement."""
FIGURES: Final = 4
"""The maximum number of figures of a training that are shown in turn."""
MIN_SHARE: Final = 0.7
"""The smallest share of the headless rate that the app must reach."""


@dataclass(frozen=True)
class Scene:
    """A training, and the largest delay of the timer, in seconds at the 95th percentile."""

    learner: str
    preset: str
    settings: str
    games: int
    max_delay: float
    wall: bool

    def new_learner(self) -> Learner:
        kind = parse_learner(self.learner)
        pairs = [setting.split("=") for setting in self.settings.split()]
        return kind(GAMES[0], self.preset, SEED, dict(pairs))


SCENES: Final = (
    Scene("failures", "literal", "", 100_000_000, 0.02, wall=False),
    Scene("menace", "scroggs", "empty=refill", 100_000_000, 0.05, wall=True),
)


def headless_rate(scene: Scene) -> float:
    learner = scene.new_learner()
    learner.train(0)
    start = perf_counter()
    for _ in run(learner, TrainingPlan(scene.games)):
        pass
    return scene.games / (perf_counter() - start)


async def watch(job: TrainingJob, late: list[float]) -> None:
    while job.running:
        start = perf_counter()
        await asyncio.sleep(TICK)
        late.append(perf_counter() - start - TICK)


async def app_rate(scene: Scene) -> tuple[float, list[float]]:
    late: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        app = NoughtsApp(Library(Path(folder) / "library"), Path(folder) / "settings", (None, None), GAMES[0])
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("t")
            await pilot.pause(1)
            for field, value in (("learner", scene.learner), ("preset", scene.preset), ("pace", SLOW.label)):
                app.screen.query_one(f"#form-{field}", Select).value = value
                await pilot.pause()
            for field, value in (("rounds", scene.games), ("seed", SEED), ("set", scene.settings)):
                app.screen.query_one(f"#form-{field}", Input).value = str(value)
            await pilot.press("g")
            while app.job is None or app.job.view.state is JobState.STARTING:
                await pilot.pause(TICK)
            await pilot.pause(0.5)
            for _ in range(FIGURES):  # each key shows the next
                if bool(app.screen.query_one(Wall).region.height) == scene.wall:
                    break
                await pilot.press("m")
                await pilot.pause(0.5)
            else:
                app.job.stop()
                raise RuntimeError("the wall is not shown" if scene.wall else "the wall is shown")
            app.screen.query_one("#form-pace", Select).value = FULL_SPEED.label
            while app.job.pace is not FULL_SPEED:
                await pilot.pause(TICK)
            start, before = perf_counter(), app.job.view.done
            await watch(app.job, late)
            rate = (app.job.view.done - before) / (perf_counter() - start)
    return rate, late


def measure(scene: Scene) -> list[Figure]:
    what = f"{scene.learner} {scene.preset} {scene.settings}".strip()
    alone, inside = Figure(f"{what}, headless", "games/s"), Figure("  in the app", "games/s")
    share = Figure("  share of that", "%", at_least=100 * MIN_SHARE)
    worst, late = Figure("  a timer late, 95th percentile", "ms", at_most=1000 * scene.max_delay), list[float]()
    for _ in each_round(ROUNDS):
        alone.rounds.append(headless_rate(scene))
        rate, ticks = asyncio.run(app_rate(scene))
        inside.rounds.append(rate)
        share.rounds.append(100 * rate / alone.rounds[-1])
        late += ticks
    worst.rounds.append(1000 * quantiles(late, n=20)[-1])
    return [alone, inside, share, worst]


def main() -> int:
    return report([figure for scene in SCENES for figure in measure(scene)])


if __name__ == "__main__":
    sys.exit(main())
