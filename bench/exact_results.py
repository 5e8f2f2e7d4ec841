"""The cost of exact results: of one evaluation, and of judging every checkpoint of a million games."""

import sys
from time import perf_counter

from run import Figure, compare

from engine.evaluate import results, scoreboard
from engine.game import Side
from engine.games import GAMES
from learners import revive
from learners.core.learner import Learner
from learners.core.training import TrainingPlan, run
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.rewind import moments, rewind_to

GAMES_PLAYED = 1_000_000
EVALUATIONS = 20
SLOWER = 1.1
"""A training that is judged may take this many times as long as one that is not, plus half a second."""


def machines() -> dict[str, Learner]:
    return {"failures": Failures(GAMES[0], "literal", 1), "MENACE": Menace(GAMES[0], "scroggs", 1, {"empty": "refill"})}


def seconds_alone(learner: Learner) -> float:
    """Return the seconds of a training in one call, without judging."""
    start = perf_counter()
    learner.train(GAMES_PLAYED)
    return perf_counter() - start


def seconds_judged(learner: Learner) -> float:
    """Return the seconds of a training in slices, including the judgement of each checkpoint as both sides."""
    start = perf_counter()
    *_, last = run(learner, TrainingPlan(GAMES_PLAYED))
    for rounds in moments(last.snapshot):
        then = revive(rewind_to(last.snapshot, rounds))
        scoreboard(then.space, then.policy())
    return perf_counter() - start


def evaluation_milliseconds() -> float:
    learner = machines()["failures"]
    learner.train(10_000)
    policy = learner.policy()
    start = perf_counter()
    for _ in range(EVALUATIONS):
        results(learner.space, Side.FIRST, policy)
    return 1000 * (perf_counter() - start) / EVALUATIONS


def measure(_: str, rounds: int) -> list[Figure]:
    one = Figure("exact results of one side", "ms", at_most=5)
    without = {name: Figure(f"a million games of {name}", "s") for name in machines()}
    with_results = {name: Figure("  with checkpoints, all judged exactly", "s") for name in without}
    excess = {name: Figure("  seconds beyond 110 % of that", "s", at_most=0.5) for name in without}
    for learner in machines().values():
        seconds_alone(learner)  # compiles the kernels, or loads them
    evaluation_milliseconds()
    for _ in range(rounds):
        one.rounds.append(evaluation_milliseconds())
        for name, figure in without.items():
            figure.rounds.append(seconds_alone(machines()[name]))
            with_results[name].rounds.append(seconds_judged(machines()[name]))
            excess[name].rounds.append(with_results[name].rounds[-1] - SLOWER * figure.rounds[-1])
    return [one, *(figure for name in without for figure in (without[name], with_results[name], excess[name]))]


if __name__ == "__main__":
    sys.exit(compare("Measure the cost of exact results.", measure))
