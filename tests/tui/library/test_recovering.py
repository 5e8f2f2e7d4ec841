"""A damaged library in the app: what can be read is recovered, and reported exactly."""

import sqlite3
from asyncio import get_running_loop
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Event

import pytest
from textual.widgets import Input

import tui.widgets.library_tools
from saves.library.library import Library
from tests.damage import BRAIN, overwrite
from tests.saves.brains import same
from tests.tui.piloting import running
from tests.tui.ways import open_library
from tui.games.screen import GamesScreen
from tui.library.screen import LibraryScreen
from tui.play.screen import PlayScreen
from tui.shell.dialog import Page, Prompt


@pytest.fixture
def library(library):
    for name in ("a", "b"):
        library.save(name, BRAIN)
    return library


@pytest.mark.long
async def test_v_in_the_library_recovers_what_can_be_read_and_reports_it(library):
    damaged = overwrite(library, "game")
    async with running() as pilot:
        await open_library(pilot)
        await pilot.press("V")
        await pilot.arrived(Page)
        await pilot.sees("Recovered 2 of 2 saves")
        shown = pilot.screen_text
        assert "'a'" in shown
        await pilot.press("escape")
        await pilot.arrived(LibraryScreen)
    assert same(library.load("a"), BRAIN)
    assert library.path.with_stem("library-damaged").read_bytes() == damaged


async def test_the_first_screen_says_that_the_library_cannot_be_read(library):
    library.path.write_bytes(bytes(200) + library.path.read_bytes()[200:])
    async with running() as pilot:
        await pilot.told("is not a library of Noughts")


@pytest.mark.long
async def test_an_unlistable_library_says_what_to_do_and_is_listed_after_recovery(library):
    library.keep_backup()
    overwrite(library, "save")
    async with running() as pilot:
        await open_library(pilot)
        await pilot.sees("V recovers what can be read")
        await pilot.press("V")
        await pilot.arrived(Page)
        await pilot.sees("as it was in the backup")
        await pilot.press("escape")
        await pilot.until(lambda: not pilot.screen.trouble)


@pytest.mark.long
async def test_a_second_request_during_a_recovery_is_ignored(library, monkeypatch):
    begun, go_on = [], Event()

    def slowly(path, _stop):
        begun.append(path)
        go_on.wait()

    monkeypatch.setattr("tui.widgets.library_tools.recover", slowly)
    async with running() as pilot:
        await open_library(pilot)
        await pilot.press("V", "V")
        go_on.set()
        await pilot.arrived(Page)
        await pilot.press("escape", "V")
        await pilot.arrived(Page)
    assert begun == [library.path, library.path]


@pytest.mark.long
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("others", [0, 40])  # with many, the recovery has not even begun when the screen is left
async def test_a_recovery_is_reported_even_if_the_screen_was_left(monkeypatch, others):
    go_on, recover = Event(), tui.widgets.library_tools.recover

    def slowly(path, stop):
        go_on.wait()
        return recover(path, stop)

    monkeypatch.setattr("tui.widgets.library_tools.recover", slowly)
    async with running() as pilot:
        await pilot.press("p", "H")
        await pilot.arrived(GamesScreen)
        for _ in range(others):
            get_running_loop().run_in_executor(None, go_on.wait)
        await pilot.press("V", "escape")
        await pilot.arrived(PlayScreen)
        go_on.set()
        await pilot.arrived(Page)


async def test_a_sound_library_has_nothing_to_recover_and_is_copied(library, tmp_path):
    before = library.path.read_bytes()
    async with running() as pilot:
        await open_library(pilot)
        await pilot.press("V")
        await pilot.arrived(Page)
        await pilot.sees("nothing to recover")
        await pilot.press("escape")
        await pilot.arrived(LibraryScreen)
        await pilot.press("K")
        await pilot.answer(str(tmp_path / "copy.sqlite"))
        await pilot.told("Copied the library")
    assert library.path.read_bytes() == before
    assert same(Library(tmp_path / "copy.sqlite").load("b"), BRAIN)


@pytest.mark.long
@pytest.mark.usefixtures("library")
async def test_a_second_backup_on_the_same_day_gets_another_name(pilot):
    await open_library(pilot)
    for tail in ("", "-2"):
        await pilot.press("K")
        await pilot.arrived(Prompt)
        assert Path(pilot.screen.query_one(Input).value).stem.endswith(f"-{datetime.now().astimezone():%d}{tail}")
        pilot.app.clear_notifications()
        await pilot.press("enter")
        await pilot.told("Copied the library")


@pytest.mark.long
async def test_games_that_others_finish_show_up_by_themselves(pilot, library):
    await pilot.press("p", "H")
    await pilot.sees("No games yet")
    with closing(sqlite3.connect(library.path)) as db, db:
        db.execute(
            "INSERT INTO game (played, game, first, second, moves, outcome) VALUES "
            "('2026-01-02T03:04:05+00:00', 'tictactoe', 'human', 'perfect', 'a1 b1 a2 b2 a3', 'first_wins')"
        )
    await pilot.until(lambda: pilot.screen.selected is not None)
