"""The tour without an app: its texts, and when it moves to the next stage."""

from dataclasses import dataclass, replace
from random import Random
from textwrap import wrap

import pytest
from rich.cells import cell_len

from engine.games import parse_game
from lab.board.session import Session
from lab.jobs import JobState
from lab.results.exact_results import Timeline
from lab.text.numbers import percent_text
from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from learners.players.plain import PerfectPlayer, RandomPlayer
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train
from tui.shell.tour import OFFER, Tour
from tui.shell.tour_bar import EDGES, keyed_text, tour_text
from tui.shell.tour_stages import STAGES, OpenSave, ScreenView, words_of

TICTACTOE = parse_game("tictactoe")
X_WINS, O_WINS, DRAWN = (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (0, 1, 2, 4, 3, 5, 7, 6, 8)
LONG = "W" * 60
PAST = Timeline(train(Failures(TICTACTOE, "literal", 1), 50))


def at_the_board(first=None, second=None, moves=()):
    session = Session(TICTACTOE, (first, second), Random(1))
    for move in moves:
        session.match.play(move)
    return ScreenView("play", session=session)


def inside(rounds, *, moved=False, cards=9, name="mine", past=PAST):
    return ScreenView("library", above=True, opened=OpenSave(name, past, past.at(rounds), cards, moved, covered=moved))


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
    assert (tour.at, tour.words(over).before, tour.words(over).do) == (1, news, "`t` opens Train.")


def test_a_game_that_was_already_over_does_not_count_for_the_tour():
    over = at_the_board(moves=X_WINS)
    tour = begun(0, over)
    tour.update(over)
    assert tour.at == 0
    assert tour.words(over).do.startswith("`n` starts a game")
    over.session.take_back()
    tour.update(over)
    over.session.match.play(X_WINS[-1])
    tour.update(over)
    assert tour.at == 1


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
    tour = begun(1, ScreenView("train"))
    sight = ScreenView("train", job=job(state, done))
    tour.update(sight)
    assert tour.at == 1, "the person has not seen yet what it learned"
    news = "mine has learned from 50 games, but could not be saved."
    if on:
        assert tour.words(sight).before == news
        assert tour.words(sight).do == "Look at its curves, then `l` opens the Library."
        assert begun(1, sight).words(sight).do == "`g` starts the training that the form describes."
    library = replace(sight, mode="library", saves=("mine",), chosen="mine")
    tour.update(library)
    assert tour.at == 1 + on
    if on:
        assert (tour.words(library).before, tour.words(library).do) == (news, "`Enter` looks inside mine.")


def test_the_tour_follows_the_user_inside_a_save():
    shelf = ScreenView("library", saves=("mine",), chosen="mine")
    tour = begun(2, shelf)
    for sight, at in (
        (inside(50), 2),
        (inside(50, moved=True), 3),
        (shelf, 3),
        (inside(50), 3),
        (inside(20, moved=True), 3),
        (inside(0, moved=True), 3),
        (inside(50, moved=True), 4),
        (inside(20), 4),
    ):
        tour.update(sight)
        assert tour.at == at


@pytest.mark.parametrize("rounds", [PAST.moments[0], 50])
def test_the_tour_quotes_the_latest_results_whichever_checkpoint_is_shown(rounds):
    told = begun(4, inside(rounds)).words(inside(rounds))
    worst = max(results.against["best_responder"].loss for results in PAST.at(50).exact.values())
    assert f"wins {percent_text(worst)} of games" in told.do
    stats = PAST.snapshot.stats
    counts = f"draws {stats['draws']}, X wins {stats['first_wins']}, O wins {stats['second_wins']}."
    assert told.before == f"Its training games{'' if rounds == 50 else ' now'}: {counts}"


def test_each_stage_has_its_number_and_one_press_goes_to_the_next():
    sight = inside(50)
    tour = begun(0, sight)
    for number in range(1, len(STAGES) + 1):
        assert tour_text(tour, sight, 78, 2).plain.startswith(f"Tour {number} of {len(STAGES)}: {tour.stage.title}")
        tour.turn(1, sight)
    assert tour.says_how_to_return


def test_an_opponent_that_nobody_beats_is_called_so():
    past = Timeline(Library(library_path()).load("hochmuth"))
    assert words_of(STAGES[4], inside(past.now, past=past)).do == "As X or O it never loses, whoever it plays."


def test_a_save_without_checkpoints_or_cards_does_not_block_the_tour():
    past = Timeline(Failures(TICTACTOE, "literal", 1).snapshot())
    sight = inside(past.now, cards=0, past=past)
    assert [words_of(STAGES[at], sight).do.endswith("`F2` goes on.") for at in (2, 3)] == [True] * 2


@dataclass
class Shelf:
    saves: tuple[str, ...]
    chosen: str
    do: str


@pytest.mark.parametrize(
    "seen",
    [
        Shelf(("mine", "other"), "mine", "`Enter` looks inside mine."),
        Shelf(("mine", "other"), "other", "The arrows go to mine, `Enter` looks inside."),
        Shelf(("other",), "other", "`Enter` looks inside other."),
        Shelf((), "", "`Enter` looks inside a save."),
    ],
)
def test_the_tour_asks_only_for_a_save_that_exists(seen):
    sight = ScreenView("library", job=job(), saves=seen.saves, chosen=seen.chosen)
    assert words_of(STAGES[2], sight).do == seen.do


def sights():
    """Views of many screens, with names of maximum length."""
    for mode in ("play", "train", "library", "tree", "race"):
        yield ScreenView(mode, form="Failure-based reasoner, 1,000,000,000 games")
        yield ScreenView(mode, above=True)
        for state in JobState:
            yield ScreenView(mode, job=job(state, name=LONG), saves=(LONG,), chosen="other")
    player = RandomPlayer(TICTACTOE)
    player.label = LONG
    for moves in ((), O_WINS, DRAWN):
        yield at_the_board(None, player, moves)
    for rounds in PAST.moments:
        for moved in (False, True):
            yield inside(rounds, moved=moved, cards=10**6, name=LONG)


@pytest.mark.parametrize(("width", "lines"), [(60, 1), (80, 2), (120, 2)])
def test_every_text_of_the_tour_fits(width, lines):
    said = set()
    for sight in sights():
        for at in range(len(STAGES)):
            tour = begun(at, sight)
            head, words = tour_text(tour, sight, width - EDGES, lines).plain.split("\n")
            assert cell_len(head) == width - EDGES
            assert len(wrap(words, width - EDGES)) <= lines
            assert tour.words(sight).do.replace("`", "") in words
            said.add(words)
    assert len(said) >= 15
    assert keyed_text(OFFER).cell_len <= 60 - EDGES


@pytest.mark.parametrize("sight", [ScreenView("play"), ScreenView("library"), inside(50)])
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
    tour.update(inside(50))
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
