"""Screens and the palette, when keys and requests come twice, too early or too late; a closed screen is freed."""

import gc
from weakref import ref

import pytest
from rich.style import Style
from textual.color import Color
from textual.command import CommandList, CommandPalette
from textual.events import Key
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen
from textual.widgets import Input, Static

from engine.games import GAMES
from lab.board.seating import Seating
from tests.keys import click_event
from tests.tui.piloting import make_app, running
from tui.games.screen import GamesScreen
from tui.library.screen import LibraryScreen
from tui.play.screen import PlayScreen
from tui.shell.commands import LabPalette
from tui.shell.dialog import HelpPage, Prompt, text_page
from tui.shell.requests import PlayAgainst
from tui.tree.screen import TreeScreen
from tui.tree.search_screen import SearchScreen


@pytest.mark.sample(1)
async def test_only_a_click_beside_the_palette_closes_it_and_once(pilot):
    await pilot.app.action_command_palette()
    palette = await pilot.arrived(CommandPalette)
    palette.post_message(click_event(palette, *pilot.app.size))  # as when the terminal has shrunk
    commands = palette.query_one(CommandList)
    await pilot.until(lambda: commands.option_count > 3)
    commands.clear_options()
    commands.post_message(click_event(commands, *commands.region.offset, Style(meta={"option": 3})))  # it is gone
    await pilot.pause()
    assert pilot.screen is palette
    for _ in range(3):
        palette.post_message(click_event(palette, 0, pilot.app.size.height - 1))
    await pilot.arrived(PlayScreen)
    await pilot.press("colon")
    await pilot.arrived(CommandPalette)


async def test_the_app_may_end_while_the_palette_opens():
    async with running(make_app()) as pilot:
        pilot.app.push_screen(LabPalette())
        pilot.app.leave()
    assert not pilot.app.return_code


@pytest.mark.long
async def test_text_typed_while_the_palette_closes_starts_no_search(pilot):
    for _ in range(5):
        await pilot.press("colon")
        await pilot.arrived(CommandPalette)
        palette = pilot.screen
        for key in ("p", "l", "escape"):
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await pilot.arrived(PlayScreen)
        palette.post_message(Input.Changed(Input(), "play"))
        await pilot.until(lambda palette=palette: not palette.is_running)


@pytest.mark.long
async def test_a_palette_opened_together_with_another_mode_is_closed_on_return(pilot):
    pilot.app.push_screen(LabPalette())
    pilot.app.switch_mode("tree")
    await pilot.arrived(TreeScreen)
    await pilot.press("p")
    await pilot.arrived(PlayScreen)
    await pilot.press("colon")
    await pilot.arrived(CommandPalette)
    await pilot.until(lambda: pilot.screen.query(CommandList).first().option_count > 3)


@pytest.mark.long
async def test_a_repeated_key_opens_one_dialog(pilot):
    await pilot.press("r")
    await pilot.until(lambda: isinstance(pilot.screen, TreeScreen) and pilot.screen.statistics)
    for _ in range(15):
        pilot.app.post_message(Key("slash", "/"))
    await pilot.arrived(Prompt)
    await pilot.pause()
    assert len(pilot.app.screen_stack) == 2


@pytest.mark.long
async def test_the_search_of_a_help_page_that_is_opening_is_no_error(pilot):
    page = HelpPage("", [])
    page.action_search()
    pilot.app.push_screen(page)
    page.action_search()
    await pilot.until(lambda: pilot.screen is page and page.query(Input))
    await pilot.press("slash")
    await pilot.until(lambda: isinstance(pilot.app.focused, Input))


@pytest.mark.long
async def test_a_dialog_is_not_opened_over_another_mode(pilot):
    await pilot.press("r")
    await pilot.until(lambda: isinstance(pilot.screen, TreeScreen) and pilot.screen.statistics)
    for key in ("slash", "p"):
        pilot.app.post_message(Key(key, None))
    await pilot.arrived(PlayScreen)
    await pilot.pause()
    assert isinstance(pilot.screen, PlayScreen)


