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

from lab.results.score_lines import briefly
from lab.training.training_story import StoryLine
from tui.shell.filters import JOINT
from tui.shell.parts import Options

MAX_WARNING: Final = 2
"""The lines of a whole warning."""
AIR: Final = 1
"""The columns between the text and the scroll bar."""


def line_text(line: StoryLine, console: Console, width: int) -> Text:
    """Return a line of a story: its sign on the chart, then its round in bold and what changed, in lines of a width."""
    when, colon, what = briefly(line.text).partition(": ")
    what = what.replace(" %", f"{JOINT}%")
    text = Text.assemble((when + colon, "bold"), (what, "bold" if line.warning else "not bold"))
    sign = f"{line.mark} " if line.mark else ""
    lines = text.wrap(console, max(1, width - len(sign)))
    if line.warning and len(lines) > MAX_WARNING:  # it would leave no room for turning points: its advice is left out
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
        self._empty = ""

    def show(self, story: Sequence[StoryLine], empty: str, at: int | None = None) -> None:
        """List these lines, or the text `empty` if there are none. A cursor on the last line follows the end.

        With `at`, the cursor is on that line.
        """
        if (story, empty) == (self.story, self._empty):
            return
        at_end = self._at_end
        self.story, self._empty = story, empty
        self._list(at if at is not None else None if at_end else self.highlighted, follow=at_end and at is None)

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
            self.add_option(Option(Text(self._empty, "dim"), disabled=True))
            return
        size = self.scrollable_content_region.size
        texts = [line_text(line, self.app.console, (size.width or self.app.size.width) - AIR) for line in self.story]
        self.add_options(Option(text, disabled=line.warning) for text, line in zip(texts, self.story, strict=True))
        top = self._fill_up([text.plain.count("\n") + 1 for text in texts], size.height) if follow else 0
        self.highlighted = (self._last if self._last >= 0 else None) if follow else place
        if follow:
            self.scroll_to(y=top, animate=False, force=True)

    def _fill_up(self, heights: list[int], room: int) -> int:
        """Add empty lines after the end, so that a line of the story can begin at the top; return where that is."""
        shown = heights.pop()
        while heights and shown + heights[-1] <= room:
            shown += heights.pop()
        if heights and shown < room:
            self.add_option(Option(Text("\n" * (room - shown - 1)), disabled=True))
        return sum(heights)

    @on(OptionList.OptionSelected)
    def selected(self, message: OptionList.OptionSelected) -> None:
        message.stop()
        if message.option_index < len(self.story):
            self.post_message(self.Chosen(self.story[message.option_index]))
