"""A region that scrolls, with a cursor among the things that it draws; only the visible ones are drawn."""

from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView

SIDEWAYS: Final = Binding("left", "go(-1)", "Before", show=False), Binding("right", "go(1)", "Next", show=False)
"""The keys for things that stand side by side."""


class CursorView(ScrollView, can_focus=True, inherit_bindings=False):
    """Moves a cursor by keys and clicks. Posts `Moved` when it moves, and `Opened` when the thing under it is opened.

    Subclasses define `count`, and draw the things: one in each line below `heading` lines that stay, unless they also
    define `lines`, `page`, `region_of` and `place_at`.
    """

    DEFAULT_CSS = "CursorView { height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go_rows(-1)", "Up", show=False),
        Binding("down", "go_rows(1)", "Down", show=False),
        Binding("pageup", "go_pages(-1)", "Page before", show=False),
        Binding("pagedown", "go_pages(1)", "Next page", show=False),
        Binding("home", "go(-1000000000)", "First", show=False),
        Binding("end", "go(1000000000)", "Last", show=False),
    ]
    heading: ClassVar[int] = 0
    cursor = 0
    """The place of the cursor, from 0."""

    class Moved(Message):
        """Posted when the cursor moved."""

    class Opened(Message):
        """Posted when the thing under the cursor was opened, by a click or by Enter."""

    @property
    def count(self) -> int:
        """The number of things."""
        raise NotImplementedError

    @property
    def place_text(self) -> str:
        """Where the cursor is: `3 of 45`."""
        return f"{self.cursor + 1:,} of {self.count:,}"

    @property
    def lines(self) -> int:
        """The number of lines of all things."""
        return self.count + self.heading

    @property
    def page(self) -> int:
        """The number of rows of a page."""
        return self.size.height - self.heading - 1

    def region_of(self, place: int) -> Region:
        """Return where a thing is drawn, to scroll there; the heading covers the first visible lines."""
        return Region(0, place, 1, 1 + self.heading)

    def place_at(self, _x: int, y: int) -> int | None:
        """Return the place of the thing at a point of the widget, if any."""
        place = y - self.heading + self.scroll_offset.y
        return place if y >= self.heading and place < self.count else None

    def lay_out(self) -> None:
        """Arrange all things again, in the present size."""
        self.virtual_size = Size(self.size.width, self.lines)
        self.redraw()

    def redraw(self) -> None:
        self.refresh()

    def follow(self) -> None:
        """Scroll to the cursor, once there are lines to scroll."""
        if self.size.height:
            self.scroll_to_region(self.region_of(self.cursor), animate=False, force=True, immediate=True)

    def go_to(self, place: int) -> None:
        """Move the cursor to a place; to the first or the last one if it is out of range."""
        if self.count:
            self.cursor = min(max(0, place), self.count - 1)
            self.redraw()
            self.follow()
            self.post_message(self.Moved())

    def on_resize(self) -> None:
        self.lay_out()
        self.call_after_refresh(self.follow)

    def on_click(self, event: events.Click) -> None:
        place = self.place_at(event.x, event.y)
        if place is None:
            return
        if place == self.cursor:
            self.action_open()
        else:
            self.go_to(place)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.redraw()

    def action_open(self) -> None:
        if self.count:
            self.post_message(self.Opened())

    def action_go(self, step: int) -> None:
        self.go_to(self.cursor + step)

    def action_go_rows(self, rows: int) -> None:
        self.go_to(self.cursor + rows)

    def action_go_pages(self, pages: int) -> None:
        self.action_go_rows(pages * max(1, self.page))
