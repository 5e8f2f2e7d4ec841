"""Judging by sampled games and by known positions, where exact results are out of reach."""

from dataclasses import asdict
from itertools import product
from random import Random
from statistics import fmean

import numpy as np
import pytest

from engine.connect_solver.games import require_shape
from engine.connect_solver.solver import Solver
from engine.evaluate import Policy, chances_as, uniform_policy
from engine.game import Outcome, Side
from engine.games import parse_game
from engine.known_positions import known_positions
from engine.spaces import space_of
from engine.stop import Stopped
from lab.judging.asking.agent import player_agent
from lab.judging.asking.asked_agent import AskedAgent
from learners import parse_player
from learners.core.player import Choice
from learners.ntuple.learner import NTuple
from learners.race import sampling
from learners.race.sampling import KNOWN_FROM, OPPONENTS, judge_known, judge_late, play_samples, usual_opponents

CONNECT_FOUR = parse_game("connectfour")


class Told:
    """A player that moves as it is told."""

    label, game = "told", CONNECT_FOUR

    def __init__(self, move) -> None:
        self.move = move

    def choose(self, position, random):
        return Choice(self.move(position), "told to")


def best(position):
    known = next(each for each in known_positions(CONNECT_FOUR) if each.position == position)
    return next(move for move, value in known.moves.items() if value == known.value)


def test_best_play_keeps_every_value_and_resigning_keeps_none():
    known = judge_known(Told(best))
    assert known is not None
    assert (known.won.share, known.kept.share) == (1, 1)
    assert sum(each.of for each in known.sets.values()) == known.won.of
    assert known.won.of == sum(each.value > 0 for each in known_positions(CONNECT_FOUR))
    nothing = judge_known(Told(lambda _: None))
    assert nothing is not None
    assert nothing.won.count == nothing.kept.count == 0
    assert judge_known(parse_player("random", parse_game("tictactoe"))) is None


def test_sampled_games_are_the_same_each_time_and_sum_to_all():
    learner = NTuple(CONNECT_FOUR, "small", 1)
    learner.train(50)
    shares = []
    sampled = play_samples(learner, report=shares.append, games=2)
    assert sampled == play_samples(learner, games=2)
    assert tuple(sampled.against) == OPPONENTS
    for sides in sampled.against.values():
        for side in Side:
            assert sides[side].win + sides[side].draw + sides[side].loss == 1
    assert shares[-1] == 1
    assert shares == sorted(shares)


def test_who_resigns_loses_every_sampled_game():
    sampled = play_samples(Told(lambda _: None), games=3)
    assert all(sides[side].loss == 1 for sides in sampled.against.values() for side in Side)


def test_moves_along_the_games_are_looked_at_exactly():
    sampled = play_samples(parse_player("random", CONNECT_FOUR), opponents=("random",), games=3)
    turns = [turn for turns in sampled.late_turns.values() for turn in turns]
    assert turns
    shape = require_shape(CONNECT_FOUR)
    assert all(shape.pieces_left(position) <= KNOWN_FROM for position, _ in turns)
    expected = [value_of(CONNECT_FOUR.play(*turn)) == -value_of(turn[0]) or value_of(turn[0]) < 0 for turn in turns]
    share = judge_late(CONNECT_FOUR, turns)
    assert share is not None
    assert (share.count, share.of) == (sum(expected), len(turns))
    assert judge_late(CONNECT_FOUR, []) is None
    assert not any(play_samples(parse_player("random", parse_game("mnk:5,5,4")), games=1).late_turns.values())


def value_of(position):
    score = Solver(CONNECT_FOUR, 1).solve(position).score
    return (score > 0) - (score < 0)


def test_sampling_can_be_stopped():
    with pytest.raises(Stopped):
        play_samples(Told(best), stop=lambda: True, games=1)
    with pytest.raises(Stopped):
        judge_known(Told(best), stop=lambda: True)


def test_an_opening_is_never_over():
    game, random = parse_game("mnk:3,2,2"), Random(1)
    for _ in range(50):
        assert sampling._random_opening(game, random).outcome is None


@pytest.mark.long
@pytest.mark.parametrize("label", ["random", pytest.param("perfect", marks=pytest.mark.long)])
def test_sampled_games_agree_with_exact_results(label: str, monkeypatch: pytest.MonkeyPatch):
    game, games, opponents = parse_game("mnk:4,3,3"), 400, ("random", "perfect")
    player, space = parse_player(label, game), space_of(game)
    samples = []
    for seed in range(1, 4):  # a single seed may be far off by chance, as the first is for perfect play
        monkeypatch.setattr(sampling, "SEED", seed)
        samples.append(play_samples(AskedAgent(game, player_agent(player)), opponents=opponents, games=games))

    def after_opening(policy: Policy) -> Policy:  # no game of three in a row is over after four moves
        return np.where(space.ply[space.source] < sampling.OPENING_PLIES, uniform_policy(space), policy)

    for opponent, side in product(opponents, Side):
        theirs = after_opening(parse_player(opponent, game).policy())
        exact = chances_as(space, side, after_opening(player.policy()), theirs)
        for ending, expected in asdict(exact).items():
            share = fmean(getattr(sampled.against[opponent][side], ending) for sampled in samples)
            assert abs(share - expected) <= 4 * (expected * (1 - expected) / (games * len(samples))) ** 0.5


def test_one_side_can_be_sampled():
    player = Told(lambda position: CONNECT_FOUR.moves(position)[0])
    sampled = play_samples(player, sides=(Side.SECOND,), games=1)
    assert sampled.sides == (Side.SECOND,)
    assert all(list(sides) == [Side.SECOND] for sides in sampled.against.values())
    both, each = judge_known(player), [judge_known(player, sides=(side,)) for side in Side]
    assert both is not None
    assert both.kept.of == sum(known.kept.of for known in each if known is not None) == 600
    assert both.won.count == sum(known.won.count for known in each if known is not None)


def test_the_shortest_lost_game_is_kept():
    sampled = play_samples(Told(lambda position: CONNECT_FOUR.moves(position)[0]), games=3)
    assert sampled.losing is not None
    side, match = sampled.losing
    assert match.outcome is Outcome.won_by(side.other)
    resigned = play_samples(Told(lambda _: None), games=3).losing
    assert resigned is not None
    assert resigned[1].resigned
    assert resigned[1].side is resigned[0]
    assert len(resigned[1].moves) == sampling.OPENING_PLIES + resigned[0]


def test_who_loses_no_game_has_no_lost_game(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sampling, "OPENING_PLIES", 0)
    assert play_samples(parse_player("perfect", parse_game("tictactoe")), opponents=("random",), games=5).losing is None


def test_where_playouts_are_not_compiled_no_opponent_needs_them():
    assert usual_opponents(parse_game("connectfour")) == OPPONENTS
    assert usual_opponents(parse_game("hexapawn:5,5")) == ("random", "alphabeta:2")
