"""Colour contrast as defined by the Web Content Accessibility Guidelines 2.2, and a filter that ensures it."""

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import BLACK, WHITE, Color
from textual.constants import DIM_FACTOR
from textual.filter import LineFilter

STEPS: Final = 256
"""The number of steps in which a colour is changed towards black or white."""


def luminance(colour: Color) -> float:
    """The relative luminance, 0 for black and 1 for white."""
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@lru_cache(4096)
def legible(ink: Color, ground: Color, least: float) -> tuple[Color, Color]:
    """Both colours, changed as little as the contrast allows; a mid-grey background changes itself."""
    far, near = sorted((BLACK, WHITE), key=lambda end: -contrast(end, ground))
    ground = _moved(ground, near, lambda ground: contrast(ground, far) >= least)
    return _moved(ink, far, lambda ink: contrast(ink, ground) >= least), ground


def _moved(colour: Color, end: Color, enough: Callable[[Color], bool]) -> Color:
    """The first colour with enough contrast, on the way from one to black or white."""
    way = [colour.blend(end, step / STEPS) for step in range(STEPS + 1)]
    return colour if enough(colour) else way[bisect_left(way, x=True, key=enough)]


class Contrast(LineFilter):
    """Gives all text at least a contrast ratio; dim text becomes a colour of that ratio."""

    def __init__(self, least: float) -> None:
        super().__init__()
        self.least = least

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, _restyled(style, background, self.least) if style else style, control)
            for text, style, control in segments
        ]


@lru_cache(4096)
def _restyled(style: Style, background: Color, least: float) -> Style:
    if not _known(style.color):
        return style
    ink = Color.from_rich_color(style.color)
    ground = Color.from_rich_color(style.bgcolor) if _known(style.bgcolor) else background
    if style.reverse:
        ink, ground = ground, ink
    ink, ground = legible(ground.blend(ink, DIM_FACTOR) if style.dim else ink, ground, least)
    if style.reverse:
        ink, ground = ground, ink
    return style + Style(color=ink.rich_color, bgcolor=ground.rich_color, dim=False)


def _known(colour: RichColor | None) -> bool:
    """Whether the colour is given by its RGB values, not by a number of the terminal's palette."""
    return colour is not None and not colour.is_default
