"""The ladder of opponents: who has been beaten, and who comes next; a person's own level in Connect Four."""

from dataclasses import replace
from random import Random

import pytest

from engine.connect_solver.games import require_shape
from engine.game import Outcome, Side
from engine.games import parse_game
from engine.match import Match, Record
from engine.stop import Stopped
from lab.board import own_level as levels
from lab.board.event_sentences import Commands, event_sentences
from lab.board.events import OpponentBeaten
from lab.board.opponent_strength import about_text
from lab.board.opponents import candidates, level_for
from lab.board.own_level import (
    MAX_GAMES,
    MIN_POSITIONS,
    OwnLevel,
    find_next_opponent,
    mark_nearest,
    own_level,
    own_level_text,
)
from lab.board.session import Session
from learners import parse_player
from learners.core.learner import PERSON
from learners.race.sampling import KNOWN_FROM
from saves.library.library import Library

TICTACTOE, CONNECT_FOUR = parse_game("tictactoe"), parse_game("connectfour")
COMMANDS = Commands("Press", "Pick", "n", "d", "s", "h", "=", "o to choose it", "choose one with o")
X_WINS, O_WINS, DRAWN = (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (4, 0, 8, 2, 1, 7, 6, 3, 5)


def keep(library, first, second, moves):
    outcome = {5: Outcome.FIRST_WINS, 6: Outcome.SECOND_WINS, 9: Outcome.DRAW}[len(moves)]
    return library.games.add(Record(TICTACTOE, (first, second), moves, outcome))


def test_only_a_game_that_a_person_won_counts_as_beaten_and_only_while_it_is_stored(library):
    assert library.games.beaten_opponents(TICTACTOE) == frozenset()
    keep(library, "human", "minimax:1", X_WINS)
    keep(library, "human", "minimax:2", O_WINS)
    keep(library, "minimax:2", "human", X_WINS)
    keep(library, "human", "minimax:2", DRAWN)
    keep(library, "human", "human", X_WINS)
    keep(library, "random", "perfect", X_WINS)
    number = keep(library, "random", "human", O_WINS)
    assert library.games.beaten_opponents(TICTACTOE) == {"minimax:1", "random"}
    assert library.games.beaten_opponents(parse_game("misere")) == frozenset()
    library.games.withdraw(number)
    assert library.games.beaten_opponents(TICTACTOE) == {"minimax:1"}


@pytest.mark.long
def test_the_next_rung_is_the_weakest_stronger_one_that_is_not_beaten(library):
    everybody = [each for each in candidates(TICTACTOE, library.entries()) if not each.is_person]
    strength = {each.label: level_for(library, each).strength for each in everybody}
    seen, label = [], "random"
    while (rung := find_next_opponent(library, TICTACTOE, label)).proposed:
        assert strength[rung.proposed] > strength[label]
        between = {each for each in strength if strength[label] < strength[each] < strength[rung.proposed]}
        assert between <= library.games.beaten_opponents(TICTACTOE)
        keep(library, "human", rung.proposed, X_WINS)
        seen.append(rung.proposed)
        label = rung.proposed
        if rung.level == "perfect":
            assert rung.unbeatable
    assert len(seen) > 5
    assert strength[label] == max(strength.values())
    assert find_next_opponent(library, TICTACTOE, "random").proposed not in seen
    assert not find_next_opponent(library, TICTACTOE, "save:nobody").proposed


@pytest.mark.long
def test_after_a_checkpoint_its_save_is_next_and_then_a_stronger_one(library):
    assert find_next_opponent(library, TICTACTOE, "save:riechel@10").proposed == "save:riechel"
    keep(library, "human", "save:riechel", X_WINS)
    stronger = find_next_opponent(library, TICTACTOE, "save:riechel@10")
    assert stronger == replace(find_next_opponent(library, TICTACTOE, "save:riechel"), label="save:riechel@10")
    assert stronger.proposed != "save:riechel"


def test_a_perfect_player_can_be_beaten_where_a_side_is_lost(library):
    rung = find_next_opponent(library, parse_game("nim:3"), "random")
    assert (rung.level, rung.unbeatable) == ("perfect", False)


@pytest.mark.parametrize(("skill", "after_random"), [(None, "fallible:60"), (85, "fallible"), (99, "fallible:97")])
def test_the_ladder_goes_on_at_the_level_of_the_person(library, monkeypatch, skill, after_random):
    monkeypatch.setattr(levels, "own_level", lambda *_: OwnLevel(20, 18, 23, skill))
    rung = find_next_opponent(library, CONNECT_FOUR, "random")
    assert rung.proposed == after_random
    assert ("you kept 18 of 23" in rung.level) == (skill is not None)
    library.games.add(Record(CONNECT_FOUR, ("human", after_random), (0, 1, 0, 1, 0, 1, 0), Outcome.FIRST_WINS))
    stronger = find_next_opponent(library, CONNECT_FOUR, "random")
    assert stronger == replace(find_next_opponent(library, CONNECT_FOUR, after_random), label="random")
    assert "you kept" not in stronger.level


def test_the_proposal_is_a_sentence_and_names_the_command():
    session = Session(TICTACTOE, (None, None), Random(1))
    proposal = OpponentBeaten("random", "minimax:1", "weak")
    assert event_sentences(proposal, session, COMMANDS) == [
        "You have beaten Random.",
        "Next to beat: Minimax 1 (weak). Press o to choose it.",
    ]
    top = event_sentences(OpponentBeaten("save:a", "perfect", "perfect", unbeatable=True), session, COMMANDS)[1]
    assert "It never loses: a draw is the best result." in top
    beatable = event_sentences(OpponentBeaten("save:a", "perfect", "perfect"), session, COMMANDS)[1]
    assert beatable == "Next to beat: Perfect (perfect). Press o to choose it."
    assert (
        event_sentences(OpponentBeaten("save:a", "", ""), session, COMMANDS)[1]
        == "No stronger opponent is left to beat."
    )


GAME = parse_game("connectfour")


def played(person, random):
    """A game that both sides begin at random; then the player `person` moves for the first side."""
    while True:
        match, opponent = Match(GAME), parse_player("random", GAME)
        while match.outcome is None:
            is_late = require_shape(GAME).pieces_left(match.position) <= KNOWN_FROM
            mover = person if is_late and match.side is Side.FIRST else opponent
            match.play(mover.choose(match.position, random).move)
        if len(match.moves) > require_shape(GAME).size - KNOWN_FROM:
            return match


def level_of_player(path, label, games=MAX_GAMES):
    library, random, person = Library(path), Random(1), parse_player(label, GAME)
    for _ in range(games):
        library.games.add(played(person, random).record((PERSON, "random")))
    return own_level(library.games, GAME)


@pytest.mark.parametrize("skill", [pytest.param(60, marks=pytest.mark.long), 90])
def test_who_errs_like_a_fallible_player_is_recognised(tmp_path, skill):
    level = level_of_player(tmp_path / "library.sqlite", f"fallible:{skill}")
    assert level is not None
    assert level.games == MAX_GAMES
    assert level.of >= MIN_POSITIONS
    assert level.skill is not None
    assert abs(level.skill - skill) <= 15
    assert own_level_text(level).endswith(f"At your level: fallible:{level.skill}.")
    assert parse_player(str(level.opponent), GAME)


@pytest.mark.parametrize(
    ("skill", "nearest"), [(5, "fallible:60"), (85, "fallible"), (99, "fallible:97"), (None, None)]
)
def test_the_opponent_that_comes_nearest_says_so(skill, nearest):
    everybody = candidates(GAME, ())
    shown = mark_nearest(everybody, OwnLevel(20, 18, 23, skill))
    assert [each.key for each in shown] == [each.key for each in everybody]
    assert [each.label for each in shown if "kept 18 of 23" in about_text(each)] == [nearest] * (nearest is not None)
    assert mark_nearest(everybody, None) == everybody


def test_a_single_game_tells_no_level(tmp_path):
    level = level_of_player(tmp_path / "library.sqlite", "random", games=1)
    assert level is not None
    assert (level.games, level.skill, level.opponent) == (1, None, None)
    assert f"with {MIN_POSITIONS} such positions" in own_level_text(level)


def test_the_own_level_can_be_stopped_and_other_games_have_none(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    assert own_level(library.games, parse_game("tictactoe")) is None
    library.games.add(played(parse_player("random", GAME), Random(1)).record((PERSON, "random")))
    with pytest.raises(Stopped):
        own_level(library.games, GAME, lambda: True)
