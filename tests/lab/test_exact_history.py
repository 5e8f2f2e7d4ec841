"""The exact results of a training: against the evaluator, and as shown in Train and at the board."""

from threading import Event

import pytest

from engine.evaluate import scoreboard
from engine.game import Side
from engine.games import parse_game
from engine.space import space_of
from lab.training import exact_history as truth_module
from lab.training.exact_history import ExactHistory, exact_of
from lab.training.training_job import PACES, JobState, TrainingJob
from lab.words.learner_facts import fares_text, fares_width, untrained, verdict
from lab.words.numbers import percent_number
from learners import parse_player, revive
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.rewind import moments, rewound
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train
from tests.tui.piloting import is_shown, make_app, running, screen_text, text_of, until
from tui.play.exact_results_view import ExactResultsView
from tui.train.exact_chart import ExactChart
from tui.train.screen import TrainScreen

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")

OPPONENTS = ("random", "perfect", "best_responder")
KINDS = [
    (Failures, "literal", {}),
    (Menace, "her", {}),
    (Menace, "scroggs", {}),
    (Genetic, "hochmuth", {"population": 20, "until": "end"}),
]


def judged(snapshot, rounds):
    """The results of the evaluator for a checkpoint of a snapshot."""
    learner = revive(rewound(snapshot, rounds), parse_game(snapshot.game))
    board = scoreboard(learner.space, learner.policy())
    return {side.name.lower(): board[side.name.lower()] for side in learner.sides}


@pytest.mark.parametrize(("kind", "preset", "settings"), KINDS)
def test_the_results_at_every_checkpoint_are_those_of_the_evaluator(kind, preset, settings):
    learner, truth = kind(HEXAPAWN, preset, 1, settings), ExactHistory()
    truth.find(learner.snapshot())
    assert truth.known == {0: judged(learner.snapshot(), 0)}
    snapshot = train(learner, 30)
    truth.find(snapshot)
    assert [*truth.known] == [*moments(snapshot)] == [0, 1, 2, 5, 10, 20, 30]
    assert truth.known == {rounds: judged(snapshot, rounds) for rounds in moments(snapshot)}
    assert truth.known[0] != truth.known[30]


def test_each_checkpoint_is_computed_once_and_the_present_is_replaced(monkeypatch):
    worked_out = []
    monkeypatch.setattr(
        truth_module, "exact_of", lambda learner: (worked_out.append(learner.rounds), exact_of(learner))[1]
    )
    learner, truth = Failures(HEXAPAWN, "literal", 1), ExactHistory()
    truth.find(train(learner, 30))
    assert worked_out == [0, 1, 2, 5, 10, 20, 30]
    truth.find(train(learner, 40))
    assert worked_out[7:] == [50, 70]
    assert [*truth.known] == [0, 1, 2, 5, 10, 20, 50, 70]
    truth.find(learner.snapshot())
    assert len(worked_out) == 9


def test_a_stopped_computation_keeps_the_known_results():
    learner, truth = Failures(HEXAPAWN, "literal", 1), ExactHistory()
    truth.find(learner.snapshot())
    known = truth.known
    truth.find(train(learner, 30), lambda: True)
    assert truth.known is known


def test_only_the_sides_that_a_learner_plays_have_results():
    assert [*exact_of(Menace(TICTACTOE, "michie", 1))] == ["first"]
    assert [*exact_of(Menace(TICTACTOE, "scroggs", 1))] == ["first", "second"]


def test_the_narrow_table_has_a_line_for_each_opponent_and_fits():
    exact = exact_of(Menace(TICTACTOE, "scroggs", 1))
    for told, marks in ((exact, "XO"), ({"second": exact["second"]}, "O")):
        lines = fares_text(TICTACTOE, told).plain.splitlines()
        assert {len(line) for line in lines} == {fares_width(len(told))}
        assert lines[0].split() == ["%", *" ".join(f"as {mark}" for mark in marks).split()]
        assert [line[:14].strip() for line in lines[2:6]] == ["random", "perfect", "itself", "knows by heart"]
        last = [*told.values()][-1]
        best = last.against["best_responder"]
        assert lines[5].split()[-3:] == [percent_number(best.win), percent_number(best.draw), percent_number(best.loss)]
        assert lines[6].split()[-1] == percent_number(last.perfect_moves)
        assert lines[7].split()[-1] == f"{last.losing_pairs:,}"
    assert (fares_width(1), fares_width(2)) == (29, 44)


