"""The rows of a sweep hold what the other commands report about the same machine."""

import csv
from io import StringIO
from itertools import product
from math import isnan, nan
from random import Random
from statistics import fmean, median

import numpy as np
import pytest

from cli.shared.score_documents import results_document
from engine.evaluate import scoreboard
from engine.game import BadText, Side
from engine.stop import never
from learners import LEARNERS
from learners.race import measures
from learners.race.measures import MEASURES, PLAYED_MEASURE, judging_of, parse_measure
from learners.sweep.analysis import groups, key_columns, needed_columns, read_machines, variance_explained
from learners.sweep.batch import run_batch
from learners.sweep.definition import define
from learners.sweep.layout import RESULTS, ROUNDS, WHO, layout_of
from learners.sweep.point import opponent_of
from learners.sweep.running import plan_of
from tests.sweeps import small_plan

KINDS = [kind.spec.name for kind in LEARNERS]


def rows_of(plan, seeds=None, number=0):
    text = run_batch(plan.batch(number, plan.definition.seeds if seeds is None else seeds)).text
    return list(csv.DictReader(StringIO(plan.layout.header + text), strict=True))


def flat(document):
    """The exact results under the names of columns."""
    found = {}
    for side, results in document.items():
        for name, value in {"untrained": False, **results}.items():
            for key, share in value.items() if isinstance(value, dict) else [("", value)]:
                found[f"{side}_{name}" + (f"_{key}" if key else "")] = share
    return found


BUDGETS = {"genetic": {"generations": 3, "set": {"population": 20, "elite": 2}}}
PERFECT = {"learner": "genetic:swift", "set": {"until": "perfect", "population": 200}}


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("kind", "opponent"),
    [("menace", "random"), ("genetic", "self"), ("q", "self"), ("failures", "self"), ("td", "random")],
)
def test_rows_hold_the_results_and_statistics_of_the_machine(kind, opponent):
    base = {"learner": kind, "game": "hexapawn", "opponent": opponent, "seeds": 2, "seed": 7}
    plan = plan_of(define({**base, **BUDGETS.get(kind, {"games": 30})}))
    point = plan.points[0]
    rows = rows_of(plan)
    marks = plan.definition.marks_of(kind)
    assert [(int(row["seed"]), int(row["rounds"])) for row in rows] == [
        (seed, mark) for seed in (7, 8) for mark in marks
    ]
    for row in rows:
        machine = point.machine(int(row["seed"]), opponent_of(point))
        machine.train(int(row["rounds"]))
        reported = flat(results_document(scoreboard(machine.space, machine.policy()), machine.trained_sides))
        assert reported.keys() == RESULTS.keys()
        for column, value in reported.items():
            written = row[column]
            exact = isinstance(value, bool | int)
            assert written == str(value).lower() if exact else abs(float(written) - value) <= 1e-12
        for key, value in machine.spec.json_stats(machine.stats()).items():
            assert row[plan.layout.statistic_column(key)] == str(value).lower()
        assert [row[name] for name in WHO] == [kind, point.preset, "hexapawn", opponent]


def test_in_a_large_game_rows_hold_sampled_results(monkeypatch):
    plan = plan_of(define({"learner": "ntuple:small", "game": "connectfour", "games": 2, "marks": [1], "seeds": 1}))
    judging, machine = judging_of(plan.definition.game), plan.points[0].machine(1, None)
    monkeypatch.setattr(measures, "SAMPLED_GAMES", 2)
    before, after = rows_of(plan)
    machine.train(2)
    judged = judging.judge(machine, machine.policy, never)
    assert (before["rounds"], after["rounds"]) == ("1", "2")
    for side in Side:
        for measure in judging.measures:
            text = after[needed_columns(measure, side, after)[0]]
            written = float(text) if text else nan
            np.testing.assert_allclose(written, judged[side, measure.column], atol=1e-12)
        assert float(after[f"{side.name.lower()}_kept_values"]) > 0.3
    columns = tuple(after)
    keys = key_columns(columns)
    wanted = (*keys, ROUNDS, *needed_columns(PLAYED_MEASURE, None, columns))
    machines = read_machines(keys, [[row[each] for each in wanted] for row in (before, after)])
    assert machines.marks == (1, 2)
    with pytest.raises(BadText, match="does not have the measure 'loss-best'"):
        needed_columns(parse_measure("loss-best"), None, columns)


def test_a_machine_that_is_perfect_keeps_its_last_results_at_later_marks():
    plan = plan_of(define({**PERFECT, "generations": 400, "marks": [300, 399], "seeds": 1}))
    rows = rows_of(plan)
    assert [row["rounds"] for row in rows] == ["300", "399", "400"]
    assert [row["generation"] for row in rows] == [rows[0]["generation"]] * 3
    assert int(rows[0]["generation"]) < 300


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_has_one_name_even_if_all_settings_are_given(kind):
    spec = next(each.spec for each in LEARNERS if each.spec.name == kind)
    settings = dict(next(iter(spec.presets.values())))
    budget = {"generations": 1} if kind == "genetic" else {"games": 1}
    plan = plan_of(define({"learner": kind, "set": settings, "game": "tictactoe", "seeds": 1, **budget}))
    header = plan.layout.header.strip().split(",")
    assert len(set(header)) == len(header)
    assert [*spec.settings] == header[5 : header.index("rounds")]
    assert set(header) >= {plan.layout.statistic_column(key) for key in spec.stat_keys}
    (row,) = rows_of(plan)
    assert None not in row
    assert None not in row.values()


def test_settings_that_vary_between_presets_have_columns_and_others_have_none():
    assert [*small_plan().layout.settings] == ["win", "empty"]
    plan = plan_of(define({"learner": "menace", "preset": ["steady", "scroggs"]}))
    assert [*plan.layout.settings] == ["beads", "empty"]
    assert [*plan_of(define({"learner": ["failures", "q"]})).layout.settings] == []


def test_rows_do_not_depend_on_how_seeds_are_divided():
    plan = small_plan()
    seeds = plan.definition.seeds
    whole = run_batch(plan.batch(5, seeds)).text
    assert whole == "".join(run_batch(plan.batch(5, seeds[at : at + 2])).text for at in range(0, len(seeds), 2))
    assert len(set(whole.splitlines())) == len(seeds) * len(plan.definition.marks_of("menace"))


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
