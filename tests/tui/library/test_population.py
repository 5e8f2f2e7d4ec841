"""A population on the screens: its form, its training, and its memory."""

import pytest
from textual.widgets import Label

from engine.games import parse_game
from engine.spaces import space_of
from lab.text.numbers import BARS, percent_text
from lab.training.training_job import PACES, TrainingJob
from learners.core.training import TrainingPlan, run
from learners.fixed import fixed_policy
from learners.genetic.learner import Genetic
from saves.library.library import Library
from saves.paths import library_path
from tests.tui.piloting import is_shown, running
from tests.tui.ways import open_train
from tui.library.memory_screen import MemoryScreen
from tui.library.time_line import TimeLine
from tui.widgets.card_view import card_text

TICTACTOE = parse_game("tictactoe")


def bred(game=TICTACTOE, generations=7):
    learner = Genetic(game, "hochmuth", 1, {"population": 20, "until": "end"})
    for _ in run(learner, TrainingPlan(generations)):
        pass
    return learner


async def train(pilot, learner, generations):
    await open_train(pilot)
    job = TrainingJob(learner, generations, "a", PACES[0], lambda _snapshot: None)
    pilot.app.train(job)
    await pilot.until(lambda: not job.view.state.active and pilot.screen.watched.drawn is job.view)
    await pilot.come_to_rest()


@pytest.mark.long
async def test_the_form_counts_generations_and_offers_only_what_is_possible(pilot):
    await open_train(pilot)
    await pilot.pick("learner", "genetic")
    opponents = pilot.form.fields["opponent"]
    await pilot.until(lambda: opponents.values == ["self"])
    await pilot.sees("generations")
    assert pilot.form["rounds"] == "500"
    paces = pilot.form.fields["pace"].values
    assert paces == [
        "full speed",
        "20 seconds in all",
        "10 generations a second",
        "3 generations a second",
        "1 generation a second",
    ]
    pilot.enter(rounds="0")
    pilot.enter(name="a")
    await pilot.press("escape", "g")
    await pilot.until(lambda: "generations: '0'" in pilot.form_error)
    await pilot.pick("learner", "failures")
    await pilot.until(lambda: "human" in opponents.values)
    assert "generations" not in str(pilot.screen.query(Label))
    assert pilot.form["rounds"] == "0"  # what a person typed stays


@pytest.mark.long
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_training_shows_the_champions_games_and_no_board(size):
    async with running(size=size) as pilot:
        await train(pilot, Genetic(TICTACTOE, "hochmuth", 1, {"population": 20, "until": "end"}), 7)
        stats = pilot.app.job.view.snapshot.stats
        assert pilot.train_state.startswith("Finished")
        assert pilot.text_of("#train-board") == ""
        assert pilot.train_summary.startswith(f"lost {percent_text(stats['lost'] / stats['games'])}")
        if size[0] >= 120:
            assert f"fitness {stats['best_fitness'] / 10**9:.4g}" in pilot.train_summary
        growth = pilot.screen.query_one("#growth")
        while not is_shown(growth):
            await pilot.press("m")
            await pilot.come_to_rest()
        assert pilot.train_title == "Lost of 10,000 games"
        await pilot.until(lambda: "worst " in pilot.screen_text and "best " in pilot.screen_text)
        assert "wins" not in pilot.screen_text


async def test_inside_a_population_a_card_is_turned_and_explains_its_move():
    Library(library_path()).save("a", bred().snapshot())
    async with running(size=(120, 40)) as pilot:
        await pilot.press("l")
        await pilot.sees("7 generations")
        await pilot.press("enter")
        await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.edges)
        await pilot.press("right")
        await pilot.sees("Its champion plays")
        await pilot.press("w")
        await pilot.sees("given a half turn")
        screen = pilot.screen
        await pilot.press("slash", *"X.O/", *".../...")
        await pilot.press("enter")
        await pilot.until(lambda: len(screen.edges) == 1)
        await pilot.until(lambda: screen.turn > 0 or "Its champion plays" in pilot.screen_text)
        await pilot.sees("X.O/.../... X")


@pytest.mark.parametrize("width", [43, 76])
def test_a_gene_shows_how_each_of_its_choices_spread(width):
    learner = bred()
    lines = card_text(learner, int(learner.view.cards()[0]), width).plain.splitlines()
    assert all(set(line) & set(BARS) for line in lines[-3:])


HEXAPAWN = parse_game("hexapawn")


@pytest.mark.long
async def test_a_fixed_policy_is_not_trained_on_and_its_only_checkpoint_has_no_chart():
    space = space_of(HEXAPAWN)
    policy = 1.0 * (space.first_edge[space.source] == range(len(space.source)))
    Library(library_path()).save("agent", fixed_policy(HEXAPAWN, policy).snapshot())
    async with running() as pilot:
        await pilot.press("l")
        await pilot.sees("Fixed policy", "hexapawn")
        for screen in ("list", "inside"):
            if screen == "inside":
                await pilot.press("enter")
                await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.edges)
            pilot.app.clear_notifications()
            await pilot.press("T")
            await pilot.until(lambda: pilot.newest_message)
            assert pilot.newest_message.startswith("agent: It does not learn: train the agent")
        line = pilot.screen.query_one(TimeLine)
        await pilot.until(lambda: line.is_attached and not is_shown(line))
        await pilot.sees("It does not learn")
