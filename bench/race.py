"""The duration of a race with a thousand machines, and how soon it stops on request.

    python bench/race.py

Uses two threads, like the app. Exits with code 1 if a bound is missed.
"""

import sys
from itertools import pairwise
from threading import Event
from time import perf_counter
from typing import Final

from run import Figure, each_round, report

from engine.games import GAMES
from learners.race.entrants import parse_entrant
from learners.race.measures import judge_policy
from learners.race.race import Standings, race

ROUNDS: Final = 5
MACHINES: Final = 1000
BUDGET: Final = 10_000
JUDGEMENTS: Final = 500


def run_race(text: str, machines: int, budget: int) -> tuple[Standings, float]:
    """Return the last standings of a race with one entrant, and the longest time between two standings."""
    times = [perf_counter()]
    for standings in race([parse_entrant(text, GAMES[0])], range(1, machines + 1), budget):
        times.append(perf_counter())
        last = standings
    return last, max(after - before for before, after in pairwise(times))


def seconds_to_stop() -> float:
    stopping = Event()
    running = race([parse_entrant("failures", GAMES[0])], range(MACHINES), 100_000_000, stop=stopping.is_set)
    for _ in range(3):
        next(running)
    start = perf_counter()
    stopping.set()
    for _ in running:
        pass
    return perf_counter() - start


def judgement_milliseconds() -> float:
    machine = parse_entrant("failures", GAMES[0]).machine(1)
    machine.train(BUDGET)
    policy = machine.policy()
    start = perf_counter()
    for _ in range(JUDGEMENTS):
        judge_policy(machine.space, policy)
    return 1000 * (perf_counter() - start) / JUDGEMENTS


def main() -> int:
    many = Figure("1,000 failure learners of 10,000 games, judged", "s", at_most=10)
    quiet = Figure("  the longest time between two standings", "s", at_most=0.25)
    menaces = Figure("1,000 MENACE pairs of 10,000 games, judged", "s", at_most=10)
    stop = Figure("a race ends after the request to stop", "s", at_most=0.2)
    judged = Figure("one policy judged, all opponents and both sides", "ms", at_most=0.5)
    run_race("failures", 1, 1)
    run_race("menace:scroggs", 1, 1)  # these two races compile the kernels, or load them from their cache
    for _ in each_round(ROUNDS):
        standings, longest = run_race("failures", MACHINES, BUDGET)
        many.rounds.append(standings.seconds)
        quiet.rounds.append(longest)
        menaces.rounds.append(run_race("menace:scroggs", MACHINES, BUDGET)[0].seconds)
        stop.rounds.append(seconds_to_stop())
        judged.rounds.append(judgement_milliseconds())
    return report([many, quiet, menaces, stop, judged])


if __name__ == "__main__":
    sys.exit(main())
