"""A sweep in the app: described, run, stopped, resumed, viewed, raced, and its machines saved."""

import csv
from dataclasses import replace
from statistics import fmean

import pytest
from textual.widgets import Button, Input, OptionList

from engine.games import parse_game
from lab.jobs import JobState
from lab.results.exact_results import exact_of
from learners import revive
from learners.race.measures import judging_of
from learners.sweep import running as sweep_running
from learners.sweep.running import plan_of
from saves.library.library import Library
from saves.paths import library_path
from saves.sweeps.part import Part, part_path
from saves.sweeps.table import sweep_folder
from tests.sweeps import InProcessWorkers
from tests.tui.piloting import make_app, running
from tests.tui.ways import fill, open_sweep
from tui.race.screen import RaceScreen
from tui.sweep.dialogs import OpenDialog
from tui.sweep.screen import SweepScreen
from tui.sweep.sweep_map import SweepMap
from tui.sweep.sweep_view import proposed_name
from tui.widgets.form import FormDialog
from tui.widgets.line_chart import LineChart


@pytest.fixture(autouse=True)
def _light(monkeypatch):
    monkeypatch.setattr("lab.sweep.sweep_job.Processes", InProcessWorkers)


@pytest.fixture
def _short(monkeypatch):
    """Make batches so short that a sweep can be stopped between two of them."""
    monkeypatch.setattr(sweep_running, "BATCH_SECONDS", 0.01)
    monkeypatch.setattr(sweep_running, "SHORT_SECONDS", 0.001)


@pytest.fixture
def app():
    return make_app("hexapawn")


async def describe(pilot, machines="3", rounds="20"):
    """Describe a sweep of six points on a small game."""
    await fill(pilot, across_values="1,3,5", down_values="resign,refill", machines=machines, rounds=rounds)


async def until_state(pilot, state):
    def reached():
        job, drawn = pilot.app.sweep, pilot.screen.drawn_state
        return job and job.view.state is state and drawn and drawn[:2] == (job, job.view)

    await pilot.until(reached)


async def finish(pilot):
    await describe(pilot)
    pilot.screen.action_start()
    await until_state(pilot, JobState.FINISHED)


def the_map(pilot):
    return pilot.screen.query_one(SweepMap)


def map_title(pilot):
    return pilot.title_of("#sweep-heat")


def progress(pilot):
    """How far the sweep is, in words."""
    return pilot.text_of("#sweep-state")


def place(pilot):
    """What is told of the file of the sweep."""
    return pilot.text_of("#sweep-place")


def start_label(pilot):
    return str(pilot.screen.query_one("#sweep-start", Button).label)


def what_can_vary(pilot, side):
    """The list of settings that can vary at this side of the screen, or None if it is not shown there."""
    return pilot.shown_text(f"#sweep-each-{side}")


async def go_to(pilot, cell):
    shown = the_map(pilot)
    shown.focus()
    (_, across), (_, down) = shown.heat.across, shown.heat.down
    column, row = across.index(cell[0]), down.index(cell[1])
    await pilot.press(*["left"] * len(across), *["up"] * len(down), *["right"] * column, *["down"] * row)
    await pilot.until(lambda: shown.cell == cell)


@pytest.mark.long
async def test_a_large_game_is_swept_by_samples(monkeypatch):
    judging_of(parse_game("connectfour"))  # is kept for all tests, with the usual number of games
    monkeypatch.setattr("learners.race.measures.SAMPLED_GAMES", 1)
    async with running(make_app("hexapawn")) as pilot:
        await open_sweep(pilot)
        await fill(pilot, learner="ntuple")
        await fill(pilot, game="connectfour")
        form = pilot.form
        await pilot.until(lambda: "kept-values" in form.fields["measure"].values)
        await fill(pilot, preset="small", measure="kept-values")
        await fill(pilot, across_values="2,4", down_values="3", machines="1", rounds="2")
        pilot.screen.action_start()
        await until_state(pilot, JobState.FINISHED)
        assert len(the_map(pilot).heat.across[1]) == 2
        assert all(share > 0.3 for share in the_map(pilot).heat.shares.values())


