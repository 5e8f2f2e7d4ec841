"""The time line of a training: a bar for each checkpoint, with its number of rounds."""

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

from lab.words.numbers import BARS, bars, short_count
from tui.widgets.mark_styles import palette_of, theme_colour

UNKNOWN: Final = "·"
"""Stands for a bar that is not computed yet."""
STEPS: Final = 1000
"""The number of heights of a bar."""
WIDEST: Final = 7
NARROWEST: Final = 2
"""The widest and the narrowest that a checkpoint is drawn."""
LAST: Final = 2
"""The columns by which the label of the last checkpoint may exceed its width."""


def slot_of(count: int, room: int) -> int:
    """The width of each of `count` checkpoints in `room` columns."""
    return min(WIDEST, max(NARROWEST, room // max(1, count)))


def labels_of(moments: Sequence[int], chosen: int, slot: int) -> list[str]:
    """The label of each checkpoint; if not all fit, the chosen one and the last come first."""
    texts = [short_count(rounds).replace(" ", "") for rounds in moments]
    taken: set[int] = set()
    shown = [""] * len(texts)
    for at in sorted(range(len(texts)), key=lambda at: (moments[at] != chosen, at != len(texts) - 1, at)):
        columns = range(at * slot, at * slot + len(texts[at]) + 1)
        if taken.isdisjoint(columns):
            shown[at] = texts[at]
            taken |= {*columns, at * slot - 1}
    return shown


class TimeLine(Widget, can_focus=True, inherit_bindings=False):
    """Shows checkpoints. Posts `Chosen` when the user chooses one."""

    DEFAULT_CSS = """
    TimeLine { height: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Earlier", show=False),
        Binding("right", "go(1)", "Later", show=False),
        Binding("home", "go(-1000000)", "First checkpoint", show=False),
        Binding("end", "go(1000000)", "Last checkpoint", show=False),
    ]

    class Chosen(Message):
        """The user chose a checkpoint."""

        def __init__(self, rounds: int) -> None:
            super().__init__()
            self.rounds = rounds

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.moments: Sequence[int] = ()
        self.chosen = 0
        self.heights: Sequence[float | None] = ()
        self.captions = ("", "")

    def show(
        self, moments: Sequence[int], chosen: int, heights: Sequence[float | None], captions: tuple[str, str]
    ) -> None:
        """Draw checkpoints with bars from 0 to 1, `None` where not known yet; captions stand before both lines."""
        self.moments, self.chosen, self.heights, self.captions = moments, chosen, heights, captions
        self.refresh()

    @property
    def _indent(self) -> int:
        return max(map(len, self.captions)) + 2

    @property
    def _slot(self) -> int:
        return slot_of(len(self.moments), self.size.width - self._indent - LAST)

    def render_line(self, y: int) -> Strip:
        if not self.moments or y > 1:
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        quiet, slot = palette_of(self).quiet, self._slot
        here = Style(color=theme_colour(self, "primary"), bold=True, reverse=self.has_focus)
        segments = [Segment(f"{self.captions[y]:<{self._indent}}", quiet)]
        if y == 0:
            for rounds, height in zip(self.moments, self.heights, strict=True):
                sign = UNKNOWN if height is None else bars([ceil(height * STEPS)], 0, STEPS, f" {BARS}")
                style = here if rounds == self.chosen else Style()
                segments += [Segment(sign * (slot - 1), style), Segment(" ")]
        else:
            taken = 0
            for at, text in enumerate(labels_of(self.moments, self.chosen, slot)):
                if text:
                    style = here if self.moments[at] == self.chosen else quiet
                    segments += [Segment(" " * (at * slot - taken)), Segment(text, style)]
                    taken = at * slot + len(text)
        return Strip(segments).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

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
        if event.x >= self._indent:
            self._go_to((event.x - self._indent) // self._slot)
