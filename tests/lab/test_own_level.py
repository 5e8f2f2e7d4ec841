"""A person's level in Connect Four: who errs as they do is recognised by their games."""

from random import Random

import pytest

from engine.connect_solver.games import require_shape
from engine.game import Side
from engine.games import parse_game
from engine.match import Match
from engine.stop import Stopped
from lab.board.opponent_strength import about_text
from lab.board.opponents import candidates
from lab.board.own_level import FEWEST, GAMES, OwnLevel, marked, own_level, own_level_text
from learners import parse_player
from learners.core.learner import PERSON
from learners.race.sampling import KNOWN_FROM
from saves.library.library import Library

GAME = parse_game("connectfour")


def played(person, random):
    """A game with a random beginning, then between a player, as the first side, and a random one."""
    while True:
        match, opponent = Match(GAME), parse_player("random", GAME)
        while match.outcome is None:
            is_late = require_shape(GAME).pieces_left(match.position) <= KNOWN_FROM
            mover = person if is_late and match.side is Side.FIRST else opponent
            match.play(mover.choose(match.position, random).move)
        if len(match.moves) > require_shape(GAME).size - KNOWN_FROM:
            return match


def level_of_player(path, label, games=GAMES):
    library, random, person = Library(path), Random(1), parse_player(label, GAME)
    for _ in range(games):
        library.games.add(played(person, random).record((PERSON, "random")))
    return own_level(library.games, GAME)


@pytest.mark.parametrize("skill", [pytest.param(60, marks=pytest.mark.long), 90])
def test_who_errs_like_a_fallible_player_is_recognised(tmp_path, skill):
    level = level_of_player(tmp_path / "library.sqlite", f"fallible:{skill}")
    assert level is not None
    assert level.games == GAMES
    assert level.of >= FEWEST
    assert level.skill is not None
    assert abs(level.skill - skill) <= 15
    assert own_level_text(level).endswith(f"At your level: fallible:{level.skill}.")
    assert parse_player(str(level.opponent), GAME)


@pytest.mark.parametrize(
    ("skill", "nearest"), [(5, "fallible:60"), (85, "fallible"), (99, "fallible:97"), (None, None)]
)
def test_the_opponent_that_comes_nearest_says_so(skill, nearest):
    everybody = candidates(GAME, ())
    shown = marked(everybody, OwnLevel(20, 18, 23, skill))
    assert [each.key for each in shown] == [each.key for each in everybody]
    assert [each.label for each in shown if "kept 18 of 23" in about_text(each)] == [nearest] * (nearest is not None)
    assert marked(everybody, None) == everybody


def test_a_single_game_tells_no_level(tmp_path):
    level = level_of_player(tmp_path / "library.sqlite", "random", games=1)
    assert level is not None
    assert (level.games, level.skill, level.opponent) == (1, None, None)
    assert f"with {FEWEST} such positions" in own_level_text(level)


def test_it_can_be_stopped_and_other_games_have_no_such_level(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    assert own_level(library.games, parse_game("tictactoe")) is None
    library.games.add(played(parse_player("random", GAME), Random(1)).record((PERSON, "random")))
    with pytest.raises(Stopped):
        own_level(library.games, GAME, lambda: True)
