"""Judging by sampled games and by known positions, where exact results are out of reach."""

from collections import Counter
from random import Random

import pytest

from engine.game import Side
from engine.games import parse_game
from engine.rating import rate_moves
from engine.stop import Stopped
from lab.judging import sampling
from lab.judging.sampling import OPPONENTS, Share, judge_known, known_positions, play_samples
from lab.words.sampling import games_lines, known_lines
from learners import parse_player
from learners.core.player import Choice
from learners.ntuple.learner import NTuple

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


def test_a_share_has_the_standard_error_of_the_binomial_distribution():
    assert Share(50, 200).share == 0.25
    assert Share(50, 200).error == pytest.approx((0.25 * 0.75 / 200) ** 0.5)


def test_the_known_positions_are_those_of_six_sets_and_each_has_a_move_that_keeps_its_value():
    positions = known_positions(CONNECT_FOUR)
    assert Counter(each.set for each in positions) == dict.fromkeys(
        ("begin-easy", "begin-medium", "begin-hard", "middle-easy", "middle-medium", "end-easy"), 100
    )
    for each in positions:
        assert tuple(each.moves) == CONNECT_FOUR.moves(each.position)
        assert max(each.moves.values()) == each.value
    assert known_positions(parse_game("tictactoe")) == ()


def test_known_values_near_the_end_are_those_of_a_search():
    late = [each for each in known_positions(CONNECT_FOUR) if each.set == "end-easy"][:15]
    for each in late:
        for rated in rate_moves(CONNECT_FOUR, each.position):
            assert rated.value in (None, each.moves[rated.move])


def test_who_plays_best_keeps_all_and_who_resigns_nothing():
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


def test_sampling_can_be_stopped():
    with pytest.raises(Stopped):
        play_samples(Told(best), stop=lambda: True)
    with pytest.raises(Stopped):
        judge_known(Told(best), stop=lambda: True)


def test_an_opening_is_never_over():
    game, random = parse_game("mnk:3,2,2"), Random(1)
    for _ in range(50):
        assert game.outcome(sampling._opening(game, random)) is None


def test_the_words_state_the_error():
    learner = Told(lambda position: Random(0).choice(CONNECT_FOUR.moves(position)))
    lines = games_lines(CONNECT_FOUR, play_samples(learner, games=4))
    assert lines[1] == "(a share is off by 50 % at most, in 95 of 100 cases):"
    assert [line.split()[0] for line in lines[5:]] == [*OPPONENTS]
    known = judge_known(Told(best))
    assert known is not None
    assert known_lines(known)[0] == ("In 301 won positions with known scores its move keeps the win in 100 % (± 0 %):")
