"""Medians, bands and shares of variance, compared with those of the standard library."""

from itertools import product
from math import isnan
from random import Random
from statistics import fmean, median

import numpy as np
import pytest

from engine.game import BadText, Side
from learners.race.measures import MEASURES, parse_measure
from learners.sweep.analysis import groups, key_columns, needed_columns, read_machines, variance_explained
from learners.sweep.layout import RESULTS, layout_of
from tests.sweeps import small_plan

KEYS = ("win", "empty")


def made_up(machines=60, seed=1):
    """Rows of two columns, a mark and the shares of both sides."""
    random = Random(seed)
    return [
        (
            str(win),
            empty,
            "10",
            repr(random.random() * (3 if win == 1 else 1) / 3),
            "false",
            repr(random.random()),
            "true",
        )
        for win, empty, _ in product((1, 3), ("resign", "refill"), range(machines))
    ]


def test_groups_have_the_median_and_the_middle_of_their_machines_best_first():
    machines = read_machines(KEYS, made_up())
    found = groups(machines, ("win", "empty"), lower_is_better=True)
    assert [group.median for group in found] == sorted(group.median for group in found)
    assert [group.machines for group in found] == [60] * 4
    for group in found:
        shares = [float(row[3]) for row in made_up() if row[:2] == group.values]
        assert group.median == pytest.approx(median(shares))
        assert (group.low, group.high) == pytest.approx(tuple(np.percentile(shares, [10, 90])))
    assert found[0].values[0] == "3"
    assert groups(machines, ("win", "empty"), lower_is_better=False) == found[::-1]


def test_the_share_explained_is_that_between_the_means_of_the_values():
    rows = made_up()
    machines = read_machines(KEYS, rows)
    for at, key in enumerate(KEYS):
        shares = [float(row[3]) for row in rows]
        mean = fmean(shares)
        by = {value: fmean(float(row[3]) for row in rows if row[at] == value) for value in {row[at] for row in rows}}
        between = sum((by[row[at]] - mean) ** 2 for row in rows)
        assert variance_explained(machines, key) == pytest.approx(
            between / sum((share - mean) ** 2 for share in shares)
        )
    assert variance_explained(machines, "win") > 10 * variance_explained(machines, "empty")


def test_a_side_that_is_untrained_does_not_count():
    rows = [("1", "keep", "10", "0.2", "false", "0.6", "true"), ("1", "keep", "10", "0.2", "false", "0.6", "false")]
    assert read_machines(KEYS, rows).share.tolist() == [0.2, 0.4]
    nobody = [("1", "keep", "10", "0.2", "true", "0.6", "true"), *rows]
    machines = read_machines(KEYS, nobody)
    assert isnan(machines.share[0])
    assert [group.median for group in groups(machines, ("win",), lower_is_better=True)] == pytest.approx([0.3])


def test_a_cell_that_is_no_number_is_refused():
    for rounds, share in (("x", "0.1"), ("1", "high"), ("9" * 9999, "0")):
        with pytest.raises(BadText, match="a cell of the table is not a number"):
            read_machines(KEYS, [("1", "keep", rounds, share, "false")])
    for rounds, share in (("0", "0.1"), ("1", "inf"), ("1", "nan"), ("9" * 30, "0"), ("-5", "0")):
        with pytest.raises(BadText, match="rounds, or a share that is not from 0 to 1"):
            read_machines(KEYS, [("1", "keep", rounds, share, "false")])


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_is_found_in_the_table(measure):
    assert set(needed_columns(measure, None, RESULTS)) <= set(RESULTS)
    assert len(needed_columns(measure, Side.SECOND, RESULTS)) == 2


def test_measures_have_the_columns_of_their_names():
    assert needed_columns(parse_measure("loss-best"), Side.FIRST, RESULTS) == (
        "first_best_responder_loss",
        "first_untrained",
    )
    assert needed_columns(parse_measure("perfect-moves"), Side.SECOND, RESULTS) == (
        "second_perfect_moves",
        "second_untrained",
    )


def test_the_settings_stand_between_the_seed_and_the_rounds():
    columns = list(layout_of(small_plan().points).columns)
    assert key_columns(columns) == ("learner", "preset", "game", "opponent", "win", "empty")
    for other in ([], ["seed"], columns[:-1], columns[1:], [name for name in columns if name != "rounds"]):
        with pytest.raises(BadText):
            key_columns(other)
