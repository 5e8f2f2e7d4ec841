"""A training as it is drawn: what takes the room there is, for learners of either kind."""

import pytest

from engine.games import parse_game
from lab.training.layout import Part
from lab.training.training_job import PACES, TrainingJob
from learners import LEARNERS
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from tests.tui.piloting import come_to_rest, is_shown, running, screen_text, text_of, until
from tui.train.screen import TrainScreen
from tui.train.training_view import curves_of

TICTACTOE = parse_game("tictactoe")


async def train(pilot, learner, games=300):
    """Show a training on the Train screen, to its end."""
    await pilot.press("t")
    await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen))
    job = TrainingJob(learner, games, "a", PACES[0], lambda _snapshot: None)
    pilot.app.train(job)
    await until(pilot, lambda: job.view.state.over and pilot.app.screen.drawn is job.view)
    await come_to_rest(pilot)


def figures(pilot):
    """What is to be seen of the charts, the exact results, the wall and the newest cards."""
    return {each.name.lower() for each in Part if is_shown(pilot.app.screen.query_one(each.value))}


TURNS = [
    ((80, 24), [{"truth", "newest"}, {"results", "newest"}, {"growth", "newest"}, {"exact"}, {"wall"}]),
    ((120, 40), [{"wall", "exact"}, {"growth", "exact"}, {"newest", "exact"}]),
    ((120, 30), [{"wall"}, {"growth"}, {"exact"}, {"newest"}]),
    ((90, 40), [{"truth", "exact", "newest"}]),
    ((60, 20), [{"truth"}]),
]
"""What is seen in turn; on a wide screen that is below the tally and the truth."""


async def test_figures_take_turns_where_there_is_room_for_one_and_the_kind_of_games_is_told_at_every_size():
    async with running() as pilot:
        await train(pilot, Menace(TICTACTOE, "scroggs", 1), 50)
        stats = pilot.app.job.view.snapshot.stats
        kind = f"{stats['plies'] / stats['games']:.2f} plies per game, "
        headings = {"wall": "X, move 1", "growth": "Beads gained", "newest": "Boxes of the last game"}
        for size, turns in TURNS:
            await pilot.resize_terminal(*size)
            always = {"results", "truth"} if size[0] == 120 else set()
            for shown in turns:
                await until(pilot, lambda shown=always | shown: figures(pilot) == shown)
                for figure in shown & headings.keys():
                    await until(pilot, lambda figure=figure: headings[figure] in screen_text(pilot))
                if shown is turns[0]:
                    await until(pilot, lambda: kind in screen_text(pilot) and "boxes" in screen_text(pilot))
                if len(turns) > 1:
                    await pilot.press("f")
        assert text_of(pilot, "#kind").startswith(kind)
        assert text_of(pilot, "#kind").endswith(" % resigned")


async def test_failures_are_told_as_they_come():
    async with running(size=(90, 40)) as pilot:
        await train(pilot, Failures(TICTACTOE, "literal", 1), 50)
        await until(pilot, lambda: "Newest failures" in screen_text(pilot))


async def test_they_are_those_of_this_training_where_it_goes_on_from_another():
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.train(500)
    before = learner.stats()
    async with running() as pilot:
        await train(pilot, learner, games=100)
        after = pilot.app.job.view.snapshot.stats
        now, ever = (after["plies"] - before["plies"]) / 100, after["plies"] / after["games"]
        assert f"{now:.2f}" != f"{ever:.2f}"
        assert text_of(pilot, "#kind").startswith(f"{now:.2f} plies per game, ")


def test_a_curve_of_a_side_has_its_colour_and_others_differ():
    colours = {curve.label: curve.colour for curve in curves_of(["by {0}", "by {1}", "all", "none"])}
    assert (colours["by {0}"], colours["by {1}"]) == ("primary", "warning")
    assert len(set(colours.values())) == 4


@pytest.mark.parametrize("kind", LEARNERS)
def test_curves_of_one_chart_differ_without_their_colours(kind):
    learner = kind(TICTACTOE, kind.spec.presets_for(TICTACTOE)[0], 1)
    for curves in learner.view.curves(learner.stats()):
        signs = [curve.sign.format("X", "O") for curve in curves_of(curves.numbers)]
        assert signs == [""] or len({*signs} - {""}) == len(signs)
