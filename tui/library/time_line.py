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
from tui.widgets.line_chart import in_letters
from tui.widgets.tiles import palette_of, theme_colour

INDENT: Final = 8
"""The columns left of the curve, for labels and the axis."""
UPRIGHT: Final = "┃"
"""The line at the checkpoint that is shown, if the time line has the focus."""
BELOW: Final = 2
"""The lines below the curve: the axis, and the numbers of rounds."""


def columns_of(count: int, room: int) -> list[int]:
    """Return the columns of `count` checkpoints in `room` columns, from 0."""
    return [round(nth * (room - 1) / max(1, count - 1)) for nth in range(count)]


def labels_of(moments: Sequence[int], columns: Sequence[int], room: int) -> list[tuple[int, str]]:
    """Return the column and text of each label: all moments if they fit, else 0, powers of ten, and always the last.

    So no label of a kind is missing between two others; only the first, and one beside the last, may give way.
    """
    powers, last = {0: 0} | {10**power: power for power in range(13)}, len(moments) - 1
    texts = [short_count(moment) for moment in moments]
    starts = [min(column, room - len(text)) for column, text in zip(columns, texts, strict=True)]

    def apart(one: int, other: int) -> bool:
        return starts[one] + len(texts[one]) < starts[other]

    for step in (0, 1, 2, 3):
        kept = [
            nth for nth, each in enumerate(moments[:-1]) if not step or (each in powers and powers[each] % step == 0)
        ]
        if kept and (texts[kept[-1]] == texts[last] or (step and not apart(kept[-1], last))):
            kept.pop()
        if step and len(kept) > 1 and not apart(*kept[:2]):
            del kept[0]
        if all(apart(one, other) for one, other in pairwise([*kept, last])):
            return [(starts[nth], texts[nth]) for nth in (*kept, last)]
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
        width, last = self.size.width, self.size.height - BELOW
        if len(self.moments) < 2 or width <= INDENT + 1:
            return Strip.blank(width, self.visual_style.rich_style)
        line = self._curve_line(y, last) if y < last else self._floor() if y == last else self._labels()
        return Strip(line.render(self.app.console)).adjust_cell_length(width).apply_style(self.visual_style.rich_style)

    def _curve_line(self, row: int, rows: int) -> Text:
        """Return a row of the curve, with a line at the checkpoint that is shown, interrupted by the curve."""
        heights = [height for height in self.heights if height is not None]
        known = [*enumerate(heights)] if len(heights) == len(self.heights) else []  # no scale that changes
        high = share_axes(max(heights, default=1.0), 2, log=False).high
        axes = Axes(len(self.moments) - 1, logarithmic=False, high=high)
        series = Series("", known, theme_colour(self, "role-bad"))
        columns = self._columns[-1] + 1
        if rows == 1 and known:  # a curve in one row would seem to underline the text above it
            levels = [round(100 * height) for height in np.interp(range(columns), self._columns, heights)]
            cells = [(bar, series.style) for bar in bars(levels, 0, round(100 * high), palette_of(self).bars)]
        else:
            cells = plot_of([series], axes, columns, rows, letters=in_letters(self))[row]
        nth = self.moments.index(self.chosen) if self.chosen in self.moments else len(self.moments) - 1
        if self.chosen in self.moments:
            on_curve = bool(known) and rows > 1 and row == rows - 1 - level_of(heights[nth], axes, rows) // UP
            drawn = cells[self._columns[nth]][0] if on_curve else UPRIGHT if self.has_focus else AXIS
            style = Style(color=theme_colour(self, "role-lit"), bold=drawn != AXIS, dim=False)
            cells[self._columns[nth]] = drawn, str(style)
        ends = {rows - 1: axes.number_text(0.0), 0: axes.number_text(high)} if known else {}
        scale = ends.get(row, "") if rows > 1 else f"0–{ends[row]}"[:INDENT] if ends else ""
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
            at = event.x - INDENT
            self._go_to(min(range(len(self.moments)), key=lambda nth: abs(self._columns[nth] - at)))
