import re

import pytest
from rich.style import Style
from textual.command import CommandPalette
from textual.widgets import DataTable, OptionList, Select
from textual.widgets._toast import Toast

from engine.games.tictactoe import TicTacToe
from saves.library.library import Library
from saves.paths import library_path, settings_path
from saves.settings import load_settings, save_settings
from tests.plugins import added, point
from tests.tui.piloting import (
    come_to_rest,
    enter,
    form_of,
    is_shown,
    make_app,
    newest,
    running,
    saved,
    screen_text,
    shown_messages,
    text_of,
    until,
)
from tui.app import NoughtsApp
from tui.shell.bars import ModeTab
from tui.shell.dialog import HelpPage
from tui.shell.modes import KEYS, TITLES
from tui.tree.game_tree import GameTree
from tui.widgets.board import BoardView, board_size, largest_cell
from tui.widgets.tiles import theme_colour


async def arrived(pilot, mode):
    await until(pilot, lambda: pilot.app.current_mode == mode and pilot.app.screen.mode == mode)


async def test_modes_are_one_key_away_from_each_other():
    async with running() as pilot:
        for mode in ("train", "library", "tree", "train", "play"):
            pilot.app.screen.set_focus(None)  # a name may be typed in the form
            await pilot.press(KEYS[mode])
            await arrived(pilot, mode)
            assert pilot.app.screen.query_one("ModeTab.-active", ModeTab).mode == mode


@pytest.mark.long
async def test_modes_are_one_click_away_from_each_other():
    async with running() as pilot:
        for mode in ("train", "library", "tree", "play"):
            tab = next(tab for tab in pilot.app.screen.query(ModeTab) if tab.mode == mode)
            await until(pilot, lambda tab=tab: is_shown(tab))
            await pilot.click(tab)
            await arrived(pilot, mode)


@pytest.mark.long
async def test_the_palette_goes_to_every_mode():
    async with running() as pilot:
        for mode in ("train", "library", "tree", "play"):
            await pilot.press("ctrl+p" if mode == "play" else "colon")
            await until(pilot, lambda: isinstance(pilot.app.screen, CommandPalette))
            await pilot.press(*f"go to {TITLES[mode]}")
            await until(pilot, lambda: pilot.app.screen.query_one("CommandList").option_count == 1)
            await pilot.press("enter")
            await arrived(pilot, mode)


def titles_of(app) -> list[str]:
    """The titles of the commands in the palette."""
    return [command.title for command in app.get_system_commands(app.screen)]


async def test_every_mode_has_its_command():
    app = make_app()
    async with running(app):
        titles = titles_of(app)
    assert [title for title in titles if title.startswith("Go to")] == [f"Go to {title}" for title in TITLES.values()]
    assert "Theme" in titles


@pytest.mark.long
async def test_lists_and_fields_cannot_be_maximized():
    async with running() as pilot:
        assert "Maximize" in titles_of(pilot.app)
        await pilot.press(KEYS["tree"])
        await arrived(pilot, "tree")
        await until(pilot, lambda: isinstance(pilot.app.focused, GameTree))
        assert "Maximize" in titles_of(pilot.app)
        await pilot.press("shift+tab")
        await until(pilot, lambda: isinstance(pilot.app.focused, Select))
        assert "Maximize" not in titles_of(pilot.app)
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(pilot.app.focused, Select))
        assert "Maximize" not in titles_of(pilot.app)


async def test_help_opens_and_closes_in_every_mode():
    async with running(size=(120, 40)) as pilot:
        for mode, key in (("play", "question_mark"), ("library", "f1"), ("tree", "f1"), ("train", "question_mark")):
            pilot.app.screen.set_focus(None)
            await pilot.press(KEYS[mode])
            await arrived(pilot, mode)
            await pilot.press(key)
            await until(pilot, lambda: isinstance(pilot.app.screen, HelpPage))
            await until(pilot, lambda mode=mode: TITLES[mode] in help_lines(pilot))
            await pilot.press(key)
            await until(pilot, lambda: not isinstance(pilot.app.screen, HelpPage))


async def test_the_table_of_keys_can_be_searched_and_runs_an_action():
    async with running() as pilot:
        await until(pilot, lambda: pilot.app.screen.is_ready)
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpPage))
        listed = pilot.app.screen.query_one(OptionList)
        texts = {str(option.prompt).strip() for option in listed.options}
        assert {"n  New game", "l  Library", "h  Hint"} <= texts
        await pilot.press("slash", *"race")
        await until(pilot, lambda: [str(option.prompt).strip() for option in listed.options] == ["a  Race"])
        await pilot.press("enter")
        await arrived(pilot, "race")


