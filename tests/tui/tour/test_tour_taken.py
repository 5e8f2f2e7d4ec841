"""The tour in the app: offered, taken by keys, left, and remembered."""

from random import Random

import pytest
from textual.command import CommandPalette

from engine.games import parse_game
from saves.library.library import Library
from saves.paths import library_path, settings_path
from saves.settings import load_settings
from tests.tui.piloting import come_to_rest, enter, is_shown, make_app, running, screen_text, shown_messages, until
from tui.app import NoughtsApp
from tui.shell.tour import keyed
from tui.shell.tour_bar import TourBar


@pytest.fixture(autouse=True)
def _brief(monkeypatch):
    monkeypatch.setattr("tui.shell.screen.TOUR_REMINDER_TIME", 0.5)


TICTACTOE = parse_game("tictactoe")


def newcomer():
    return NoughtsApp(Library(library_path()), settings_path(), (None, "random"), TICTACTOE, Random(1), greet=True)


def bar_says(pilot):
    bar = pilot.app.screen.query_one(TourBar)
    return str(bar.content) if is_shown(bar) else ""


async def test_the_whole_tour_by_keys(monkeypatch):  # noqa: PLR0915  one way from beginning to end
    monkeypatch.setattr("tui.play.screen.THINKING_TIME", 0.001)
    async with running(newcomer()) as pilot:
        app = pilot.app
        await until(pilot, lambda: app.screen.session.labels == ("human", "random"))
        await until(pilot, lambda: "New here?" in bar_says(pilot))
        await pilot.press("f2")
        await until(pilot, lambda: "1 of 6" in bar_says(pilot))
        session = app.screen.session
        while not over(session):
            moves = len(session.match.moves)
            ((square,), *_) = session.moves_by_squares()
            await pilot.press(str(square + 1))
            await until(pilot, lambda moves=moves: len(session.match.moves) == moves + 2 or over(session))
        await until(pilot, lambda: "2 of 6" in bar_says(pilot))
        assert outcome_news(session.match.outcome) in bar_says(pilot)
        await pilot.press("t")
        await until(pilot, lambda: "g trains: Failure-based reasoner, 100,000 games" in bar_says(pilot))
        await until(pilot, lambda: app.screen.query_one(TourBar).size.height == 2)
        assert "F2 next" in bar_says(pilot)
        assert "F4 leave" in bar_says(pilot)
        enter(pilot, rounds="2,000")
        await until(pilot, lambda: "2,000 games" in bar_says(pilot))
        await pilot.press("g")
        await until(pilot, lambda: "Look at its curves, then l opens the Library" in bar_says(pilot))
        assert "2 of 6" in bar_says(pilot), "it waits until the person has looked"
        await pilot.press("l")
        await until(pilot, lambda: "learned from 2,000 games. Enter looks inside failures." in bar_says(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "The arrows go through its" in bar_says(pilot))
        await pilot.press("down")
        await until(pilot, lambda: "4 of 6" in bar_says(pilot) and "Press ," in bar_says(pilot))
        await pilot.press("comma", "comma")
        await until(pilot, lambda: "goes further back" in bar_says(pilot) and "4 of 6" in bar_says(pilot))
        await pilot.resize_terminal(60, 20)
        await until(pilot, lambda: app.screen.query_one(TourBar).size.height == 2)
        await pilot.resize_terminal(59, 20)
        await until(pilot, lambda: not bar_says(pilot))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "4 of 6" in bar_says(pilot))  # a terminal too small takes no keys
        await pilot.press("full_stop", "full_stop")
        await until(pilot, lambda: "5 of 6" in bar_says(pilot))
        await until(pilot, lambda: "One who knows it by heart wins" in bar_says(pilot))
        assert "Escape shows the figures." in bar_says(pilot)
        app.library.delete("failures")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "hochmuth" in bar_says(pilot))
        await pilot.press("f2")
        await until(pilot, lambda: "F2 end" in bar_says(pilot))
        await pilot.press("f3")
        await until(pilot, lambda: "see exact results" in bar_says(pilot))
        await pilot.press("f2", "f2")
        await until(pilot, lambda: "F2 starts the tour again" in bar_says(pilot))
        await until(pilot, lambda: not bar_says(pilot))
        await until(pilot, lambda: load_settings(settings_path()).get("tour") == "taken")


def over(session):
    return session.match.outcome is not None


def outcome_news(outcome):
    return {None: "A draw with random.", 0: "You beat random.", 1: "random beat you."}[outcome.winner]


