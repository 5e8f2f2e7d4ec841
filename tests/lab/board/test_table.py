"""The table apart from front ends: tasks that end late, in another order, or with an error."""

from dataclasses import replace
from random import Random

import pytest

from engine.games import parse_game
from engine.stop import never
from lab.advice.xray import OFF
from lab.board import events
from lab.board.aftermath import LEARNING, STORING, WITHDRAWING
from lab.board.library_work import IN_TRAINING
from lab.board.seating import Seating
from lab.board.session import Session, Undoable
from lab.board.table import LOADING, THINKING, Table
from lab.board.teaching import BEGINNER_ROUNDS
from learners.menace.learner import Menace
from saves.library.game_record import PlayedGames
from saves.library.library import Library
from saves.paths import library_path

TICTACTOE = parse_game("tictactoe")


def table_of(first=None, second=None, **options):
    library = Library(library_path())
    seats = [label and library.player(label, TICTACTOE) for label in (first, second)]
    return Table(Session(TICTACTOE, (seats[0], seats[1]), Random(1)), library, **options)


def the_task(steps, name):
    """The one task of that name among some steps."""
    (task,) = [step for step in steps if isinstance(step, events.Task) and step.name == name]
    return task


def finish_all(steps):
    """Run the tasks of some steps and of what follows them; return all events."""
    shown, waiting = [], [*steps]
    while waiting:
        step = waiting.pop(0)
        if isinstance(step, events.Task):
            waiting[:0] = step.run()
        else:
            shown.append(step)
    return shown


def test_a_command_returns_at_once_and_leaves_the_machine_to_a_task():
    table = table_of(second="perfect")
    steps = table.play(4)
    assert [type(step) for step in steps] == [events.MovePlayed, events.Task]
    assert table.match.moves == [4]
    finish = the_task(steps, THINKING).work(never)
    assert table.match.moves == [4], "the work of a task changes nothing"
    (played,) = finish()
    assert [4, played.move] == table.match.moves
    assert played.label == "perfect"
    assert played.reason
    assert 0 < played.chance <= 1


@pytest.mark.parametrize("command", [Table.take_back, Table.new_game, Table.swap, Table.pause])
def test_a_move_that_is_chosen_too_late_is_not_played(command):
    table = table_of(second="perfect")
    thinking = the_task(table.play(4), THINKING)
    finish = thinking.work(never)
    command(table)
    moves = list(table.match.moves)
    assert not thinking.is_wanted()
    assert not finish()
    assert table.match.moves == moves


def test_a_machine_that_was_paused_chooses_once():
    table = table_of(second="perfect")
    first = the_task(table.play(4), THINKING)
    assert table.pause() == []
    second = the_task(table.pause(), THINKING)
    assert (first.is_wanted(), second.is_wanted()) == (False, True)


def test_a_game_whose_end_is_taken_back_while_it_is_stored_is_removed_again():
    table = table_of()
    table.play(4)
    storing = the_task(table.resign(), STORING)
    finish = storing.work(never)
    assert len(table.library.games.numbers()) == 1
    assert events.TakenBack() in table.take_back()
    assert finish_all(finish()) == [events.GameWithdrawn()]
    assert table.library.games.numbers() == []
    table.resign()
    assert table.session.current.number is None


def test_a_stored_game_is_removed_when_its_end_is_taken_back():
    table = table_of()
    table.play(4)
    assert finish_all(table.resign())[1:] == [
        events.GameEnded(table.session.current.record, practice=False),
        events.GameStored(),
    ]
    steps = table.take_back()
    assert finish_all([the_task(steps, WITHDRAWING)]) == [events.GameWithdrawn()]
    assert table.library.games.numbers() == []


def test_saves_learn_also_from_a_game_that_could_not_be_stored(monkeypatch):
    library = Library(library_path())
    library.save("a", Menace(TICTACTOE, "scroggs", 1).snapshot())
    table = table_of(second="save:a", learning=True)

    def fail(_games, _record):
        raise OSError("no disk")

    monkeypatch.setattr(PlayedGames, "add", fail)
    finish_all(table.play(4))
    assert events.GameNotStored("no disk") in finish_all(table.resign())
    assert library.load("a").stats["games"] == 1
    assert not table.is_learning


def test_the_next_machine_move_waits_until_saves_have_learned():
    Library(library_path()).save("a", Menace(TICTACTOE, "scroggs", 1).snapshot())
    table = table_of(first="save:a", learning=True)
    finish_all(table.open())
    learning = the_task(the_task(table.resign(), STORING).run(), LEARNING)
    finish = learning.work(never)
    assert not [step for step in table.new_game() if isinstance(step, events.Task)]
    assert table.is_learning
    assert the_task(finish(), THINKING).is_wanted()


def test_both_saves_at_the_board_learn_unless_they_are_in_training():
    library = Library(library_path())
    for name in "ab":
        library.save(name, Menace(TICTACTOE, "scroggs", 1).snapshot())
    in_training = {"save:a"}
    table = table_of("save:a", "save:b", learning=True, in_training=in_training.__contains__)
    assert events.SaveNotLearned("save:a", IN_TRAINING) in finish_all(table.open())
    assert [library.load(name).stats["games"] for name in "ab"] == [0, 1]
    in_training.clear()
    finish_all(table.new_game())
    assert [library.load(name).stats["games"] for name in "ab"] == [1, 2]


