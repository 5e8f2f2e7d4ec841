import pytest
from rich.style import Style
from textual.command import CommandPalette
from textual.widgets import Input, OptionList

from engine.game import PluginFailed
from engine.games import GAMES
from engine.games.tictactoe import TicTacToe
from engine.grid_game import GridBoard
from lab.board.seating import seating_for
from learners.players.plain import RandomPlayer
from saves.library.library import Library
from saves.paths import library_path, settings_path
from saves.settings import load_settings, save_settings
from tests.plugins import added, point
from tests.tui.piloting import is_shown, make_app, running, saved
from tui.games.screen import GamesScreen
from tui.games.yourself_screen import YourselfScreen
from tui.play.screen import PlayScreen
from tui.shell.bars import ModeTab
from tui.shell.dialog import HelpPage
from tui.shell.modes import KEYS, TITLES
from tui.shell.requests import PlayAgainst
from tui.widgets.board import BoardView
from tui.widgets.board_shape import board_size, largest_cell
from tui.widgets.palette import theme_colour


async def in_mode(pilot, mode):
    await pilot.until(lambda: pilot.app.current_mode == mode and pilot.screen.mode == mode)


@pytest.mark.long
async def test_modes_and_their_help_are_one_key_away_from_each_other():
    async with running(size=(120, 40)) as pilot:
        for mode, key in (("train", "question_mark"), ("library", "f1"), ("tree", "f1"), ("play", "question_mark")):
            pilot.screen.set_focus(None)  # a name may be typed in the form
            await pilot.press(KEYS[mode])
            await in_mode(pilot, mode)
            assert pilot.screen.query_one("ModeTab.-active", ModeTab).mode == mode
            await pilot.press(key)
            await pilot.arrived(HelpPage)
            await pilot.until(lambda mode=mode: f"╭─ Help · {TITLES[mode]} ─" in pilot.screen_text)
            await pilot.press(key)
            await in_mode(pilot, mode)


@pytest.mark.long
async def test_modes_are_one_click_away_from_each_other(pilot):
    for mode in ("train", "library", "tree", "play"):
        tab = next(tab for tab in pilot.screen.query(ModeTab) if tab.mode == mode)
        await pilot.until(lambda tab=tab: is_shown(tab))
        await pilot.click(tab)
        await in_mode(pilot, mode)


@pytest.mark.long
async def test_the_palette_goes_to_every_mode(pilot):
    for mode in ("train", "library", "tree", "play"):
        await pilot.press("ctrl+p" if mode == "play" else "colon")
        await pilot.arrived(CommandPalette)
        await pilot.press(*f"go to {TITLES[mode]}")
        await pilot.until(lambda: pilot.screen.query_one("CommandList").option_count == 1)
        await pilot.press("enter")
        await in_mode(pilot, mode)


async def test_the_palette_lists_the_rooms_of_other_modes_and_nothing_that_is_impossible(pilot):
    def titles():
        return [command.title for command in pilot.app.get_system_commands(pilot.app.screen)]

    await pilot.until(lambda: pilot.app.screen.is_ready and pilot.app.screen.table.can_move)
    assert titles().count("You") == 1
    assert not {"Undo", "Train on"} & {*titles()}
    await pilot.press("5")
    await pilot.until(lambda: "Undo" in titles())
    await pilot.press("l")
    await in_mode(pilot, "library")
    await pilot.until(lambda: "You" in titles())
    await pilot.press("colon")
    await pilot.arrived(CommandPalette)
    await pilot.press(*"all your games")  # a part of its description
    await pilot.until(lambda: pilot.app.screen.query_one("CommandList").option_count == 1)
    await pilot.press("enter")
    await pilot.arrived(GamesScreen)


@pytest.mark.long
async def test_the_table_of_keys_says_less_in_a_narrower_window(pilot):
    await pilot.until(lambda: pilot.screen.is_ready)
    await pilot.press("question_mark")
    await pilot.arrived(HelpPage)
    listed = pilot.screen.query_one(OptionList)
    await pilot.until(lambda: max(len(str(option.prompt)) for option in listed.options) > 60)
    await pilot.resize_terminal(60, 20)
    await pilot.until(lambda: listed.size.width < 60)
    await pilot.until(lambda: max(len(str(option.prompt)) for option in listed.options) <= listed.size.width)