def help_lines(pilot):
    """The texts between two edges of frames on the screen; the help page lies over the frames of its screen."""
    return {part.strip(" █▌▐▁▔▂▃▄▅▆▇") for line in screen_text(pilot).splitlines() for part in line.split("│")}


async def test_a_theme_is_remembered_and_other_settings_are_kept():
    save_settings(settings_path(), {"something": "else"})
    async with running() as pilot:
        pilot.app.theme = "nord"
        await until(pilot, lambda: load_settings(settings_path()) == {"something": "else", "theme": "nord"})
    async with running() as pilot:
        assert pilot.app.theme == "nord"


async def test_an_unknown_theme_is_no_error():
    save_settings(settings_path(), {"theme": "[/]"})
    async with running() as pilot:
        assert pilot.app.theme == make_app().theme
        assert shown_messages(pilot) == []


async def test_unreadable_settings_are_reported_and_not_overwritten():
    settings_path().write_text("{not json")
    async with running() as pilot:
        await until(pilot, lambda: any("settings.json" in line for line in shown_messages(pilot)))
        pilot.app.clear_notifications()
        pilot.app.theme = "nord"
        await until(pilot, lambda: newest(pilot) is not None)
        assert "settings.json" in shown_messages(pilot)[-1]
    assert settings_path().read_text() == "{not json"


@pytest.mark.long
async def test_every_screen_is_drawn_with_the_colours_of_the_terminal():
    async with running() as pilot:
        pilot.app.theme = "ansi-dark"
        for mode in TITLES:
            await pilot.app.switch_mode(mode)
            await until(pilot, lambda: "NOUGHTS" in screen_text(pilot))


@pytest.mark.long
async def test_rich_knows_every_colour_of_every_theme():
    async with running() as pilot:
        for theme in pilot.app.available_themes:
            pilot.app.theme = theme
            for name in ("primary", "secondary", "accent", "warning", "success", "error", "foreground"):
                assert Style.parse(theme_colour(pilot.app.screen, name)).color is not None


SMALL = "Noughts needs 60 columns and 20 lines."


@pytest.mark.long
async def test_a_terminal_too_small_shows_one_line_and_the_screen_comes_back():
    async with running() as pilot:
        for mode, sizes in (("play", ((59, 24), (80, 19), (20, 5), (5, 2))), ("train", ((59, 24),))):
            await pilot.app.switch_mode(mode)
            for size in sizes:
                await pilot.resize_terminal(*size)
                await until(pilot, lambda: not is_shown(pilot.app.screen.query_one("#body")))
                assert is_shown(pilot.app.screen.query_one("#too-small"))
                if size[0] > 40:
                    await until(pilot, lambda: SMALL in screen_text(pilot))
            for size in ((60, 20), (120, 40)):
                await pilot.resize_terminal(*size)
                await until(pilot, lambda: is_shown(pilot.app.screen.query_one("#body")))
                assert not is_shown(pilot.app.screen.query_one("#too-small"))
                await until(pilot, lambda: "Play" in screen_text(pilot).splitlines()[0])


@pytest.mark.long
async def test_the_board_grows_with_the_terminal():
    sizes = []
    async with running(size=(60, 20)) as pilot:
        for size in ((60, 20), (80, 24), (120, 40), (200, 60)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: pilot.app.screen.outer_size == size)
            await come_to_rest(pilot)
            sizes.append(pilot.app.screen.query_one(BoardView).cell_size)
    assert sizes == sorted(sizes)
    assert sizes[0] >= (7, 3)
    assert sizes[-1] == (21, 11)


async def test_the_library_shows_the_columns_that_fit():
    async with running() as pilot:
        await pilot.press("l")
        await arrived(pilot, "library")
        await until(pilot, lambda: pilot.app.screen.is_ready)
        await pilot.press("f")  # the list, in place of the cards
        table = pilot.app.screen.query_one(DataTable)
        for width, columns in ((80, 4), (60, 3), (120, 4), (60, 3)):
            await pilot.resize_terminal(width, 24)
            await until(pilot, lambda columns=columns: len(table.columns) == columns)
            await until(pilot, lambda: table.virtual_size.width <= table.size.width)
            await until(pilot, lambda: not table.show_horizontal_scrollbar)


