"""Q-learning and SARSA against a naive program, game by game, and what the presets reach."""

import json
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from engine.game import BadText, Outcome, Side
from engine.games import GAMES
from engine.match import Record, parse_moves
from learners import revive
from learners.core.learner import BOTH
from learners.papers.trainings import losses_by_opponent
from learners.q import QLearner
from learners.values.kernel_tables import DRAW, WIN
from tests.learners.naive import assert_same_games, assert_same_values
from tests.oracles.generator import Generator
from tests.oracles.values import MACHINES, NaiveValues

TICTACTOE = GAMES[0]
MOVES = parse_moves(TICTACTOE, ("b2", "b3", "a1", "c3", "a3", "a2", "c1"))
HALF = Fraction(1, 2)
RULES_CHANGED = {
    "average": ({"average": True, "rate": "0.0"}, {"average": True, "rate": Fraction(0)}),
    "average, rate": ({"average": True, "rate": "0.25"}, {"average": True, "rate": Fraction(1, 4)}),
    "rate 1, trace 1": ({"rate": "1.0", "trace": "1.0"}, {"rate": Fraction(1), "trace": Fraction(1)}),
    "SARSA of the reply": ({"toward": "chosen", "trace": "0.5"}, {"toward": "chosen", "trace": HALF}),
    "own turn": ({"ahead": "turn", "trace": "0.5"}, {"ahead": "turn", "trace": HALF}),
    "unmerged, from the top": ({"merge": False, "start": "1.0"}, {"merge": False, "start": Fraction(1)}),
    "endings given, any of the best": ({"endings": "given", "ties": "random"}, {"given": True, "ties": True}),
    "never explores": ({"explore": "0.0", "explore_end": "0.0"}, {"explore": (Fraction(0), Fraction(0), 40_000)}),
    "explores less soon": (
        {"explore": "0.75", "explore_end": "0.25", "explore_games": 100},
        {"explore": (Fraction(3, 4), Fraction(1, 4), 100)},
    ),
}


@pytest.mark.parametrize("changed", list(RULES_CHANGED))
def test_each_rule_is_that_of_the_naive_learner(changed: str):
    settings, machine = RULES_CHANGED[changed]
    naive = NaiveValues("tictactoe", {**MACHINES["q", "exact"], **machine}, Generator.seeded(8))
    assert_same_games(QLearner(TICTACTOE, "exact", 8, settings), naive, 60, assert_same_values)


PEERS = Path(__file__).parents[2] / ".venv-bench" / "bin" / "python"
EPISODES, PUBLISHED_SEEDS, SEEDS = 20_000, 6, 40


@pytest.mark.long
@pytest.mark.skipif(not PEERS.exists(), reason="make long installs OpenSpiel into .venv-bench")
def test_openspiel_and_its_preset_learn_the_same():
    """The shares of games that O loses to a random player have means within 3 standard errors."""
    found: dict[str, list[float]] = {"published": [], "preset": []}
    for seed in range(SEEDS):
        learner = QLearner(TICTACTOE, "openspiel", seed)
        learner.train(EPISODES)
        found["preset"].append(losses_by_opponent(learner.space, BOTH, learner.policy())["as O, to random"])
    space = learner.space
    boards = [TICTACTOE.to_text(int(position))[:11].replace("/", "") for position in space.position]
    for seed in range(PUBLISHED_SEEDS):
        command = [PEERS, PEERS.parents[2] / "bench" / "peer_qlearner.py", str(seed), str(EPISODES)]
        played = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        edges = zip(space.source.tolist(), space.move.tolist(), strict=True)
        policy = np.array([played[boards[source]][str(move)] for source, move in edges])
        found["published"].append(losses_by_opponent(space, BOTH, policy)["as O, to random"])
    error = sum(np.var(each, ddof=1) / len(each) for each in found.values()) ** 0.5
    assert abs(np.mean(found["published"]) - np.mean(found["preset"])) < 3 * error, found


def test_values_learned_from_a_game_are_described_in_words():
    learner = QLearner(TICTACTOE, "openspiel", 1)
    record = Record(TICTACTOE, ("a", "b"), MOVES, Outcome.FIRST_WINS)
    described = [learner.view.describe(change) for change in learner.learn_record(record, (Side.FIRST,))]
    assert described == [
        "b2 in .../.../... X: worth 0.50",
        "a1 in .O./.X./... X: worth 0.50",
        "a3 in .OO/.X./X.. X: worth 0.50",
        "c1 in XOO/OX./X.. X: worth 0.55",
    ]
    again = [learner.view.describe(change) for change in learner.learn_record(record, (Side.FIRST,))]
    assert again[-1] == "c1 in XOO/OX./X.. X: 0.55 → 0.60"
    learned = {thought.move: (thought.symbol, thought.words) for thought in learner.thoughts(TICTACTOE.start)}
    assert learned[4] == ("0.50", "worth 0.50")
    assert learned[0] == ("?", "unknown")


def test_a_game_teaches_the_moves_of_both_sides():
    learner = QLearner(TICTACTOE, "exact", 1)
    record = Record(TICTACTOE, ("a", "human"), MOVES, Outcome.FIRST_WINS)
    learner.learn_record(record, (Side.FIRST,))
    assert learner.trained_sides == (Side.FIRST, Side.SECOND)
    assert learner.stats()["values"] == 7


def test_a_snapshot_with_impossible_numbers_is_refused():
    learner = QLearner(TICTACTOE, "exact", 1)
    learner.train(100)
    good = learner.snapshot()
    learned = int(np.flatnonzero(good.memory)[0])
    untried = int(np.flatnonzero((good.memory == 0) & (learner.cell == np.arange(len(learner.cell))))[0])
    wrong = [
        (("memory", learned, WIN + 1), "more than 1,073,741,823, a win"),
        (("memory", untried, DRAW), "a move that was never made has a value"),
        (("times", learned, 101), "a move was chosen 100 times at most, once a game, not 101"),
    ]
    for (key, edge, number), message in wrong:
        numbers = getattr(good, key).copy()
        numbers[edge] = number
        with pytest.raises(BadText, match=message):
            revive(replace(good, **{key: numbers}))
    with pytest.raises(BadText, match="the statistics count 1 values, the memory has"):
        revive(replace(good, stats={**good.stats, "values": 1}))
