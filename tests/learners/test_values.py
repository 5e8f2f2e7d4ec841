"""Q-learning, SARSA and TD against a naive program, game by game; that they lose to nobody; presets of TD."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np
import pytest

from engine.evaluate import chances, uniform_policy
from engine.game import BadText, Game
from engine.games import GAMES
from engine.spaces import space_of
from learners import parse_player, revive
from learners.core.learner import BOTH
from learners.papers.trainings import losses_by_opponent
from learners.q import QLearner
from learners.td import TemporalDifferences
from learners.values.kernel_tables import WIN
from learners.values.learner import ValueLearner
from tests.learners.naive import assert_same_games, assert_same_values, most_losses, opponent_of, shared
from tests.oracles.generator import Generator
from tests.oracles.rules import RULES
from tests.oracles.values import MACHINES, NaiveValues
from tests.sizes import quick_game, short_and_long

TICTACTOE = GAMES[0]
KINDS = (QLearner, TemporalDifferences)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.spec.name)
every_preset = pytest.mark.parametrize(
    ("kind", "preset"),
    [pytest.param(kind, preset, id=f"{kind.spec.name}-{preset}") for kind in KINDS for preset in kind.spec.presets],
)


@short_and_long("games", 60, 2000)
@every_preset
@quick_game
def test_the_games_are_those_of_the_naive_learner(game: Game, kind: type[ValueLearner], preset: str, games: int):
    naive = NaiveValues(game.name, MACHINES[kind.spec.name, preset], Generator.seeded(3))
    assert_same_games(kind(game, preset, 3), naive, games, assert_same_values)


@pytest.mark.sample(6)
@every_preset
@pytest.mark.parametrize("opponent", ["random", "perfect"])
def test_games_against_others_are_those_of_the_naive_learner(kind: type[ValueLearner], preset: str, opponent: str):
    learner = kind(TICTACTOE, preset, 5)
    learner.set_opponent(parse_player(opponent, TICTACTOE))
    machine, foe = MACHINES[kind.spec.name, preset], opponent_of("tictactoe", opponent)
    assert_same_games(learner, NaiveValues("tictactoe", machine, Generator.seeded(5), foe), 80, assert_same_values)
    again = revive(learner.snapshot())
    for one in (learner, again):
        one.train(50)
    assert np.array_equal(again.memory, learner.memory)


@short_and_long("seeds", 1, 100)
@every_kind
def test_a_value_learner_loses_to_nobody_from_any_seed(kind: type[ValueLearner], seeds: int):
    for seed in range(2_000, 2_000 + seeds):
        learner = kind(TICTACTOE, "exact", seed)
        learner.train(kind.spec.rounds_for("exact"))
        assert most_losses(learner) == 0, seed


RULES_CHANGED = {
    "TD(0)": ({"trace": "0.0"}, {"trace": Fraction(0)}),
    "any move": ({"toward": "chosen"}, {"toward": "chosen"}),
    "own turn": ({"ahead": "turn"}, {"ahead": "turn"}),
    "own tables": ({"ahead": "own"}, {"ahead": "own"}),
    "own tables, any move, averages": (
        {"ahead": "own", "toward": "chosen", "endings": "given", "average": True, "start": "1.0"},
        {"ahead": "own", "toward": "chosen", "given": True, "average": True, "start": Fraction(1)},
    ),
    "endings given": ({"endings": "given"}, {"given": True}),
    "any of the best": ({"ties": "random"}, {"ties": True}),
    "unmerged": ({"merge": False}, {"merge": False}),
    "average": ({"average": True, "rate": "0.125"}, {"average": True, "rate": Fraction(1, 8)}),
}


@pytest.mark.parametrize("changed", list(RULES_CHANGED))
def test_each_rule_is_that_of_the_naive_learner(changed: str):
    settings, machine = RULES_CHANGED[changed]
    settings = {**settings, "explore": "0.25", "explore_end": "0.25"}
    machine = {**MACHINES["td", "exact"], **machine, "explore": (Fraction(1, 4), Fraction(1, 4), 40_000)}
    naive = NaiveValues("tictactoe", machine, Generator.seeded(8))
    assert_same_games(TemporalDifferences(TICTACTOE, "exact", 8, settings), naive, 60, assert_same_values)


def in_own_tables(games: int, random: Random) -> dict[str, dict[str, float]]:
    """The published program by its description: floats, and for each side a table of all positions."""
    rules = RULES["tictactoe"]
    values: dict[str, dict[str, float]] = {mark: {} for mark in rules.marks}

    def value(mark: str, position: str) -> float:
        outcome = rules.outcome(position)
        given = 0.5 if outcome in {None, "draw"} else float(outcome == mark)
        return values[mark].setdefault(position, given)

    for _ in range(games):
        states, explored = [rules.start], []
        while rules.outcome(states[-1]) is None:
            mark = rules.marks[len(explored) % 2]
            after = [rules.play(states[-1], move) for move in rules.moves(states[-1])]
            explored.append(random.random() < 0.01)
            random.shuffle(after)
            states.append(after[0] if explored[-1] else max(after, key=partial(value, mark)))
        for side, mark in enumerate(rules.marks):
            for ply in reversed(range(len(explored))):
                if not (explored[ply] and ply % 2 == side):
                    change = 0.1 * (value(mark, states[ply + 1]) - value(mark, states[ply]))
                    values[mark][states[ply]] += change
    return values


@pytest.mark.long
def test_the_program_for_the_book_and_its_preset_learn_the_same():
    """The shares of games that O loses to perfect play, over 20 seeds each, have means within 3 standard errors."""
    space, found = space_of(TICTACTOE), {"program": [], "preset": []}
    texts = [TICTACTOE.to_text(int(position)) for position in space.position]
    marks = [RULES["tictactoe"].marks[side] for side in space.side[space.source]]
    for seed in range(20):
        learner = TemporalDifferences(TICTACTOE, "zhang", seed)
        learner.train(100_000)
        values = in_own_tables(100_000, Random(seed))
        known = np.array(
            [
                values[mark].get(texts[target], learner.given[edge] / WIN or 0.5)
                for edge, (mark, target) in enumerate(zip(marks, space.target, strict=True))
            ]
        )
        best = np.zeros(len(texts))
        np.maximum.at(best, space.source, known)
        policies = {"program": uniform_policy(space, known == best[space.source]), "preset": learner.policy()}
        for name, policy in policies.items():
            assert chances(space, policy, policy).draw > 0.99, (name, seed)
            found[name].append(losses_by_opponent(space, BOTH, policy)["as O, to perfect"])
    error = sum(np.var(each, ddof=1) / len(each) for each in found.values()) ** 0.5
    assert abs(np.mean(found["program"]) - np.mean(found["preset"])) < 3 * error
    assert 7 < np.mean(found["preset"]) < 17, "11.9 ± 6.4 over 100 seeds of the program"


def test_moves_to_the_same_position_share_its_value():
    learner = TemporalDifferences(TICTACTOE, "sutton-barto", 1)
    learner.train(2000)
    after = TICTACTOE.from_text("X.X/.O./... O")
    pair = [
        learner.space.edge(TICTACTOE.from_text(text), TICTACTOE.parse_move(TICTACTOE.from_text(text), move))
        for text, move in (("X../.O./... X", "c3"), ("..X/.O./... X", "a3"))
    ]
    assert [int(learner.space.position[learner.space.target[edge]]) for edge in pair] == [after, after]
    assert learner.memory[pair[0]] == learner.memory[pair[1]]
    assert shared(learner) == len(learner.space.position) - 1
    assert shared(TemporalDifferences(TICTACTOE, "exact", 1)) == 764


def test_a_snapshot_with_different_values_for_one_position_is_refused():
    learner = TemporalDifferences(TICTACTOE, "sutton-barto", 1)
    learner.train(100)
    good = learner.snapshot()
    sharing = np.bincount(learner.space.target)[learner.space.target] > 1
    memory = good.memory.copy()
    memory[np.flatnonzero(sharing & (memory > 0))[0]] += 1
    with pytest.raises(BadText, match="moves that share their value have different numbers"):
        revive(replace(good, memory=memory))
