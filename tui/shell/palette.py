"""The palette of all commands, with guards against errors of Textual 8.2.8."""

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette, SearchIcon
from textual.events import Click, Mount
from textual.widgets import Input

from tui.shell.guarded_screen import GuardedScreen


class Commands(CommandPalette, GuardedScreen[None]):
    """A palette that closes once, however many clicks outside of it request that."""

    opened = False
    """Whether it was the current screen when it was mounted."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield FoundCommands() if isinstance(widget, CommandList) else widget

    def on_mount(self, event: Mount) -> None:
        self.opened = self.app.screen is self
        if not self.opened:  # another mode was opened at the same time: Textual would look for widgets on that screen
            event.prevent_default()
            return
        self.query_one(SearchIcon).icon = ":"  # the default icon is wider than one column, and not in every font

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ignore keys for the list before it exists, and once it is removed."""
        listed = action == "escape" or bool(self.query(CommandList))
        return listed and super().check_action(action, parameters)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Start no search while the palette closes: it would not find its list, and end the app."""
        if self.app.screen is not self or not self.query(CommandList):
            event.prevent_default()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Cancel the search first: it would not find its list any more, and end the app."""
        if self.app.screen is self:
            self.workers.cancel_node(self)
        return super().dismiss(result)

    def on_click(self, event: Click) -> None:
        """Ignore clicks outside the screen, as after the terminal became smaller."""
        if not self.region.contains(event.screen_x, event.screen_y):
            event.prevent_default()

    def on_screen_resume(self) -> None:
        """Close when its mode is opened again, if it was never current."""
        if self.is_mounted and not self.opened:
            self.dismiss()


class FoundCommands(CommandList):
    """The list of matching commands."""

    def on_click(self, event: Click) -> None:
        """Ignore a click on a command that is no longer listed, as while somebody types."""
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()
