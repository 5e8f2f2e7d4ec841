"""A sweep as a job: what it finds, its file, and that stopping keeps what is finished."""

from itertools import product

import pytest

from engine.game import BadText
from engine.games import parse_game
from lab.jobs import JobState
from lab.race.race_text import ShownMeasure
from lab.sweep.findings import entrant_text_of, entrants_of, race_games, race_seeds, read_findings, setup_of
from lab.sweep.setup import SweepSetup, can_be_swept, file_stem, usual_grid, usual_values
from lab.sweep.sweep_job import SweepJob
from learners import LEARNERS
from learners.fixed import FixedPolicy
from learners.menace.learner import Menace
from learners.race.entrants import parse_entrant
from learners.race.measures import parse_measure
from learners.sweep import running
from learners.sweep.analysis import groups, key_columns, needed_columns, read_machines
from learners.sweep.definition import define
from learners.sweep.layout import ROUNDS
from saves.errors import LibraryError
from saves.sweeps.part import part_path
from saves.sweeps.table import SweepTable, kept_sweeps, new_table, sweep_folder
from tests.sweeps import SMALL, InProcessWorkers
from tests.waiting import wait_until

LOSSES = ShownMeasure(parse_measure("loss-random"), None)
HEXAPAWN = parse_game("hexapawn")


@pytest.fixture(name="here", autouse=True)
def _here(monkeypatch):
    monkeypatch.setattr("lab.sweep.sweep_job.Processes", InProcessWorkers)


def finished(path, **changes):
    job = SweepJob(path, LOSSES, define({**SMALL, "opponent": "self", **changes}))
    job.start()
    wait_until(lambda: not job.running)
    assert job.view.state is JobState.FINISHED, job.view.error
    return job


@pytest.mark.parametrize(("sample", "order"), [(0, ("5", "1", "3")), (5, ("1", "3", "5"))])
def test_values_stand_as_they_were_typed_but_those_of_a_sample_in_natural_order(tmp_path, sample, order):
    grid = {"win": "5,1,3", "empty": "resign,refill"}
    drawn = {"sample": sample} if sample else {}
    assert finished(tmp_path / "found.csv", grid=grid, **drawn).view.findings.heat.across == ("win", order)


def test_the_findings_of_a_running_sweep_are_those_of_its_table(tmp_path):
    path = tmp_path / "found.csv"
    typed = {"empty": ("resign", "refill")}
    live, read = finished(path).view.findings, read_findings(path, LOSSES, ("win", "empty"), typed)
    assert live.heat == read.heat
    assert live.best == read.best
    assert live.heat.across == ("win", ("1", "3"))
    assert live.heat.down == ("empty", typed["empty"])
    table = SweepTable(path)
    keys = key_columns(table.columns)
    machines = read_machines(keys, table.rows([*keys, ROUNDS, *needed_columns(LOSSES.measure, None, table.columns)]))
    for group in groups(machines.at(20), ("win", "empty"), lower_is_better=True):
        cell = (group.values[0], group.values[1])
        assert live.heat.shares[cell] == group.median
        assert live.curve(cell)[-1] == (20, group)
        assert [mark for mark, _ in live.curve(cell)] == [1, 10, 20]
        seeds = live.seeds(cell)
        assert sorted(seed for _, seed, _ in seeds) == [1, 2, 3, 4, 5]
        assert [share for _, _, share in seeds] == sorted(share for _, _, share in seeds)
    assert live.heat.shares[live.best] == min(live.heat.shares.values())
    assert (live.noun, live.axis_title(1)) == ("game", "empty box")
    path.write_text(path.read_text().replace("menace", "missing plug-in"))
    read = read_findings(path, LOSSES, ("win", "empty"), typed)
    assert (read.noun, read.axis_title(1), read.heat) == ("round", "empty", live.heat)


def test_a_machine_and_an_entrant_come_from_a_point(tmp_path):
    found = finished(tmp_path / "found.csv").view.findings
    (point,) = found.points(("3", "refill"))
    entrant = parse_entrant(entrant_text_of(point), HEXAPAWN)
    assert entrant.kind is Menace
    assert entrant.machine(1).settings["empty"] == "refill"
    setup = setup_of(point, 7, 20, "mine")
    assert (setup.seed, setup.rounds, setup.opponent) == (7, 20, "self")
    assert dict(setup.settings) == {"win": 3, "empty": "refill"}
    texts = {cell: parse_entrant(entrant_text_of(*found.points(cell)), HEXAPAWN).text for cell in found.heat.shares}
    for cell in texts:
        raced = [each.text for each in entrants_of(found, cell, lambda *_: None)]
        assert raced == [texts[each] for each in dict.fromkeys((cell, found.best))], "a lone point races the best one"
        assert [*race_seeds(found, cell)] == [1, 2, 3, 4, 5]
        assert race_games(found, cell) == 20


