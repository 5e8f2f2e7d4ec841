"""The heat map of a sweep: a cell for each pair of values of two settings, with a cursor.

line 0   the setting across, whose values head the columns, and what it decides
line 1   the name of the setting down, whose values head the rows; then the values across
below    a row of cells for each value down; a cell that is large enough also has the curve of its machines
foot     what the setting down decides, if there is room
"""

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from lab.race.race_text import share_figure
from lab.sweep.findings import Cell
from lab.sweep.pictures import HeatMap
from lab.text.axes import Axes, Points
from lab.text.columns import cut
from lab.text.curves import Series, draw_curves
from lab.text.numbers import share_text
from lab.text.sanitise import without_controls
from learners.core.settings import SettingKind
from learners.sweep.definition import Definition
from tui.widgets.line_chart import uses_letters
from tui.widgets.palette import shade_of, theme_colour

MAX_CELL_HEIGHT: Final = 6
"""The maximum number of lines of a cell."""
MIN_CELL: Final = 7
"""The minimum width of a cell, in columns: enough for `▌>99.9*▐`."""
SHORT_CELL: Final = 4
"""The minimum width of a cell where only whole per cents fit: enough for `>99*`."""
CURVE_FROM: Final = (12, 5)
"""From this size on (columns, lines), a cell has a curve."""
FRAMED_FROM: Final = 3
"""From this height on, in lines, the chosen cell has a whole frame."""
MAX_CURVES: Final = 60
"""The maximum number of cells that have curves."""
MAX_VALUE_WIDTH: Final = 18
"""The maximum width of the values down, in columns."""
FAINTEST: Final = 0.1
"""The shade of the worst share, from 0 to 1; above 0, since only cells without finished machines have no shade."""
GAP: Final = 2
"""The columns between the values down and the cells."""
HEADING_LINES: Final = 2
"""The lines above the cells."""
FOOT_LINES: Final = 1
"""The lines below the cells, where there is room."""
ABSENT, WAITING = "–", "·"
"""The signs for the value of a setting that a learner does not have, and for a cell without finished machines."""
MORE_MARKS: Final = "‹›"
"""Marks for hidden columns on the left and on the right."""


def no_curve(_: Cell) -> Points:
    return ()


