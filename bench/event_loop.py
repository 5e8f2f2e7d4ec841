"""Training at full speed inside the app: its rate beside the headless one, and how late the event loop runs meanwhile.

    python bench/event_loop.py

The two rates are taken by turns in one process. A timer of 10 ms on the event loop tells how late it is served, on the
Train screen with both curves drawn. Exits 1 where a bound is missed.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final

from textual.widgets import Input

from engine import GAMES
from learners import Failures
from learners.training import Plan, run
from saves.library import Library
from tui.app import NoughtsApp
from tui.jobs import JobState, TrainingJob

GAMES_PLAYED: Final = 60_000_000
ROUNDS: Final = 5
SEED: Final = 5
TICK: Final = 0.01
LEAST_SHARE: Final = 0.7
"""The least share of the headless rate that the app reaches."""
MOST_LATE: Final = 0.02
"""The most seconds that the 95th percentile of the timer is late."""


def headless_rate() -> float:
    """Games a second without an app."""
    learner = Failures(GAMES[0], "literal", SEED)
    learner.train(0)
    begun = perf_counter()
    for _ in run(learner, Plan(GAMES_PLAYED)):
        pass
    return GAMES_PLAYED / (perf_counter() - begun)


async def watch(job: TrainingJob, late: list[float]) -> None:
    """Note how late a timer of 10 ms is served until the job is over."""
    while job.running:
        begun = perf_counter()
        await asyncio.sleep(TICK)
        late.append(perf_counter() - begun - TICK)


async def app_rate() -> tuple[float, list[float]]:
    """Games a second inside the app, and how late the timer was each time."""
    late: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        app = NoughtsApp(Library(Path(folder) / "library"), Path(folder) / "settings", (None, None), GAMES[0])
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("t")
            await pilot.pause(1)
            app.screen.query_one("#form-games", Input).value = str(GAMES_PLAYED)
            app.screen.query_one("#form-seed", Input).value = str(SEED)
            await pilot.press("g")
            while app.job is None or app.job.view.state is JobState.STARTING:
                await pilot.pause(TICK)
            begun, before = perf_counter(), app.job.view.done
            await watch(app.job, late)
            rate = (app.job.view.done - before) / (perf_counter() - begun)
    return rate, late


def main() -> int:
    alone, inside, late = [], [], []
    for number in range(1, ROUNDS + 1):
        print(f"round {number} of {ROUNDS}", file=sys.stderr)
        alone.append(headless_rate())
        rate, ticks = asyncio.run(app_rate())
        inside.append(rate)
        late += ticks
    shares = [one / other for one, other in zip(inside, alone, strict=True)]
    worst = quantiles(late, n=20)[-1]
    kept = median(shares) >= LEAST_SHARE and worst <= MOST_LATE
    for what, rates in (("headless", alone), ("in the app", inside)):
        print(f"{what:12}{median(rates):>12,.0f} games/s  ({min(rates):,.0f} … {max(rates):,.0f})")
    low, high = min(shares), max(shares)
    print(f"{'share':12}{median(shares):>12.0%}          ({low:.0%} … {high:.0%}), at least {LEAST_SHARE:.0%}")
    print(
        f"{'timer late':12}{1000 * worst:>12.1f} ms: 95th percentile of {len(late)}, at most {1000 * MOST_LATE:.0f} ms"
    )
    print("kept" if kept else "MISSED")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
