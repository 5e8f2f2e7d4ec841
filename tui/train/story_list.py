"""The list of turning points of a training, the newest last. Enter or a click on one opens the memory at that time."""

from collections.abc import Sequence

from rich.text import Text
from textual import on
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lab.training.training_story import StoryLine
from tui.shell.options import Options


class StoryList(Options):
    """Lists the lines of a story. Posts `Chosen` when one is chosen."""

    DEFAULT_CSS = """
    StoryList {
        height: 1fr; min-height: 2; border: none; padding: 0; background: transparent;
        /* without the gutter, a bar that appears cuts the last word of a line that has been laid out without it */
        scrollbar-size-vertical: 1; scrollbar-gutter: stable;
        &:focus { border: none; }
    }
    """

    class Chosen(Message):
        """Posted when a line was chosen."""

        def __init__(self, line: StoryLine) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, compact=True)
        self.story: Sequence[StoryLine] = ()
        self._empty = ""
        """The text shown if there are no lines."""

    def show(self, story: Sequence[StoryLine], empty: str) -> None:
        """List these lines, or the text `empty` if there are none. A cursor on the last line follows the end."""
        if (story, empty) == (self.story, self._empty):
            return
        at_end = self.highlighted is None or self.highlighted >= len(self.story) - 1
        highlighted = self.highlighted
        self.story, self._empty = story, empty
        self.clear_options()
        if not story:
            self.add_option(Option(Text(empty), disabled=True))
            return
        self.add_options([Option(Text(line.text, "bold" if line.warning else "")) for line in story])
        self.highlighted = len(story) - 1 if at_end else highlighted
        if at_end:
            self.scroll_end(animate=False)

    @on(OptionList.OptionSelected)
    def selected(self, message: OptionList.OptionSelected) -> None:
        """Post the chosen line instead of the chosen option."""
        message.stop()
        if message.option_index < len(self.story):
            self.post_message(self.Chosen(self.story[message.option_index]))
