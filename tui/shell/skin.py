"""The two skins of the app: drawn with every glyph that shows, or in ASCII only."""

from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from lab.words.ascii import ascii_text
from lab.words.sanitise import showing

UNICODE: Final = "unicode"
ASCII: Final = "ascii"
SKINS: Final = {UNICODE: "Unicode", ASCII: "ASCII"}
"""The skins, and how they are spoken of."""


class Showing(LineFilter):
    """Draws nothing that controls, whatever was typed or pasted; each text as wide as Textual took it to be."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment
            if segment.control or segment.text.isprintable()
            else Segment(set_cell_size(showing(segment.text), cell_len(segment.text)), segment.style)
            for segment in segments
        ]


class InAscii(LineFilter):
    """Draws every line in ASCII, each text as wide as Textual took it to be."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.control or segment.text.isascii() else Segment(_fitted(segment.text), segment.style)
            for segment in segments
        ]


def _fitted(text: str) -> str:
    width = cell_len(text)
    return ascii_text(text)[:width].ljust(width)


SHOWING: Final = Showing()
IN_ASCII: Final = InAscii()
"""One shared instance, since Textual caches the result of a filter by its identity."""
