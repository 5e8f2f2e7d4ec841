"""A training as it is drawn: what takes the room there is, for learners of either kind."""

import pytest

from engine import parse_game
from learners.failures import Failures
from learners.menace import Menace
from tests.tui.piloting import is_shown, running, screen_text, text_of, until
from tui.arrangement import Part
from tui.jobs import PACES, TrainingJob
from tui.screens.train import TrainScreen
from tui.widgets.training_view import curves_of

TICTACTOE = parse_game("tictactoe")


async def train(pilot, learner, games=300):
    """Show a training on the Train screen, to its end."""
    await pilot.press("t")
    await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen))
    job = TrainingJob(learner, games, "a", PACES[0], lambda _snapshot: None)
    pilot.app.train(job)
    await until(pilot, lambda: job.view.state.over and pilot.app.screen.drawn is job.view)
    await pilot.pause()


def figures(pilot):
    """What is to be seen of the charts, the exact results, the wall and the newest cards."""
    return {each.name.lower() for each in Part if is_shown(pilot.app.screen.query_one(each.value))}


@pytest.mark.parametrize("learner", [Failures, Menace])
async def test_figures_take_turns_where_there_is_room_for_one(learner):
    async with running() as pilot:
        await train(pilot, learner(TICTACTOE, next(reversed(learner.presets_for(TICTACTOE))), 1))
        for shown in (
            {"truth", "newest"},
            {"results", "newest"},
            {"growth", "newest"},
            {"exact"},
            {"wall"},
            {"truth", "newest"},
        ):
            await until(pilot, lambda shown=shown: figures(pilot) == shown)
            await pilot.press("f")


@pytest.mark.parametrize(
    ("size", "turns"),
    [
        ((120, 40), [{"exact", "wall"}, {"exact", "growth"}, {"exact", "newest"}]),
        ((120, 30), [{"exact"}, {"newest"}, {"wall"}, {"growth"}, {"exact"}]),
    ],
)
async def test_on_a_wide_screen_the_tally_stands_beside_the_truth_and_figures_take_turns_below(size, turns):
    async with running(size=size) as pilot:
        await train(pilot, Menace(TICTACTOE, "scroggs", 1))
        for below in turns:
            await until(pilot, lambda below=below: figures(pilot) == {"results", "truth", *below})
            await pilot.press("f")


async def test_boxes_live_on_a_wall_and_failures_are_told_as_they_come():
    async with running(size=(120, 40)) as pilot:
        await train(pilot, Menace(TICTACTOE, "scroggs", 1))
        await until(pilot, lambda: "X, move 1" in screen_text(pilot))
        await pilot.press("f")
        await until(pilot, lambda: "Beads gained" in screen_text(pilot))
        await pilot.press("f")
        await until(pilot, lambda: "Boxes of the last game" in screen_text(pilot))
        await train(pilot, Failures(TICTACTOE, "literal", 1))
        await until(pilot, lambda: "Newest failures" in screen_text(pilot))


async def test_a_tall_screen_that_is_not_wide_tells_the_exact_results_below_each_figure():
    async with running(size=(90, 40)) as pilot:
        await train(pilot, Failures(TICTACTOE, "literal", 1))
        await until(pilot, lambda: figures(pilot) == {"truth", "exact", "newest"})


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_beside_the_rate_stand_plies_and_the_share_of_resigned_games(size):
    async with running(size=size) as pilot:
        await train(pilot, Menace(TICTACTOE, "scroggs", 1))
        stats = pilot.app.job.view.snapshot.stats
        words = f"{stats['plies'] / stats['games']:.2f} plies a game, "
        assert text_of(pilot, "#kind").startswith(words)
        assert text_of(pilot, "#kind").endswith(" % resigned")
        await until(pilot, lambda: words in screen_text(pilot))
        await until(pilot, lambda: "boxes" in screen_text(pilot))


async def test_they_are_those_of_this_training_where_it_goes_on_from_another():
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.train(5000)
    before = learner.stats()
    async with running() as pilot:
        await train(pilot, learner, games=100)
        after = pilot.app.job.view.snapshot.stats
        now, ever = (after["plies"] - before["plies"]) / 100, after["plies"] / after["games"]
        assert f"{now:.2f}" != f"{ever:.2f}"
        assert text_of(pilot, "#kind").startswith(f"{now:.2f} plies a game, ")


def test_a_curve_of_a_side_has_its_colour_and_others_differ():
    colours = {curve.label: curve.colour for curve in curves_of(["by {0}", "by {1}", "all", "none"])}
    assert (colours["by {0}"], colours["by {1}"]) == ("primary", "warning")
    assert len(set(colours.values())) == 4
