"""Dialogs: modal screens over another screen."""

from rich.console import RenderableType
from textual import events
from textual.await_complete import AwaitComplete
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget
from textual.worker import Worker

from tui.shell.debounce import Debounce
from tui.shell.guards import ignores_earlier_size
from tui.shell.messages import warn_of_failure
from tui.shell.screen import REDRAW_DELAY, LabScreen


class Dialog(ModalScreen[ScreenResultType]):
    """A question, or a page to read. It has the same minimum size as the screens below it."""

    HORIZONTAL_BREAKPOINTS = LabScreen.HORIZONTAL_BREAKPOINTS
    VERTICAL_BREAKPOINTS = LabScreen.VERTICAL_BREAKPOINTS

    def __init__(self) -> None:
        super().__init__()
        self._resizing = Debounce(self, REDRAW_DELAY, self._restore_focus)
        self._last_focused: Widget | None = None

    def render(self) -> RenderableType:
        """Draw the screen below, dimmed.

        Symptom without this guard, found once by a random test: `RecursionError`, since two dialogs take each other for
        the screen below. Textual keeps a separate list of the screens below for each task, which may be out of date.
        """
        drawn = super().render()
        stack = self.app.screen_stack
        if isinstance(drawn, BackgroundScreen) and self in stack and drawn.screen not in stack[: stack.index(self)]:
            return ""  # only the background
        return drawn

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._last_focused = event.widget

    def on_resize(self, event: events.Resize) -> None:
        if not ignores_earlier_size(self, event):
            self._resizing()

    def _restore_focus(self) -> None:
        """Restore the focus, which is lost while the terminal is too small."""
        if self.focused is None and self._last_focused is not None and self._last_focused.is_attached:
            self._last_focused.focus()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close the dialog; a second call does nothing, see `LabScreen.dismiss`."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
