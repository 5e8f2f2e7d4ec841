import pytest

from engine.game import BadText
from engine.games import parse_game
from lab.board.opponents import seating_of
from lab.training.setup import READY_MADE, Setup, accepted_opponents, parse_settings, settings_text
from learners import parse_player
from learners.failures.learner import Failures
from learners.menace.learner import Menace

TICTACTOE = parse_game("tictactoe")


def setup(kind=Menace, preset="blog", opponent="self", game=TICTACTOE, **settings) -> Setup:
    return Setup(kind, game, preset, 10, 1, "a", opponent, settings)


@pytest.mark.parametrize("opponent", ["self", "random", "perfect", "human", "save:riechel"])
def test_a_learner_gets_its_opponent(library, opponent):
    learner = setup(opponent=opponent).learner_for(library)
    assert learner.opponent == learner.snapshot().opponent == opponent
    if opponent == "human":
        with pytest.raises(BadText, match="name an opponent for it now"):
            learner.train(3)
    else:
        learner.train(3)
        assert learner.stats()["games"] == 3


def test_a_save_continues_with_another_opponent(library):
    learner = setup(opponent="random").learner_for(library)
    learner.train(5)
    gone_on = setup(opponent="perfect").learner_for(library, learner.snapshot())
    gone_on.train(5)
    assert (gone_on.opponent, gone_on.stats()["games"]) == ("perfect", 10)


@pytest.mark.parametrize(
    ("asked", "trouble"),
    [
        (setup(preset="michie"), "plays X only"),
        (setup(Failures, "literal", "save:riechel", game=parse_game("misere")), "not Misère"),
        (setup(opponent="nobody"), "no player 'nobody'"),
        (setup(preset="her"), "fits hexapawn"),
        (setup(opponent="save:riechel", game=parse_game("misere")), "not Misère"),
        (setup(win=1001), "from -1000 to 1000"),
    ],
)
def test_impossible_choices_are_refused(library, asked, trouble):
    with pytest.raises(BadText, match=trouble):
        asked.learner_for(library)


def test_settings_are_parsed():
    assert parse_settings(Menace, ["win=5", "empty=refill", "beads=4,3,2,1"]) == {
        "win": 5,
        "empty": "refill",
        "beads": "4,3,2,1",
    }
    assert parse_settings(Menace, []) == {}
    for text, trouble in (
        ("win", "write a setting as KEY=VALUE"),
        ("win=x", r"win \(beads for a win\) cannot be"),
        ("won=1", "no setting 'won'"),
    ):
        with pytest.raises(BadText, match=trouble):
            parse_settings(Menace, [text])


def test_settings_text_can_be_parsed():
    settings = {"win": 5, "merge": False}
    text = settings_text(Menace(TICTACTOE, "michie", 1, settings).snapshot())
    assert parse_settings(Menace, text.split()) == settings
    assert settings_text(Menace(TICTACTOE, "michie", 1).snapshot()) == ""


def test_possible_opponents_depend_on_the_learner():
    assert accepted_opponents(Failures(TICTACTOE, "literal", 1)) == (True, True)
    assert accepted_opponents(Menace(TICTACTOE, "blog", 1)) == (True, True)
    assert accepted_opponents(Menace(TICTACTOE, "michie", 1)) == (False, True)
    assert accepted_opponents(Menace(TICTACTOE, "michie", 1, {"plays": "both"})) == (True, True)


@pytest.mark.parametrize(
    ("game", "preset", "seats"),
    [
        ("tictactoe", "michie", ("save:a", "human")),
        ("hexapawn", "her", ("human", "save:a")),
        ("tictactoe", "scroggs", ("human", "save:a")),
    ],
)
def test_a_person_takes_the_side_that_the_learner_leaves(game, preset, seats):
    seating = seating_of(Menace(parse_game(game), preset, 1), "a")
    assert (seating.first, seating.second) == seats


def test_a_person_plays_against_the_trained_side():
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.set_opponent(parse_player("random", TICTACTOE))
    learner.train(5)
    seating = seating_of(learner, "a")
    assert (seating.first, seating.second) == ("save:a", "human")


@pytest.mark.parametrize("ready", READY_MADE, ids=lambda ready: ready.title)
def test_every_ready_made_training_can_start(library, ready):
    learner = ready.setup("a").learner_for(library)
    preset = ready.learner.shown.quick_start_preset
    assert (learner.preset, learner.opponent) == (preset, ready.opponent)
    assert ready.setup("a").rounds == ready.learner.spec.rounds_for(preset)
