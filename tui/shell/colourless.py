"""A screen without colours, as `NO_COLOR` requests."""

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


class Styled(LineFilter):
    """Gives unstyled segments an empty style: the filters of Textual 8.2.8 that remove colours fail without one."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, style or Style.null(), control) for text, style, control in segments]


STYLED: Final = Styled()
"""One shared instance, since Textual caches the result of a filter by its identity."""
