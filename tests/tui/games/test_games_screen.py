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
from tests.tui.piloting import arrived, is_shown, running, screen_text, sees, shown_messages, text_of, told, until
from tests.waiting import LIMIT
from tui.games.debrief_screen import DebriefScreen
from tui.games.game_list import GameList, layout, line_of
from tui.games.screen import GamesScreen
from tui.play.screen import PlayScreen
from tui.shell.parts import Panel

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
    await arrived(pilot, PlayScreen)
    pilot.app.push_screen(GamesScreen())
    await arrived(pilot, GamesScreen)


@asynccontextmanager
async def listing(library):
    """Forty games, and the screen that lists them."""
    keep_random_games(library, 40)
    async with running() as pilot:
        await open_games(pilot)
        await settled(pilot, 40)
        yield pilot, pilot.app.screen


async def settled(pilot, count):
    """Wait until that many games are listed and the one under the cursor has been read."""
    await until(pilot, lambda: len(pilot.app.screen.games.numbers) == count and pilot.app.screen.selected is not None)


async def test_visible_games_are_read_and_the_selected_one_is_shown_beside_the_list(library):
    keep_random_games(library, COUNT)
    async with running(size=(120, 40)) as pilot:
        await open_games(pilot)
        await settled(pilot, COUNT)
        games = pilot.app.screen.games
        screen = screen_text(pilot)
        for part in ("300 games   every game, against everybody", "[red]x[/]", "Ω" * 10, "unreadable", "X a person"):
            assert part in screen
        assert "\x1b" not in screen
        assert LONG.removeprefix("save:") in text_of(pilot, "#games-game")
        await pilot.press("down", "down")
        await until(pilot, lambda: "This game cannot be read: 'x1' is not a move of" in text_of(pilot, "#games-game"))
        await pilot.press("enter")
        await told(pilot, "This game cannot be read: 'x1'")
        pilot.app.clear_notifications()
        await pilot.press("end")
        await until(pilot, lambda: games.number == 1 and games.selected is not None)
        assert len(games._games) < COUNT
        assert "Tic-tac-toe" in text_of(pilot, "#games-game")
        await until(pilot, lambda: "perfect" in screen_text(pilot).split("Enter goes")[0].splitlines()[-2])
        await until(pilot, lambda: "won" in text_of(pilot, "#games-boards"))
        await pilot.press("pageup", "pageup", "home")
        await until(pilot, lambda: games.number == COUNT)
        for size in ((80, 24), (60, 20)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: games.size.width < size[0] and "300 games" in screen_text(pilot))
            beside = size[0] == 80
            await until(pilot, lambda beside=beside: is_shown(pilot.app.screen.query_one(Panel)) == beside)
            await until(pilot, lambda beside=beside: is_shown(pilot.app.screen.query_one("#games-line")) != beside)
            await sees(pilot, "unreadable", "you resigned")
        assert "Connect Four" in text_of(pilot, "#games-line")
        await until(pilot, lambda: "you won" in " ".join(screen_text(pilot).splitlines()[-3:-1]))
        await pilot.press("escape")
        await arrived(pilot, PlayScreen)


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
            await until(pilot, lambda: screen.games.number == numbers[1])
            assert screen.games.numbers == numbers == library.games.numbers()
    finally:
        there.set()


@pytest.mark.long
async def test_games_are_filtered_deleted_restored_and_reviewed(library):
    async with listing(library) as (pilot, screen):
        assert "Undo" not in screen_text(pilot)
        await pilot.press("o")
        await until(pilot, lambda: "every game, against" in text_of(pilot, "#games-which") and screen.which.opponent)
        tally, opponent = library.games.tally(), screen.which.opponent
        await settled(pilot, sum(count for which, count in tally.items() if which.opponent == opponent))
        while screen.which.opponent is not None:
            await pilot.press("o")
        await pilot.press("b")
        await until(pilot, lambda: "games   Tic-tac-toe, against everybody" in text_of(pilot, "#games-which"))
        await settled(pilot, 9)
        numbers, width = list(screen.games.numbers), screen.games.size.width
        await pilot.press("home", "down", "down", "delete", "delete")
        await until(pilot, lambda: len(library.games.numbers()) == 38)
        await until(pilot, lambda: "u restores it" in text_of(pilot, "#games-note"))
        await settled(pilot, 7)
        await until(pilot, lambda: screen.games.numbers == [*numbers[:2], *numbers[4:]])
        assert screen.games.number == numbers[4]
        await until(pilot, lambda: screen.query_one("#games-note").region)
        assert screen.games.size.width == width
        await pilot.press("u")
        await settled(pilot, 8)
        assert screen.games.number == numbers[3]
        await pilot.press("escape")
        await open_games(pilot)
        await settled(pilot, 39)
        await pilot.press("u")
        await settled(pilot, 40)
        assert pilot.app.screen.games.number == numbers[2]
        await pilot.press("u")
        library.games.delete(numbers[5])  # by another program
        await pilot.press("b", "end", "home", *["down"] * 5)
        await until(pilot, lambda: pilot.app.screen.which.game == "tictactoe")
        await settled(pilot, 8)
        assert await pilot.click(GameList, offset=(5, 2))
        await until(pilot, lambda: pilot.app.screen.games.cursor == 1)
        assert await pilot.click(GameList, offset=(5, 2))
        await arrived(pilot, DebriefScreen)
        await pilot.press("escape")
        await arrived(pilot, GamesScreen)
        await pilot.press("enter")
        await arrived(pilot, DebriefScreen)


@pytest.mark.long
async def test_the_cursor_goes_to_the_game_asked_for_also_where_the_library_changes_meanwhile(library):
    async with listing(library) as (pilot, screen):
        wanted = screen.games.numbers[5]
        screen.reload(screen.which, wanted)
        screen.read_again()  # as when somebody else has written
        await until(pilot, lambda: screen.games.number == wanted)
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
            await until(pilot, lambda left=left: len(screen.games.numbers) == left)
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
            await until(pilot, lambda: screen.games.numbers == [numbers[0], *numbers[3:30], *numbers[31:]])
            assert screen.games.number == numbers[3]
        finally:
            there.set()
        await until(pilot, lambda: screen.games.numbers == [numbers[0], *numbers[2:30], *numbers[31:]])
        await until(pilot, lambda: screen.games.number == refused)
        assert shown_messages(pilot) == ["the library is not to be had"]


@pytest.mark.long
async def test_an_empty_list_and_a_missing_library_are_explained():
    async with running(size=(60, 20)) as pilot:
        await open_games(pilot)
        await sees(pilot, "No games yet")
        note, names = pilot.app.screen.query_one("#games-note").region, pilot.app.screen.games.region
        assert names.bottom == note.y
        assert note.height > 2, "the sentence has the whole panel, without the names of columns above it"
        await pilot.press("enter", "delete", "u", "b", "o", "end", "down", "pageup", "home")
        await sees(pilot, "Escape: back to the board")
        assert "0 games" not in screen_text(pilot)
    library_path().write_bytes(b"no library at all")
    async with running() as pilot:
        await open_games(pilot)
        await until(pilot, lambda: is_shown(pilot.app.screen.query_one("#games-trouble")))
        assert text_of(pilot, "#games-trouble").startswith(str(library_path()))
        assert "No games yet" not in screen_text(pilot)


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
