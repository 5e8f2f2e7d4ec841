"""Visit the screens of the app with a library full of hostile names, and enter such names into every text field."""

import os
from asyncio import sleep
from collections.abc import Callable, Sequence
from typing import Final

from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from tests.campaigns.hostile_text import EXISTING, inside_folder, strip_faults
from tests.tui.piloting import shown_messages, until
from tui.games.debrief_screen import DebriefScreen
from tui.games.screen import GamesScreen
from tui.library.save_table import SaveTable
from tui.library.screen import LibraryScreen
from tui.play.players_dialog import PlayersDialog
from tui.shell.modes import KEYS
from tui.shell.prompt import Prompt

AWAITED: Final = ("entries", "preview", "change", "load", "load_seats", "seats", "levels", "opponents", "seat", "name")
"""The groups of workers that `settle` waits for."""
MAX_PRESSES: Final = 100
"""How often a key is pressed at most until its prompt opens."""
UNEXPECTED_ERROR: Final = "That failed"
"""The beginning of the app's message about an unexpected error."""


class ScreenDriver:
    """Drives the app, checks each screen, and collects faults."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.app = pilot.app
        self.checks = 0
        self.faults: list[str] = []

    async def settle(self) -> None:
        """Wait until the background work of the groups in `AWAITED` has ended."""
        await sleep(0)
        await until(self.pilot, lambda: not any(each.is_running and each.group in AWAITED for each in self.app.workers))

    async def check(self, what: str) -> None:
        """Collect what the screen shows but must never show; `what` names the step in a fault."""
        await self.settle()
        self.checks += 1
        found = list(strip_faults(self.app.screen._compositor.render_strips()))
        found += [message for message in shown_messages(self.pilot) if UNEXPECTED_ERROR in message]
        self.faults += [f"{what!r:.300}: {each:.300}" for each in found[:3]]
        self.app.clear_notifications()

    async def paste(self, name: str, selector: str = "Input") -> None:
        """Replace the text of a field by a name, as a terminal pastes it, and press Enter."""
        field = self.app.screen.query_one(selector, Input)
        field.focus()
        field.value = ""
        field.post_message(Paste(name))
        await self.pilot.press("end", "enter")

    async def page_through(self, what: str, place: Callable[[], object]) -> None:
        """Page through a list to its end; `place` returns the position of its cursor."""
        seen = None
        while place() != seen:
            await self.check(what)
            seen = place()
            await self.pilot.press("pagedown")

    async def close_down_to(self, depth: int) -> None:
        """Close screens until there are `depth` of them."""
        while len(self.app.screen_stack) > depth:
            await self.pilot.press("escape")

    async def library(self, samples: int) -> None:
        """Page through the library, and run every action on `samples` of the saves."""
        await self.pilot.press(KEYS["library"])
        await until(self.pilot, lambda: isinstance(self.app.screen, LibraryScreen) and self.app.screen.table.entries)
        screen = self.app.screen
        assert isinstance(screen, LibraryScreen)
        await self.page_through("library", lambda: screen.table.cursor_row)
        for row in range(0, screen.table.row_count, -(-screen.table.row_count // samples)):
            screen.table.move_cursor(row=row)
            await self.settle()
            name = screen.selected.name if screen.selected else ""
            for key in ("R", "X", "enter"):
                await self.pilot.press(key)
                await self.check(f"{key} on {name}")
                if isinstance(self.app.screen, Prompt):
                    await self.pilot.press("ctrl+a", "ctrl+c", "enter")
                    await self.check(f"{key} and Enter on {name}")
                await self.close_down_to(1)
            await self.pilot.press("delete", "u")
            await self.check(f"delete and u on {name}")
            for key in ("T", "v") if samples > 1 else ():
                await self.pilot.press(key)
                await self.check(f"{key} on {name}")
                await self.pilot.press(KEYS["library"])

    async def prompts(self, names: Sequence[str]) -> None:
        """Enter the names in the prompts of the library."""
        await self.pilot.press(KEYS["library"])
        table = self.app.screen.query_one(SaveTable)
        table.move_cursor(row=[entry.name for entry in table.entries].index(EXISTING))
        third = -(-len(names) // 3)
        for key, start in (("R", 0), ("X", third), ("I", 2 * third)):
            for name in names[start : start + third]:
                for _ in range(MAX_PRESSES):  # the list is read again after each change, and then has no cursor
                    if isinstance(self.app.screen, Prompt):
                        break
                    await self.pilot.press(key)
                    await self.check(f"{key} in {os.getcwd()!r}")  # noqa: PTH109  as the system has it
                await self.paste(inside_folder(name) + (".json" if key == "X" else ""))
                await self.check(f"{key} with {name}")
            await self.close_down_to(1)
            await self.check(f"after {key}")

    async def fields(self, names: Sequence[str], mode: str, fields: Sequence[str], opener: str = "") -> None:
        """Type each name in a field of a form, in turn."""
        await self.pilot.press(KEYS[mode])
        for turn, name in enumerate(names):
            selector = fields[turn % len(fields)]
            if opener and not self.app.screen.query(selector):  # the last name was accepted, and the dialog closed
                self.app.screen.set_focus(None)  # a field would take the key
                await self.pilot.press(opener)
            await until(self.pilot, lambda selector=selector: self.app.screen.query(selector))
            before = self.app.screen.query_one(selector, Input).value
            await self.paste(name, selector)
            await self.check(f"{selector} with {name}")
            for field in self.app.screen.query(selector).results(Input):
                field.value = before
        await self.close_down_to(1)

    async def players(self, names: Sequence[str]) -> None:
        """Page through the opponents, and search them by name."""
        await self.pilot.press(KEYS["play"], "o")
        await until(self.pilot, lambda: isinstance(self.app.screen, PlayersDialog) and self.app.screen.entries)
        screen = self.app.screen
        assert isinstance(screen, PlayersDialog)
        await self.page_through("players", lambda: screen.opponents.cursor)
        for name in names:
            screen.opponents.action_go(-7)
            await self.pilot.press(*filter(str.isalnum, name[:1]))  # keys that a keyboard has
            await self.check(f"players at {name}")
        await self.pilot.press("enter")
        await self.check("an opponent")

    async def games(self, samples: int) -> None:
        """Page through the games, also those against each opponent, and open `samples` of them."""
        await self.pilot.press(KEYS["play"], "H")
        await until(self.pilot, lambda: isinstance(self.app.screen, GamesScreen) and self.app.screen.games.numbers)
        screen = self.app.screen
        assert isinstance(screen, GamesScreen)
        await self.page_through("games", lambda: screen.games.cursor)
        count = len(screen.games.numbers)
        for number in range(0, count, -(-count // samples)):
            screen.games.go_to(number)
            await self.pilot.press("enter")
            await self.check("a game")
            if isinstance(self.app.screen, DebriefScreen):
                await self.pilot.press("down", "x")
                await self.check("a debrief")
                await self.pilot.press("escape")
            await self.pilot.press("delete", "u", "o")
            await self.check(f"games against {screen.which}")
        await self.pilot.press("b")
        await self.check("games of another game")
        await self.close_down_to(1)

    async def choices(self, selectors: Sequence[tuple[str, str, str]]) -> None:
        """Open the lists of opponents of the forms, and page through them."""
        for mode, opener, selector in selectors:
            await self.pilot.press(KEYS[mode])
            if opener:
                self.app.screen.set_focus(None)
                await self.pilot.press(opener)
            await until(self.pilot, lambda selector=selector: self.app.screen.query(selector))
            await self.settle()
            select = self.app.screen.query_one(selector)
            select.focus()
            await self.pilot.press("enter")
            overlay = select.query_one(OptionList)
            await self.page_through(selector, lambda overlay=overlay: overlay.highlighted)
            await self.pilot.press("enter")
            await self.check(f"one of {selector}")
            await self.close_down_to(1)