@pytest.mark.long
async def test_closing_a_screen_twice_leaves_the_one_below_open(pilot):
    await pilot.press("r")
    await pilot.arrived(TreeScreen)
    await pilot.press("slash")
    await pilot.arrived(Prompt)
    prompt = pilot.screen
    prompt.query_one(Input).focus()
    prompt.dismiss(None)
    prompt.dismiss(None)
    await pilot.arrived(TreeScreen)
    await pilot.pause()
    assert isinstance(pilot.screen, TreeScreen)


@pytest.mark.long
async def test_a_screen_left_while_it_opens_is_removed(pilot):
    await pilot.press("r")
    await pilot.arrived(TreeScreen)
    game = pilot.app.game
    opening = SearchScreen(game, game.start)
    pilot.app.push_screen(opening)
    assert not opening.check_action("finish", ())
    opening.dismiss(None)
    await pilot.arrived(TreeScreen)


@pytest.mark.long
async def test_a_request_for_a_mode_is_dropped_while_the_app_ends(pilot, monkeypatch):
    seated = []
    await pilot.press("l")
    await pilot.arrived(LibraryScreen)
    seating = Seating(GAMES[0], "human", "human")
    monkeypatch.setattr(PlayScreen, "seat", lambda _screen, seating: seated.append(seating))
    await pilot.app.carry_out(PlayAgainst(seating))
    assert seated == [seating]
    monkeypatch.setattr(PlayScreen, "is_ready", False)
    await pilot.app.carry_out(PlayAgainst(seating))
    assert seated == [seating]


@pytest.mark.long
async def test_a_dialog_never_draws_one_above_it_as_the_screen_below(pilot, monkeypatch):
    below, above = Prompt("Name", "a", str), HelpPage("# Help", [])
    for page in (below, above):
        pilot.app.push_screen(page)
        await pilot.until(lambda page=page: pilot.screen is page and page.is_mounted)
    monkeypatch.setattr(Screen, "render", lambda _: BackgroundScreen(above, Color(0, 0, 0)))
    for page in (below, above):  # without the guard, this is a RecursionError
        page.refresh()
        await pilot.pause()
    assert not isinstance(below.render(), BackgroundScreen)


async def test_a_page_is_closed_by_a_click_beside_it_and_a_question_by_its_second_button(pilot):
    below = pilot.screen
    page, question = text_page("Title", ["text"]), Prompt("Name", "a", str)
    await pilot.app.push_screen(page)
    await pilot.click(Static)
    assert pilot.screen is page
    await pilot.click(offset=(0, 0))
    await pilot.until(lambda: pilot.screen is below)
    await pilot.press("question_mark")
    helping = await pilot.arrived(HelpPage)
    await pilot.until(lambda: helping.query_one(Input).size)
    await pilot.click(Input)
    assert pilot.screen is helping
    await pilot.click(offset=(0, 0))
    await pilot.until(lambda: pilot.screen is below)
    answers = []
    await pilot.app.push_screen(question, answers.append)
    await pilot.click("#back")
    await pilot.until(lambda: pilot.screen is below)
    assert answers == [None]


async def test_an_app_that_is_quit_while_a_screen_opens_ends_once_it_is_open(pilot):
    page = text_page("Title", ["text"])
    pilot.app.push_screen(page)
    assert not page.is_mounted
    pilot.app.exit()
    assert pilot.app.is_running
    await pilot.until(lambda: not pilot.app.is_running)
    assert page.is_mounted


@pytest.mark.long
async def test_a_closed_screen_is_freed():
    async with running(make_app(first="human", second="human")) as pilot:
        closed = []
        for _ in range(4):
            await pilot.arrived(PlayScreen)
            await pilot.press("H")
            await pilot.arrived(GamesScreen)
            closed.append(ref(pilot.screen))
            await pilot.press("escape")
        await pilot.arrived(PlayScreen)

        def is_freed() -> bool:
            gc.collect()
            return closed[0]() is None  # Textual may still hold the last two

        await pilot.until(is_freed)
