"""The heat map of a sweep: a cell for each pair of values of two settings, with a cursor.

line 0   the setting whose values vary across the columns, and the one whose values vary down, both in words
line 1   the name of the setting whose values vary down the rows, and the values across
below    a row of cells for each value down, one or three lines high
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from lab.race.race_text import share_text
from lab.sweep.findings import Cell
from lab.sweep.pictures import HeatMap
from lab.text.columns import cells, cut
from lab.text.sanitise import without_controls
from tui.widgets.tiles import shade_of

LARGEST: Final = 15
"""The maximum number of lines of a cell."""
MIN_CELL, MAX_CELL = 7, 44
"""The minimum and maximum width of a cell, in columns: enough for `[>99.9*]`, and for most values."""
MAX_NAME: Final = 18
"""The maximum width of the values down, in columns."""
FAINTEST: Final = 0.1
"""The shade of the smallest share, from 0 to 1; above 0, since only cells without finished machines have no shade."""
GAP: Final = 2
"""The columns between the values down and the cells."""
ABSENT, WAITING = "–", "·"
"""Shown for the value of a setting that a learner does not have, and for a cell without finished machines."""
MORE: Final = "‹›"
"""Marks for hidden columns on the left and on the right."""


class SweepMap(Widget, can_focus=True):
    """Draws a heat map, with a cursor. Posts `Moved` when it moves, and `Opened` when the cell under it is clicked."""

    DEFAULT_CSS = """
    SweepMap { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(0, -1)", "Left", show=False),
        Binding("right", "move(0, 1)", "Right", show=False),
        Binding("up", "move(-1, 0)", "Up", show=False),
        Binding("down", "move(1, 0)", "Down", show=False),
    ]

    class Moved(Message):
        """Posted when the cursor moved to a cell."""

    class Opened(Message):
        """Posted when the cell under the cursor was clicked."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.heat: HeatMap | None = None
        self.best: Cell | None = None
        self.cursor = 0, 0
        """The row and the column of the selected cell, from 0."""
        self._follows_best = True
        """Whether the cursor goes to the best cell whenever another one becomes the best: until the user moves it."""
        self._words: Mapping[str, str] = {}
        self._first = 0, 0
        """The first row and the first column that are drawn."""

    @property
    def cell(self) -> Cell | None:
        """The selected cell."""
        if self.heat is None:
            return None
        row, column = self.cursor
        return self.heat.across[1][column], self.heat.down[1][row]

    def show(self, heat: HeatMap, best: Cell | None, words: Mapping[str, str] | None = None) -> None:
        """Draw this map; `words` says what each of its settings decides.

        The cursor follows the best cell until the user moves it, and again once the axes change.
        """
        before, cell, self._words = self.heat, self.cell, words or {}
        same = before is not None and (before.across, before.down) == (heat.across, heat.down)
        self.heat = heat
        self._follows_best |= not same
        if not same or (self._follows_best and best is not None):
            self._place(best or cell)
        self.best = best
        self.refresh(layout=not same)

    def _place(self, cell: Cell | None) -> None:
        """Move the cursor to a cell, or to the first one if the map does not have it."""
        if self.heat is None:
            return
        (_, across), (_, down) = self.heat.across, self.heat.down
        known = cell is not None and cell[0] in across and cell[1] in down
        self.cursor = (down.index(cell[1]), across.index(cell[0])) if known and cell is not None else (0, 0)

    @property
    def _longest_name(self) -> int:
        """The width of the longest value down, at most `MAX_NAME`."""
        name, values = ("", ()) if self.heat is None else self.heat.down
        return min(MAX_NAME, max(cells(_shown(text)) for text in (name, *values)))

    @property
    def _names_width(self) -> int:
        """The width of the values down, with the gap."""
        return min(self._longest_name, max(6, self.size.width // 3)) + GAP

    @property
    def _cell_width(self) -> int:
        if self.heat is None:
            return MIN_CELL
        values = self.heat.across[1]
        fair = (self.size.width - self._names_width - 1) // max(1, len(values))
        return min(MAX_CELL, max(MIN_CELL, fair, *(cells(_shown(value)) + 2 for value in values)))

    @property
    def _heading(self) -> int:
        """The lines above the cells: the values across, and the words about both settings, in two lines if they fit."""
        rows = 1 if self.heat is None else len(self.heat.down[1])
        return 3 if self.size.height >= 3 + rows else 2

    @property
    def _cell_height(self) -> int:
        rows = 1 if self.heat is None else len(self.heat.down[1])
        fitting = min(LARGEST, (self.size.height - self._heading) // rows)
        return max(1, fitting - (fitting + 1) % 2)  # odd, so that its text is in the middle

    def _window(self) -> tuple[range, range]:
        """Return the rows and the columns that are drawn: as many as fit, including those of the cursor."""
        if self.heat is None:
            return range(0), range(0)
        counts = len(self.heat.down[1]), len(self.heat.across[1])
        room = (
            max(1, (self.size.height - self._heading) // self._cell_height),
            max(1, (self.size.width - self._names_width - 1) // self._cell_width),
        )
        shown = []
        for count, fitting, first, at in zip(counts, room, self._first, self.cursor, strict=True):
            begin = min(max(first, at - fitting + 1), at, max(0, count - fitting))
            shown.append(range(begin, min(count, begin + fitting)))
        rows, columns = shown
        self._first = rows.start, columns.start
        return rows, columns

    def render(self) -> Text:
        """Draw the map for the current size."""
        if self.heat is None:
            return Text("")
        rows, columns = self._window()
        (name, across), (other, down) = self.heat.across, self.heat.down
        names, width = self._names_width, self._cell_width
        sides = MORE[0] * (columns.start > 0), MORE[1] * (columns.stop < len(across))
        meanings = [
            f"{_shown(each)} {arrow} {self._words.get(each, '')}" for each, arrow in ((name, "→"), (other, "↓"))
        ]
        told = meanings if self._heading > 2 else ["   ".join(meanings)]
        heads = [Text(cut(each, self.size.width), "bold", no_wrap=True) for each in told]
        values = Text(f"{cut(_shown(other), names - GAP):<{names - len(sides[0])}}", "bold", no_wrap=True)
        values.append(sides[0], "not bold")
        for column in columns:
            style = "not bold" if column == self.cursor[1] else "not bold dim"
            values.append(f"{cut(_shown(across[column]), width - 1):^{width}}", style)
        lines = [*heads, values.append(sides[1], "not bold")]
        for row in rows:
            for line in range(self._cell_height):
                label = cut(_shown(down[row]), names - GAP) if line == self._cell_height // 2 else ""
                drawn = Text(no_wrap=True)
                drawn.append(f"{label:<{names}}", "not dim" if row == self.cursor[0] else "dim")
                for column in columns:
                    text, shade = self._sign(row, column)
                    text = text if line == self._cell_height // 2 else ""
                    drawn.append(f"{text:^{width}}", shade if text else shade + Style(underline=False))
                lines.append(drawn)
        return Text("\n", no_wrap=True).join(lines)

    def _sign(self, row: int, column: int) -> tuple[str, Style]:
        """Return the text and the style of a cell."""
        if self.heat is None:
            return "", Style()
        cell = self.heat.across[1][column], self.heat.down[1][row]
        share = self.heat.shares.get(cell)
        text = WAITING if share is None else f"{share_text(share)}{'*' if cell == self.best else ''}"
        style = (
            Style(dim=True)
            if share is None
            else shade_of(self, FAINTEST + (1 - FAINTEST) * self.heat.level(share)) + Style(bold=False)
        )
        if (row, column) == self.cursor:
            return f"[{text}]", style + Style(bold=True, dim=False, underline=self.has_focus)
        return text, style

    def action_move(self, rows: int, columns: int) -> None:
        if self.heat is not None:
            row, column = self.cursor
            self._go_to(row + rows, column + columns)

    def _go_to(self, row: int, column: int) -> None:
        if self.heat is None:
            return
        counts = len(self.heat.down[1]), len(self.heat.across[1])
        self.cursor = min(max(0, row), counts[0] - 1), min(max(0, column), counts[1] - 1)
        self._follows_best = False
        self.refresh()
        self.post_message(self.Moved())

    def place_at(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the row and the column of the cell at a point of the widget, if any."""
        rows, columns = self._window()
        row, column = (y - self._heading) // self._cell_height, (x - self._names_width) // self._cell_width
        inside = y >= self._heading and x >= self._names_width and row < len(rows) and column < len(columns)
        return (rows[row], columns[column]) if inside else None

    def on_click(self, event: events.Click) -> None:
        place = self.place_at(event.x, event.y)
        if place is None:
            return
        if place == self.cursor:
            self.post_message(self.Opened())
        else:
            self._go_to(*place)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()


def _shown(value: str) -> str:
    """Return the name or the value of a setting, as it is drawn."""
    return without_controls(value) or ABSENT
