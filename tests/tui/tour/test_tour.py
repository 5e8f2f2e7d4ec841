"""The tour without an app: its texts, and when it moves to the next stage."""

from dataclasses import replace
from random import Random
from textwrap import wrap

import pytest
from rich.cells import cell_len

from engine.games import parse_game
from lab.board.session import Session
from lab.jobs import JobState
from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer, RandomPlayer
from tui.shell.tour import OFFER, Tour
from tui.shell.tour_bar import EDGES, keyed_text, tour_text
from tui.shell.tour_stages import STAGES, ScreenView

TICTACTOE = parse_game("tictactoe")
X_WINS, O_WINS, DRAWN = (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (0, 1, 2, 4, 3, 5, 7, 6, 8)
LONG = "W" * 60


def at_the_board(first=None, second=None, moves=()):
    session = Session(TICTACTOE, (first, second), Random(1))
    for move in moves:
        session.match.play(move)
    return ScreenView("play", session=session)


def job(state=JobState.FINISHED, done=50, name="mine"):
    """A training job in this state; it is not saved."""
    made = TrainingJob(Failures(TICTACTOE, "literal", 1), 100, name, PACES[0], lambda _snapshot: None)
    made.view = replace(made.view, state=state, done=done)
    return made


def begun(at, sight):
    tour = Tour(offered=True)
    tour.begin(sight)
    tour.go_to(at, sight)
    return tour


class Greedy(RandomPlayer):
    label = "save:riechel"


@pytest.mark.parametrize(
    ("seats", "moves", "news"),
    [
        ((None, Greedy(TICTACTOE)), X_WINS, "You beat riechel."),
        ((None, Greedy(TICTACTOE)), O_WINS, "riechel beat you."),
        ((Greedy(TICTACTOE), None), X_WINS, "riechel beat you."),
        ((None, PerfectPlayer(TICTACTOE)), DRAWN, "A draw with perfect."),
        ((None, None), X_WINS, "That game is over."),
        ((Greedy(TICTACTOE), PerfectPlayer(TICTACTOE)), X_WINS, "That game is over."),
    ],
)
def test_the_tour_describes_every_way_a_game_can_end(seats, moves, news):
    tour = begun(0, at_the_board(*seats))
    tour.update(at_the_board(*seats, moves=moves[:-1]))
    assert tour.at == 0
    over = at_the_board(*seats, moves=moves)
    tour.update(over)
    assert tour.at == 1
    assert tour.words(over).before.startswith(news)


def test_what_the_person_has_just_done_is_not_asked_for_again():
    over = at_the_board(None, Greedy(TICTACTOE), X_WINS)
    tour = Tour(offered=True)
    tour.begin(over)
    tour.update(over)
    assert (tour.at, tour.news) == (1, "You beat riechel.")


def test_a_later_stage_asks_for_a_new_game():
    over = at_the_board(moves=X_WINS)
    tour = begun(3, over)
    tour.update(over)
    assert tour.at == 3
    over.session.take_back()
    tour.update(over)
    over.session.match.play(X_WINS[-1])
    tour.update(over)
    assert tour.at == 4


def test_going_on_says_what_was_skipped():
    sight = at_the_board()
    tour = begun(0, sight)
    for stage in STAGES[:-1]:
        tour.turn(1, sight)
        assert f"Skipped: {stage.title}." in tour.words(sight).before
        tour.turn(-1, sight)
        assert "Skipped" not in tour.words(sight).before
        tour.turn(1, sight)


@pytest.mark.parametrize(("moves", "said"), [(X_WINS, "gone"), (O_WINS, "more"), (DRAWN, "draw adds")])
def test_after_a_game_it_says_what_became_of_the_beads(moves, said):
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.label = "save:mine"
    sight = at_the_board(None, learner, moves)
    tour = begun(1, sight)
    assert said in tour.words(sight).before
    sight.session.new_game()
    tour.update(sight)
    assert tour.at == 2
    assert tour.words(sight).do == "`T` lets mine play 1,000 games by itself."


def test_a_name_in_the_tour_is_no_key():
    def styles(name):
        sight = ScreenView("train", job=job(name=name))
        return tour_text(begun(2, sight), sight, 90, titled=True).spans

    assert styles("`F4`") == styles("'F4'")


def test_the_reasoner_is_met_once_it_sits_at_the_board():
    tour = begun(4, at_the_board())
    reasoner = Failures(TICTACTOE, "literal", 1)
    reasoner.label = "save:riechel"
    met = at_the_board(None, reasoner)
    tour.update(met)
    assert tour.at == 5
    assert "struck squares" in tour.words(met).before


@pytest.mark.parametrize(
    ("state", "done", "on"),
    [
        (JobState.RUNNING, 50, False),
        (JobState.PAUSED, 50, False),
        (JobState.FAILED, 50, False),
        (JobState.STOPPED, 0, False),
        (JobState.STOPPED, 50, True),
        (JobState.FINISHED, 50, True),
    ],
)
def test_a_training_counts_for_the_tour_once_something_was_learned(state, done, on):
    tour = begun(2, ScreenView("train"))
    sight = ScreenView("train", job=job(state, done))
    tour.update(sight)
    assert tour.at == 2, "the person has not seen yet what it learned"
    news = "mine has learned from 50 games, but could not be saved."
    if on:
        assert tour.words(sight).before == news
        assert tour.words(sight).do == "Look at its curve, then `p` goes back to the board."
        assert begun(2, sight).words(sight).do == "`g` starts the training that the form describes."
    board = replace(sight, mode="play", session=at_the_board().session)
    tour.update(board)
    assert tour.at == 2 + on
    if on:
        assert tour.words(board).before == news


def test_each_stage_has_its_number_and_one_press_goes_to_the_next():
    sight = at_the_board()
    tour = begun(0, sight)
    for number in range(1, len(STAGES) + 1):
        assert tour_text(tour, sight, 118, titled=True).plain.startswith(
            f"Tour {number} of {len(STAGES)}: {tour.stage.title}"
        )
        tour.turn(1, sight)
    assert tour.says_how_to_return


def sights():
    """Views of many screens, with names of maximum length."""
    for mode in ("play", "train", "library", "tree", "race"):
        yield ScreenView(mode, form="Failure-based reasoner, 1,000,000,000 games")
        yield ScreenView(mode, above=True)
        for state in JobState:
            yield ScreenView(mode, job=job(state, name=LONG))
    player = RandomPlayer(TICTACTOE)
    player.label = LONG
    for moves in ((), O_WINS, DRAWN):
        yield at_the_board(None, player, moves)


@pytest.mark.parametrize(("width", "titled"), [(60, False), (80, False), (120, True)])
def test_every_text_of_the_tour_fits(width, titled):
    said = set()
    for sight in sights():
        for at in range(len(STAGES)):
            tour = begun(at, sight)
            head, words = tour_text(tour, sight, width - EDGES, titled=titled).plain.split("\n")
            assert cell_len(head) == width - EDGES
            assert head.startswith(f"Tour {at + 1} of {len(STAGES)}")
            assert tour.stage.title in head or not titled
            assert len(wrap(words, width - EDGES)) <= 1 + titled
            told = f"{head.split('  ')[0]} {words}"
            assert tour.words(sight).do.replace("`", "") in told
            said.add(told)
    assert len(said) >= 15
    assert keyed_text(OFFER).cell_len <= 60 - EDGES


@pytest.mark.parametrize("sight", [ScreenView("play"), ScreenView("library"), at_the_board()])
def test_next_and_back_pass_every_stage_on_every_screen(sight):
    tour, seen = begun(0, sight), []
    while not tour.says_how_to_return:
        seen.append(tour.at)
        tour.turn(1, sight)
    assert seen == [*range(len(STAGES))]
    tour, back = begun(len(STAGES) - 1, sight), [len(STAGES) - 1]
    while tour.at:
        tour.turn(-1, sight)
        back.append(tour.at)
    assert back == seen[::-1]


def test_the_tour_can_be_moved_by_keys_left_and_resumed():
    sight = ScreenView("play")
    tour = Tour(offered=True)
    tour.begin(sight)
    tour.turn(-1, sight)
    assert tour.at == 0
    for _ in range(2):
        tour.turn(1, sight)
    tour.leave()
    tour.update(at_the_board(moves=X_WINS))
    assert (tour.at, tour.silent, tour.says_how_to_return) == (2, False, True)
    tour.dismiss()
    assert tour.silent
    tour.begin(sight)
    assert (tour.at, tour.under_way) == (2, True)
    for at in (3, 4, 5):
        tour.turn(1, sight)
        assert tour.at == at
    tour.turn(1, sight)
    tour.dismiss()
    assert (tour.at, tour.silent) == (0, True)
