"""The palette of all commands, with what Textual 8.2.8 does not guard against."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Final

from textual import work
from textual.app import ComposeResult
from textual.command import CommandList, CommandPalette, SearchIcon
from textual.css.query import NoMatches
from textual.events import Click, Mount

from tui.shell.hardened import Hardened

GATHER: Final[Callable[[CommandPalette, str], Awaitable[None]]] = inspect.unwrap(CommandPalette._gather_commands)  # noqa: SLF001  to be kept from failing
"""What a palette does to find commands, without the worker around it."""


class Commands(CommandPalette, Hardened[None]):
    """Closes once, although each click beside it while it is closing asks for that."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield Found() if isinstance(widget, CommandList) else widget

    def on_mount(self, event: Mount) -> None:
        if self.app.screen is not self:  # another mode was gone to in the moment it opened
            event.prevent_default()
            return
        self.query_one(SearchIcon).icon = ":"  # a picture is wider than a letter, and not in every font

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key for its list does nothing before that is there, and once it goes."""
        listed = action == "escape" or bool(self.query(CommandList))
        return listed and super().check_action(action, parameters)

    def on_click(self, event: Click) -> None:
        """Take no click where the palette is not, as where the terminal was larger."""
        if not self.region.contains(event.screen_x, event.screen_y):
            event.prevent_default()

    def on_screen_resume(self) -> None:
        """Close, on the way back to the mode, what never came to be open."""
        if self._calling_screen is None:
            self.dismiss()

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP, exit_on_error=False)  # noqa: SLF001  its own
    async def _gather_commands(self, search_value: str) -> None:
        """Gather no more when the palette is gone, or goes meanwhile: that would end the app."""
        try:
            if self.query(CommandList):
                await GATHER(self, search_value)
        except NoMatches:
            if self.query(CommandList):
                raise


class Found(CommandList):
    """The commands that were found."""

    def on_click(self, event: Click) -> None:
        """Take no click on a command that is gone by now, as while somebody types."""
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()
