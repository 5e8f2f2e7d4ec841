"""Screens that bear what comes at a bad moment."""

from rich.style import Style
from textual.await_complete import AwaitComplete
from textual.errors import NoWidget
from textual.geometry import Offset, Size
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget


class Hardened(Screen[ScreenResultType]):
    """What Textual 8.2.8 leaves open is closed here.

    A screen may be asked twice to close, as by two quick keys: the one below would close too. The mouse may be where a
    widget goes: that one would be drawn to know what is there, and fail. Two sizes may come at once: each would be laid
    out, and told again once it is, for ever in turn. One that closes as it opens would leave work that nobody does.
    """

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def get_style_at(self, x: int, y: int) -> Style:
        return super().get_style_at(x, y) if self._is_there(x, y) else Style.null()

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        return super().get_widget_and_offset_at(x, y) if self._is_there(x, y) else (None, None)

    def _watch_selections(self, _before: object, _now: object) -> None:  # type: ignore[override]  # nothing to wait for
        """No text of ours can be selected (`ALLOW_SELECT`)."""

    def _is_there(self, x: int, y: int) -> bool:
        """Whether what was last drawn there is still part of the screen."""
        try:
            widget, _ = self.get_widget_at(x, y)
        except NoWidget:
            return False
        return widget.is_attached

    def _screen_resized(self, size: Size) -> None:
        """Lay out for the size that the terminal has by now, once."""
        if self.app.size != self._size:
            super()._screen_resized(self.app.size)