def test_of_two_requests_for_players_the_newer_one_counts():
    table = table_of()
    older = the_task(table.seat(Seating(TICTACTOE, "human", "random")), LOADING)
    newer = the_task(table.seat(Seating(TICTACTOE, "perfect", "human")), LOADING)
    assert table.play(4) == [events.Refused(events.Obstacle.LOADING)]
    seated = newer.run()
    assert seated[0] == events.Seated(TICTACTOE, ("perfect", "human"))
    assert not older.run()
    assert table.session.labels == ("perfect", "human")


def test_a_save_learns_again_when_it_comes_back_to_the_board():
    Library(library_path()).save("a", Menace(TICTACTOE, "scroggs", 1).snapshot())
    table = table_of(first="save:a", learning=True)
    for first in ("random", "save:a"):
        finish_all(table.seat(replace(table.seating, first=first)))
    assert table.learning
    finish_all(table.resign())
    assert table.lessons
    assert table.undoable is None
    assert table.take_back() == [events.Refused(events.Obstacle.LEARNED)]


@pytest.mark.parametrize("seat", [Table.seat, Table.seat_for_now])
def test_taking_back_other_players_brings_back_a_game_that_was_not_over(seat):
    table = table_of()
    table.play(4)
    finish_all(seat(table, Seating(TICTACTOE, "human", "random")))
    assert (table.session.labels, table.match.moves) == (("human", "random"), [])
    finish_all(table.take_back())
    assert (table.session.labels, table.match.moves) == (("human", "human"), [4])
    assert table.undoable is Undoable.MOVE
    finish_all([step for command in (table.resign, table.take_back, table.take_back) for step in command()])
    finish_all(table.seat(Seating(TICTACTOE, "human", "random")))
    assert table.undoable is None


def test_what_cannot_be_done_changes_nothing():
    table = table_of(first="perfect")
    assert table.resign() == table.give_hint() == table.play(4) == [events.Refused(events.Obstacle.NOT_YOUR_TURN)]
    assert table.offer_draw() == [events.Refused(events.Obstacle.DRAW_TOO_EARLY)]
    assert table.take_back() == [events.Refused(events.Obstacle.NOTHING_TO_TAKE_BACK)]
    assert table.switch_learning() == [events.Refused(events.Obstacle.NOBODY_LEARNS)]
    assert table.match.moves == []
    assert Table(Session(parse_game("hexapawn"), (None, None), Random(1)), table.library).offer_draw() == [
        events.Refused(events.Obstacle.NO_DRAWS)
    ]


def test_the_game_goes_on_after_an_unexpected_error():
    Library(library_path()).save("a", Menace(TICTACTOE, "scroggs", 1).snapshot())
    table = table_of(first="save:a", learning=True)
    finish_all(table.open())
    learning = the_task(the_task(table.resign(), STORING).run(), LEARNING)
    table.new_game()
    assert the_task(learning.failed(), THINKING).is_wanted()


def trained_at_the_board(moves):
    """A table with a machine that was trained after it had opened a game, in which a person then made moves."""
    library = Library(library_path())
    library.save("a", Menace(TICTACTOE, "michie", 1).snapshot())
    table = table_of("save:a")
    finish_all(table.open())
    for _ in range(moves):
        finish_all(table.play(TICTACTOE.moves(table.match.position)[0]))
    trained = library.player("save:a", TICTACTOE)
    trained.train(1)
    library.save("a", trained.snapshot(), replace=True)
    return table


def test_a_machine_that_was_trained_opens_a_new_game_with_what_it_knows_now():
    table = trained_at_the_board(0)
    opened = table.match
    seen = finish_all(table.reload("save:a"))
    assert table.match is not opened
    assert events.GameStarted() in seen
    assert len(table.match.moves) == 1
    assert table.session.seats[0].rounds == 1
    again = table.match
    finish_all(table.reload("save:a"))
    assert table.match is again, "it has not been trained meanwhile"


def test_a_game_in_which_a_person_has_moved_goes_on_after_a_training_and_is_outdated():
    table = trained_at_the_board(1)
    opened = table.match
    finish_all(table.reload("save:a"))
    assert table.match is opened
    assert table.session.current.outdated
    assert table.session.seats[0].rounds == 1
    finish_all(table.new_game())
    assert not table.session.current.outdated


def test_after_a_finished_game_a_machine_that_was_trained_begins_another():
    table = trained_at_the_board(0)
    finish_all(table.resign())
    finish_all(table.reload("save:a"))
    assert table.match.outcome is None


@pytest.mark.parametrize("rounds", [0, BEGINNER_ROUNDS])
def test_nobody_is_proposed_after_a_win_over_a_beginner(rounds):
    library = Library(library_path())
    machine = Menace(TICTACTOE, "michie", 1)
    machine.train(rounds)
    library.save("a", machine.snapshot())
    table = table_of("save:a")
    for move in (0, 3, 1, 4, 8):
        table.session.play(move)
    seen = finish_all(table.play(5))
    assert any(isinstance(event, events.OpponentBeaten) for event in seen) == bool(rounds)


def test_another_game_begins_without_an_x_ray():
    table = table_of(second="perfect")
    table.advice.turn_xray()
    finish_all(table.seat(Seating(TICTACTOE, "human", "random")))
    assert table.advice.lens.kind != OFF
    finish_all(table.seat(Seating(parse_game("nim:1,2,3"), "human", "random")))
    assert table.advice.lens.kind == OFF
