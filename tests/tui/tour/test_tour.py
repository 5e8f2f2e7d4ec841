"""The tour without an app: its texts, and when it moves to the next stage."""

import re
from dataclasses import replace
from random import Random

import pytest
from rich.cells import cell_len
from rich.text import Text

from engine.games import parse_game
from lab.board.session import Session
from lab.board.teaching import BEGINNER_ROUNDS
from lab.jobs import JobState
from lab.memory.open_box import open_box
from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer, RandomPlayer
from tui.shell.parts import CORNERS
from tui.shell.tour import (
    EDGES,
    OFFER,
    OFFER_TO_GO_ON,
    TEXT_LINES,
    Tour,
    keyed_text,
    tour_keys,
    tour_keys_text,
    tour_lines,
    tour_title,
)
from tui.shell.tour_stages import STAGES, UNDO_INSTRUCTION, ScreenView, Words, result_text

TICTACTOE = parse_game("tictactoe")
X_WINS, O_WINS, DRAWN = (0, 3, 1, 4, 2), (0, 3, 1, 4, 8, 5), (0, 1, 2, 4, 3, 5, 7, 6, 8)
LONG = "W" * 60


def at_the_board(first=None, second=None, moves=()):
    session = Session(TICTACTOE, (first, second), Random(1))
    for move in moves:
        session.match.play(move)
    return ScreenView("play", session=session)


def job(state=JobState.FINISHED, done=50, name="mine", learner=None):
    """A training job in this state; it is not saved."""
    made = TrainingJob(learner or Failures(TICTACTOE, "literal", 1), 100, name, PACES[0], lambda _snapshot: None)
    made.view = replace(made.view, state=state, done=done)
    return made


def begun(at, sight):
    tour = Tour(offered=True)
    tour.begin(sight)
    tour.seats_pupil = False
    tour.go_to(at)
    tour.turn(0, sight)
    return tour


class Greedy(RandomPlayer):
    label = "save:riechel"


def pupil(rounds=0, kind=Menace, preset="michie"):
    learner = kind(TICTACTOE, preset, 1)
    learner.train(rounds)
    learner.label = "save:mine"
    return learner


@pytest.mark.parametrize(
    ("seats", "moves", "result"),
    [
        ((None, Greedy(TICTACTOE)), X_WINS, "You beat riechel."),
        ((None, Greedy(TICTACTOE)), O_WINS, "riechel beat you."),
        ((Greedy(TICTACTOE), None), X_WINS, "riechel beat you."),
        ((None, PerfectPlayer(TICTACTOE)), DRAWN, "A draw with Perfect."),
        ((None, None), X_WINS, "That game is over."),
        ((Greedy(TICTACTOE), PerfectPlayer(TICTACTOE)), X_WINS, "That game is over."),
    ],
)
def test_the_tour_describes_every_way_a_game_can_end(seats, moves, result):
    assert result_text(at_the_board(*seats, moves=moves)) == result
    tour = begun(0, at_the_board(*seats))
    tour.update(at_the_board(*seats, moves=moves[:-1]))
    assert tour.index == 0
    tour.update(at_the_board(*seats, moves=moves))
    assert tour.index == 1


def test_what_the_person_has_just_done_is_not_asked_for_again():
    over = at_the_board(None, pupil(), X_WINS)
    tour = Tour(offered=True)
    tour.begin(over)
    tour.update(over)
    assert tour.index == 0, "first it must be sure that the right machine sits there"
    tour.seats_pupil = False
    tour.update(over)
    assert tour.index == 1


def test_what_was_done_before_it_is_asked_for_counts():
    tour = begun(1, at_the_board(None, pupil(), X_WINS))
    trained, seats = job(), (None, pupil(BEGINNER_ROUNDS))
    for view, stage in (
        (ScreenView("train", job=trained), 1),  # the game after the one that taught it has not begun
        (replace(at_the_board(*seats), job=trained), 2),
        (replace(at_the_board(*seats), job=trained), 3),
        (at_the_board(*seats, X_WINS), 4),
    ):
        tour.update(view)
        assert tour.index == stage


