"""The exact results of a training on the Train screen."""

from threading import Event

from engine.evaluate import scoreboard
from engine.game import Side
from engine.games import parse_game
from lab.training import exact_history as truth_module
from lab.training.exact_history import exact_of
from lab.training.training_job import PACES, JobState, TrainingJob
from lab.words.learner_facts import verdict
from lab.words.numbers import percent_number
from learners import parse_player, revive
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.rewind import rewound
from tests.saves.brains import train
from tests.tui.piloting import running, screen_text, text_of, until
from tui.train.exact_chart import ExactChart
from tui.train.screen import TrainScreen

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")

OPPONENTS = ("random", "perfect", "best_responder")


def judged(snapshot, rounds):
    """The results of the evaluator for a checkpoint of a snapshot."""
    learner = revive(rewound(snapshot, rounds), parse_game(snapshot.game))
    board = scoreboard(learner.space, learner.policy())
    return {side.name.lower(): board[side.name.lower()] for side in learner.sides}


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
