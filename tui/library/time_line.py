"""The time line of a training: its losses as a curve over the checkpoints, with its turning points as numbers.

moment  the number of rounds of a checkpoint; the checkpoints are evenly apart
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Final

import numpy as np
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from lab.text.axes import UP, Axes, level_of, share_axes
from lab.text.curves import Series, line_of, plot_of
from lab.text.line_charts import AXIS, CORNER, floor_of
from lab.text.numbers import bars, short_count
from tui.widgets.line_chart import uses_letters
from tui.widgets.palette import palette_of, theme_colour

INDENT: Final = 8
"""The columns left of the curve, for labels and the axis."""
FOCUSED_LINE: Final = "┃"
"""The line at the checkpoint that is shown, if the time line has the focus."""
LINES_BELOW: Final = 2
"""The lines below the curve: the axis, and the numbers of rounds."""
POWERS: Final = {0: 0} | {10**power: power for power in range(13)}
"""The numbers of rounds that may have a label where not all have one, with their powers of ten."""


def columns_of(count: int, room: int) -> list[int]:
    """Return the columns of `count` checkpoints in `room` columns, from 0."""
    return [round(place * (room - 1) / max(1, count - 1)) for place in range(count)]


def labels_of(moments: Sequence[int], columns: Sequence[int], room: int) -> list[tuple[int, str]]:
    """Return the column and text of each label: all moments if they fit, else 0, powers of ten, and always the last.

    So no label of a kind is missing between two others; only the first, and one beside the last, may give way.
    """
    last = len(moments) - 1
    texts = [short_count(moment) for moment in moments]
    starts = [min(column, room - len(text)) for column, text in zip(columns, texts, strict=True)]

    def fit_side_by_side(left: int, right: int) -> bool:
        return starts[left] + len(texts[left]) < starts[right]

    places = [*range(last)]
    if places and texts[places[-1]] == texts[last]:
        places.pop()
    if all(fit_side_by_side(left, right) for left, right in pairwise([*places, last])):
        return [(starts[place], texts[place]) for place in (*places, last)]

    for step in (1, 2, 3):
        places = [place for place in range(last) if moments[place] in POWERS and POWERS[moments[place]] % step == 0]
        if places and (texts[places[-1]] == texts[last] or not fit_side_by_side(places[-1], last)):
            places.pop()
        if len(places) > 1 and not fit_side_by_side(*places[:2]):
            del places[0]
        if all(fit_side_by_side(left, right) for left, right in pairwise([*places, last])):
            return [(starts[place], texts[place]) for place in (*places, last)]
    return [(starts[last], texts[last])] if starts[last] >= 0 else []


class TimeLine(Widget, can_focus=True, inherit_bindings=False):
    """Shows the checkpoints of a training. Posts `Chosen` when the user chooses one."""

    DEFAULT_CSS = """
    TimeLine.-single { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Earlier", show=False),
        Binding("right", "go(1)", "Later", tooltip="goes on by a checkpoint", show=False),
        Binding("home", "go(-1000000)", "First checkpoint", show=False),
        Binding("end", "go(1000000)", "Last checkpoint", show=False),
    ]

    class Chosen(Message):
        """Posted when the user chose a checkpoint, given by its rounds."""

        def __init__(self, rounds: int) -> None:
            super().__init__()
            self.rounds = rounds

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.moments: Sequence[int] = ()
        self.chosen = 0
        self.heights: Sequence[float | None] = ()
        self.marks: Sequence[int] = ()

    def show(self, moments: Sequence[int], chosen: int, heights: Sequence[float | None], marks: Sequence[int]) -> None:
        """Draw the checkpoints with a curve of `heights` from 0 to 1, `None` where they are not known.

        `marks` has the moment at which each turning point is seen first.
        """
        self.moments, self.chosen, self.heights, self.marks = moments, chosen, heights, marks
        self.set_class(len(moments) == 1, "-single")
        self.refresh()

    @property
    def _columns(self) -> list[int]:
        return columns_of(len(self.moments), max(2, self.size.width - INDENT))

    def render_line(self, y: int) -> Strip:
        width, curve_lines = self.size.width, self.size.height - LINES_BELOW
        if len(self.moments) < 2 or width <= INDENT + 1:
            return Strip.blank(width, self.visual_style.rich_style)
        if y < curve_lines:
            line = self._curve_line(y, curve_lines)
        elif y == curve_lines:
            line = self._floor()
        else:
            line = self._labels()
        return Strip(line.render(self.app.console)).adjust_cell_length(width).apply_style(self.visual_style.rich_style)

    def _curve_line(self, row: int, rows: int) -> Text:
        """Return a row of the curve, with a line at the checkpoint that is shown, interrupted by the curve."""
        heights = [height for height in self.heights if height is not None]
        points = [*enumerate(heights)] if len(heights) == len(self.heights) else []  # else the scale would change
        high = share_axes(max(heights, default=1.0), 2, log=False).high
        axes = Axes(len(self.moments) - 1, logarithmic=False, high=high)
        series = Series("", points, theme_colour(self, "role-bad"))
        columns = self._columns[-1] + 1
        if rows == 1 and points:  # a curve in one row would seem to underline the text above it
            levels = [round(100 * height) for height in np.interp(range(columns), self._columns, heights)]
            cells = [(bar, series.style) for bar in bars(levels, 0, round(100 * high), palette_of(self).bars)]
        else:
            cells = plot_of([series], axes, columns, rows, letters=uses_letters(self))[row]
        if self.chosen in self.moments:
            place = self.moments.index(self.chosen)
            column = self._columns[place]
            sign = FOCUSED_LINE if self.has_focus else AXIS
            if points and rows > 1 and row == rows - 1 - level_of(heights[place], axes, rows) // UP:
                sign = cells[column][0]  # of the curve
            style = Style(color=theme_colour(self, "role-lit"), bold=sign != AXIS, dim=False)
            cells[column] = sign, str(style)
        scale = ""
        if points and rows == 1:
            scale = f"0–{axes.number_text(high)}"[:INDENT]
        elif points and row == 0:
            scale = axes.number_text(high)
        elif points and row == rows - 1:
            scale = axes.number_text(0.0)
        return line_of([(f"{scale:>{INDENT - 1}}{AXIS}", "dim"), *cells])

    def _floor(self) -> Text:
        """Return the axis, with a tick at each checkpoint, and the turning points."""
        columns = self._columns
        marks = [columns[self.moments.index(each)] for each in self.marks]
        return line_of([(f"{CORNER:>{INDENT}}", "dim"), *floor_of(columns[-1] + 1, columns, marks)])

    def _labels(self) -> Text:
        """Return the numbers of rounds below the checkpoints."""
        line, room = Text(" " * INDENT, "dim", no_wrap=True), self.size.width - INDENT
        for start, text in labels_of(self.moments, self._columns, room):
            line.append(" " * (INDENT + start - line.cell_len) + text)
        return line

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.refresh()

    def _go_to(self, place: int) -> None:
        if self.moments:
            self.post_message(self.Chosen(self.moments[min(max(0, place), len(self.moments) - 1)]))

    def action_go(self, step: int) -> None:
        if self.moments:
            self._go_to(list(self.moments).index(self.chosen) + step)

    def on_click(self, event: events.Click) -> None:
        if event.x >= INDENT and self.moments:
            column = event.x - INDENT
            self._go_to(min(range(len(self.moments)), key=lambda place: abs(self._columns[place] - column)))
