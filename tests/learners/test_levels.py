"""Levels follow from exact results."""

from functools import cache
from statistics import fmean

import pytest

from engine.evaluate import scoreboard
from engine.game import Side
from engine.games import parse_game
from engine.solve import values
from engine.spaces import space_of
from engine.stop import Stopped
from learners import offers, parse_player, revive
from learners.core.learner import BOTH
from learners.menace.learner import Menace
from learners.players import levels
from learners.players.levels import (
    LEVEL_OPPONENTS,
    RANKS,
    Accuracy,
    Foresight,
    Level,
    exact_results,
    level_of,
    measure_accuracy,
)
from learners.players.minimax import AlphaBeta
from saves import gallery
from tests.learners.cases import CASES, trained

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
NAMES = ["harmless", "weak", "fair", "good", "strong", "perfect"]


@cache
def players():
    """All players that need no training, all saves of the gallery, and every learner in the middle of its training."""
    ready = [parse_player(offer.label, game) for game in (HEXAPAWN, parse_game("notakto")) for offer in offers(game)]
    shipped = [revive(snapshot) for snapshot in map(gallery.load, gallery.names())]
    return [*ready, *shipped, *(trained(*case.values) for case in CASES if not case.marks)]


@cache
def judged():
    return [(player, level_of(player), exact_results(player).mean) for player in players()]


@pytest.mark.long
def test_a_level_is_the_mean_of_the_exact_results_of_its_judged_sides():
    for player, level, exact in judged():
        trained_for = player.trained_sides
        assert level.plays == getattr(player, "sides", BOTH)
        assert level.untrained == tuple(side for side in level.plays if side not in trained_for)
        assert set(level.judged) <= set(trained_for)
        seen = [exact[side.name.lower()] for side in level.judged]
        for opponent in LEVEL_OPPONENTS:
            assert level.losses[opponent] == pytest.approx(fmean(each.against[opponent].loss for each in seen))
        assert level.wins == pytest.approx(fmean(each.against["random"].win for each in seen))


def test_lost_sides_are_judged_only_if_there_is_no_other():
    for player, level, _ in judged():
        value = values(space_of(player.game))[0]
        lost = () if value == 0 else (Side.SECOND,) if value > 0 else (Side.FIRST,)
        taught = tuple(side for side in level.plays if side not in level.untrained)
        assert level.lost == tuple(side for side in taught if side in lost)
        assert level.judged == (tuple(side for side in taught if side not in lost) or taught)


def test_a_rank_is_the_strongest_that_the_exact_results_allow():
    seen = set()
    for _, level, exact in judged():
        assert level.name == NAMES[level.rank]
        sides = [exact[side.name.lower()].against for side in level.judged]
        loss = fmean(against[opponent].loss for against in sides for opponent in LEVEL_OPPONENTS)
        place = len(RANKS) - 1 - level.rank
        assert loss <= RANKS[place].highest_loss
        assert not place or loss > RANKS[place - 1].highest_loss
        seen.add(level.name)
    assert seen >= {"harmless", "weak", "fair", "good", "perfect"}


def test_a_player_is_perfect_if_and_only_if_its_best_responder_never_beats_it():
    for player, level, exact in judged():
        beaten = any(exact[side.name.lower()].against["best_responder"].loss for side in level.judged)
        assert (level.name == "perfect") == (not beaten), player.label


def test_a_player_of_only_a_lost_side_is_judged_by_that_side():
    level = level_of(Menace(HEXAPAWN, "michie", 1))
    assert (level.plays, level.judged, level.lost) == ((Side.FIRST,),) * 3
    assert level.losses["best_responder"] == 1
    assert level.name in {"harmless", "weak"}


def test_in_a_large_game_looking_further_ahead_is_stronger():
    game = parse_game("mnk:5,5,4")
    labels = ("random", "minimax:1", "alphabeta:6", "uct:200")
    blind, one, six, uct = (level_of(parse_player(label, game)) for label in labels)
    assert [each.name for each in (blind, one, six, uct)] == ["blind", "1 ahead", "6 ahead", "playouts"]
    assert (blind, uct.playouts) == (Foresight(0), 200)
    assert blind.strength < one.strength < six.strength


def test_where_positions_are_known_a_level_is_how_often_their_value_is_kept():
    game = parse_game("connectfour")
    weak, strong = (measure_accuracy(parse_player(label, game)) for label in ("random", "alphabeta:2"))
    assert weak.of == strong.of > 80
    assert weak.strength < strong.strength
    assert weak == measure_accuracy(parse_player("random", game))
    with pytest.raises(Stopped):
        measure_accuracy(parse_player("random", game), stop=lambda: True)


def test_the_players_that_come_with_the_program_have_measured_levels():
    game = parse_game("connectfour")
    levels = {offer.label: level_of(parse_player(offer.label, game), stop=lambda: True) for offer in offers(game)}
    assert all(isinstance(level, Accuracy) for level in levels.values())
    assert levels["random"].strength < levels["fallible:75"].strength < levels["perfect"].strength


def test_finding_the_level_of_a_searcher_can_be_stopped():
    with pytest.raises(Stopped):
        level_of(AlphaBeta(TICTACTOE, 6), stop=lambda: True)


def test_a_side_that_was_not_trained_counts_in_no_level():
    learner = Menace(TICTACTOE, "blog-fixed", 1)
    learner.set_opponent(parse_player("random", TICTACTOE))
    learner.train(1000)
    level, exact = level_of(learner), scoreboard(learner.space, learner.policy())
    assert (level.plays, level.judged, level.untrained) == (BOTH, (Side.FIRST,), (Side.SECOND,))
    assert level.losses["perfect"] == exact["first"].against["perfect"].loss
    assert exact["second"].against["perfect"].loss > level.losses["perfect"]


def test_playouts_are_counted_over_all_seeds(monkeypatch):
    """One seed less than there are would be judged."""
    once = 10 * len(space_of(HEXAPAWN).position)
    monkeypatch.setattr(levels, "MAX_PLAYOUTS_JUDGED", (levels.SEEDS - 1) * once)
    assert isinstance(level_of(parse_player("uct:10", HEXAPAWN)), Foresight)
    assert isinstance(level_of(parse_player("uct:10/1", HEXAPAWN)), Level)
    monkeypatch.setattr(levels, "MAX_PLAYOUTS_JUDGED", levels.SEEDS * once)
    assert isinstance(level_of(parse_player("uct:10", HEXAPAWN)), Level)


def test_known_players_are_in_the_expected_order_of_strength():
    shipped = [revive(gallery.load(name)) for name in ("michie", "scroggs", "riechel", "hochmuth")]
    searchers = [parse_player(f"minimax:{depth}", TICTACTOE) for depth in (1, 2, 3)]
    michie, scroggs, riechel, hochmuth, one, two, three = map(level_of, [*shipped, *searchers])
    in_order = [one, michie, two, scroggs, riechel, three, hochmuth]
    assert sorted(in_order, key=lambda level: level.strength) == in_order
    assert (michie.name, three.name) == ("fair", "good")
