"""The Games screen: finished games are listed, filtered, deleted and restored, whatever the library contains."""

import sqlite3
from contextlib import asynccontextmanager, closing
from random import Random
from threading import Event

import pytest
from rich.cells import cell_len

from engine.games import parse_game
from engine.match import play_match
from saves.errors import LibraryError
from saves.library.game_record import PlayedGames
from saves.paths import library_path
from tests.tui.piloting import is_shown, running
from tests.waiting import LIMIT
from tui.games.debrief_screen import DebriefScreen
from tui.games.game_list import GameList, layout, line_of
from tui.games.screen import GamesScreen
from tui.play.screen import PlayScreen
from tui.shell.parts import Panel
from tui.widgets.library_tools import Trouble

LONG = "save:" + "Ω" * 30 + " " + "日本" * 14
HOSTILE = "save:[red]x[/] [@click=app.quit]q\x1b[31m\u202e"
COUNT, DIFFERENT, GIVEN_UP = 300, 16, 5
PLAYED = [parse_game(name) for name in ("tictactoe", "misere", "hexapawn", "connectfour")]
"""The games that are listed."""


def keep_random_games(library, count):
    """Save games of every kind against four opponents; the newest four have strange names or are damaged."""
    random = Random(3)

    def choose(position):
        return None if nth == GIVEN_UP else random.choice(game.moves(position))

    for nth in range(DIFFERENT):
        game, foe = PLAYED[nth % len(PLAYED)], ("perfect", "random", "save:a b", "human")[nth // 4 % 4]
        library.games.add(play_match(game, (choose, choose)).record(("human", foe) if nth % 3 else (foe, "human")))
    with closing(sqlite3.connect(library.path)) as db, db:
        row = "played, game, first, second, moves, outcome"
        for nth in range(DIFFERENT, count):
            db.execute(f"INSERT INTO game ({row}) SELECT {row} FROM game WHERE id = ?", (nth % DIFFERENT + 1,))  # noqa: S608
        db.execute("UPDATE game SET first = 'human', second = ? WHERE id = ?", (LONG, count))
        db.execute("UPDATE game SET first = ?, second = 'human' WHERE id = ?", (HOSTILE, count - 1))
        db.execute("UPDATE game SET moves = 'x1' WHERE id = ?", (count - 2,))
        db.execute("UPDATE game SET game = 'chess' WHERE id = ?", (count - 3,))


async def open_games(pilot):
    await pilot.arrived(PlayScreen)
    pilot.app.push_screen(GamesScreen())
    await pilot.arrived(GamesScreen)


@asynccontextmanager
async def listing(library):
    """Forty games, and the screen that lists them."""
    keep_random_games(library, 40)
    async with running() as pilot:
        await open_games(pilot)
        await settled(pilot, 40)
        yield pilot, pilot.screen


async def settled(pilot, count):
    """Wait until that many games are listed and the one under the cursor has been read."""
    await pilot.until(lambda: len(pilot.screen.games.numbers) == count and pilot.screen.selected is not None)


def details(pilot):
    """What is told of the selected game."""
    return pilot.text_of("#games-game")


def choice(pilot):
    """What is told of the games that are listed."""
    return pilot.text_of("#games-which")


async def test_visible_games_are_read_and_the_selected_one_is_shown_beside_the_list(library):
    keep_random_games(library, COUNT)
    async with running(size=(120, 40)) as pilot:
        await open_games(pilot)
        await settled(pilot, COUNT)
        games = pilot.screen.games
        screen = pilot.screen_text
        for part in ("300 games   every game, against everybody", "[red]x[/]", "Ω" * 10, "unreadable", "X a person"):
            assert part in screen
        assert "\x1b" not in screen
        assert LONG.removeprefix("save:") in details(pilot)
        await pilot.press("down", "down")
        await pilot.until(lambda: "This game cannot be read: 'x1' is not a move of" in details(pilot))
        await pilot.press("enter")
        await pilot.told("This game cannot be read: 'x1'")
        pilot.app.clear_notifications()
        await pilot.press("end")
        await pilot.until(lambda: games.number == 1 and games.selected is not None)
        assert len(games._games) < COUNT
        assert "Tic-tac-toe" in details(pilot)
        await pilot.until(lambda: "Perfect" in pilot.screen_text.split("Enter goes")[0].splitlines()[-2])
        last = games.selected.record.game.move_name(games.selected.record.moves[-1])
        await pilot.until(lambda: last in pilot.text_of("GameBoards"))
        await pilot.press("pageup", "pageup", "home")
        await pilot.until(lambda: games.number == COUNT)
        for size in ((80, 24), (60, 20)):
            await pilot.resize_terminal(*size)
            await pilot.until(lambda size=size: games.size.width < size[0] and "300 games" in pilot.screen_text)
            beside = size[0] == 80
            await pilot.until(lambda beside=beside: is_shown(pilot.screen.query_one(Panel)) == beside)
            await pilot.until(lambda beside=beside: is_shown(pilot.screen.query_one("#games-line")) != beside)
            await pilot.sees("unreadable", "you resigned")
        assert "Connect Four" in pilot.text_of("#games-line")
        await pilot.until(lambda: "you won" in " ".join(pilot.screen_text.splitlines()[-3:-1]))
        await pilot.press("escape")
        await pilot.arrived(PlayScreen)


@pytest.mark.long
async def test_a_game_that_is_still_being_deleted_can_be_restored(library, monkeypatch):
    delete, there = PlayedGames.delete, Event()

    def late(self, number):
        assert there.wait(LIMIT)
        delete(self, number)

    monkeypatch.setattr(PlayedGames, "delete", late)
    try:
        async with listing(library) as (pilot, screen):
            numbers = list(screen.games.numbers)
            await pilot.press("down", "delete")
            await settled(pilot, 39)
            with monkeypatch.context() as going:
                going.setattr(GamesScreen, "is_ready", False)
                assert screen.check_action("undelete", ()) is False
            await pilot.press("u")
            there.set()
            await pilot.until(lambda: screen.games.number == numbers[1])
            assert screen.games.numbers == numbers == library.games.numbers()
    finally:
        there.set()


@pytest.mark.long
async def test_games_are_filtered_deleted_restored_and_reviewed(library):
    async with listing(library) as (pilot, screen):
        assert "Undo" not in pilot.screen_text
        await pilot.press("o")
        await pilot.until(lambda: "every game, against" in choice(pilot) and screen.which.opponent)
        tally, opponent = library.games.tally(), screen.which.opponent
        await settled(pilot, sum(count for which, count in tally.items() if which.opponent == opponent))
        while screen.which.opponent is not None:
            await pilot.press("o")
        await pilot.press("b")
        await pilot.until(lambda: "games   Tic-tac-toe, against everybody" in choice(pilot))
        await settled(pilot, 9)
        numbers, width = list(screen.games.numbers), screen.games.size.width
        await pilot.press("home", "down", "down", "delete", "delete")
        await pilot.until(lambda: len(library.games.numbers()) == 38)
        await pilot.until(lambda: "u restores it" in pilot.text_of("#games-note"))
        await settled(pilot, 7)
        await pilot.until(lambda: screen.games.numbers == [*numbers[:2], *numbers[4:]])
        assert screen.games.number == numbers[4]
        await pilot.until(lambda: screen.query_one("#games-note").region)
        assert screen.games.size.width == width
        await pilot.press("u")
        await settled(pilot, 8)
        await pilot.until(lambda: screen.games.number == numbers[3])
        await pilot.press("escape")
        await open_games(pilot)
        await settled(pilot, 39)
        await pilot.press("u")
        await settled(pilot, 40)
        assert pilot.screen.games.number == numbers[2]
        await pilot.press("u")
        library.games.delete(numbers[5])  # by another program
        await pilot.press("b", "end", "home", *["down"] * 5)
        await pilot.until(lambda: pilot.screen.which.game == "tictactoe")
        await settled(pilot, 8)
        assert await pilot.click(GameList, offset=(5, 2))
        await pilot.until(lambda: pilot.screen.games.cursor == 1)
        assert await pilot.click(GameList, offset=(5, 2))
        await pilot.arrived(DebriefScreen)
        await pilot.press("escape")
        await pilot.arrived(GamesScreen)
        await pilot.press("enter")
        await pilot.arrived(DebriefScreen)


@pytest.mark.long
async def test_the_cursor_goes_to_the_game_asked_for_also_where_the_library_changes_meanwhile(library):
    async with listing(library) as (pilot, screen):
        wanted = screen.games.numbers[5]
        screen.reload(screen.which, wanted)
        screen.read_again()  # as when somebody else has written
        await pilot.until(lambda: screen.games.number == wanted)
        assert screen.awaited is None


@pytest.mark.long
async def test_the_cursor_stays_where_another_program_deletes_or_goes_to_the_next_older_game(library):
    async with listing(library) as (pilot, screen):
        screen.games.go_to(5)
        numbers = list(screen.games.numbers)
        for left, deleted, expected in ((39, 2, 5), (38, 5, 6), (37, 39, 6)):
            screen.games._games.clear()  # as if they had not been read yet
            library.games.delete(numbers[deleted])
            screen.read_again()
            await pilot.until(lambda left=left: len(screen.games.numbers) == left)
            assert screen.games.number == numbers[expected]


@pytest.mark.long
async def test_a_game_that_is_being_deleted_is_not_listed_again_unless_that_fails(library, monkeypatch):
    delete, there = PlayedGames.delete, Event()

    def late(self, number):
        assert there.wait(LIMIT)
        if number == refused:
            raise LibraryError("the library is not to be had")
        delete(self, number)

    async with listing(library) as (pilot, screen):
        numbers = list(screen.games.numbers)
        refused = numbers[2]
        monkeypatch.setattr(PlayedGames, "delete", late)
        try:
            await pilot.press("down", "delete", "delete")
            delete(library.games, numbers[30])  # by another program
            screen.read_again()
            await pilot.until(lambda: screen.games.numbers == [numbers[0], *numbers[3:30], *numbers[31:]])
            assert screen.games.number == numbers[3]
        finally:
            there.set()
        await pilot.until(lambda: screen.games.numbers == [numbers[0], *numbers[2:30], *numbers[31:]])
        await pilot.until(lambda: screen.games.number == refused)
        assert pilot.shown_messages == ["the library is not to be had"]


@pytest.mark.long
async def test_an_empty_list_and_a_missing_library_are_explained():
    async with running(size=(60, 20)) as pilot:
        await open_games(pilot)
        await pilot.sees("No games yet")
        note, names = pilot.screen.query_one("#games-note").region, pilot.screen.games.region
        assert names.bottom == note.y
        assert note.height > 2, "the sentence has the whole panel, without the names of columns above it"
        await pilot.press("enter", "delete", "u", "b", "o", "end", "down", "pageup", "home")
        await pilot.sees("Escape: back to the board")
        assert "0 games" not in pilot.screen_text
    library_path().write_bytes(b"no library at all")
    async with running() as pilot:
        await open_games(pilot)
        await pilot.until(lambda: is_shown(pilot.screen.query_one(Trouble)))
        assert pilot.text_of("Trouble").startswith(str(library_path()))
        assert "No games yet" not in pilot.screen_text


@pytest.mark.parametrize("width", [30, 55, 57, 80, 84, 200])
def test_a_line_is_as_wide_as_the_list(width):
    entries = {"when": "2026-01-31 12:34", "short": "12:34", "first": "X " + LONG, "second": "O é", "moves": "9"}
    columns = layout(width)
    assert ("game" in columns) == (width >= 80)
    assert columns["first"] == columns["second"] > 0
    line = line_of(entries, width)
    if width >= 55:
        assert cell_len(line) == width
        assert "…" in line
        assert ("2026" in line) == (width >= 80)
