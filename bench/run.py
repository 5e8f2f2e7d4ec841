"""Our speed compared with that of other libraries (peers), measured alternately on one core: `make bench`.

A machine may be twice as fast now as it was a minute ago. So each ratio compares measurements of the same round; the
table shows the median of the rounds, the lowest and the highest.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time

from engine.games import GAMES, parse_game
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.ntuple.learner import NTuple
from learners.q import QLearner
from learners.td import TemporalDifferences
from learners.values.learner import ValueLearner

HERE = Path(__file__).parent
GAMES_OF_OURS = 1_000_000
FIRST_GAMES = 10_000
"""The games of each MENACE pair. In the first games, boxes still have beads for many moves, and games are long."""
PAIRS = 40
PEER_GAMES = {"rollouts": 400_000, "qlearner": 1500}
SPACE_PROGRAM = """
from time import perf_counter
from engine.games import GAMES
from engine.solve import edge_values, values
from engine.spaces import space_of
begun = perf_counter()
space = space_of(GAMES[0])
space.position_class, space.edge_class, values(space), edge_values(space)
print(perf_counter() - begun)
"""


@dataclass
class Figure:
    """A quantity that is measured once a round, and the bound of its median."""

    what: str
    unit: str
    at_least: float | None = None
    at_most: float | None = None
    rounds: list[float] = field(default_factory=list)

    @property
    def is_missed(self) -> bool:
        middle = median(self.rounds)
        if self.at_least is not None and middle < self.at_least:
            return True
        return self.at_most is not None and middle > self.at_most

    def row(self) -> str:
        bound, verdict = "", ""
        if self.at_least is not None:
            bound = f"at least {number_text(self.at_least)}"
        if self.at_most is not None:
            bound = f"at most {number_text(self.at_most)}"
        if bound:
            verdict = "MISSED" if self.is_missed else "kept"
        middle = number_text(median(self.rounds))
        spread = f"{number_text(min(self.rounds))} … {number_text(max(self.rounds))}"
        return f"{self.what:52} {middle:>12} {self.unit:8} {spread:>25}  {bound:16} {verdict}"


def number_text(value: float) -> str:
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if value >= 5 else f"{value:.3f}"


class Peer:
    """A peer script in a process of its own, which waits for requests."""

    def __init__(self, python: str, script: str = "peer_openspiel.py", *arguments: str) -> None:
        command = [python, str(HERE / script), *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def games_per_second(self, what: str) -> float:
        return PEER_GAMES[what] / self.seconds(what, PEER_GAMES[what])

    def seconds(self, what: str, times: int) -> float:
        requests, answers = self.process.stdin, self.process.stdout
        if requests is None or answers is None:
            raise RuntimeError("the peer was started without pipes")
        answer = ""
        with suppress(BrokenPipeError):
            requests.write(f"{what} {times}\n")
            requests.flush()
            answer = answers.readline()
        if not answer:
            sys.exit(f"the peer stopped while it did {what}")
        return float(answer)

    def close(self) -> None:
        self.process.communicate()


def self_play_games_per_second() -> float:
    learner = Failures(GAMES[0], "literal", 1)
    start = perf_counter()
    learner.train(GAMES_OF_OURS)
    return GAMES_OF_OURS / (perf_counter() - start)


def menace_games_per_second() -> tuple[float, float]:
    """Measure the first games of new MENACE pairs that refill empty boxes: games per second, and plies per game."""
    pairs = [Menace(GAMES[0], "scroggs", seed, {"empty": "refill"}) for seed in range(PAIRS)]
    start = perf_counter()
    for pair in pairs:
        pair.train(FIRST_GAMES)
    seconds = perf_counter() - start
    return PAIRS * FIRST_GAMES / seconds, sum(pair.stats()["plies"] for pair in pairs) / (PAIRS * FIRST_GAMES)


def trained_games_per_second(kind: type[ValueLearner]) -> float:
    """Measure the games of `q` or `td` after the usual rounds of its training."""
    learner = kind(GAMES[0], "exact", 1)
    learner.train(kind.spec.rounds_for("exact"))
    start = perf_counter()
    learner.train(GAMES_OF_OURS)
    return GAMES_OF_OURS / (perf_counter() - start)


def network_games_per_second() -> float:
    """Measure the games of a network for Connect Four after its first 10,000: games per second of processor time."""
    learner = NTuple(parse_game("connectfour"), "thill", 1)
    learner.train(FIRST_GAMES)
    start = thread_time()
    learner.train(FIRST_GAMES)
    return FIRST_GAMES / (thread_time() - start)


def process_seconds(*command: str) -> float:
    """Return the seconds from the start of a process, with an empty library, to its end."""
    with tempfile.TemporaryDirectory() as home:
        places = {"NOUGHTS_LIBRARY": f"{home}/library", "NOUGHTS_SETTINGS": f"{home}/settings"}
        start = perf_counter()
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, **places})
        return perf_counter() - start


def space_milliseconds() -> float:
    done = subprocess.run([sys.executable, "-c", SPACE_PROGRAM], check=True, capture_output=True, text=True)
    return 1000 * float(done.stdout)


def measure(python: str, rounds: int) -> list[Figure]:
    peer = Peer(python)
    ours = Figure("failure-based self-play, from an empty memory", "games/s")
    cpp = Figure("  OpenSpiel: random games in C++ (MCTSBot rollouts)", "games/s")
    qlearner = Figure("  OpenSpiel: tabular Q-learners, Python", "games/s")
    to_cpp = Figure("  ours to random games in C++", "times", at_least=8)
    to_qlearner = Figure("  ours to tabular Q-learners", "times", at_least=1500)
    menace = Figure("MENACE pairs, their first 10,000 games, refilling", "games/s")
    plies = Figure("  plies of such a game", "plies", at_least=7.5)
    menace_to_cpp = Figure("  ours to random games in C++", "times", at_least=5.6)
    menace_to_qlearner = Figure("  ours to tabular Q-learners", "times", at_least=1500)
    q = Figure("Q-learning, at the end of its training", "games/s", at_least=3_000_000)
    td = Figure("temporal differences, likewise", "games/s", at_least=3_000_000)
    ntuple = Figure("n-tuple network, Connect Four, in one thread", "games/s", at_least=3_000)
    whole = Figure("a million games, whole process", "s", at_most=2.5)
    space = Figure("space, classes and values of tic-tac-toe", "ms", at_most=100)
    help_text = Figure("noughts --help, whole process", "s", at_most=0.25)
    program = (sys.executable, "-m", "noughts")
    train = (*program, "train", "failures", "--games", str(GAMES_OF_OURS), "--seed", "1", "--json")
    self_play_games_per_second()
    menace_games_per_second()
    trained_games_per_second(QLearner)
    process_seconds(*train)  # these four compile kernels, or load them from their cache
    for _ in each_round(rounds):
        for figure, ratio, menace_ratio, what in (
            (cpp, to_cpp, menace_to_cpp, "rollouts"),
            (qlearner, to_qlearner, menace_to_qlearner, "qlearner"),
        ):
            ours.rounds.append(self_play_games_per_second())
            figure.rounds.append(peer.games_per_second(what))
            ratio.rounds.append(ours.rounds[-1] / figure.rounds[-1])
            games_per_second, plies_per_game = menace_games_per_second()
            menace.rounds.append(games_per_second)
            plies.rounds.append(plies_per_game)
            menace_ratio.rounds.append(games_per_second / figure.rounds[-1])
        q.rounds.append(trained_games_per_second(QLearner))
        td.rounds.append(trained_games_per_second(TemporalDifferences))
        ntuple.rounds.append(network_games_per_second())
        whole.rounds.append(process_seconds(*train))
        space.rounds.append(space_milliseconds())
        help_text.rounds.append(process_seconds(*program, "--help"))
    peer.close()
    pairs = [menace, plies, menace_to_cpp, menace_to_qlearner]
    return [ours, cpp, to_cpp, qlearner, to_qlearner, *pairs, q, td, ntuple, whole, space, help_text]


def stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def table(figures: list[Figure]) -> str:
    return "\n".join([f"{'':52} {'median':>12} {'':8} {'lowest … highest':>25}", *(each.row() for each in figures)])


def report(figures: list[Figure]) -> int:
    print(table(figures))
    return int(any(figure.is_missed for figure in figures))


def each_round(rounds: int) -> Iterator[int]:
    """Yield the number of each round, from 1, and say on standard error that it begins."""
    for number in range(1, rounds + 1):
        print(f"round {number} of {rounds}", file=sys.stderr)
        yield number


def compare(description: str, measure: Callable[[str, int], list[Figure]], rounds: int = 5) -> int:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--peers", default=".venv-bench/bin/python", help="the interpreter of the peers' environment")
    parser.add_argument("--rounds", type=int, default=rounds)
    chosen = parser.parse_args()
    if not Path(chosen.peers).exists():
        sys.exit(f"no interpreter at {chosen.peers}: `make bench` installs the peers there")
    stay_on_one_core()
    return report(measure(chosen.peers, max(1, chosen.rounds)))


if __name__ == "__main__":
    sys.exit(compare("Compare our speed with that of other libraries.", measure, rounds=7))