def test_a_training_before_the_tour_is_not_the_one_that_it_asks_for():
    earlier = ScreenView("play", job=job())
    tour = begun(2, earlier)
    tour.update(earlier)
    assert tour.index == 2


def test_a_later_stage_asks_for_a_new_game():
    over = at_the_board(moves=X_WINS)
    tour = begun(3, over)
    tour.update(over)
    assert tour.index == 3
    over.session.take_back()
    tour.update(over)
    over.session.match.play(X_WINS[-1])
    tour.update(over)
    assert tour.index == 4


def test_going_on_says_what_was_left_out():
    sight = at_the_board()
    tour = begun(0, sight)
    for stage in STAGES[:-1]:
        tour.turn(1, sight)
        assert f"skipped: {stage.title}" in tour_title(tour, Text("any"), 120 - CORNERS).plain
        for named in (Text(tour.stage.title), tour_keys_text(tour_keys(tour))):
            title = tour_title(tour, named, 60 - CORNERS)
            assert re.search(f"skipped(: {stage.title}| {tour.index})", title.plain)
            assert title.cell_len <= 60 - CORNERS
        tour.turn(-1, sight)
        assert "skipped" not in tour_title(tour, Text("any"), 120 - CORNERS).plain
        tour.turn(1, sight)


def test_beside_a_training_it_speaks_of_that_alone():
    sight, running = at_the_board(), ScreenView("train", job=job(JobState.RUNNING))
    alone, tour = begun(2, running).words(running), begun(1, sight)
    tour.turn(1, sight)
    assert tour.words(running) == alone


@pytest.mark.parametrize(
    ("at", "sight"),
    [
        (1, at_the_board(None, pupil(), X_WINS)),
        (2, ScreenView("train", job=job())),
        (4, at_the_board(None, pupil(kind=Failures, preset="literal"))),
    ],
)
def test_what_was_seen_is_not_said_to_be_left_out(at, sight):
    tour = begun(at, sight)
    tour.turn(1, sight)
    assert not tour.skipped_title


@pytest.mark.parametrize(("moves", "said"), [(X_WINS, "taken out"), (O_WINS, "more of"), (DRAWN, "draw adds")])
def test_after_a_game_it_says_what_became_of_the_beads(moves, said):
    sight = at_the_board(None, pupil(), moves)
    tour = begun(1, sight)
    assert said in tour.words(sight).explanation
    sight.session.new_game()
    tour.update(sight)
    assert tour.index == 2


def test_a_name_in_the_tour_is_no_key():
    def styles(name):
        sight = ScreenView("train", job=job(name=name))
        return [line.spans for line in tour_lines(begun(2, sight).words(sight), 90)]

    assert styles("`F4`") == styles("'F4'")


@pytest.mark.parametrize(
    ("kind", "preset", "against"), [(Menace, "michie", "perfect"), (Failures, "literal", "itself")]
)
def test_the_tour_says_truly_against_whom_the_machine_trains(kind, preset, against):
    sight = at_the_board(None, pupil(kind=kind, preset=preset))
    assert against in begun(2, sight).words(sight).instruction


def test_a_game_that_began_before_the_training_is_not_the_one_to_play():
    sight = at_the_board(pupil(), None, (0, 4))
    tour = begun(3, sight)
    asked = tour.words(sight).instruction
    sight.session.current.outdated = True
    assert "`n`" in tour.words(sight).instruction != asked


@pytest.mark.parametrize(("moves", "said"), [(X_WINS, "luck"), (O_WINS, "slip"), (DRAWN, "held you")])
def test_after_the_game_with_the_trained_machine_it_says_why_it_ended_so(moves, said):
    seats = None, pupil(BEGINNER_ROUNDS)
    tour = begun(3, at_the_board(*seats))
    over = at_the_board(*seats, moves)
    tour.update(over)
    assert tour.index == 4
    assert said in tour.words(over).news
    for stages in (-1, 1):
        tour.turn(stages, over)
    assert STAGES[3].title[1:] not in tour.words(over).news, "it was not left out"


