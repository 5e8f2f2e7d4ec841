"""Screens that open with their styles right from the start."""

from textual import events, on
from textual.app import App
from textual.screen import Screen, ScreenResultType


class OpensStyled(Screen[ScreenResultType]):
    """A screen whose widgets get their styles once, as they are made: Textual 8.2.8 gives them three times more.

    Again it would when the screen resumes, twice, and when it is told its size; and to the screen before.
    """

    def _post_register(self, app: App[object]) -> None:
        super()._post_register(app)
        self._styled = app._dom_ready  # noqa: SLF001  the first screen is there before the colours are
        if self._styled:
            self._css_update_count = app._css_update_count  # noqa: SLF001  the rules are read; it counts other themes
        for size, least in zip(app.size, (self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS), strict=True):
            self.add_class(*self._get_breakpoint_classes(size, least or []), update=False)

    @on(events.ScreenResume)
    def keep_styles(self, event: events.ScreenResume) -> None:
        if self._styled and self.stack_updates < 2:  # a mode is told twice that it opens, and nothing was changed since
            event.refresh_styles = False
        self._css_update_count = self.app._css_update_count  # noqa: SLF001  as it has its styles, or is given them now
