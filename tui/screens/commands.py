"""The palette of all commands, with what Textual 8.2.8 does not guard against."""

from textual.app import ComposeResult
from textual.command import CommandList, CommandPalette
from textual.events import Click

from tui.screens.closing import ClosesOnce


class Commands(CommandPalette, ClosesOnce[None]):
    """Closes once, although each click beside it while it is closing asks for that."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield Found() if isinstance(widget, CommandList) else widget


class Found(CommandList):
    """The commands that were found."""

    def on_click(self, event: Click) -> None:
        """Take no click on a command that is gone by now, as while somebody types."""
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()