@pytest.mark.long
async def test_before_it_begins_the_screen_says_what_there_is_to_do_and_shows_the_grid(pilot):
    assert progress(pilot) == "Press g or Start."
    await describe(pilot)
    await pilot.until(lambda: map_title(pilot) == "6 points × 3 machines, 20 games each")
    assert the_map(pilot).heat.across == ("win", ("1", "3", "5"))
    assert the_map(pilot).heat.down == ("empty", ("resign", "refill"))
    assert the_map(pilot).heat.shares == {}
    assert pilot.screen.focused.id == "sweep-start"
    assert pilot.screen.query_one("#sweep-race", Button).disabled
    await pilot.press("escape")
    await pilot.arrived(RaceScreen)


@pytest.mark.long
async def test_a_large_form_has_what_can_vary_below_it_and_an_earlier_training_beside_it():
    async with running(make_app(), size=(120, 40)) as pilot:
        await open_sweep(pilot)
        await pilot.sees("An earlier training, michie")
        assert what_can_vary(pilot, "left").startswith("sides")
        assert what_can_vary(pilot, "right") is None


async def test_a_sweep_fills_the_map_and_ends_in_a_table_beside_the_library():
    async with running(make_app("hexapawn"), size=(120, 40)) as pilot:
        await open_sweep(pilot)
        await pilot.until(lambda: what_can_vary(pilot, "left") is not None)
        await describe(pilot)
        pilot.screen.set_focus(None)
        await pilot.press("g")
        await pilot.until(lambda: pilot.app.sweep is not None)
        await until_state(pilot, JobState.FINISHED)
        assert pilot.screen.focused is the_map(pilot)
        assert progress(pilot) == "Finished: 18 machines"
        assert map_title(pilot) == "Lost against random, mean of both sides, after 20 games, %"
        path = sweep_folder(library_path()) / "menace-win-empty.csv"
        with path.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["rounds"] == "20"]
        assert len(rows) == 18
        shares = the_map(pilot).heat.shares
        assert len(shares) == 6
        losses = sorted(
            (float(row["first_random_loss"]) + float(row["second_random_loss"])) / 2
            for row in rows
            if (row["win"], row["empty"]) == ("3", "resign")
        )
        assert shares["3", "resign"] == pytest.approx(losses[1])
        best = min(shares, key=shares.get)
        assert shares[the_map(pilot).best] == shares[best]
        assert "Kept as " in place(pilot)
        await pilot.until(lambda: the_map(pilot).cell == the_map(pilot).best)  # the cursor went to the best cell


@pytest.mark.long
async def test_the_cursor_follows_the_best_cell_until_the_user_moves_it():
    async with running(make_app("hexapawn"), size=(120, 40)) as pilot:
        await open_sweep(pilot)
        await describe(pilot)
        shown = the_map(pilot)
        await pilot.until(lambda: shown.heat and shown.heat.across == ("win", ("1", "3", "5")))
        empty = shown.heat
        for best in (("3", "resign"), ("5", "refill")):
            shown.show(replace(empty, shares={best: 0.1}), best, {}, None)
            assert shown.cell == best
        await go_to(pilot, ("1", "refill"))
        shown.show(replace(empty, shares={("3", "resign"): 0.05}), ("3", "resign"), {}, None)
        assert shown.cell == ("1", "refill")
        shown.show(replace(empty, across=("win", ("1", "2"))), ("2", "refill"), {}, None)
        assert shown.cell == ("2", "refill")


