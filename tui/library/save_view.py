"""What the list and the cards of saves share: a cursor that stays on its save, and its messages."""

from collections.abc import Mapping, Sequence

from textual import events
from textual.geometry import Region
from textual.message import Message

from lab.board.opponents import Candidate, LevelKey, LevelOrReason, save_candidate
from saves.library.library import Entry
from tui.widgets.cursor_view import CursorView


class SaveView(CursorView):
    """Shows saves with a cursor. When it is refilled, the cursor stays on its save, or else in its place."""

    class Opened(Message):
        """Posted when a save is to be opened."""

    class Highlighted(Message):
        """Posted when the cursor moved to another save."""

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.entries: Sequence[Entry] = ()
        self._levels = levels

    @property
    def selected(self) -> Entry | None:
        return self.entries[self.cursor] if 0 <= self.cursor < len(self.entries) else None

    @property
    def near(self) -> list[Candidate]:
        """The save under the cursor, then those in and near the visible rows."""
        held = [self.selected] if self.selected else []
        return [save_candidate(entry) for entry in (*held, *self.visible_saves())]

    def visible_saves(self) -> Sequence[Entry]:
        """Return the saves in and near the visible rows."""
        raise NotImplementedError

    def region_of(self, place: int) -> Region:
        """Return where a save is drawn, to scroll there."""
        raise NotImplementedError

    def place_at(self, x: int, y: int) -> int | None:
        """Return the place of the save at a point of the widget, if any."""
        raise NotImplementedError

    def redraw_places(self, *places: int) -> None:
        """Draw these saves again."""
        self.refresh()

    def lay_out(self) -> None:
        """Arrange the saves again, in the present size."""
        raise NotImplementedError

    def fill(self, entries: Sequence[Entry], select: str | None = None) -> None:
        """Show these saves; the cursor goes to the save named `select`, if given."""
        select = select or (self.selected.name if self.selected else None)
        self.entries = entries
        places = (place for place, entry in enumerate(entries) if entry.name == select)
        self.cursor = max(0, min(next(places, self.cursor), len(entries) - 1))
        self.lay_out()
        if entries:
            self.call_after_refresh(self._follow)

    def go_to(self, place: int) -> None:
        if self.entries:
            before, self.cursor = self.cursor, min(max(0, place), len(self.entries) - 1)
            self.redraw_places(before, self.cursor)
            self._follow()
            self.post_message(self.Highlighted())

    def on_resize(self) -> None:
        self.lay_out()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.lay_out()

    def _follow(self) -> None:
        if self.entries:
            self.scroll_to_region(self.region_of(self.cursor), animate=False, force=True, immediate=True)

    def action_open(self) -> None:
        if self.selected is not None:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        place = self.place_at(event.x, event.y)
        if place is not None:
            chosen = place == self.cursor
            self.go_to(place)
            if chosen:
                self.action_open()