class SweepMap(Widget, can_focus=True):
    """Draws a heat map, with a cursor. Posts `Moved` when it moves, and `Opened` when the cell under it is clicked."""

    DEFAULT_CSS = "SweepMap { height: 1fr; }"
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
        self._settings: Mapping[str, SettingKind] = {}
        self._machines = 0
        self._curve_of: Callable[[Cell], Points] = no_curve
        self._axes = Axes(10)
        self._curves: dict[tuple[object, ...], list[Text]] = {}
        """The curves drawn so far, by all that they depend on."""
        self._first = 0, 0
        """The first row and the first column that are drawn."""

    @property
    def cell(self) -> Cell | None:
        if self.heat is None:
            return None
        row, column = self.cursor
        return self.heat.across[1][column], self.heat.down[1][row]

    def show(
        self, heat: HeatMap, best: Cell | None, settings: Mapping[str, SettingKind], definition: Definition | None
    ) -> None:
        """Draw this map, of the sweep of a `definition` if it is known; `settings` has the settings among its axes.

        The cursor follows the best cell until the user moves it, and again once the axes change.
        """
        last_heat, last_cell, self._settings = self.heat, self.cell, settings
        self._machines = 0 if definition is None else len(definition.seeds)
        self.draw_curves()
        has_same_axes = last_heat is not None and (last_heat.across, last_heat.down) == (heat.across, heat.down)
        self.heat = heat
        if not has_same_axes:
            self._follows_best = True
        if not has_same_axes or (self._follows_best and best is not None):
            self._place(best or last_cell)
        self.best = best
        self.refresh(layout=not has_same_axes)

    def draw_curves(self, curve_of: Callable[[Cell], Points] = no_curve, axes: Axes | None = None) -> None:
        """Draw in each cell that is large enough the curve that `curve_of` returns, on these axes."""
        self._curve_of, self._axes, self._curves = curve_of, axes or self._axes, {}
        self.refresh()

    def lines(self, height: int = MAX_CELL_HEIGHT) -> int:
        """Return the lines of the map if its cells have `height` lines."""
        return HEADING_LINES + FOOT_LINES + height * self._rows

    @property
    def _rows(self) -> int:
        return 1 if self.heat is None else len(self.heat.down[1])

    def _place(self, cell: Cell | None) -> None:
        """Move the cursor to a cell, or to the first one if the map does not have it."""
        if self.heat is None:
            return
        (_, across), (_, down) = self.heat.across, self.heat.down
        self.cursor = 0, 0
        if cell is not None and cell[0] in across and cell[1] in down:
            self.cursor = down.index(cell[1]), across.index(cell[0])

    def _title(self, axis: str) -> str:
        """Return the name of a setting in words, as far as they are known."""
        title = self._settings[axis].title if axis in self._settings else ""
        return title or _setting_text(axis)

    @property
    def _longest_name(self) -> int:
        """The width of the longest value down and of their heading, at most `MAX_VALUE_WIDTH`."""
        if self.heat is None:
            return 1
        name, values = self.heat.down
        texts = f"{self._title(name)} ↓", *map(_setting_text, values)
        return min(MAX_VALUE_WIDTH, max(map(cell_len, texts)))

    @property
    def _names_width(self) -> int:
        """The width of the values down, with the gap."""
        return min(self._longest_name, max(6, 2 * self.size.width // 5)) + GAP

    @property
    def _cell_width(self) -> int:
        if self.heat is None:
            return MIN_CELL
        values = self.heat.across[1]
        equal_share = (self.size.width - self._names_width - 1) // max(1, len(values))
        minimum = MIN_CELL if equal_share >= MIN_CELL else SHORT_CELL
        return max(minimum, equal_share, *(cell_len(_setting_text(value)) + 2 for value in values))

    @property
    def _cell_height(self) -> int:
        equal_share = (self.size.height - HEADING_LINES - FOOT_LINES) // self._rows
        return max(1, min(MAX_CELL_HEIGHT, equal_share))

    def _window(self) -> tuple[range, range]:
        """Return the rows and the columns that are drawn: as many as fit, including those of the cursor."""
        if self.heat is None:
            return range(0), range(0)
        max_rows = max(1, (self.size.height - HEADING_LINES) // self._cell_height)
        max_columns = max(1, (self.size.width - self._names_width - 1) // self._cell_width)
        row, column = self.cursor
        first_row, first_column = self._first
        rows = _scroll(first_row, row, len(self.heat.down[1]), max_rows)
        columns = _scroll(first_column, column, len(self.heat.across[1]), max_columns)
        self._first = rows.start, columns.start
        return rows, columns

    def render(self) -> Text:
        if self.heat is None:
            return Text("")
        rows, columns = self._window()
        across, (down, values_down) = self.heat.across[0], self.heat.down
        names_width = self._names_width
        title = f"{self._title(across)} →"
        heading = Text(" " * min(names_width, self.size.width - len(title)), no_wrap=True).append(title, "bold")
        lines = [heading.append(self._summary(across, heading.cell_len), "not bold dim"), self._values_line(columns)]
        cell_height, middle_line = self._cell_height, self._middle_line
        for row in rows:
            cells = [self._cell(row, column) for column in columns]
            for line in range(cell_height):
                value = cut(_setting_text(values_down[row]), names_width - GAP) if line == middle_line else ""
                text = Text(f"{value:<{names_width}}", "" if row == self.cursor[0] else "dim", no_wrap=True)
                lines.append(Text.assemble(text, *(cell[line] for cell in cells)))
        if self.size.height > HEADING_LINES + self._cell_height * self._rows:
            foot = Text(f"{self._title(down)} ↓", "dim", no_wrap=True)
            summary = self._summary(down, foot.cell_len)
            lines.append(foot.append(summary, "not bold dim") if summary else Text())
        return Text("\n", no_wrap=True).join(lines)

    def _values_line(self, columns: range) -> Text:
        """Return the name of the setting down, and the values across."""
        if self.heat is None:
            return Text()
        values, names_width, cell_width = self.heat.across[1], self._names_width, self._cell_width
        mark_left = MORE_MARKS[0] if columns.start > 0 else ""
        mark_right = MORE_MARKS[1] if columns.stop < len(values) else ""
        headings = [f"{cut(_setting_text(values[column]), cell_width - 1):^{cell_width}}" for column in columns]
        room = names_width - GAP
        if not mark_left:  # up to the first value
            room = names_width + len(headings[0]) - len(headings[0].lstrip()) - 1
        name = cut(f"{self._title(self.heat.down[0])} ↓", room)
        line = Text(f"{name:<{names_width - len(mark_left)}}", "bold", no_wrap=True).append(mark_left, "not bold")
        headings[0] = headings[0][max(0, len(name) - names_width) :]
        for column, heading in zip(columns, headings, strict=True):
            line.append(heading, "not bold" if column == self.cursor[1] else "not bold dim")
        return line.append(mark_right, "not bold")

    def _summary(self, axis: str, start: int) -> str:
        """Return what a setting decides, to be written from column `start` on; empty if it does not fit."""
        summary = f"  {self._settings[axis].summary}" if axis in self._settings else ""
        return summary if start + cell_len(summary) <= self.size.width else ""

    @property
    def _middle_line(self) -> int:
        """The line of a cell that has its number."""
        return min(1, self._cell_height // 2) if self._has_curves else (self._cell_height - 1) // 2

    @property
    def _is_waiting(self) -> bool:
        """Whether each cell is an empty frame: as long as no machine is finished."""
        return self.heat is not None and not self.heat.shares and self._cell_height >= FRAMED_FROM

    @property
    def _has_frame(self) -> bool:
        """Whether the chosen cell has a frame; without one, it is reversed or in brackets."""
        has_shares = self.heat is not None and bool(self.heat.shares)
        return self._is_waiting or (has_shares and self._cell_width >= MIN_CELL)

    @property
    def _has_curves(self) -> bool:
        columns, lines = CURVE_FROM
        return (
            self._cell_width >= columns
            and self._cell_height >= lines
            and self.heat is not None
            and 0 < len(self.heat.shares) <= MAX_CURVES
        )

    def _cell(self, row: int, column: int) -> list[Text]:
        """Return the lines of a cell: its number, and below it the curve if there is room."""
        width, height, is_chosen = self._cell_width, self._cell_height, (row, column) == self.cursor
        text, style = self._number(row, column)
        lines = [Text(" " * width, style) for _ in range(height)]
        lines[self._middle_line] = Text(f"{text:^{width}}", style)
        if self._has_curves:
            for number, curve in enumerate(self._curve(row, column, width - 4, height - 3), 2):
                lines[number] = Text("  ", style).append_text(curve).append("  ", style)
                lines[number].stylize_before(style)
        if self._is_waiting:
            corners, across, down = ("┏┓┗┛", "━", "┃") if is_chosen else ("╭╮╰╯", "─", "│")
            inner_width = width - 3  # a column apart
            lines = [Text(f"{down}{line.plain[1:-2]}{down} ", style) for line in lines]
            lines[0] = Text(f"{corners[0]}{across * inner_width}{corners[1]} ", style)
            lines[-1] = Text(f"{corners[2]}{across * inner_width}{corners[3]} ", style)
        elif is_chosen and self._has_frame:
            edge = style + Style(color=theme_colour(self, "role-lit"), bold=True)
            lines = [Text("▌", edge).append_text(line[1:-1]).append("▐", edge) for line in lines]
            if height >= FRAMED_FROM:  # the first line and the last one are empty
                lines[0] = Text(f"▛{'▀' * (width - 2)}▜", edge)
                lines[-1] = Text(f"▙{'▄' * (width - 2)}▟", edge)
        return lines

    def _curve(self, row: int, column: int, columns: int, rows: int) -> list[Text]:
        """Return the curve of a cell in `rows` lines of `columns`, drawn once until the map changes."""
        if self.heat is None:
            return []
        cell = self.heat.across[1][column], self.heat.down[1][row]
        key = cell, columns, rows, uses_letters(self)
        if key not in self._curves:
            series = Series("", self._curve_of(cell), "", "*")
            self._curves[key] = draw_curves([series], self._axes, columns, rows, letters=uses_letters(self), whole=True)
        return [line.copy() for line in self._curves[key]]

    def _number(self, row: int, column: int) -> tuple[str, Style]:
        """Return the text and the style of a cell: its share, or how many of its machines are finished."""
        if self.heat is None:
            return "", Style()
        cell = self.heat.across[1][column], self.heat.down[1][row]
        share, is_short = self.heat.shares.get(cell), self._cell_width < MIN_CELL
        if share is None:
            text, style = f"0 of {self._machines}", Style(dim=True)
            if not self._machines or len(text) + 4 > self._cell_width:
                text = WAITING
        else:
            text = share_text(share).removesuffix(" %") if is_short else share_figure(share)
            if cell == self.best:
                text += "*"
            style = shade_of(self, FAINTEST + (1 - FAINTEST) * self.heat.level(share))
            style += Style(bold=False) if style.bgcolor else Style(reverse=False)  # a reversed cell would glare
        if (row, column) != self.cursor:
            return text, style
        style += Style(bold=True, dim=False)
        if self._has_frame:
            return text, style
        return (text, style + Style(reverse=True)) if is_short else (f"[{text}]", style)

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
        row, column = (y - HEADING_LINES) // self._cell_height, (x - self._names_width) // self._cell_width
        is_inside = y >= HEADING_LINES and x >= self._names_width and row < len(rows) and column < len(columns)
        return (rows[row], columns[column]) if is_inside else None

    def on_click(self, event: events.Click) -> None:
        place = self.place_at(event.x, event.y)
        if place is None:
            return
        if place == self.cursor:
            self.post_message(self.Opened())
        else:
            self._go_to(*place)


def _scroll(first: int, cursor: int, count: int, max_shown: int) -> range:
    """Return which of `count` rows or columns are drawn, from `first` on if these include the cursor."""
    start = min(max(first, cursor - max_shown + 1), cursor, max(0, count - max_shown))
    return range(start, min(count, start + max_shown))


def _setting_text(value: str) -> str:
    """Return the name or the value of a setting, as it is drawn."""
    return without_controls(value) or ABSENT
