"""Filters for the lines of the screen: contrast, ASCII, and no control characters.

Textual caches results by the identity of the filter, so there is one shared instance of each.
Contrast ratios are those of the Web Content Accessibility Guidelines (WCAG) 2.2.
"""

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import BLACK, WHITE, Color
from textual.constants import DIM_FACTOR
from textual.filter import LineFilter

from lab.text.ascii import ascii_text
from lab.text.sanitise import without_controls

DRAWING: Final = re.compile(r"[\s·\u2500-\u25ff\u2800-\u28ff]*")
"""The characters that are not text: frames, blocks, beads and dots."""
JOINT: Final = "\u2800"
"""A space at which no line is broken: the blank of Braille, which `Printable` draws as a space."""
DOT_BETWEEN_WORDS: Final = re.compile(r"(?<=\w\w|.[%)]) · |(?<=\b\w) · (?=\w[\w,])")
"""The dot between two parts of a line, which would be a full stop in ASCII. A dot beside single letters is a square."""
BLEND_STEPS: Final = 256
"""The number of steps in which a colour is blended with black or white."""


def luminance(colour: Color) -> float:
    """Return the relative luminance of WCAG: 0 for black, 1 for white."""
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of WCAG: 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(4096)
def legible_pair(ink: Color, ground: Color, min_ratio: float) -> tuple[Color, Color]:
    """Return text and background colour, changed as little as a contrast ratio of at least `min_ratio` requires.

    The background changes only if it is so grey that neither black nor white text reaches that ratio on it.
    """
    far, near = sorted((BLACK, WHITE), key=lambda end: -contrast(end, ground))
    ground = _blend_until(ground, near, lambda ground: contrast(ground, far) >= min_ratio)
    return _blend_until(ink, far, lambda ink: contrast(ink, ground) >= min_ratio), ground


def _blend_until(colour: Color, end: Color, is_enough: Callable[[Color], bool]) -> Color:
    """Return the colour nearest to `colour`, on the way from it to `end`, for which `is_enough` is true."""
    if is_enough(colour):
        return colour
    blends = [colour.blend(end, step / BLEND_STEPS) for step in range(BLEND_STEPS + 1)]
    return blends[bisect_left(blends, x=True, key=is_enough)]


class Contrast(LineFilter):
    """Gives all text, including dim text, a contrast ratio of at least `min_ratio`; also frames, if `of_drawings`."""

    def __init__(self, min_ratio: float, *, of_drawings: bool = True) -> None:
        super().__init__()
        self.min_ratio = min_ratio
        self.of_drawings = of_drawings

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        filtered = []
        for text, style, control in segments:
            legible = style
            if style and (self.of_drawings or not DRAWING.fullmatch(text)):
                legible = _legible_style(style, background, self.min_ratio)
            filtered.append(Segment(text, legible, control))
        return filtered


@lru_cache(4096)
def _legible_style(style: Style, background: Color, min_ratio: float) -> Style:
    if not _has_own_colour(style.color):
        return style
    ink = Color.from_rich_color(style.color)
    ground = Color.from_rich_color(style.bgcolor) if _has_own_colour(style.bgcolor) else background
    if style.reverse:
        ink, ground = ground, ink
    if style.dim:
        ink = ground.blend(ink, DIM_FACTOR)
    ink, ground = legible_pair(ink, ground, min_ratio)
    if style.reverse:
        ink, ground = ground, ink
    return style + Style(color=ink.rich_color, bgcolor=ground.rich_color, dim=False)


def _has_own_colour(colour: RichColor | None) -> bool:
    """Return whether there is a colour other than the terminal's default."""
    return colour is not None and not colour.is_default


class StyledSegments(LineFilter):
    """Gives unstyled segments an empty style.

    Symptom without it: with `NO_COLOR`, the filter of Textual that removes colours fails with `AttributeError` at a
    segment without a style.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, style or Style.null(), control) for text, style, control in segments]


class Printable(LineFilter):
    """Removes control characters, which may be typed or pasted; each text keeps the width that Textual gave it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        filtered = []
        for segment in segments:
            text, style, control = segment
            if control or (text.isprintable() and JOINT not in text):
                filtered.append(segment)
                continue
            printable = without_controls(text).replace(JOINT, " ")
            filtered.append(Segment(set_cell_size(printable, cell_len(text)), style))
        return filtered


class Ascii(LineFilter):
    """Draws every line in ASCII; each text keeps the width that Textual gave it."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        filtered = []
        for segment in segments:
            text, style, control = segment
            if control or text.isascii():
                filtered.append(segment)
                continue
            width = cell_len(text)
            drawn = ascii_text(DOT_BETWEEN_WORDS.sub(" - ", text))
            filtered.append(Segment(drawn[:width].ljust(width), style))
        return filtered


STYLED: Final = StyledSegments()
PRINTABLE: Final = Printable()
AS_ASCII: Final = Ascii()
