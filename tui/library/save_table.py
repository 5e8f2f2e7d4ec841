"""The table of saves: name, level, and description."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.coordinate import Coordinate
from textual.widgets import DataTable

from lab.board.opponent_strength import level_name, meter, save_text, training_text
from lab.board.opponents import Candidate, LevelKey, LevelOrReason, save_candidate
from lab.text.columns import cells
from lab.text.sanitise import label
from saves.library.library import Entry
from tui.widgets.tiles import theme_colour

NAME_WIDTHS: Final = (13, 30)
"""The minimum and maximum width of the name, in columns."""
LEVEL_WIDTHS: Final = (8, 14)
"""The width of the level, a word or a bar and a word, in columns."""
CHANGED_WIDTH: Final = 10
"""The width of the day of the last change, in columns."""
MIN_ABOUT: Final = 30
"""The minimum width of the description, in columns; if it would be less, the last change is left out, then the bar."""
NEAR: Final = 10
"""The number of lines above and below the visible ones whose levels are computed in advance."""


class SaveTable(DataTable[Text]):
    """Lists saves, one in each row. When it is refilled, the cursor stays on its save, or else in its row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Look inside")]

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row")
        self.entries: Sequence[Entry] = ()
        self._levels = levels
        self._filled_for = 0
        """The width for which the columns were made."""
        self._wide: dict[str, int] = {}
        """The columns that are shown, with their widths."""

    def on_mount(self) -> None:
        self._add_columns()  # Textual fails if the header of a table without columns is clicked

    def on_resize(self) -> None:
        self.fill(self.entries)

    @property
    def selected(self) -> Entry | None:
        return self.entries[self.cursor_row] if 0 <= self.cursor_row < len(self.entries) else None

    @property
    def near(self) -> list[Candidate]:
        """The save under the cursor, then those in and near the visible rows."""
        top = self.scroll_offset.y
        visible = self.entries[max(0, top - NEAR) : top + self.size.height + NEAR]
        return [save_candidate(entry) for entry in (*([self.selected] if self.selected else []), *visible)]

    def fill(self, entries: Sequence[Entry], select: str | None = None) -> None:
        """List these saves; the cursor goes to the save named `select`, if given."""
        select, row = select or (self.selected.name if self.selected else None), self.cursor_row
        if self.size.width != self._filled_for or entries != self.entries:
            self.entries, self._filled_for = entries, self.size.width
            self.clear(columns=True)
            columns = self._add_columns()
            for entry in entries:
                texts = self._cells(entry)
                self.add_row(*(texts[column] for column in columns))
        names = [entry.name for entry in entries]
        self.move_cursor(row=names.index(select) if select in names else min(row, len(names) - 1))

    def show_levels(self) -> None:
        """Show the levels computed so far in and near the visible rows: thousands would take a second."""
        place, top = list(self._wide).index("level"), self.scroll_offset.y
        for row in range(max(0, top - NEAR), min(len(self.entries), top + self.size.height + NEAR)):
            cell, at = self._level(self.entries[row]), Coordinate(row, place)
            if self.get_cell_at(at) != cell:
                self.update_cell_at(at, cell)

    def _cells(self, entry: Entry) -> dict[str, Text]:
        return {
            "name": label(entry.name, 60),
            "level": self._level(entry),
            "what it is": label(self._about(entry), 100),
            "changed": Text("built in", "dim") if entry.gallery else Text(f"{entry.updated.astimezone():%Y-%m-%d}"),
        }

    def _about(self, entry: Entry) -> str:
        whole, room = save_text(entry), self._wide["what it is"]
        if entry.trouble or not self.size.width or cells(whole) <= room:  # without a width, it is not shown yet
            return whole
        return f"{entry.learner}, {training_text(entry, room - cells(entry.learner) - 2)}"

    def _level(self, entry: Entry) -> Text:
        candidate = save_candidate(entry)
        known = self._levels.get(candidate.key)
        drawn = self._wide["level"] == max(LEVEL_WIDTHS)
        bar = Text(f"{meter(known)} " if drawn else "", theme_colour(self, "role-good"), no_wrap=True)
        return bar.append(level_name(candidate, known), "not bold")

    def _add_columns(self) -> list[str]:
        self._wide = self._widths()
        for column, width in self._wide.items():
            self.add_column(Text(column), key=column, width=width)
        return list(self._wide)

    def _widths(self) -> dict[str, int]:
        """Return the titles of the columns that fit, with their widths."""
        short, long = LEVEL_WIDTHS
        room = self.size.width - 1 - long - 3 * 2 * self.cell_padding
        minimum, maximum = NAME_WIDTHS
        longest = max((len(entry.name) for entry in self.entries), default=maximum)
        name = max(minimum, min(maximum, room // 3, longest))
        about, beside = room - name, CHANGED_WIDTH + 2 * self.cell_padding
        if about - beside < MIN_ABOUT:
            level = long if about >= MIN_ABOUT else short
            return {"name": name, "level": level, "what it is": max(1, about + long - level)}
        return {"name": name, "level": long, "what it is": about - beside, "changed": CHANGED_WIDTH}
