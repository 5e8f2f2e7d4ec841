"""The time line of a training: a bar for each checkpoint, with its number of rounds below.

With a single checkpoint, only the title is shown.

moment  the number of rounds of a checkpoint
slot    the columns of a checkpoint: its bar, and a space
"""

from collections.abc import Sequence
from math import ceil
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from lab.text.numbers import short_count
from tui.widgets.tiles import palette_of, theme_colour

UNKNOWN: Final = "·"
"""Drawn instead of a bar that has not been computed yet."""
EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
"""The character for a line of a bar, by how many eighths of it are filled."""
SCALE: Final = ("100 %", "0 %")
"""The labels of the top and the bottom line of bars."""
MAX_SLOT: Final = 7
MIN_SLOT: Final = 2
"""The maximum and minimum width of a slot, in columns."""
INDENT: Final = 7
"""The columns left of the bars, for labels."""


def slot_of(count: int, room: int) -> int:
    """The width of a slot if `count` checkpoints share `room` columns."""
    return min(MAX_SLOT, max(MIN_SLOT, room // max(1, count)))


def bar_lines(height: float, lines: int) -> list[str]:
    """The characters of a bar, one for each line, from the top.

    `height` is from 0 to 1; if it is above 0, the bar fills at least an eighth of a line.
    """
    eighths = ceil(height * lines * 8)
    return [EIGHTHS[min(8, max(0, eighths - 8 * (lines - 1 - line)))] for line in range(lines)]


def labels_of(moments: Sequence[int], chosen: int, slot: int, room: int) -> list[tuple[int, int]]:
    """The labels that fit into `room` columns, from left to right: the index of the checkpoint, and the first column.

    The chosen checkpoint and the last one have priority.
    """
    taken: set[int] = set()
    shown = []
    for at in sorted(range(len(moments)), key=lambda at: (moments[at] != chosen, at != len(moments) - 1, at)):
        length = len(label_of(moments[at]))
        start = min(at * slot, room - length)
        columns = range(start, start + length + 1)
        if taken.isdisjoint(columns):
            shown.append((at, start))
            taken |= {*columns, start - 1}
    return sorted(shown)


def label_of(rounds: int) -> str:
    """A number of rounds in short form: `10k`."""
    return short_count(rounds).replace(" ", "")


class TimeLine(Widget, can_focus=True, inherit_bindings=False):
    """Shows the checkpoints of a training. Posts `Chosen` when the user chooses one."""

    DEFAULT_CSS = """
    TimeLine { height: 6; }
    TimeLine.-single { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Earlier", show=False),
        Binding("right", "go(1)", "Later", show=False),
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
        self.title, self.noun = "", ""

    def show(self, moments: Sequence[int], chosen: int, heights: Sequence[float | None], title: str, noun: str) -> None:
        """Draw the checkpoints with bars of `heights` from 0 to 1, `None` if not yet known. `noun` names the rounds."""
        self.moments, self.chosen, self.heights, self.title, self.noun = moments, chosen, heights, title, noun
        self.set_class(len(moments) == 1, "-single")
        self.refresh()

    @property
    def _slot(self) -> int:
        return slot_of(len(self.moments), self.size.width - INDENT)

    @property
    def _first(self) -> int:
        """The index of the first checkpoint drawn, such that the chosen one is visible."""
        fitting = max(1, (self.size.width - INDENT) // self._slot)
        chosen = list(self.moments).index(self.chosen) if self.chosen in self.moments else 0
        return max(0, min(chosen, len(self.moments) - fitting))

    def render_line(self, y: int) -> Strip:
        width, lines = self.size.width, self.size.height - 2
        if not self.moments:
            return Strip.blank(width, self.visual_style.rich_style)
        if y == 0:
            segments = [Segment(self.title, palette_of(self).quiet)]
        elif y <= lines:
            segments = self._bars(y - 1, lines)
        else:
            segments = self._labels()
        return Strip(segments).adjust_cell_length(width).apply_style(self.visual_style.rich_style)

    @property
    def _here(self) -> Style:
        """The style of the chosen checkpoint."""
        return Style(color=theme_colour(self, "primary"), bold=True, reverse=self.has_focus)

    def _bars(self, line: int, lines: int) -> list[Segment]:
        """A line of the bars, with its label."""
        scale = SCALE[0] if line == 0 else SCALE[1] if line == lines - 1 else ""
        segments, slot = [Segment(f"{scale:>{INDENT - 1}} ", palette_of(self).quiet)], self._slot
        for rounds, height in list(zip(self.moments, self.heights, strict=True))[self._first :]:
            unknown = UNKNOWN if line == lines - 1 else " "
            sign = unknown if height is None else bar_lines(height, lines)[line]
            style = self._here if rounds == self.chosen else Style()
            segments += [Segment(sign * (slot - 1), style), Segment(" ")]
        return segments

    def _labels(self) -> list[Segment]:
        """The numbers of rounds below the bars."""
        quiet, moments, room = palette_of(self).quiet, self.moments[self._first :], self.size.width - INDENT
        segments, taken = [Segment(f"{self.noun if len(self.noun) < INDENT else '':>{INDENT - 1}} ", quiet)], 0
        for at, start in labels_of(moments, self.chosen, self._slot, room):
            text = label_of(moments[at])
            style = self._here if moments[at] == self.chosen else quiet
            segments += [Segment(" " * (start - taken)), Segment(text, style)]
            taken = start + len(text)
        return segments

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

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
        if event.x >= INDENT:
            self._go_to(self._first + (event.x - INDENT) // self._slot)
