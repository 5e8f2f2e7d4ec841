"""Pictures of sweeps: whole, well-formed, and safe with any text."""

import xml.etree.ElementTree as ET
from itertools import pairwise, product

import pytest

from engine.game import BadText
from lab.sweep.pictures import MAX_CURVES, curves, heat_map
from lab.sweep.sweep_text import group_lines
from learners.sweep.analysis import Group, read_machines

HOSTILE = "<script>&\"'"


def made_up(values=("1", "3"), names=("keep", HOSTILE), marks=("1", "10", "100")):
    rows = [
        (value, name, mark, repr(0.9 / (1 + int(value)) / len(mark)), "false")
        for value, name, mark, _ in product(values, names, marks, range(3))
    ]
    return read_machines(("win", "empty"), rows)


def svg(picture):
    root = ET.fromstring(picture.picture().svg())  # noqa: S314  drawn just now
    width, height = float(root.get("width")), float(root.get("height"))
    for text in root.findall("{*}text"):
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height
    return root


def test_curves_have_a_band_and_a_label_each_the_best_first():
    picture = curves(made_up(), ("win", "empty"), "losses", lower_is_better=True)
    assert picture.curves[0].name.startswith("win 3")
    root = svg(picture)
    drawn = [path.get("class") for path in root.findall("{*}path")]
    for curve in range(1, 5):
        assert f"curve{curve}-f" in drawn
        assert f"curve{curve}-s l" in drawn
    assert f"win 3, empty {HOSTILE}" in [text.text for text in root.findall("{*}text")]
    labels = [float(text.get("y")) for text in root.findall("{*}text") if (text.text or "").startswith("win")]
    assert len(labels) == 4
    assert all(low - high >= 15 for high, low in pairwise(sorted(labels))), "labels do not overlap"


def test_more_curves_than_colours_are_left_out_and_counted():
    picture = curves(made_up(tuple(map(str, range(12)))), ("win",), "losses", lower_is_better=True)
    assert (len(picture.curves), picture.left_out) == (MAX_CURVES, 4)
    assert "losses (4 more not drawn)" in picture.picture().svg()


@pytest.mark.parametrize("width", [20, 60, 80, 200])
def test_lines_fit_the_terminal(width):
    for picture in (
        curves(made_up(), ("win",), "losses", lower_is_better=True),
        heat_map(made_up().at(100), ("win", "empty"), "losses", lower_is_better=True),
    ):
        lines = picture.lines(width)
        assert max(map(len, lines)) <= max(width, 27)
    drawn = curves(made_up(), ("win",), "losses", lower_is_better=True).lines(60)
    assert drawn[-2:] == ["  A win 3", "  B win 1"]
    rows = {letter: [nth for nth, line in enumerate(drawn[1:17]) if letter in line[7:]] for letter in "AB"}
    assert min(rows["A"]) > min(rows["B"]), "smaller shares are lower"


def test_one_mark_and_one_group_can_be_drawn():
    machines = made_up(("1",), ("keep",), ("10",))
    picture = curves(machines, (), "losses", lower_is_better=True)
    assert [curve.name for curve in picture.curves] == ["all"]
    assert svg(picture) is not None
    assert picture.lines(60)


def test_a_heat_map_has_a_cell_for_each_pair_in_natural_order():
    picture = heat_map(made_up(("10", "9", "1")).at(100), ("win", "empty"), "losses", lower_is_better=True)
    assert picture.across == ("win", ("1", "9", "10"))
    assert len(svg(picture).findall("{*}path")) == 6


@pytest.mark.parametrize("lower_is_better", [True, False])
def test_the_best_cell_of_a_heat_map_has_the_fullest_shade(lower_is_better):
    heat = heat_map(made_up().at(100), ("win", "empty"), "", lower_is_better=lower_is_better)
    levels = [heat.level(share) for share in heat.shares.values()]
    assert (levels[0], levels[-1]) == (1, 0), "the best is the first"
    assert levels == sorted(levels, reverse=True)


def test_a_heat_map_that_is_too_large_or_empty_is_refused():
    with pytest.raises(BadText, match="room for 40 values"):
        heat_map(made_up(tuple(map(str, range(41)))).at(100), ("win", "empty"), "losses", lower_is_better=True)
    nobody = read_machines(("win", "empty"), [("1", "keep", "1", "0.5", "true")])
    for draw in (
        lambda: heat_map(nobody, ("win", "empty"), "", lower_is_better=True),
        lambda: curves(nobody, ("win",), "", lower_is_better=True),
    ):
        with pytest.raises(BadText, match="no machine was trained for the chosen side"):
            draw()


def test_the_table_of_groups_has_dashes_for_what_is_missing():
    lines = group_lines(("win",), [Group(("",), 3, 0.1, 0.2, 0.3), Group(("1",), 1, 0.5, 0.5, 0.5)])
    assert lines == ["win  machines  median [middle 80 %]", "–           3  20.0 [10.0–30.0]", "1           1  50.0"]
