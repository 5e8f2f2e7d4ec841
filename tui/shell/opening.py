"""Screens that open, and take another size, with their styles right from the start."""

from textual import events, on
from textual.app import App
from textual.geometry import Size
from textual.screen import Screen, ScreenResultType


class OpensStyled(Screen[ScreenResultType]):
    """A screen whose widgets get their styles once, as they are made: Textual 8.2.8 gives them three times more.

    Again it would when the screen resumes, twice, and when it is told its size; and to the screen before. And it would
    draw what has another size once with the styles of the size before.
    """

    def _post_register(self, app: App[object]) -> None:
        super()._post_register(app)
        self._styled = app._dom_ready  # noqa: SLF001  the first screen is there before the colours are
        if self._styled:
            self._css_update_count = app._css_update_count  # noqa: SLF001  the rules are read; it counts other themes
        self._fit(app.size)

    @on(events.ScreenResume)
    def keep_styles(self, event: events.ScreenResume) -> None:
        if self._styled and self.stack_updates < 2:  # a mode is told twice that it opens, and nothing was changed since
            event.refresh_styles = False
        self._css_update_count = self.app._css_update_count  # noqa: SLF001  as it has its styles, or is given them now
        self._restyle()

    def _screen_resized(self, size: Size) -> None:
        self._restyle()
        super()._screen_resized(size)

    def _restyle(self) -> None:
        """Give the widgets the styles of the terminal's size at once, before they are laid out, where they differ."""
        if self.is_attached and self._fit(self.app.size):
            self.app.stylesheet.update(self)

    def _fit(self, size: Size) -> bool:
        """Take the classes of a size, which the styles follow; whether they are others than before."""
        before, fitting = self.classes, dict[str, bool]()
        for length, least in zip(size, (self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS), strict=True):
            fits = self._get_breakpoint_classes(length, least or [])
            fitting |= {name: name in fits for _, name in least or []}
        self.update_classes(fitting, update=False)
        return self.classes != before