def test_cells_of_a_sweep_that_was_stopped_are_empty_until_it_is_resumed(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "BATCH_SECONDS", 0.01)
    monkeypatch.setattr(running, "SHORT_SECONDS", 0.001)
    path = tmp_path / "found.csv"
    job = SweepJob(path, LOSSES, define({**SMALL, "opponent": "self", "seeds": 1000}))
    job.start()
    wait_until(lambda: job.view.done > 10)
    job.stop()
    assert job.view.state is JobState.STOPPED
    assert 0 < len(job.view.findings.heat.shares) < 4
    assert not path.exists()
    opened = SweepJob.from_file(path, LOSSES)
    assert (opened.view.state, opened.view.done, opened.view.total) == (JobState.STOPPED, job.view.done, 4000)
    assert opened.view.findings.heat == job.view.findings.heat
    assert opened.definition == job.definition


def test_a_sweep_that_is_stopped_before_its_first_machine_leaves_no_file(tmp_path):
    job = SweepJob(tmp_path / "found.csv", LOSSES, define(SMALL))
    job.stop()
    job.start()
    wait_until(lambda: not job.running)
    assert job.view.state is JobState.STOPPED
    assert list(tmp_path.iterdir()) == []


def test_without_axes_those_are_shown_that_explain_most(tmp_path):
    path = tmp_path / "found.csv"
    finished(path, opponent=["self", "random"])
    found = SweepJob.from_file(path, LOSSES).view.findings
    assert set(found.axes) <= {"opponent", "win", "empty"}
    one = tmp_path / "one.csv"
    finished(one, grid={"win": [1, 3]})
    assert SweepJob.from_file(one, LOSSES).view.findings.axes[0] == "win"


def test_the_folder_lists_sweeps_and_has_a_new_name_for_each(tmp_path):
    folder = sweep_folder(tmp_path / "library.sqlite")
    assert kept_sweeps(folder) == []
    path = new_table(folder, "menace-win")
    assert path.name == "menace-win.csv"
    finished(path)
    second = new_table(folder, "menace-win")
    assert second.name == "menace-win-2.csv"
    part_path(second).touch()
    assert new_table(folder, "menace-win").name == "menace-win-3.csv"
    (folder / "notes.txt").touch()
    assert {(each.path.name, each.unfinished) for each in kept_sweeps(folder)} == {
        ("menace-win.csv", False),
        ("menace-win-2.csv", True),
    }
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(LibraryError, match="cannot be created"):
        new_table(blocked, "x")


@pytest.mark.parametrize("kind", [*filter(can_be_swept, LEARNERS)])
def test_the_values_that_are_proposed_are_values_of_the_setting(kind):
    spec = kind.spec
    for preset, key in product(spec.presets.values(), spec.settings):
        text = usual_values(spec.settings[key], preset[key])
        values = text.split(";" if ";" in text else ",")
        assert len(set(values)) == len(values) > 1, (key, text)
        for value in values:
            spec.parse_setting(key, value)
    preset = next(iter(spec.presets.values()))
    grid = tuple((key, usual_values(spec.settings[key], preset[key])) for key in usual_grid(kind))
    game = HEXAPAWN if spec.fits(HEXAPAWN) else parse_game("tictactoe")
    setup = SweepSetup(kind, next(iter(spec.presets_for(game))), game, "self", grid, 20, range(3, 5))
    assert setup.definition().seeds == range(3, 5)
    assert file_stem(setup.definition()).startswith(f"{spec.name}-")


def test_one_setting_cannot_be_both_axes():
    with pytest.raises(BadText, match="two different settings"):
        SweepSetup(Menace, "steady", HEXAPAWN, "self", (("win", "1,2"), ("win", "3")), 20, range(1, 2)).definition()


def test_a_learner_without_two_settings_is_not_offered():
    assert not can_be_swept(FixedPolicy)


def test_another_sweep_in_the_file_is_not_overwritten(tmp_path):
    path = tmp_path / "found.csv"
    finished(path)
    before = path.read_bytes()
    job = SweepJob(path, LOSSES, define(SMALL))
    job.start()
    wait_until(lambda: not job.running)
    assert job.view.state is JobState.FAILED
    assert "already exists" in job.view.error
    assert path.read_bytes() == before