def test_the_verdict_is_that_of_the_best_responder():
    exact = exact_of(Menace(TICTACTOE, "scroggs", 1))
    first, second = (percent_number(exact[side].against["best_responder"].loss) for side in ("first", "second"))
    assert (
        verdict(TICTACTOE, exact)
        == f"One who knows it by heart beats it in {first} % of games as X, {second} % of games as O."
    )
    perfect = scoreboard(space_of(HEXAPAWN), parse_player("perfect", HEXAPAWN).policy())
    assert verdict(HEXAPAWN, {"second": perfect["second"]}) == "Nobody ever beats it as B."


async def show(pilot, learner, rounds, pace=PACES[0]):
    """Train on the Train screen."""
    await pilot.press("t")
    await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen))
    job = TrainingJob(learner, rounds, "a", pace, lambda _snapshot: None)
    pilot.app.train(job)
    return job


def losses(pilot):
    """The last values in the legend of the exact chart."""
    words = text_of(pilot, "#chart-truth #legend-line").replace("best responder", "best").replace("%", "").split()
    return dict(zip(words[::2], words[1::2], strict=True))


async def test_a_finished_training_shows_its_exact_results_for_each_side():
    learner = Failures(HEXAPAWN, "literal", 1)
    async with running() as pilot:
        await show(pilot, learner, 300)
        await until(pilot, lambda: 300 in (pilot.app.screen.drawn_exact or {}))
        exact = judged(learner.snapshot(), 300)
        numbers = {
            side: {name.split("_")[0]: percent_number(seen[name].loss) for name in OPPONENTS}
            for side in Side
            for seen in [exact[side.name.lower()].against]
        }
        for size in ((80, 24), (120, 40), (60, 20)):
            await pilot.resize_terminal(*size)
            for side in Side:
                await until(pilot, lambda told=numbers[side]: losses(pilot) == told)
                title = text_of(pilot, "#exact-title")
                assert title.startswith(f"Lost as {HEXAPAWN.mark(side)}")
                told = "".join(f"{name[0]}{number}" for name, number in numbers[side.other].items())
                assert told in title.replace(" ", "") or size == (60, 20)
                await pilot.press("o")
            if size == (120, 40):
                assert verdict(HEXAPAWN, exact) in screen_text(pilot)


async def test_exact_results_are_shown_during_a_training_and_for_a_save_from_its_beginning():
    learner = Failures(HEXAPAWN, "literal", 1)
    train(learner, 200)
    async with running() as pilot:
        job = await show(pilot, learner, 10**8, PACES[1])
        await until(pilot, lambda: max(pilot.app.screen.drawn_exact or [0]) > 200)
        assert job.running
        assert [*pilot.app.screen.drawn_exact][:8] == [0, 1, 2, 5, 10, 20, 50, 100]
        job.pause()
        await until(pilot, lambda: job.view.state is JobState.PAUSED)
        rounds = job.view.snapshot.stats["games"]
        await until(pilot, lambda: rounds in pilot.app.screen.drawn_exact)
        assert (
            percent_number(judged(job.view.snapshot, rounds)["first"].against["random"].loss) == losses(pilot)["random"]
        )


async def test_the_exact_results_name_their_checkpoint(monkeypatch):
    worked_out = Event()
    async with running(size=(120, 40)) as pilot:
        await pilot.press("t")
        job = TrainingJob(Failures(HEXAPAWN, "literal", 1), 20, "a", PACES[0], lambda _snapshot: None)
        job.pause()
        pilot.app.train(job)
        await until(pilot, lambda: text_of(pilot, "#exact").startswith("Exact after 0 games\n"))
        monkeypatch.setattr(truth_module, "exact_of", lambda learner: (worked_out.wait(30), exact_of(learner))[1])
        job.resume()
        await until(pilot, lambda: text_of(pilot, "#exact").startswith("Exact after 0 games; computing …\n"))
        worked_out.set()
        await until(pilot, lambda: text_of(pilot, "#exact").startswith("Exact after 20 games\n"))


def test_an_untrained_side_is_detected_if_moves_are_counted():
    menace = Menace(HEXAPAWN, "blog-fixed", 1)
    assert untrained(menace) == []
    menace.set_opponent(parse_player("random", HEXAPAWN))
    menace.train(5)
    assert untrained(menace) == [Side.SECOND]
    menace.set_opponent(None)
    menace.train(5)
    assert untrained(menace) == []
    assert untrained(Failures(HEXAPAWN, "literal", 1)) == []


