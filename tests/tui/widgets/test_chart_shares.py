"""The axes of a chart, its bands and signs, drawn by a chart of its own."""

import re

import pytest
from textual.app import App
from textual.events import MouseDown
from textual_plot import PlotWidget

from tests.tui.piloting import screen_text, until
from tui.widgets.chart import Chart, Curve, ShareDecades, Shares, even_step, share_end


@pytest.mark.parametrize(
    ("share", "end"), [(0.0, 0.01), (0.004, 0.01), (0.01, 0.01), (0.03, 0.03), (0.436, 0.5), (0.51, 0.75), (1.0, 1.0)]
)
def test_an_even_axis_ends_at_a_round_share(share, end):
    assert share_end(share) == pytest.approx(end)


@pytest.mark.parametrize(
    ("end", "labels"),
    [
        (0.03, ["0%", "1%", "2%", "3%"]),
        (0.5, ["0%", "25%", "50%"]),
        (1.0, ["0%", "25%", "50%", "75%", "100%"]),
    ],
)
def test_an_even_axis_is_labelled_in_per_cent(end, labels):
    axis = Shares()
    assert axis.get_labels_for_ticks(axis.get_ticks(0, end)) == labels


def test_a_logarithmic_axis_of_shares_begins_at_a_tenth_of_a_per_cent():
    axis = ShareDecades()
    assert axis.get_labels_for_ticks(axis.get_ticks(-3, 0)) == ["0.1%", "1%", "10%", "100%"]


@pytest.mark.parametrize(
    ("rows", "step"),
    [([4, 3, 2, 2, 1], 4), ([5, 4, 3, 2, 1], 1), ([7, 6, 4, 2, 1], 2), ([10, 8, 5, 3, 1], 1), ([4, 3, 3], 2), ([1], 1)],
)
def test_ticks_are_left_out_whose_row_would_belie_them(rows, step):
    assert even_step(rows) == step


@pytest.mark.parametrize(
    ("width", "rounds", "labels"), [(45, 105_000, "10k 100k"), (30, 105_000, "1k 100k"), (30, 100_000, "1k 100k")]
)
async def test_no_label_of_the_rounds_is_cut_or_runs_into_another(width, rounds, labels):
    class Plot(App[None]):
        def compose(self):
            yield Chart(id="chart")

    async with Plot().run_test(size=(width, 8)) as pilot:
        pilot.app.query_one(Chart).show((), rounds=rounds)
        await until(pilot, lambda: " ".join(screen_text(pilot).splitlines()[-1].split()).endswith(labels))


POINTS = [(at, {"a": 0.4 - at / 500, "low": 0.1, "high": 0.48, "b": None}) for at in (1, 2, 5, 10, 20, 50, 100)]


@pytest.mark.parametrize("log", [False, True])
async def test_bands_are_dots_lines_carry_signs_and_what_is_not_known_is_left_out(log):
    class Plot(App[None]):
        def compose(self):
            yield Chart(id="chart")

    async with Plot().run_test(size=(60, 20)) as pilot:
        chart = pilot.app.query_one(Chart)
        chart.shares, chart.log_counts = True, log
        chart.curves = (Curve("a", "", "primary", sign="1", band=("low", "high")), Curve("b", "", "error", sign="2"))
        chart.show(POINTS, rounds=100)
        await until(
            pilot, lambda: screen_text(pilot).count("·····") and re.search("[▀▄▌▐]1|1[▀▄▌▐]", screen_text(pilot))
        )
        shown = screen_text(pilot)
    dotted = [line for line in shown.splitlines() if "·····" in line]
    assert len(dotted) == 2
    assert re.search("[▀▄▌▐]1|1[▀▄▌▐]", shown)
    assert ("0.1%" in shown) is log
    assert "2" not in shown.replace("25%", "")


async def test_a_click_on_it_that_comes_when_something_else_is_there_does_nothing():
    class Drawn(App):
        def compose(self):
            yield Chart(id="chart")

    async with Drawn().run_test(size=(40, 12)) as pilot:
        plot = pilot.app.query_one(PlotWidget)
        plot.post_message(MouseDown(plot, 1, 1, 0, 0, 1, False, False, False, 300, 300))
        await pilot.pause()
        assert plot.is_running
