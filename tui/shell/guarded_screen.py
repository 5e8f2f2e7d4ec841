"""Guards of screens against errors of Textual 8.2.8, with public API only."""

from rich.style import Style
from textual.await_complete import AwaitComplete
from textual.errors import NoWidget
from textual.geometry import Offset
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget


class GuardedScreen(Screen[ScreenResultType]):
    """A screen that may be closed twice, and over which the mouse moves while widgets are removed."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close, once: a second call, as by two quick keys, would close the screen below.

        See https://github.com/Textualize/textual/issues/2575.
        """
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def get_style_at(self, x: int, y: int) -> Style:
        """The style there; none over a widget that has been removed, which could not be drawn."""
        return super().get_style_at(x, y) if self._is_attached_at(x, y) else Style.null()

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """The widget there; none if it has been removed, since it could not be drawn."""
        return super().get_widget_and_offset_at(x, y) if self._is_attached_at(x, y) else (None, None)

    def _is_attached_at(self, x: int, y: int) -> bool:
        try:
            widget, _ = self.get_widget_at(x, y)
        except NoWidget:
            return False
        return widget.is_attached