@pytest.mark.long
async def test_two_apps_on_one_library_both_save_under_names_of_their_own():
    async with running() as one, running() as other:
        for pilot in (one, other):
            await pilot.press("t")
            await until(pilot, lambda pilot=pilot: form_of(pilot)["name"] == "failures")
        for pilot, seed in ((one, "1"), (other, "2")):
            enter(pilot, seed=seed)
            enter(pilot, rounds="100000000")
            enter(pilot, pace="1,000 games a second")
            await pilot.press("g")
            await until(pilot, lambda pilot=pilot: pilot.app.job is not None)
        for pilot in (one, other):
            await until(pilot, lambda pilot=pilot: pilot.app.job.view.done > 0)
            await pilot.press("S")
            await until(pilot, lambda pilot=pilot: not pilot.app.job.view.state.active)
        assert (one.app.job.save_error, other.app.job.save_error) == ("", "")
        await until(other, lambda: text_of(other, "#train-state") == "Stopped; saved as failures 2   l: look inside")
        assert text_of(one, "#train-state") == "Stopped; saved as failures   l: look inside"
    assert set(saved()) == {"failures", "failures 2"}
    library = Library(library_path())
    assert [library.load(name).seed for name in ("failures", "failures 2")] == [1, 2]


@pytest.mark.long
async def test_a_long_name_leaves_room_for_the_progress_of_a_training():
    async with running() as pilot:
        await pilot.press("t")
        await arrived(pilot, "train")
        name = "W" * 60
        enter(pilot, name=name)
        enter(pilot, pace="1,000 games a second")
        await pilot.press("g")
        await until(pilot, lambda: pilot.app.job is not None and pilot.app.job.view.done)
        for key, size in (("p", (80, 24)), ("l", (60, 20)), ("p", (60, 20)), ("t", (60, 20))):
            await pilot.resize_terminal(*size)
            await pilot.press(key)
            await until(pilot, lambda: "/s" in screen_text(pilot).splitlines()[0])
            if size[0] >= 80:  # below that the modes take the room
                await until(pilot, lambda: re.search("WWW.*/s", screen_text(pilot).splitlines()[0]))
    assert name in saved()


async def test_an_error_in_a_worker_is_reported_and_the_app_goes_on(monkeypatch):
    def broken(_self, _name):
        raise RuntimeError("[bold]the shelf fell\x1b[31m")

    monkeypatch.setattr(Library, "load", broken)
    async with running() as pilot:
        await until(pilot, lambda: any("the shelf fell" in line for line in shown_messages(pilot)))
        assert "\x1b" not in shown_messages(pilot)[0]
        await pilot.press("l")
        await arrived(pilot, "library")
    assert isinstance(pilot.app, NoughtsApp)


@pytest.mark.long
async def test_the_same_warning_is_not_shown_twice():
    async with running() as pilot:
        for message in ("one", "one", "two", "two"):
            pilot.app.warn(message)
        await until(pilot, lambda: "two" in shown_messages(pilot))
        assert shown_messages(pilot) == ["one", "two"]


async def test_at_most_three_different_messages_are_shown():
    """One message too many replaces all others."""
    async with running() as pilot:
        await pilot.pause()
        for message, shown in zip("abacbd", ("a", "ab", "ab", "abc", "abc", "d"), strict=True):
            pilot.app.notify(message)
            await until(pilot, lambda shown=shown: shown_messages(pilot) == list(shown))
            await until(pilot, lambda shown=shown: len(pilot.app.screen.query(Toast)) == len(shown))


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_widest_board_has_room_for_all_its_columns(size):
    async with running(make_app("notakto:3", "human", "human"), size=size) as pilot:
        board = pilot.app.screen.query_one(BoardView)
        cell = largest_cell(board.game, board.size)
        assert board_size(board.game, *cell).width <= board.size.width
        await until(pilot, lambda: "h i j k" in " ".join(screen_text(pilot).split()))


async def test_the_app_names_a_plugin_that_was_left_out():
    broken = point("games", "[red]bad", lambda: TicTacToe)
    with added(broken):
        async with running() as pilot:
            await until(pilot, lambda: "plug-in game [red]bad of boards 1.0 is left out" in str(newest(pilot)))
    with added(broken, point("players", "worse", lambda: TicTacToe)):
        async with running() as pilot:
            await until(pilot, lambda: "2 plug-ins are left out" in str(newest(pilot)))