@pytest.mark.long
async def test_the_tour_is_offered_until_answered_and_can_be_left_and_resumed():
    async with running(make_app()) as pilot:
        await until(pilot, lambda: pilot.app.screen.query(TourBar))
        assert not bar_says(pilot)
    async with running(newcomer()) as pilot:
        await until(pilot, lambda: "New here?" in bar_says(pilot))
        await pilot.press("l")
        await until(pilot, lambda: pilot.app.current_mode == "library")
        assert not bar_says(pilot)
        await pilot.press("p")
        for word, comes in (("F2", "1 of 6"), ("next", "2 of 6"), ("F3", "1 of 6"), ("next", "2 of 6")):
            await until(pilot, lambda word=word: word in bar_says(pilot))
            bar = pilot.app.screen.query_one(TourBar)
            await pilot.click(bar, offset=(1 + bar_says(pilot).index(word), 0))
            await until(pilot, lambda comes=comes: comes in bar_says(pilot))
        titles = [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]
        assert "Leave the tour" in titles
        await pilot.click(bar, offset=(1 + bar_says(pilot).index("leave"), 0))
        await until(pilot, lambda: "F2 starts the tour again at any time." in bar_says(pilot))
        assert shown_messages(pilot) == [], "no message covers the screen"
        await until(pilot, lambda: not bar_says(pilot) and load_settings(settings_path()).get("tour") == "left")
        await pilot.press("colon")
        await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
        await pilot.press(*"take the tour")
        await until(pilot, lambda: pilot.app.screen.query_one("CommandList").option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.screen, CommandPalette) and "2 of 6" in bar_says(pilot))
    async with running(newcomer()) as pilot:
        await until(pilot, lambda: pilot.app.screen.query(TourBar))
        assert not bar_says(pilot)


async def test_a_declined_tour_is_not_offered_again():
    async with running(newcomer(), size=(60, 20)) as pilot:
        await until(pilot, lambda: "New here?" in bar_says(pilot))
        await until(pilot, lambda: "F4: no thanks." in screen_text(pilot))
        await pilot.press("f4")
        await until(pilot, lambda: load_settings(settings_path()).get("tour") == "left")
        await until(pilot, lambda: not bar_says(pilot))


KEYS_TOLD = {"Enter": "enter", "Escape": "escape", "Space": "space", ",": "comma", ".": "full_stop", "F2": "f2"}
MAX_STEPS = 60


async def follow(pilot):
    """Follow the tour bar, using nothing but its text."""
    app = pilot.app

    def do():
        return app.tour.words(app.screen.screen_view()).do.replace("`", "")

    await until(pilot, lambda: do() in " ".join(bar_says(pilot).split()))  # the instruction is shown whole
    words, view = app.tour.words(app.screen.screen_view()), app.screen.screen_view()
    keys = [part for part, is_key in keyed(words.do) if is_key]
    if "a digit picks a square" in words.do and view.session.player is None:
        ((square,), *_) = view.session.moves_by_squares()
        await pilot.press(str(square + 1))
    elif words.do.startswith("The arrows go through"):
        await pilot.press("right")
    elif words.do.startswith("The arrows go to"):
        await pilot.press("down")
    elif keys and app.tour.stage.title not in ("see exact results", "where to go now"):
        key = keys[-1] if "goes further back" in words.do else keys[0]
        await pilot.press(KEYS_TOLD.get(key, key))
    else:
        await pilot.press("f2")
    await come_to_rest(pilot)


@pytest.mark.long
@pytest.mark.parametrize(
    "size", [(80, 24), *(pytest.param(size, marks=pytest.mark.long) for size in [(60, 20), (120, 40), (200, 60)])]
)
async def test_following_its_instructions_completes_the_tour_at_every_size(size, monkeypatch):
    monkeypatch.setattr("tui.play.screen.THINKING_TIME", 0.001)
    async with running(newcomer(), size=size) as pilot:
        app = pilot.app
        await until(pilot, lambda: app.screen.is_ready and "New here?" in bar_says(pilot))
        await pilot.press("f2")
        await until(pilot, lambda: "1 of 6" in bar_says(pilot))
        seen = []
        while app.tour.under_way:
            seen.append(app.tour.at)
            assert len(seen) < MAX_STEPS, bar_says(pilot)
            await follow(pilot)
            job = app.job
            await until(pilot, lambda job=job: job is None or not job.running)
        assert seen == sorted(seen)
        assert set(seen) == set(range(6)), "every stage is met"
