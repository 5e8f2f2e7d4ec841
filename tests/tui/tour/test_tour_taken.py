"""The tour in the app: offered, taken by keys, left, and remembered."""

from random import Random

import pytest
from textual.command import CommandPalette

from engine.games import parse_game
from saves.library.library import Library
from saves.paths import library_path, settings_path
from saves.settings import load_settings
from tests.tui.piloting import is_shown, make_app, running
from tui.app import NoughtsApp
from tui.shell.modes import KEYS
from tui.shell.tour import OFFER, OFFER_TO_GO_ON, TourBar
from tui.widgets.wall import Wall

TICTACTOE = parse_game("tictactoe")


def newcomer():
    app = NoughtsApp(Library(library_path()), settings_path(), (None, None), TICTACTOE, Random(1), greet=True)
    app.recalls_seats = True
    return app


def bar_title(pilot):
    bar = pilot.screen.query_one(TourBar)
    return str(bar.border_title) if is_shown(bar) else ""


def bar_says(pilot):
    bar = pilot.screen.query_one(TourBar)
    return str(bar.content) if is_shown(bar) else ""


async def at_stage(pilot, number):
    await pilot.until(lambda: pilot.app.tour.index == number - 1 and f"{number} of 6" in bar_title(pilot))


async def test_the_whole_tour_by_keys():
    async with running(newcomer()) as pilot:
        app = pilot.app
        await pilot.seated("save:MENACE", "human")
        await pilot.until(lambda: OFFER.replace("`", "") in pilot.state_of("#play-wall"))
        assert len(app.screen.query_one(Wall).edges) == 304
        await pilot.press("f2")
        await at_stage(pilot, 1)
        before = app.screen.query_one("#board").size
        await play_to_the_end(pilot)
        await at_stage(pilot, 2)
        assert app.screen.query_one("#board").size == before, "the board keeps its size during the tour"
        await pilot.until(lambda: app.screen.table.lessons and not app.screen.table.is_learning)
        assert not app.screen.proposed, "the tour alone says what comes next"
        await pilot.press("enter")
        await at_stage(pilot, 3)
        opened = app.screen.session.match
        await pilot.press("T")
        await pilot.until(lambda: app.job is not None and not app.job.running and app.current_mode == "train")
        await pilot.until(lambda: app.screen.screen_view().losses is not None)
        assert app.tour.index == 2, "it waits until the person has looked"
        await pilot.press("p")
        await at_stage(pilot, 4)
        await pilot.until(lambda: app.screen.session.seats[0].rounds == 1001)
        await pilot.until(lambda: app.screen.session.match is not opened)
        await play_to_the_end(pilot)
        await at_stage(pilot, 5)
        await pilot.press("f2")
        await pilot.seated("human", "save:riechel")
        await at_stage(pilot, 5)
        await pilot.press("f2")
        await at_stage(pilot, 6)
        await pilot.press("f2")
        await pilot.until(lambda: not app.tour.is_under_way and not bar_says(pilot))
        assert app.screen.query_one("#board").size == before, "the board keeps its size when the tour bar goes"
        await pilot.until(lambda: load_settings(settings_path()).get("tour") == "taken")
    async with running(newcomer()) as pilot:
        await pilot.sees("F2 Tour")
        await pilot.press("f2")
        await at_stage(pilot, 1)


@pytest.mark.parametrize("mode", ["library", pytest.param("play", marks=pytest.mark.long)])
async def test_the_tour_seats_a_fresh_machine_if_another_opponent_sits_there(mode):
    async with running(make_app()) as pilot:
        await pilot.seated("human", "save:riechel")
        await pilot.press("5")
        left = pilot.screen.session
        await pilot.until(lambda: len(left.match.moves) == 2)
        await pilot.press(KEYS[mode], "f2")
        await pilot.seated("save:MENACE", "human")
        await at_stage(pilot, 1)
        assert not pilot.screen.session.seats[0].rounds
        assert pilot.screen.table.learning
        await pilot.press("u")
        await pilot.until(lambda: pilot.screen.session is left)


async def test_the_tour_goes_on_after_a_restart():
    async with running(newcomer()) as pilot:
        await pilot.seated("save:MENACE", "human")
        await pilot.press("f2", "f2", "f2")
        await at_stage(pilot, 3)
    async with running(newcomer()) as pilot:
        await pilot.seated("save:MENACE", "human")
        await pilot.until(lambda: OFFER_TO_GO_ON.replace("`", "") in pilot.state_of("#play-wall"))
        await pilot.press("f2")
        await at_stage(pilot, 3)


async def click_on(pilot, word):
    bar = pilot.screen.query_one(TourBar)
    line = pilot.screen_text.split("\n")[bar.region.bottom - 1]
    await pilot.click(bar, offset=(line.index(word) - bar.region.x, bar.region.height - 1))


async def play_to_the_end(pilot):
    session = pilot.screen.session
    while not over(session):
        await pilot.until(lambda: session.player is None or over(session))
        moves = len(session.match.moves)
        if not over(session):
            ((square,), *_) = session.moves_by_squares()
            await pilot.press(str(square + 1))
            await pilot.until(lambda moves=moves: len(session.match.moves) > moves)


def over(session):
    return session.match.outcome is not None


@pytest.mark.long
async def test_the_tour_is_offered_until_answered_and_can_be_left_and_resumed():
    async with running(make_app()) as pilot:
        await pilot.until(lambda: pilot.screen.query(TourBar))
        assert not bar_says(pilot)
    async with running(newcomer()) as pilot:
        await pilot.until(lambda: "New here?" in pilot.state_of("#play-wall"))
        await pilot.press("l")
        await pilot.until(lambda: pilot.app.current_mode == "library")
        assert not bar_says(pilot)
        await pilot.press("p", "f2")
        for word, number in (("next", 2), ("F3", 1), ("next", 2)):
            await pilot.until(lambda word=word: word in pilot.screen_text.split("Tour ")[-1])
            await click_on(pilot, word)
            await at_stage(pilot, number)
        titles = [command.title for command in pilot.app.get_system_commands(pilot.screen)]
        assert "Leave the tour" in titles
        await click_on(pilot, "leave")
        await pilot.sees("F2 Tour")
        assert pilot.shown_messages == [], "no message covers the screen"
        await pilot.press("f2", "f4")
        await pilot.until(lambda: not bar_says(pilot) and load_settings(settings_path()).get("tour") == "left")
        await pilot.press("colon")
        await pilot.arrived(CommandPalette)
        await pilot.press(*"take the tour")
        await pilot.until(lambda: pilot.screen.query_one("CommandList").option_count == 1)
        await pilot.press("enter")
        await pilot.until(lambda: not isinstance(pilot.screen, CommandPalette) and "of 6" in bar_title(pilot))
    async with running(newcomer()) as pilot:
        await pilot.until(lambda: pilot.screen.query(TourBar))
        assert not bar_says(pilot)


@pytest.mark.long
async def test_a_declined_tour_is_not_offered_again():
    async with running(newcomer(), size=(60, 20)) as pilot:
        await pilot.sees("F4 no thanks")
        await pilot.press("f4")
        await pilot.until(lambda: load_settings(settings_path()).get("tour") == "left")
        await pilot.until(lambda: "F4" not in pilot.screen_text)