async def test_the_table_of_keys_can_be_searched_and_runs_an_action(pilot):
    await pilot.until(lambda: pilot.screen.is_ready)
    await pilot.press("question_mark")
    await pilot.arrived(HelpPage)
    listed = pilot.screen.query_one(OptionList)
    texts = [str(option.prompt).strip() for option in listed.options]
    assert texts[1].startswith("1 … 9  Pick the square"), "what a newcomer needs first"
    assert all(any(text.startswith(each) for text in texts) for each in ("n  New game", "l  Library", "h  Hint"))
    await pilot.until(lambda: listed.has_focus)
    await pilot.press("slash")
    await pilot.until(lambda: pilot.screen.query_one(Input).has_focus)
    await pilot.press(*"race")
    await pilot.until(lambda: [str(option.prompt).split()[:2] for option in listed.options] == [["a", "Race"]])
    await pilot.press("enter")
    await in_mode(pilot, "race")


@pytest.mark.long
async def test_a_theme_is_remembered_and_other_settings_are_kept():
    save_settings(settings_path(), {"something": "else"})
    async with running() as pilot:
        pilot.app.theme = "nord"
        await pilot.until(lambda: load_settings(settings_path()) == {"something": "else", "theme": "nord"})
    async with running() as pilot:
        assert pilot.app.theme == "nord"


async def test_the_key_of_a_mode_goes_back_to_its_own_screen_and_so_does_a_request(pilot):
    await pilot.seated("human", "save:riechel")
    await pilot.press("m")
    await pilot.arrived(YourselfScreen)
    await pilot.press(KEYS["play"])
    await pilot.arrived(PlayScreen)
    await pilot.press("m")
    await pilot.arrived(YourselfScreen)
    await pilot.app.switch_mode("library")
    await pilot.app.carry_out(PlayAgainst(seating_for(GAMES[0], "human", "random")))
    await pilot.seated("human", "random")
    assert isinstance(pilot.screen, PlayScreen)


async def test_unreadable_settings_are_reported_and_not_overwritten():
    settings_path().write_text("{not json")
    async with running() as pilot:
        await pilot.told("settings.json")
        pilot.app.clear_notifications()
        await pilot.until(lambda: not pilot.shown_messages)
        pilot.app.theme = "nord"
        await pilot.told("settings.json")
    assert settings_path().read_text() == "{not json"


@pytest.mark.long
async def test_ctrl_c_tells_the_keys_that_quit_here(pilot):
    await pilot.press("ctrl+c")
    await pilot.told("Press q to quit; Ctrl+C does not.")
    assert pilot.app.is_running
    pilot.app.clear_notifications()
    await pilot.press("f1")
    await pilot.arrived(HelpPage)
    await pilot.press("ctrl+c")
    await pilot.told("Press Escape, then q, to quit;")
    await pilot.press("slash", *"abc", "shift+left", "ctrl+c")
    await pilot.until(lambda: pilot.app.clipboard == "c")


SMALL = "Noughts needs 60 columns and 20 lines."


def shown_parts(pilot):
    return [each.id for each in pilot.screen.query("#body, #too-small") if is_shown(each)]


