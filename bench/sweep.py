"""The speed of sweeps: relative to a plain loop, by the number of workers, and for ten thousand machines.

    python bench/sweep.py

The plain loop trains and judges machines of the same sweep in as many processes, and does nothing else. The two rates
are measured alternately, from the moment when all processes work. Exits with code 1 if a bound is missed.
"""

import resource
import sys
import tempfile
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final

from run import Figure, each_round, report

from learners.race.measures import judge_policy
from learners.sweep.definition import define
from learners.sweep.point import Point, opponent_of
from learners.sweep.running import SweepPlan, plan_of, run
from learners.sweep.workers import Processes
from saves.sweeps.part import Part, part_path
from saves.sweeps.table import write_table

ROUNDS: Final = 3
MACHINES: Final = 1000
MANY: Final = 10_000
BUDGET: Final = 10_000
CORES: Final = 2


def plan_for(machines: int) -> SweepPlan:
    return plan_of(define({"learner": "failures", "seeds": machines, "games": BUDGET}))


def plain_loop(point: Point, seeds: range, marks: tuple[int, ...]) -> tuple[float, float]:
    opponent = opponent_of(point)
    for seed in (seeds[0], *seeds):
        if seed == seeds[0]:  # begins anew after the first machine, which compiles the kernels
            start, used = perf_counter(), process_time()
        machine = point.machine(seed, opponent)
        for mark in marks:
            machine.train(mark - machine.rounds)
            judge_policy(machine.space, machine.policy())
    return len(seeds) / (perf_counter() - start), (process_time() - used) / len(seeds)


def plain_loop_rate(count: int) -> tuple[float, float]:
    plan, seeds = plan_for(MACHINES), range(1, MACHINES // count)
    marks = plan.definition.marks_of("failures")
    with get_context("spawn").Pool(count) as pool:
        results = pool.starmap(plain_loop, [(plan.points[0], seeds, marks)] * count, 1)
    return sum(rate for rate, _ in results), sum(used for _, used in results) / count


def processor_seconds() -> float:
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))


def sweep_rate(machines: int, count: int) -> tuple[float, float, float]:
    """Return machines per second once all workers work, seconds of the whole sweep, and its processor seconds."""
    plan, start, used = plan_for(machines), perf_counter(), processor_seconds()
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "found.csv"
        with Part(part_path(output), plan.definition) as part:
            workers = Processes(count)
            running = run(plan, part.missing(1), workers, part.add, lambda: False)
            finished = [(perf_counter(), progress.done) for progress in running]
            workers.close(finished=True)
            write_table(output, plan.layout, part.lines(), replace=False)
    first = next(each for each in finished if each[1] > machines // 10)
    rate = (finished[-1][1] - first[1]) / (finished[-1][0] - first[0])
    return rate, perf_counter() - start, processor_seconds() - used


def main() -> int:
    share = Figure(f"a sweep on {CORES} cores, relative to a plain loop", "%", at_least=90)
    workers = [Figure(f"machines a second with {count} workers", "1/s") for count in (1, 2, 4)]
    plain_loop_seconds = list[float]()
    for _ in each_round(ROUNDS):
        rate, used = plain_loop_rate(CORES)
        plain_loop_seconds.append(used)
        for figure, count in zip(workers, (1, 2, 4), strict=True):
            swept, _, _ = sweep_rate(MACHINES, count)
            figure.rounds.append(swept)
            if count == CORES:
                share.rounds.append(100 * swept / rate)
    many = Figure(f"{MANY:,} failure learners of {BUDGET:,} games, from start to file", "s", at_most=60)
    work = Figure("  share of processor time for training and judging", "%", at_least=80)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, elapsed, spent = sweep_rate(MANY, CORES)
    many.rounds.append(elapsed)
    work.rounds.append(100 * median(plain_loop_seconds) * MANY / spent)
    memory = Figure("  memory beyond that of smaller sweeps", "MB", at_most=20)
    memory.rounds.append((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
    return report([share, *workers, many, work, memory])


if __name__ == "__main__":
    sys.exit(main())
