"""What the list and the cards of saves share: a cursor that stays on its save, and its messages."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from lab.board.opponents import Candidate, LevelKey, LevelOrReason, save_candidate
from saves.library.library import Entry
from tui.widgets.cursor_view import CursorView


class SaveView(CursorView):
    """Shows saves with a cursor. When it is refilled, the cursor stays on its save, or else in its place."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Look inside", tooltip="shows what it remembers")]

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.entries: Sequence[Entry] = ()
        self._levels = levels

    @property
    def count(self) -> int:
        return len(self.entries)

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

    def fill(self, entries: Sequence[Entry], select: str | None = None) -> None:
        """Show these saves; the cursor goes to the save named `select`, if given."""
        select = select or (self.selected.name if self.selected else None)
        self.entries = entries
        places = (place for place, entry in enumerate(entries) if entry.name == select)
        self.cursor = max(0, min(next(places, self.cursor), len(entries) - 1))
        self.lay_out()
        self.call_after_refresh(self.follow)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.lay_out()
