"""The table of saves, with as many columns as fit."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import DataTable

from lab.words.numbers import count_text, rounds_text, short_count
from lab.words.sanitise import label
from saves.library.library import Entry

WIDTHS: Final = {"name": 0, "learner": 8, "preset": 12, "game": 9, "trained": 7, "size": 7, "changed": 10}
"""The widths of the columns; the name takes the rest."""
LEAST_NAME: Final = 13
"""The least width of the name."""
ROOMY: Final = 100
"""From this width on, the table says what trainings are counted in."""
IN_WORDS: Final = 15
"""The width of the column `trained` then."""
LEFT_OUT: Final = ("preset", "learner")
"""The columns that a narrow table leaves out, in this order; they are shown for the save under the cursor."""
RIGHT: Final = ("trained", "size")


def cells_of(entry: Entry, *, roomy: bool) -> dict[str, Text]:
    """What each column shows of a save."""
    trained = rounds_text(entry.rounds, entry.round_noun) if roomy else short_count(entry.rounds)
    return {
        "name": label(entry.name, 60),
        "learner": label(entry.learner, 20),
        "preset": label(entry.preset, 20),
        "game": label(entry.game, 20),
        "trained": Text(trained, justify="right"),
        "size": Text(count_text(entry.size), justify="right"),
        "changed": Text("gallery", "dim") if entry.gallery else Text(f"{entry.updated.astimezone():%Y-%m-%d}"),
    }


class SaveTable(DataTable[Text]):
    """Lists saves, one in each row. When it is filled again, the cursor stays on its save, or at its row."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select_cursor", "Look inside", show=False)]

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row")
        self.entries: Sequence[Entry] = ()

    def on_mount(self) -> None:
        self._add_columns()  # Textual fails if the header of a table without columns is clicked

    @property
    def selected(self) -> Entry | None:
        return self.entries[self.cursor_row] if 0 <= self.cursor_row < len(self.entries) else None

    def fill(self, entries: Sequence[Entry], select: str | None = None) -> None:
        """List these saves; the cursor goes to `select`."""
        select, row = select or (self.selected.name if self.selected else None), self.cursor_row
        self.entries = entries
        self.clear(columns=True)
        columns = self._add_columns()
        for entry in entries:
            cells = cells_of(entry, roomy=self._roomy)
            self.add_row(*(cells[column] for column in columns))
        names = [entry.name for entry in entries]
        self.move_cursor(row=names.index(select) if select in names else min(row, len(names) - 1))

    def _add_columns(self) -> list[str]:
        columns = list(WIDTHS)
        for column in LEFT_OUT:
            if self._rest(columns) < LEAST_NAME:
                columns.remove(column)
        for column in columns:
            title = Text(column, justify="right" if column in RIGHT else "left")
            self.add_column(title, key=column, width=self._width(column) or max(LEAST_NAME, self._rest(columns)))
        return columns

    @property
    def _roomy(self) -> bool:
        return self.size.width >= ROOMY

    def _width(self, column: str) -> int:
        return IN_WORDS if column == "trained" and self._roomy else WIDTHS[column]

    def _rest(self, columns: Sequence[str]) -> int:
        """The width that these columns leave for the name."""
        return self.size.width - sum(self._width(column) + 2 * self.cell_padding for column in columns) - 1