async def test_a_learner_of_one_side_shows_only_that_side():
    async with running(size=(120, 40)) as pilot:
        await show(pilot, Menace(TICTACTOE, "michie", 1), 5)
        await until(pilot, lambda: "as X" in text_of(pilot, "#exact"))
        assert "as O" not in text_of(pilot, "#exact")
        await pilot.press("o")
        await until(pilot, lambda: text_of(pilot, "#exact-title") == "Lost as X, exactly")


async def test_another_training_begins_without_results_on_the_first_side():
    menace = Menace(HEXAPAWN, "blog-fixed", 1)
    menace.set_opponent(parse_player("random", HEXAPAWN))
    async with running() as pilot:
        await show(pilot, menace, 50)
        await until(pilot, lambda: 50 in (pilot.app.screen.drawn_exact or {}))
        await pilot.press("o")
        await until(pilot, lambda: text_of(pilot, "#exact-title").startswith("Lost as B, untrained"))
        await show(pilot, Genetic(HEXAPAWN, "hochmuth", 1, {"population": 20, "until": "end"}), 7)
        await until(pilot, lambda: [*pilot.app.screen.drawn_exact] == [0, 1, 2, 5, 7])
        assert pilot.app.screen.query_one(ExactChart).display
        assert text_of(pilot, "#exact-title").startswith("Lost as W")


SEATS = [((60, 20), 29), ((80, 24), 29), ((120, 40), 44)]


@pytest.mark.parametrize(("size", "width"), SEATS)
async def test_the_results_of_the_machine_are_shown_beside_the_board(size, width):
    app = make_app("tictactoe", "human", "minimax:2")
    exact = scoreboard(space_of(TICTACTOE), parse_player("minimax:2", TICTACTOE).policy())
    async with running(app, size=size) as pilot:
        await until(pilot, lambda: "by heart" in text_of(pilot, "#exact-table"))
        told = exact if width == 44 else {"second": exact["second"]}
        assert text_of(pilot, "#exact-table") == (
            f"{verdict(TICTACTOE, {'second': exact['second']})}\n{fares_text(TICTACTOE, told).plain}"
        )
        await pilot.press("s")
        await until(pilot, lambda: text_of(pilot, "#exact-table").split("\n")[0].endswith(" as X."))


async def test_they_are_computed_once_and_again_when_the_machine_has_learned(monkeypatch):
    sought = []
    find = ExactResultsView.find
    monkeypatch.setattr(
        ExactResultsView, "find", lambda self, player, mind: (sought.append(mind), find(self, player, mind))[1]
    )
    Library(library_path()).save("a", train(Menace(TICTACTOE, "scroggs", 1), 10))
    app = make_app("tictactoe", "human", "save:a")
    async with running(app) as pilot:
        await until(pilot, lambda: "by heart" in text_of(pilot, "#exact-table"))
        before = text_of(pilot, "#exact-table")
        await pilot.press("n", "s", "s", "n")
        await pilot.pause()
        assert len(sought) == 1
        learned = revive(train(Menace(TICTACTOE, "scroggs", 1), 500), TICTACTOE)
        learned.label = "save:a"
        app.screen.session.replace_player(learned)
        app.screen.draw()
        await until(pilot, lambda: text_of(pilot, "#exact-table") not in (before, "…"))
        assert len(sought) == 2
        assert text_of(pilot, "#exact-table").startswith(verdict(TICTACTOE, {"second": exact_of(learned)["second"]}))


async def test_there_are_no_results_for_a_large_game_or_without_a_machine():
    async with running(make_app("connectfour", "human", "alphabeta:2"), size=(120, 40)) as pilot:
        await until(pilot, lambda: text_of(pilot, "#exact-table") == "Connect Four is too large for exact results.")
    async with running(make_app("tictactoe", "human", "human"), size=(120, 40)) as pilot:
        await until(pilot, lambda: not pilot.app.screen.loading)
        assert "exactly" not in screen_text(pilot)


async def test_tab_goes_to_what_is_out_of_sight():
    async with running() as pilot:
        await until(pilot, lambda: "by heart" in text_of(pilot, "#exact-table"))
        assert "losing moves open" not in screen_text(pilot)
        await until(pilot, lambda: pilot.app.screen.query_one(ExactResultsView).parent.max_scroll_y)
        await pilot.press("tab", "end")
        await until(pilot, lambda: "losing moves" in screen_text(pilot))
        assert is_shown(pilot.app.screen.query_one(ExactResultsView))
        await pilot.press("5")  # a digit plays all the same
        await until(pilot, lambda: pilot.app.screen.session.match.moves)