@pytest.mark.long
async def test_a_terminal_too_small_shows_one_line_and_the_screen_comes_back(pilot):
    for mode, sizes in (("play", ((59, 24), (80, 19), (20, 5), (5, 2))), ("train", ((59, 24),))):
        await pilot.app.switch_mode(mode)
        for size in sizes:
            await pilot.resize_terminal(*size)
            await pilot.until(lambda: shown_parts(pilot) == ["too-small"])
            if size[0] > 40:
                await pilot.until(lambda: SMALL in pilot.screen_text)
        for size in ((60, 20), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.until(lambda: shown_parts(pilot) == ["body"])
            await pilot.until(lambda: "Play" in pilot.screen_text.splitlines()[0])


async def test_an_error_in_a_worker_is_reported_and_the_app_goes_on(monkeypatch):
    def broken(_self, _name):
        raise RuntimeError("[bold]the shelf fell\x1b[31m")

    monkeypatch.setattr(Library, "load", broken)
    async with running() as pilot:
        await pilot.told("the shelf fell")
        assert "\x1b" not in pilot.shown_messages[0]
        await pilot.press("l")
        await in_mode(pilot, "library")
        monkeypatch.undo()


@pytest.mark.long
async def test_at_most_three_different_messages_are_shown(pilot):
    """One message too many replaces all others."""
    await pilot.pause()
    for message, shown in zip("abacbd", ("a", "ab", "ab", "abc", "abc", "d"), strict=True):
        pilot.app.notify(message)
        await pilot.until(lambda shown=shown: pilot.shown_messages == list(shown))


@pytest.mark.long
async def test_a_message_that_there_was_time_to_read_stays_in_its_mode(pilot, monkeypatch):
    for mode, reading, shown in (("library", -1, []), ("play", 1e9, ["about a mode"])):
        monkeypatch.setattr("tui.shell.lab_app.READING_SECONDS", reading)
        pilot.app.notify("about a mode")
        await pilot.told("about a mode")
        await pilot.press(KEYS[mode])
        await in_mode(pilot, mode)
        await pilot.until(lambda shown=shown: pilot.shown_messages == shown)


async def test_the_widest_board_has_room_for_all_its_columns():
    async with running(make_app("notakto:3", "human", "human"), size=(60, 20)) as pilot:
        board = pilot.screen.query_one(BoardView)
        cell = largest_cell(board.game, board.size)
        assert board_size(board.game, *cell).width <= board.size.width
        await pilot.sees("e f g   i j k")


@pytest.mark.sample(1)
@pytest.mark.parametrize(("size", "cell"), [((80, 24), (5, 2)), ((120, 40), (8, 4)), ((60, 20), (3, 2))])
async def test_the_board_of_connect_four_fills_its_panel(size, cell):
    async with running(make_app("connectfour", "human", "human"), size=size) as pilot:
        await pilot.until(lambda: pilot.screen.query_one(BoardView).cell_size == cell)


@pytest.mark.long
async def test_the_app_names_a_plugin_that_was_left_out():
    with added(point("games", "[red]bad", lambda: TicTacToe)):
        async with running() as pilot:
            await pilot.until(lambda: "plug-in game [red]bad of boards 1.0 is left out" in pilot.newest_message)


class Speechless(RandomPlayer):
    label = "speechless"

    def choose(self, position, random):
        raise LookupError("no [red]words")


@pytest.mark.long
async def test_the_app_names_a_player_of_a_plugin_that_fails_and_goes_on():
    with added(point("players", "a", lambda: Speechless)):
        async with running(make_app(first="speechless", second="human")) as pilot:
            await pilot.told(
                "plug-in player speechless of boards 1.0 failed: LookupError: no [red]words (tests.tui.test_app"
            )
            assert pilot.app.is_running


class Blank(GridBoard):
    def cells(self, position):
        return super().cells(position) if position in (self.game.start, self.game.play(self.game.start, 0)) else 1 / 0


class Sudden(TicTacToe):
    name = "sudden"

    def __init__(self) -> None:
        super().__init__()
        self.board = Blank(self)


@pytest.mark.long
async def test_the_app_ends_in_one_line_if_a_game_of_a_plugin_cannot_be_drawn(capsys: pytest.CaptureFixture[str]):
    async def drive(app):
        async with running(app) as pilot:
            await pilot.until(lambda: app.screen.is_ready and app.screen.session is not None)
            await pilot.press("1", "2")
            await pilot.until(lambda: not app.is_running)

    with added(point("games", "a", lambda: Sudden)):
        app = make_app("sudden", "human", "human")
        with pytest.raises(PluginFailed):  # as Textual's pilot does
            await drive(app)
        assert app.report_exit() == 1
    told = capsys.readouterr().err
    last = told.splitlines()[-1]
    assert last.startswith(
        "noughts: plug-in game sudden of boards 1.0 failed: ZeroDivisionError: division by zero (tests.tui.test_app,"
    )
    assert last.endswith("; that ended the app. What was learned is saved.")
    assert "Traceback" not in told


@pytest.mark.long
async def test_an_unknown_theme_is_no_error():
    save_settings(settings_path(), {"theme": "[/]"})
    async with running() as pilot:
        assert pilot.app.theme == make_app().theme
        assert pilot.shown_messages == []


@pytest.mark.long
async def test_rich_knows_every_colour_of_every_theme(pilot):
    for theme in pilot.app.available_themes:
        pilot.app.theme = theme
        for name in ("primary", "secondary", "accent", "warning", "success", "error", "foreground"):
            assert Style.parse(theme_colour(pilot.screen, name)).color is not None


@pytest.mark.long
async def test_two_apps_on_one_library_both_save_under_names_of_their_own():
    async with running() as one, running() as other:
        for pilot in (one, other):
            await pilot.press("t")
            await pilot.until(lambda pilot=pilot: pilot.form["name"] == "failures")
        for pilot, seed in ((one, "1"), (other, "2")):
            pilot.enter(seed=seed)
            pilot.enter(rounds="100000000")
            pilot.enter(pace="1,000 games a second")
            await pilot.press("g")
            await pilot.until(lambda pilot=pilot: pilot.app.job is not None)
        for pilot in (one, other):
            await pilot.until(lambda pilot=pilot: pilot.app.job.view.done > 0)
            await pilot.press("S")
            await pilot.until(lambda pilot=pilot: not pilot.app.job.view.state.active)
        assert (one.app.job.save_error, other.app.job.save_error) == ("", "")
        await other.until(lambda: other.train_state == "Stopped; saved as failures 2")
        assert one.train_state == "Stopped; saved as failures"
    assert set(saved()) == {"failures", "failures 2"}
    library = Library(library_path())
    assert [library.load(name).seed for name in ("failures", "failures 2")] == [1, 2]
