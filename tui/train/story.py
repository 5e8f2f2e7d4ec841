"""The story of a training: its turning points as a list."""

from collections.abc import Sequence
from math import log10
from typing import Final

from rich.console import Console
from rich.text import Text
from textual import on
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lab.results.score_lines import shorten_reader
from lab.training.training_story import StoryLine
from tui.shell.filters import JOINT
from tui.shell.parts import Options

MAX_WARNING_LINES: Final = 2
"""The maximum number of lines of a warning that is shown whole."""
PADDING: Final = 1
"""The columns between the text and the scroll bar."""


def line_text(line: StoryLine, console: Console, width: int) -> Text:
    """Return a line of a story: its sign on the chart, then its round in bold and what changed, in lines of a width."""
    moment, colon, change = shorten_reader(line.text).partition(": ")
    change = change.replace(" %", f"{JOINT}%")
    text = Text.assemble((moment + colon, "bold"), (change, "bold" if line.warning else "not bold"))
    sign = f"{line.mark} " if line.mark else ""
    lines = text.wrap(console, max(1, width - len(sign)))
    if line.warning and len(lines) > MAX_WARNING_LINES:
        # it would leave no room for turning points: its advice is left out
        lines = text[: text.plain.find(". ") + 1].wrap(console, max(1, width))
    return Text(sign, "bold").append_text(Text("\n" + " " * len(sign)).join(lines))


class StoryList(Options):
    """Lists the lines of a story. Posts `Chosen` when one is chosen."""

    DEFAULT_CSS = """
    StoryList {
        height: 1fr; min-height: 2; background: transparent;
        /* without the gutter, a bar that appears cuts the last word of a line that has been laid out without it */
        scrollbar-size-vertical: 1; scrollbar-gutter: stable;
        &.-textual-compact > .option-list--option { padding: 0 1 0 0; }
        & > .option-list--option-disabled { color: $foreground; }
    }
    """

    class Chosen(Message):
        """Posted when a line was chosen."""

        def __init__(self, line: StoryLine) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, compact=True, classes="panel")
        self.story: Sequence[StoryLine] = ()
        self._empty_text = ""

    def show(self, story: Sequence[StoryLine], empty_text: str, at: int | None = None) -> None:
        """List these lines, or `empty_text` if there are none. A cursor on the last line follows the end.

        With `at`, the cursor is on that line.
        """
        if (story, empty_text) == (self.story, self._empty_text):
            return
        follow = self._at_end and at is None
        self.story, self._empty_text = story, empty_text
        self._list(self.highlighted if at is None else at, follow=follow)

    def go_to(self, rounds: float) -> None:
        """Move the cursor to the turning point that is nearest to a number of rounds, on an axis of powers of ten."""
        points = [line for line in self.story if not line.warning]
        if points:
            distances = [abs(log10(max(1, line.rounds)) - log10(max(1.0, rounds))) for line in points]
            self.highlighted = distances.index(min(distances))
            self.focus()

    @property
    def _last(self) -> int:
        """The place of the last line that can be chosen: a warning, which is the last of all, cannot."""
        return len(self.story) - 1 - self.story[-1].warning

    @property
    def _at_end(self) -> bool:
        return self.highlighted is None or self.highlighted >= self._last

    def on_resize(self) -> None:
        if self.story:
            self._list(self.highlighted, follow=self._at_end)

    def _list(self, place: int | None, *, follow: bool) -> None:
        """List the lines anew, with the cursor at a place; at the end if the list is to follow it."""
        self.clear_options()
        if not self.story:
            self.add_option(Option(Text(self._empty_text, "dim"), disabled=True))
            return
        size = self.scrollable_content_region.size
        width = (size.width or self.app.size.width) - PADDING
        texts = [line_text(line, self.app.console, width) for line in self.story]
        self.add_options(Option(text, disabled=line.warning) for text, line in zip(texts, self.story, strict=True))
        if follow:
            top = self._pad_end([text.plain.count("\n") + 1 for text in texts], size.height)
            self.highlighted = self._last if self._last >= 0 else None
            self.scroll_to(y=top, animate=False, force=True)
        else:
            self.highlighted = place

    def _pad_end(self, heights: list[int], room: int) -> int:
        """Add empty lines after the end, so that a line of the story can begin at the top; return where that is."""
        height_at_end = heights.pop()
        while heights and height_at_end + heights[-1] <= room:
            height_at_end += heights.pop()
        if heights and height_at_end < room:
            self.add_option(Option(Text("\n" * (room - height_at_end - 1)), disabled=True))
        return sum(heights)

    @on(OptionList.OptionSelected)
    def choose(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        if message.option_index < len(self.story):
            self.post_message(self.Chosen(self.story[message.option_index]))