@pytest.mark.long
async def test_what_cannot_be_swept_is_reported_and_another_sweep_can_start(pilot):
    await describe(pilot)
    for name, text, complaint in (
        ("machines", "0", "machines: '0' is not a whole number from 1"),
        ("across-values", "", "win (beads for a win) has no values"),
        ("across-values", "1,1", "win has '1' twice"),
    ):
        await describe(pilot)
        await fill(pilot, **{name: text})
        pilot.screen.action_start()
        await pilot.until(lambda complaint=complaint: pilot.form_error.startswith(complaint))
        assert pilot.wrong_fields == [name] * ("twice" not in complaint)
    assert pilot.app.sweep is None
    await fill(pilot, across_values="1,many")
    pilot.screen.action_start()
    await until_state(pilot, JobState.FAILED)
    assert "win=many" in pilot.text_of("#sweep-note")
    assert not sweep_folder(library_path()).joinpath("menace-win-empty.csv.part").exists()
    await finish(pilot)


@pytest.mark.long
@pytest.mark.usefixtures("_short")
async def test_a_stopped_sweep_keeps_its_results_and_can_be_resumed(pilot):
    await describe(pilot, machines="1,000")
    pilot.screen.action_start()
    await pilot.until(lambda: pilot.app.sweep and pilot.app.sweep.view.done > 10)
    assert pilot.form.fields["across-values"].disabled
    pilot.screen.action_stop()
    await until_state(pilot, JobState.STOPPED)
    stopped = pilot.app.sweep
    kept = stopped.view.done
    assert progress(pilot) == f"Stopped: {kept:,} of 6,000 machines"
    assert "Kept. g resumes" in place(pilot)
    assert start_label(pilot) == "Resume"
    pilot.screen.action_start()
    await pilot.until(lambda: pilot.app.sweep is not stopped and pilot.app.sweep.view.done > kept)
    assert pilot.app.sweep.path == stopped.path
    pilot.app.sweep.stop()
    await until_state(pilot, JobState.STOPPED)
    await fill(pilot, seed="2")
    await pilot.until(lambda: start_label(pilot) == "Start")


@pytest.mark.long
async def test_an_earlier_sweep_is_opened_and_resumed():
    async with running(make_app("hexapawn")) as pilot:
        await open_sweep(pilot)
        await finish(pilot)
        table = pilot.app.sweep.path
        expected = table.read_bytes()
    path = unfinished_copy(table)
    async with running(make_app("hexapawn")) as pilot:
        await open_sweep(pilot)
        await pilot.press("P")
        await pilot.until(lambda: isinstance(pilot.screen, OpenDialog) and pilot.screen.sweeps)
        listed = [str(option.prompt) for option in pilot.screen.query_one(OptionList).options]
        assert sorted(listed) == ["menace-win-empty.csv", "mine.csv, unfinished"]
        pilot.screen.query_one(Input).value = str(part_path(path))
        pilot.accept()
        await pilot.until(lambda: pilot.app.sweep is not None)
        await until_state(pilot, JobState.STOPPED)
        assert progress(pilot) == "Stopped: 2 of 18 machines"
        assert the_map(pilot).heat.shares.keys() == {("1", "resign")}
        assert the_map(pilot).render().plain.count("0 of 3") == 5
        assert pilot.screen.form.game.name == "hexapawn"
        pilot.screen.action_start()
        await until_state(pilot, JobState.FINISHED)
        assert path.read_bytes() == expected
        await pilot.press("P")
        await pilot.until(lambda: isinstance(pilot.screen, OpenDialog) and pilot.screen.sweeps)
        pilot.screen.query_one(OptionList).highlighted = 0
        await pilot.press("enter")
        await pilot.arrived(SweepScreen)
        await until_state(pilot, JobState.FINISHED)
        assert len(the_map(pilot).heat.shares) == 6


def unfinished_copy(table):
    """Another sweep of the same definition, of which two machines are finished."""
    from learners.sweep.batch import run_batch
    from learners.sweep.definition import define

    grid = {"win": "1,3,5", "empty": "resign,refill"}
    definition = define(
        {"learner": "menace", "game": "hexapawn", "opponent": "self", "grid": grid, "seeds": 3, "games": 20}
    )
    path = table.with_name("mine.csv")
    with Part(part_path(path), definition) as part:
        part.add([run_batch(plan_of(definition).batch(0, range(1, 3)))])
    return path


