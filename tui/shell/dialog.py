"""Dialogs: modal screens over another screen."""

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
    """A question, or a page to read. It has the same minimum size as the screens below it."""

    HORIZONTAL_BREAKPOINTS = LabScreen.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = LabScreen.VERTICAL_BREAKPOINTS
    at: Widget | None = None
    """The widget that had the focus last."""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self.at = event.widget

    def resized(self) -> None:
        """Restore the focus, which is lost while the terminal is too small."""
        if self.focused is None and self.at is not None:
            self.at.focus()
