"""What lies over a screen."""

from textual import events
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget

from tui.shell.guarded_screen import GuardedScreen
from tui.shell.resizing import Settling
from tui.shell.screen import LabScreen


class Dialog(
    ModalScreen[ScreenResultType],
    GuardedScreen[ScreenResultType],
    Settling[ScreenResultType],
):
    """A question, or a page to read. Where the terminal is too small for the screen below, it is as well."""

    HORIZONTAL_BREAKPOINTS = LabScreen.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = LabScreen.VERTICAL_BREAKPOINTS
    at: Widget | None = None
    """What took the keys last."""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.at = event.widget

    def resized(self) -> None:
        """Nothing may have the focus after the terminal was too small."""
        if self.focused is None and self.at is not None:
            self.at.focus()
