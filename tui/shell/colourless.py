"""A screen without colours, as NO_COLOR asks for it."""

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


class Styled(LineFilter):
    """Gives a style to what has none: the filters of Textual 8.2.8 that take the colours away would fail at it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, style or Style.null(), control) for text, style, control in segments]


STYLED: Final = Styled()
"""One for all, since a line remembers what each filter made of it."""
