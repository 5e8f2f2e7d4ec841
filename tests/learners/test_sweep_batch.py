"""The rows of a sweep hold what the other commands report about the same machine."""

import csv
from io import StringIO
from math import nan

import numpy as np
import pytest

from cli.shared.score_documents import results_document
from engine.evaluate import scoreboard
from engine.game import BadText, Side
from engine.stop import never
from learners import LEARNERS
from learners.race import measures
from learners.race.measures import PLAYED, judging_of, parse_measure
from learners.sweep.analysis import key_columns, needed_columns, read_machines
from learners.sweep.batch import run_batch
from learners.sweep.definition import define
from learners.sweep.layout import RESULTS, ROUNDS, WHO
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
    monkeypatch.setattr(measures, "GAMES", 2)
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
    wanted = (*keys, ROUNDS, *needed_columns(PLAYED, None, columns))
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
