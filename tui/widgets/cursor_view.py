"""A region that scrolls, with a cursor among the things that it draws."""

from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.scroll_view import ScrollView

SIDEWAYS: Final = Binding("left", "go(-1)", "Before", show=False), Binding("right", "go(1)", "Next", show=False)
"""The keys for things that stand side by side."""


class CursorView(ScrollView, can_focus=True, inherit_bindings=False):
    """Moves a cursor by keys. Subclasses draw rows, and define `go_to`."""

    DEFAULT_CSS = """
    CursorView { height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go_rows(-1)", "Up", show=False),
        Binding("down", "go_rows(1)", "Down", show=False),
        Binding("pageup", "go_pages(-1)", "Page before", show=False),
        Binding("pagedown", "go_pages(1)", "Next page", show=False),
        Binding("home", "go(-1000000000)", "First", show=False),
        Binding("end", "go(1000000000)", "Last", show=False),
    ]
    cursor = 0
    """The place of the cursor, from 0."""

    @property
    def page(self) -> int:
        """How many rows a page is."""
        return self.size.height - 1

    def go_to(self, place: int) -> None:
        """Move the cursor to a place; to the first or the last one if it is out of range."""
        raise NotImplementedError

    def redraw(self) -> None:
        self.refresh()

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def action_go(self, step: int) -> None:
        self.go_to(self.cursor + step)

    def action_go_rows(self, rows: int) -> None:
        self.go_to(self.cursor + rows)

    def action_go_pages(self, pages: int) -> None:
        self.action_go_rows(pages * max(1, self.page))
