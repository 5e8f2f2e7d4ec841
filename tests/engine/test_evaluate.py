"""Exact chances: compared with fractions from plain recursion, and with known results."""

from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from engine import evaluate
from engine.game import Game, Side
from engine.games import GAMES
from engine.solve import values
from engine.space import RUNNING, Space
from engine.spaces import space_of
from tests.oracles.exact import against, against_best_responder, exploitability, judged_moves
from tests.oracles.rules import RULES
from tests.sizes import quick_game

both_sides = pytest.mark.parametrize("side", list(Side), ids=lambda side: side.name.lower())


def triple(result: evaluate.Chances) -> tuple[float, float, float]:
    return result.win, result.draw, result.loss


@cache
def invented_policy(space: Space, seed: int) -> tuple[np.ndarray, dict[tuple[str, str], Fraction]]:
    """A policy of small weights, some of them zero, as an array and as fractions by written pair.

    If the seed is odd, it resigns half of the time.
    """
    random = Random(seed)
    odds = np.array([random.choice((0, 0, 1, 2, 3, 7)) for _ in space.move])
    for row in np.flatnonzero(space.outcome == RUNNING):
        edges = slice(space.first_edge[row], space.first_edge[row + 1])
        if not odds[edges].any():
            odds[edges] = 1
    total = np.bincount(space.source, odds, len(space.position)).astype(int) * (1 + seed % 2)
    written = {
        (
            space.game.to_text(int(space.position[space.source[edge]])),
            space.game.move_name(int(space.move[edge])),
        ): Fraction(int(odds[edge]), int(total[space.source[edge]]))
        for edge in range(len(space.move))
    }
    return odds / total[space.source], written


@pytest.mark.sample(1)
@quick_game
@both_sides
@pytest.mark.parametrize("seed", range(2))
def test_any_policy_against_any_other(game: Game, side: Side, seed: int):
    space, rules, mark = space_of(game), RULES[game.name], game.marks[side]
    policy, written = invented_policy(space, seed)
    opponent, written_opponent = invented_policy(space, seed + 100)
    exact = against(rules, mark, written, written_opponent)
    assert sum(exact) == 1
    assert triple(evaluate.chances_as(space, side, policy, opponent)) == pytest.approx(
        [float(x) for x in exact], abs=1e-12
    )


@pytest.mark.sample(3)
@quick_game
@both_sides
@pytest.mark.parametrize("seed", range(2))
def test_best_responder_against_any_policy(game: Game, side: Side, seed: int):
    space, rules = space_of(game), RULES[game.name]
    policy, written = invented_policy(space, seed)
    exact = against_best_responder(rules, game.marks[side], written)
    assert triple(evaluate.best_response(space, side, policy)) == pytest.approx([float(x) for x in exact], abs=1e-12)


@quick_game
@both_sides
def test_perfect_play_reaches_the_value_of_the_game_against_its_best_responder(game: Game, side: Side):
    space = space_of(game)
    worth = int(values(space)[0]) * (1 if side is Side.FIRST else -1)
    result = evaluate.best_response(space, side, evaluate.perfect_policy(space))
    assert triple(result) == tuple(float(worth == end) for end in (1, 0, -1))


@pytest.mark.sample(3)
@quick_game
@both_sides
@pytest.mark.parametrize("seed", range(2))
def test_the_judgement_of_moves_agrees_with_the_oracle(game: Game, side: Side, seed: int):
    space = space_of(game)
    policy, written = invented_policy(space, seed)
    decisions, perfect, losing = judged_moves(RULES[game.name], game.marks[side], written)
    seen = evaluate.results(space, side, policy)
    assert (seen.decisions, seen.losing_pairs) == (decisions, losing)
    assert seen.perfect_moves == pytest.approx(float(perfect), abs=1e-12)


def test_a_side_that_resigns_at_once_faces_one_decision_and_makes_no_move():
    space = space_of(GAMES[0])
    policy = np.where(space.source == 0, 0.0, evaluate.uniform_policy(space))
    seen = evaluate.results(space, Side.FIRST, policy)
    assert (seen.decisions, seen.perfect_moves, seen.losing_pairs) == (1, 0.0, 0)
    assert seen.against["random"].loss == 1


@quick_game
def test_scoreboard(game: Game):
    space = space_of(game)
    policy, _ = invented_policy(space, 4)
    board = evaluate.scoreboard(space, policy)
    assert list(board) == ["first", "second"]
    for side, row in zip(Side, board.values(), strict=True):
        assert tuple(row.against) == evaluate.OPPONENTS
        assert row.against["random"] == evaluate.chances_as(space, side, policy, evaluate.uniform_policy(space))
        assert row.against["perfect"] == evaluate.chances_as(space, side, policy, evaluate.perfect_policy(space))
        assert row.against["self"] == evaluate.chances_as(space, side, policy, policy)
        assert row.against["best_responder"] == evaluate.best_response(space, side, policy)


@quick_game
@both_sides
def test_exploitability_is_what_plain_recursion_finds(game: Game, side: Side):
    space = space_of(game)
    policy, written = invented_policy(space, 3)
    found = evaluate.results(space, side, policy).exploitability
    assert found == pytest.approx(float(exploitability(RULES[game.name], game.marks[side], written)), abs=1e-12)


@pytest.mark.long
@quick_game
@both_sides
def test_no_chance_is_below_zero_or_above_one(game: Game, side: Side):
    """Rounding must not turn a certain result into 1.0000000000000002, nor an impossible one into −1e-16."""
    space, random = space_of(game), np.random.default_rng(1)
    for sharpness in range(1, 60):
        odds = random.random(len(space.move)) ** (sharpness % 20)
        policy = odds / np.bincount(space.source, odds, len(space.position))[space.source]
        for result in (
            evaluate.best_response(space, side, policy),
            evaluate.chances_as(space, side, policy, evaluate.uniform_policy(space)),
        ):
            assert all(chance in (0, 1) or evaluate.SAME <= chance <= 1 - evaluate.SAME for chance in triple(result))