@pytest.mark.long
async def test_a_file_that_is_no_sweep_is_refused(pilot):
    wrong = library_path().with_name("wrong.csv")
    wrong.parent.mkdir(parents=True, exist_ok=True)
    wrong.write_text("a,b\n1,2\n")
    for path, complaint in ((wrong, "columns are not those of a sweep"), (wrong.with_name("no.csv"), "not exist")):
        await pilot.press("P")
        await pilot.arrived(OpenDialog)
        pilot.screen.query_one(Input).value = str(path)
        pilot.screen.accept()
        await pilot.until(lambda complaint=complaint: any(complaint in message for message in pilot.shown_messages))
    assert pilot.app.sweep is None


@pytest.mark.long
async def test_another_measure_and_side_are_shown_by_key(pilot):
    await finish(pilot)
    before = the_map(pilot).heat.shares
    await pilot.press("m")
    await pilot.until(lambda: map_title(pilot).startswith("Lost against perfect"))
    assert the_map(pilot).heat.shares != before
    await pilot.press("s")
    await pilot.until(lambda: "as the first side" in map_title(pilot))


@pytest.mark.long
async def test_enter_on_a_cell_prepares_a_race_of_it(pilot):
    await finish(pilot)
    best = the_map(pilot).best
    cell = next(each for each in the_map(pilot).heat.shares if each != best)
    await go_to(pilot, cell)
    await pilot.until(lambda: f"win {cell[0]}, empty {cell[1]}" in pilot.text_of("#sweep-selected"))
    await pilot.press("enter")
    await pilot.arrived(RaceScreen)
    await pilot.until(lambda: len(pilot.screen.entrants) == 2)
    entrants = pilot.screen.entrants
    for (win, empty), entrant in zip((cell, best), entrants, strict=True):
        settings = {"win": 1, "empty": "resign", **entrant.kind.spec.presets[entrant.preset], **entrant.settings}
        assert (settings["win"], settings["empty"]) == (int(win), empty)
    assert {entrant.game.name for entrant in entrants} == {"hexapawn"}
    assert pilot.screen.form.course() == (range(1, 4), 20)
    assert pilot.screen.focused.id == "race-start"
    assert pilot.app.screen_stack == [pilot.screen]


@pytest.mark.long
async def test_a_machine_of_a_cell_is_trained_again_and_kept(pilot):
    await finish(pilot)
    await go_to(pilot, ("5", "resign"))
    _, seed, share = pilot.screen.findings.seeds(("5", "resign"))[2]
    await pilot.press("k")
    dialog = await pilot.arrived(FormDialog)
    assert dialog.query_one(Input).value == "menace win 5 empty resign"
    pilot.enter(machine="2")
    pilot.accept()
    await pilot.until(lambda: pilot.app.job and pilot.app.job.view.state is JobState.FINISHED)
    await pilot.until(lambda: "Saved as" in progress(pilot))
    snapshot = Library(library_path()).load("menace win 5 empty resign")
    assert (snapshot.seed, snapshot.stats["games"], snapshot.settings["win"]) == (seed, 20, 5)
    learner = revive(snapshot)
    exact = exact_of(learner)
    found = [results.against["random"].loss for results in exact.values()]
    assert sum(found) / 2 == pytest.approx(share)


def test_a_proposed_name_is_valid_for_a_save():
    assert proposed_name(["menace", "win 5"]) == "menace win 5"
    assert proposed_name(["q", "rate a/b", "x" * 80]).startswith("q rate ab xxx")
    assert len(proposed_name(["q", "x" * 80])) == 60


@pytest.mark.long
async def test_until_a_machine_is_finished_the_chart_has_what_an_untrained_one_loses(pilot):
    await describe(pilot)
    view = pilot.screen.view
    await pilot.until(lambda: view.untrained is not None)
    view.introduce(pilot.form.definition(), pilot.form.shown_measure, begun=True)
    exact = exact_of(view.untrained.learner)
    share = fmean(each.against["random"].loss for each in exact.values())
    (curve,) = view.query_one(LineChart).series
    assert list(curve.points) == [(1, share), (20, share)]
