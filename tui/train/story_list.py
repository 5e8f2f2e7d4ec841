"""The turning points of a training as a list, the newest last; Enter or a click opens the memory at that moment."""

from collections.abc import Sequence

from rich.text import Text
from textual import on
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from lab.training.turning_points import TurningPoint, sentence_with_rounds


class StoryList(OptionList):
    """One line for each turning point. Posts `Chosen`."""

    DEFAULT_CSS = """
    StoryList {
        height: 1fr; min-height: 2; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1;
        &:focus { border: none; }
    }
    """

    class Chosen(Message):
        """Posted when a turning point was chosen."""

        def __init__(self, point: TurningPoint) -> None:
            """The turning point that was chosen."""
            super().__init__()
            self.point = point

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        """An empty list."""
        super().__init__(id=id, compact=True)
        self.points: Sequence[TurningPoint] = ()

    def show(self, points: Sequence[TurningPoint], round_noun: str, empty: str) -> None:
        """List these; without any, the words `empty`. The list follows its end unless the cursor is elsewhere."""
        if points == self.points and self.option_count:
            return
        at_end = self.highlighted is None or self.highlighted >= len(self.points) - 1
        highlighted = self.highlighted
        self.points = tuple(points)
        self.clear_options()
        if not points:
            self.add_option(Option(Text(empty, "dim"), disabled=True))
            return
        for point in points:
            style = "bold" if point.condition.warning else ""
            self.add_option(Option(Text(sentence_with_rounds(point, round_noun), style)))
        self.highlighted = len(points) - 1 if at_end else highlighted
        if at_end:
            self.scroll_end(animate=False)

    @on(OptionList.OptionSelected)
    def selected(self, message: OptionList.OptionSelected) -> None:
        """Report the turning point instead of the option."""
        message.stop()
        if message.option_index < len(self.points):
            self.post_message(self.Chosen(self.points[message.option_index]))
