"""Screens that close once."""

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class ClosesOnce(Screen[ScreenResultType]):
    """A screen may be asked twice to close, as by two quick keys: Textual 8.2.8 would then close the one below too."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
