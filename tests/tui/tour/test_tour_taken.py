"""The tour in the app: offered, taken by keys, left, and remembered."""

from random import Random

import pytest
from textual.command import CommandPalette

from engine.games import parse_game
from saves.library.library import Library
from saves.paths import library_path, settings_path
from saves.settings import load_settings
from tests.tui.piloting import (
    LASTING,
    arrived,
    is_shown,
    make_app,
    running,
    seated,
    sees,
    shown_messages,
    state_of,
    until,
)
from tui.app import NoughtsApp
from tui.shell.tour_bar import TourBar
from tui.widgets.wall import Wall


@pytest.fixture(autouse=True)
def _brief(monkeypatch):
    monkeypatch.setattr("tui.shell.screen.TOUR_REMINDER_TIME", 0.5)


TICTACTOE = parse_game("tictactoe")


def newcomer():
    app = NoughtsApp(Library(library_path()), settings_path(), (None, None), TICTACTOE, Random(1), greet=True)
    app.recalls_seats = True
    return app


def bar_says(pilot):
    bar = pilot.app.screen.query_one(TourBar)
    return str(bar.content) if is_shown(bar) else ""


async def test_the_whole_tour_by_keys():
    async with running(newcomer()) as pilot:
        app = pilot.app
        await seated(pilot, "save:MENACE", "human")
        await until(pilot, lambda: "New here?" in state_of(pilot, "#play-wall"))
        assert len(app.screen.query_one(Wall).edges) == 304
        await pilot.press("f2")
        await until(pilot, lambda: "1 of 6" in bar_says(pilot))
        before = app.screen.query_one("#board").size
        await play_to_the_end(pilot)
        await until(pilot, lambda: "2 of 6" in bar_says(pilot))
        await until(pilot, lambda: app.screen.table.lessons and not app.screen.table.is_learning)
        await pilot.press("enter")
        await until(pilot, lambda: "3 of 6" in bar_says(pilot))
        await pilot.press("T")
        await until(pilot, lambda: "Look at its curve, then p goes back to the board" in bar_says(pilot))
        assert "3 of 6" in bar_says(pilot), "it waits until the person has looked"
        await pilot.press("p")
        await until(pilot, lambda: "4 of 6" in bar_says(pilot))
        await until(pilot, lambda: app.screen.session.seats[0].rounds == 1001)
        await play_to_the_end(pilot)
        await until(pilot, lambda: "5 of 6" in bar_says(pilot))
        await pilot.press("f2")
        await until(pilot, lambda: "6 of 6" in bar_says(pilot) and "Skipped: meet one" in bar_says(pilot))
        await pilot.press("f2")
        await until(pilot, lambda: not app.tour.under_way and not bar_says(pilot))
        assert app.screen.query_one("#board").size == before, "the board keeps its size when the tour bar goes"
        await until(pilot, lambda: load_settings(settings_path()).get("tour") == "taken")


async def play_to_the_end(pilot):
    """Play the first legal squares until the game is over."""
    session = pilot.app.screen.session
    while not over(session):
        await until(pilot, lambda: session.player is None or over(session))
        moves = len(session.match.moves)
        if not over(session):
            ((square,), *_) = session.moves_by_squares()
            await pilot.press(str(square + 1))
            await until(pilot, lambda moves=moves: len(session.match.moves) > moves)


def over(session):
    return session.match.outcome is not None


@pytest.mark.long
async def test_the_tour_is_offered_until_answered_and_can_be_left_and_resumed(monkeypatch):
    monkeypatch.setattr("tui.shell.screen.TOUR_REMINDER_TIME", LASTING)
    async with running(make_app()) as pilot:
        await until(pilot, lambda: pilot.app.screen.query(TourBar))
        assert not bar_says(pilot)
    async with running(newcomer()) as pilot:
        await until(pilot, lambda: "New here?" in state_of(pilot, "#play-wall"))
        await pilot.press("l")
        await until(pilot, lambda: pilot.app.current_mode == "library")
        assert not bar_says(pilot)
        await pilot.press("p", "f2")
        for word, comes in (("next", "2 of 6"), ("F3", "1 of 6"), ("next", "2 of 6")):
            await until(pilot, lambda word=word: word in bar_says(pilot))
            bar = pilot.app.screen.query_one(TourBar)
            await pilot.click(bar, offset=(1 + bar_says(pilot).index(word), 0))
            await until(pilot, lambda comes=comes: comes in bar_says(pilot))
        titles = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        assert "Leave the tour" in titles
        await pilot.click(bar, offset=(1 + bar_says(pilot).index("leave"), 0))
        await until(pilot, lambda: "F2 starts the tour again at any time." in bar_says(pilot))
        assert shown_messages(pilot) == [], "no message covers the screen"
        monkeypatch.setattr("tui.shell.screen.TOUR_REMINDER_TIME", 0.01)
        await pilot.press("f2", "f4")
        await until(pilot, lambda: not bar_says(pilot) and load_settings(settings_path()).get("tour") == "left")
        await pilot.press("colon")
        await arrived(pilot, CommandPalette)
        await pilot.press(*"take the tour")
        await until(pilot, lambda: pilot.app.screen.query_one("CommandList").option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette) and "of 6" in bar_says(pilot))
    async with running(newcomer()) as pilot:
        await until(pilot, lambda: pilot.app.screen.query(TourBar))
        assert not bar_says(pilot)


@pytest.mark.long
async def test_a_declined_tour_is_not_offered_again():
    async with running(newcomer(), size=(60, 20)) as pilot:
        await until(pilot, lambda: "New here?" in bar_says(pilot))
        await sees(pilot, "F4 no thanks")
        await pilot.press("f4")
        await until(pilot, lambda: load_settings(settings_path()).get("tour") == "left")
        await until(pilot, lambda: not bar_says(pilot))