@pytest.mark.parametrize("opening", [0, 1, 4])
def test_the_tour_names_the_answers_whose_boxes_the_trained_machine_never_opened(opening):
    machine = pupil(1000)
    sight = at_the_board(machine, None, (opening,))
    said = tour_digits(begun(3, sight), sight)
    for move in TICTACTOE.moves(sight.session.match.position):
        after = TICTACTOE.play(sight.session.match.position, move)
        assert (open_box(machine, after).note == "not opened before") == (str(move + 1) in said)
    sight.session.match.play(int(said[0]) - 1)
    assert not tour_digits(begun(3, sight), sight)


def tour_digits(tour, sight):
    """The squares that the tour names."""
    return re.findall(r"\b\d\b(?!,\d)", tour.words(sight).explanation.partition(":")[0])


def test_the_tour_says_how_a_game_comes_back_that_another_player_ends():
    sight = at_the_board(None, pupil(), (4, 0))
    assert "`u`" in begun(4, sight).words(sight).instruction
    assert "`u`" not in begun(4, at_the_board()).words(at_the_board(moves=X_WINS)).instruction
    for at, machine in ((0, pupil()), (4, pupil(kind=Failures, preset="literal"))):
        here = at_the_board(None, machine)
        kept = replace(here, keeps_game=True)
        assert UNDO_INSTRUCTION in begun(at, kept).words(kept).instruction
        assert UNDO_INSTRUCTION not in begun(at, here).words(here).instruction


def test_the_reasoner_is_introduced_then_seated_then_looked_at():
    board = at_the_board()
    tour = begun(4, board)
    introduced = tour.words(board)
    assert tour.introduce(board).second == "save:riechel"
    met = at_the_board(None, pupil(kind=Failures, preset="literal"))
    tour.update(met)
    assert tour.introduce(met) is None
    seated = tour.words(met)
    for move in (4, 0):
        met.session.match.play(move)
    answered = tour.words(met)
    assert "struck" in answered.explanation
    assert len({introduced, seated, answered}) == 3
    assert tour.index == 4
    for move in (1, 7, 2, 6, 3, 5, 8):
        met.session.match.play(move)
    tour.update(met)
    assert tour.index == 5


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
    sight = ScreenView("train", job=job(state, done), losses=(0.5, 0.125) if on else None)
    tour.update(sight)
    assert tour.index == 2, "the person has not seen yet what it learned"
    said = tour.words(sight).explanation
    assert ("could not be saved" in said) == ("50 %" in said and "12.5 %" in said) == on
    tour.update(replace(sight, mode="play", session=at_the_board().session, losses=None))
    assert tour.index == 2 + on


@pytest.mark.parametrize(("kind", "preset"), [(Menace, "michie"), (Failures, "literal")])
def test_the_end_tells_what_was_seen_of_a_machine_with_beads(kind, preset):
    seen = ScreenView("train", job=job(learner=pupil(kind=kind, preset=preset)), losses=(0.5, 0.125))
    tour = begun(len(STAGES) - 1, seen)
    tour.update(seen)
    for view in (seen, at_the_board()):
        assert ("in 12.5 % of games, not 50 %" in tour.words(view).explanation) == (kind is Menace)


