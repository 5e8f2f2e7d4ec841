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
from tests.tui.piloting import (
    come_to_rest,
    enter,
    form_error,
    form_of,
    is_shown,
    newest,
    pick,
    running,
    screen_text,
    sees,
    text_of,
    title_of,
    until,
)
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
    await until(pilot, lambda: not job.view.state.active and pilot.app.screen.drawn is job.view)
    await come_to_rest(pilot)


@pytest.mark.long
async def test_the_form_counts_generations_and_offers_only_what_is_possible(pilot):
    await open_train(pilot)
    await pick(pilot, "learner", "genetic")
    opponents = form_of(pilot).fields["opponent"]
    await until(pilot, lambda: opponents.values == ["self"])
    await sees(pilot, "generations")
    assert form_of(pilot)["rounds"] == "500"
    paces = form_of(pilot).fields["pace"].values
    assert paces == [
        "full speed",
        "20 seconds in all",
        "10 generations a second",
        "3 generations a second",
        "1 generation a second",
    ]
    enter(pilot, rounds="0")
    enter(pilot, name="a")
    await pilot.press("escape", "g")
    await until(pilot, lambda: "generations: '0'" in form_error(pilot))
    await pick(pilot, "learner", "failures")
    await until(pilot, lambda: "human" in opponents.values)
    assert "generations" not in str(pilot.app.screen.query(Label))
    assert form_of(pilot)["rounds"] == "0"  # what a person typed stays


@pytest.mark.long
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_training_shows_the_champions_games_and_no_board(size):
    async with running(size=size) as pilot:
        await train(pilot, Genetic(TICTACTOE, "hochmuth", 1, {"population": 20, "until": "end"}), 7)
        stats = pilot.app.job.view.snapshot.stats
        assert text_of(pilot, "#train-state").startswith("Finished")
        assert text_of(pilot, "#train-board") == ""
        assert text_of(pilot, "#summary").startswith(f"lost {percent_text(stats['lost'] / stats['games'])} ")
        if size[0] >= 120:
            assert f"fitness {stats['best_fitness'] / 10**9:.4g}" in text_of(pilot, "#summary")
        growth = pilot.app.screen.query_one("#growth")
        while not is_shown(growth):
            await pilot.press("m")
            await come_to_rest(pilot)
        assert title_of(pilot, "#train-chart") == "Lost of 10,000 games"
        await until(pilot, lambda: "worst " in screen_text(pilot) and "best " in screen_text(pilot))
        assert "wins" not in screen_text(pilot)


async def test_inside_a_population_a_card_is_turned_and_explains_its_move():
    Library(library_path()).save("a", bred().snapshot())
    async with running(size=(120, 40)) as pilot:
        await pilot.press("l")
        await sees(pilot, "7 generations")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.edges)
        await pilot.press("right")
        await sees(pilot, "as it is")
        await pilot.press("w")
        await until(pilot, lambda: ".../.../..X O" in screen_text(pilot) and "given a half turn" in screen_text(pilot))
        screen = pilot.app.screen
        await pilot.press("slash", *"X.O/", *".../...")
        await pilot.press("enter")
        await until(pilot, lambda: len(screen.edges) == 1)
        await until(pilot, lambda: screen.turn > 0 or "as it is" in screen_text(pilot))
        await sees(pilot, "X.O/.../... X")


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
        await sees(pilot, "Fixed policy", "hexapawn")
        for screen in ("list", "inside"):
            if screen == "inside":
                await pilot.press("enter")
                await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.edges)
            pilot.app.clear_notifications()
            await pilot.press("T")
            await until(pilot, lambda: newest(pilot))
            assert newest(pilot).startswith("agent: It does not learn: train the agent")
        line = pilot.app.screen.query_one(TimeLine)
        await until(pilot, lambda: line.is_attached and not is_shown(line))
        await sees(pilot, "It does not learn")
