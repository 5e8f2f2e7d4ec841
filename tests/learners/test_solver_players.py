"""The players that a solver stands behind: the perfect one, and the one that overlooks what is far away."""

from random import Random

import pytest

from engine.game import BadText, Outcome, Position, Side
from engine.games import parse_game
from engine.known_positions import KnownPosition, known_positions
from learners import parse_player
from learners.players.plain import ExactValues, PerfectPlayer

GAME = parse_game("connectfour")


def after(columns: str) -> Position:
    position = GAME.start
    for column in columns:
        position = GAME.play(position, GAME.parse_move(position, column))
    return position


def known(name: str) -> list[KnownPosition]:
    return [each for each in known_positions(GAME) if each.set == name]


def test_perfect_play_wins_as_soon_and_loses_as_late_as_possible():
    """Published scores of the columns: the best ones are played, each as likely; `any` keeps the sign only."""
    soonest, keeping = parse_player("perfect", GAME), parse_player("perfect:any", GAME)
    for each in known("end-easy")[::12]:
        position, scores, best = each.position, each.scores, max(each.scores.values())
        played = {each.move: each.chance for each in soonest.thoughts(position) if each.chance}
        assert set(played) == {move for move, score in scores.items() if score == best}
        assert len(set(played.values())) == 1
        kept = {each.move for each in keeping.thoughts(position) if each.chance}
        assert kept == {move for move, score in scores.items() if (score > 0) - (score < 0) == (best > 0) - (best < 0)}
    assert (
        soonest.choose(GAME.start, Random(1)).reason == "it wins in 21 moves against best play; 1 of 7 moves keeps that"
    )


def test_where_all_values_take_long_one_best_move_is_proven():
    for each in known("middle-medium")[:3]:
        player = PerfectPlayer(GAME)
        player.search = ExactValues(GAME, seconds=0)
        choice = player.choose(each.position, Random(1))
        assert each.scores[choice.move] == max(each.scores.values())


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_perfect_play_without_gravity_keeps_the_draw_of_a_board_too_large_for_a_space(seed: int):
    """5 × 5, four in a row, is a draw: a random opponent may lose to it, and never wins."""
    game, random = parse_game("mnk:5,5,4"), Random(seed)
    assert not game.numbered
    perfect, other, position = parse_player("perfect", game), parse_player("random", game), game.start
    while game.outcome(position) is None:
        mover = perfect if game.side(position) is Side.SECOND else other
        position = game.play(position, mover.choose(position, random).move)
    assert game.outcome(position) is not Outcome.FIRST_WINS


def test_the_fallible_player_overlooks_little_that_is_near_and_more_that_is_far():
    """X wins at once with a4, a chance of .9; if that is overlooked, all moves look alike, even those that lose."""
    player = parse_player("fallible:90", GAME)
    position = after("ababab")
    thoughts = {thought.move: thought for thought in player.thoughts(position)}
    assert sum(thought.chance for thought in thoughts.values()) == pytest.approx(1)
    assert thoughts[0].words == "wins at once"
    assert 0.9 < thoughts[0].chance < 0.95
    careless = {thought.move: thought for thought in parse_player("fallible:10", GAME).thoughts(position)}
    assert careless[0].chance < 0.5


def test_the_fallible_player_chooses_with_the_chances_that_it_states():
    player, random, position = parse_player("fallible:60", GAME), Random(5), after("ababab")
    expected = {thought.move: thought.chance for thought in player.thoughts(position)}
    games = 2_000
    chosen = [player.choose(position, random).move for _ in range(games)]
    for move, chance in expected.items():
        assert chosen.count(move) / games == pytest.approx(chance, abs=0.04)


@pytest.mark.parametrize("name", ["tictactoe", "mnk:5,5,4"])
def test_the_fallible_player_plays_games_that_a_solver_knows(name: str):
    with pytest.raises(BadText, match="fallible plays Connect Four"):
        parse_player("fallible:90", parse_game(name))
