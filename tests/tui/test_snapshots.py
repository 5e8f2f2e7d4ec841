"""Pictures of the screens, compared letter by letter and colour by colour.

After a change that is meant: `pytest tests/tui/test_snapshots.py --snapshot-update`, and look at the pictures.
"""

import time
from dataclasses import replace

import pytest
from pytest_textual_snapshot import SVGImageExtension
from textual.widgets import Input

from engine import parse_game
from learners.failures import Failures
from saves.library import Library
from saves.paths import library_path
from tests.saves.brains import train
from tests.tui.piloting import make_app, text_of, until
from tui.jobs import JobState
from tui.screens.memory import MemoryScreen
from tui.screens.race import RaceScreen
from tui.screens.search import SearchScreen
from tui.screens.tree import TreeScreen
from tui.widgets.mode_bar import KEYS

SVGImageExtension.file_extension = "svg"  # so that they can be looked at; the plugin uses a name of older syrupys
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")


@pytest.fixture(autouse=True)
def _any_day_anywhere(monkeypatch):
    """Every save is of one day, whatever today is and wherever the test runs."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.setattr("saves.library._now", lambda *_: "2026-01-02T12:00:00.000000+00:00")
    yield
    monkeypatch.undo()
    time.tzset()


def keep(name, game, preset, games):
    Library(library_path()).save(name, train(Failures(parse_game(game), preset, 1), games))


@SIZES
def test_play(snap_compare, size, monkeypatch):
    monkeypatch.setattr("tui.screens.play.THINKING", 0.001)

    async def open_and_reply(pilot):
        await until(pilot, lambda: pilot.app.screen.session.labels == ("human", "save:riechel"))
        await pilot.press("5")
        await until(pilot, lambda: len(pilot.app.screen.session.match.moves) == 2)
        await pilot.press("down")
        await until(pilot, lambda: "best responder" in text_of(pilot, "#fares"))

    assert snap_compare(make_app(), terminal_size=size, run_before=open_and_reply)


@SIZES
def test_train(snap_compare, size):
    async def finish(pilot):
        await pilot.press("t")
        await until(pilot, lambda: pilot.app.screen.query_one("#form-name", Input).value == "failures")
        for name, value in (("rounds", "20,000"), ("seed", "1")):
            pilot.app.screen.query_one(f"#form-{name}", Input).value = value
        await pilot.press("g")
        await until(pilot, lambda: pilot.app.job and pilot.app.job.view.state is JobState.FINISHED)
        await until(pilot, lambda: pilot.app.screen.query_one("#form-name", Input).value == "failures 2")
        pilot.app.job.view = replace(pilot.app.job.view, seconds=0.25)  # as it is on no machine twice
        pilot.app.screen.set_focus(None)  # the button may have lost it while the training ran, or may not
        await until(pilot, lambda: pilot.app.screen.drawn is pilot.app.job.view)
        await until(pilot, lambda: 20_000 in pilot.app.screen.drawn_truth)

    assert snap_compare(make_app(), terminal_size=size, run_before=finish)


@SIZES
def test_library(snap_compare, size):
    keep("pawns", "hexapawn", "literal", 500)
    keep("an evening in winter", "tictactoe", "riechel-2007", 2000)
    keep("the other way round", "misere", "literal", 12_000)

    async def look(pilot):
        await pilot.press("l")
        await until(pilot, lambda: len(pilot.app.screen.table.entries) > 3)
        await pilot.press("down")
        await until(pilot, lambda: "2,000 games" in text_of(pilot, "#library-facts"))

    assert snap_compare(make_app(), terminal_size=size, run_before=look)


@SIZES
def test_inside_a_save(snap_compare, size):
    keep("an evening in winter", "tictactoe", "riechel-2007", 2000)

    async def look_inside(pilot):
        await pilot.press("l")
        await until(pilot, lambda: len(pilot.app.screen.table.entries) > 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.edges)
        await pilot.press("s")
        await until(pilot, lambda: "X to move" in text_of(pilot, "#memory-filter"))
        await pilot.press("right")

    assert snap_compare(make_app(), terminal_size=size, run_before=look_inside)


@SIZES
def test_tree(snap_compare, size):
    async def walk(pilot):
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, TreeScreen) and pilot.app.screen.told)
        await pilot.press("down", "right", "right", "down", "right")
        await until(pilot, lambda: "X1 a3  O2 c3" in text_of(pilot, "#tree-numbers"))

    assert snap_compare(make_app(), terminal_size=size, run_before=walk)


@SIZES
def test_race(snap_compare, size):
    async def finish(pilot):
        await pilot.press(KEYS["race"])
        await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen) and pilot.app.screen.entrants)
        for name, value in (("games", "20,000"), ("machines", "7")):
            pilot.app.screen.query_one(f"#race-{name}", Input).value = value
        pilot.app.screen.action_start()
        await until(pilot, lambda: pilot.app.race and pilot.app.race.state is JobState.FINISHED)
        race = pilot.app.race
        race.standings = replace(race.standings, seconds=0.25)  # as it is on no machine twice
        pilot.app.screen.set_focus(None)
        await until(pilot, lambda: pilot.app.screen.drawn[0] == (race, race.state, race.standings))
        await pilot.pause()

    assert snap_compare(make_app(), terminal_size=size, run_before=finish)


@SIZES
def test_search(snap_compare, size):
    async def skip(pilot):
        await pilot.press("r")
        await until(pilot, lambda: isinstance(pilot.app.screen, TreeScreen) and pilot.app.screen.told)
        await pilot.press("s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SearchScreen) and pilot.app.screen.both)
        await pilot.press("2")
        await until(pilot, lambda: pilot.app.screen.both and len(pilot.app.screen.replay.steps) == 23)
        await pilot.press("c")
        await until(pilot, lambda: pilot.app.screen.replay.skipped)

    assert snap_compare(make_app(), terminal_size=size, run_before=skip)
