"""The first game of a new user: who gets it, and against which machine."""

from dataclasses import replace

from engine.game import Outcome, Side
from engine.games import GAMES
from engine.games.hexapawn import THREE_BY_THREE
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from lab.board.first_game import NAME, fresh_seating, is_fresh, make_fresh_machine, missing_save
from lab.board.library_work import load_players
from lab.board.seating import Seating
from lab.board.teaching import BEGINNER_ROUNDS, is_pupil
from learners import revive
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.library.library import Library


def test_a_new_user_meets_a_fresh_machine_of_304_boxes_that_learns(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    seating = fresh_seating(library)
    (machine, person), filled = load_players(library, seating)
    assert (person, filled, seating.learning) == (None, [], True)
    assert is_pupil(machine)
    assert (machine.rounds, len(machine.view.cards())) == (0, 304)
    assert load_players(library, seating)[0][0].label == machine.label, "it is made once"


def test_whoever_has_a_save_meets_the_fresh_machine_too(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save("mine", Failures(GAMES[0], "literal", 1).snapshot())
    library.save("MENACE 1962", Menace(THREE_BY_THREE, "her", 1).snapshot())
    assert fresh_seating(library) == fresh_seating(Library(tmp_path / "other.sqlite"))


def test_a_remembered_save_that_another_library_has_not_is_named(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    seating = fresh_seating(library)
    assert missing_save(library, seating) == NAME
    load_players(library, seating)
    assert missing_save(library, seating) == ""
    assert missing_save(library, replace(seating, first=f"save:{NAME}@1", second="save:riechel")) == ""


def test_a_machine_that_has_learned_is_never_replaced(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    make_fresh_machine(library, NAME)

    def learn(snapshot):
        learner = revive(snapshot)
        learner.learn_record(Record(TICTACTOE, ("save:MENACE", "human"), (4, 0, 8, 1, 7, 2), Outcome.SECOND_WINS))
        return learner.snapshot()

    library.change(NAME, learn)
    make_fresh_machine(library, NAME)
    assert library.load(NAME).stats["games"] == 1


def test_without_a_writable_library_the_usual_machine_takes_the_seat(tmp_path):
    (tmp_path / "library.sqlite").write_text("no library")
    library = Library(tmp_path / "library.sqlite")
    seating = fresh_seating(Library(tmp_path / "other.sqlite"))
    (person, machine), filled = load_players(library, seating)
    assert person is None
    assert machine.label == filled[0].label
    assert filled[0].reason


def test_a_person_gets_the_side_that_their_opponent_was_not_trained_for_if_the_seating_is_to_suit_it(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save(NAME, Menace(TICTACTOE, "michie", 1).snapshot())
    seating = Seating(TICTACTOE, "human", f"save:{NAME}")
    assert load_players(library, seating)[0][0] is None
    (machine, person), _ = load_players(library, replace(seating, suits=True))
    assert (machine.sides, person) == ((Side.FIRST,), None)


def test_a_machine_that_has_played_much_is_not_fresh_and_another_is_made(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    (machine, _), _ = load_players(library, fresh_seating(library))
    assert is_fresh(machine)
    assert machine.label == fresh_seating(library).first == f"save:{NAME}"
    machine.train(BEGINNER_ROUNDS)
    library.save(NAME, machine.snapshot(), replace=True)
    assert not is_fresh(library.player(machine.label, TICTACTOE))
    other = fresh_seating(library)
    assert other.first != machine.label
    (another, _), _ = load_players(library, other)
    assert is_fresh(another)
    assert fresh_seating(library).first == another.label, "a fresh one is used again"
