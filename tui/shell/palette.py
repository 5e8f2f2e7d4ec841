"""The command palette, with guards against faults of Textual's own."""

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette, SearchIcon
from textual.events import Click, Mount
from textual.widgets import Input


class LabPalette(CommandPalette):
    """The command palette."""

    opened = False
    """Whether it was the current screen when it was mounted."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield FoundCommands() if isinstance(widget, CommandList) else widget

    def on_mount(self, event: Mount) -> None:
        """Skip the setup if another mode was opened at the same time.

        Symptom without this guard: `NoMatches`, since Textual looks for the palette's widgets on that mode's screen.
        """
        self.opened = self.app.screen is self
        if not self.opened:
            event.prevent_default()
            return
        self.query_one(SearchIcon).icon = ":"  # the default icon is wider than one column, and not in every font

    def on_screen_resume(self) -> None:
        """When the mode is opened again, close a palette that was never set up."""
        if self.is_mounted and not self.opened:
            self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ignore keys for the list before it exists and after it is removed.

        Symptom without this guard: `NoMatches` for a key that arrives as the palette opens or closes.
        """
        listed = action == "escape" or bool(self.query(CommandList))
        return listed and super().check_action(action, parameters)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Start no search while the palette closes.

        Symptom without this guard: `NoMatches` for text that was typed just before Escape.
        """
        if self.app.screen is not self or not self.query(CommandList):
            event.prevent_default()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Cancel the search, and close; a second call does nothing, see `LabScreen.dismiss`.

        Symptom if the search is not cancelled: `NoMatches` when the search reports its results to the closed palette.
        """
        if self.app.screen is not self:
            return AwaitComplete()
        self.workers.cancel_node(self)
        return super().dismiss(result)

    def on_click(self, event: Click) -> None:
        """Ignore clicks outside the screen.

        Symptom without this guard: a click beyond the new edge of a terminal that became smaller closes the palette.
        """
        if not self.region.contains(event.screen_x, event.screen_y):
            event.prevent_default()


class FoundCommands(CommandList):
    """The list of matching commands."""

    def on_click(self, event: Click) -> None:
        """Ignore a click on a command that is no longer listed.

        Symptom without this guard: `OptionDoesNotExist` for a click while the user types.
        """
        if event.style.meta.get("option", 0) >= self.option_count:
            event.prevent_default()