def sights():
    """Views of many screens, with names of maximum length."""
    for mode in ("play", "train", "library", "tree", "race"):
        yield ScreenView(mode, form="Failure-based reasoner, 1,000,000,000 games")
        yield ScreenView(mode, is_above=True)
        for state in JobState:
            yield ScreenView(mode, job=job(state, name=LONG), losses=(0.764, 0.055))
    for player in (RandomPlayer(TICTACTOE), pupil(), pupil(BEGINNER_ROUNDS), pupil(kind=Failures, preset="literal")):
        player.label = f"save:{LONG}"
        for moves in ((), (4, 0), X_WINS, O_WINS, DRAWN):
            yield at_the_board(None, player, moves)
            yield replace(at_the_board(player, None, moves[:1]), keeps_game=True)


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_text_of_the_tour_fits_into_its_lines_in_whole_sentences(width):
    said = set()
    for sight in sights():
        for at, stage in enumerate(STAGES):
            tour = begun(at, sight)
            words = tour.words(sight)
            lines = [line.plain for line in tour_lines(words, width - EDGES)]
            assert len(lines) <= TEXT_LINES
            assert all(cell_len(line) <= width - EDGES for line in lines)
            known = " ".join(words.explanation.replace("`", "").split())
            whole = f"{words.news} {known}".strip()
            told, _, done = " ".join(" ".join(lines).split()).rpartition(words.instruction.replace("`", ""))
            assert not done, "what to do comes last, and whole"
            assert told.strip() == whole or known.startswith(told.strip())
            assert told.strip()[-1:] in ".!?"
            assert width < 80 or told.strip() == whole
            frame = tour_title(tour, Text(stage.title), width).plain, " · ".join(tour_keys(tour).values())
            assert max(map(cell_len, frame)) <= width - CORNERS
            said.add(whole)
    assert len(said) >= 15
    for offer in (OFFER, OFFER_TO_GO_ON):
        assert keyed_text(offer).cell_len <= 60 - EDGES


@pytest.mark.parametrize(("words", "lines"), [(1, 1), (12, 3), (20, 2)])
def test_in_a_wide_terminal_what_to_do_stands_beside_what_to_know_if_it_fits(words, lines):
    do = " ".join(["press"] * words)
    told = [line.plain.rstrip() for line in tour_lines(Words("Known.", do), 150)]
    assert len(told) == lines
    assert " ".join(" ".join(told).split()) == f"Known. {do}"
    assert {line.find("press") for line in told} == ({120} if words < 20 else {-1, 0})


@pytest.mark.parametrize("sight", [ScreenView("play"), ScreenView("library"), at_the_board()])
def test_next_and_back_pass_every_stage_on_every_screen(sight):
    tour, seen = begun(0, sight), []
    while not tour.was_left:
        seen.append(tour.index)
        tour.turn(1, sight)
    assert seen == [*range(len(STAGES))]
    tour, back = begun(len(STAGES) - 1, sight), [len(STAGES) - 1]
    while tour.index:
        tour.turn(-1, sight)
        back.append(tour.index)
    assert back == seen[::-1]


def test_the_tour_can_be_moved_by_keys_left_and_resumed():
    sight = ScreenView("play")
    tour = Tour(offered=True)
    tour.begin(sight)
    tour.turn(-1, sight)
    assert tour.index == 0
    for _ in range(2):
        tour.turn(1, sight)
    tour.leave()
    tour.update(at_the_board(moves=X_WINS))
    assert (tour.index, tour.is_under_way, tour.was_left) == (2, False, True)
    tour.begin(sight)
    assert (tour.index, tour.is_under_way) == (2, True)
    for at in (3, 4, 5):
        tour.turn(1, sight)
        assert tour.index == at
    tour.turn(1, sight)
    assert (tour.index, tour.is_under_way) == (0, False)


@pytest.mark.parametrize(("kept", "at"), [("", 0), ("1", 0), ("4", 3), ("7", 0), ("x", 0), ("²", 0)])
def test_the_tour_goes_on_after_a_restart_where_it_was_left(kept, at):
    tour = Tour(offered=True, chapter=kept)
    assert tour.index == at
    assert tour.offer == (OFFER_TO_GO_ON if at else OFFER)
    tour.begin(ScreenView("play"))
    assert tour.index == at
