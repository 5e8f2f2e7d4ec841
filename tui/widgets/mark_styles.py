"""The theme's colours as styles for small boards, and the colours of beads."""

from functools import cache
from typing import Final

from rich.style import Style
from textual.color import Color
from textual.widget import Widget

from learners.menace.bead_words import COLOURS
from tui.widgets.tiles import Palette

BEADS: Final = (
    ("#f5f5f0", "#66665c"),  # white
    ("#c3a6ff", "#7446c0"),  # lilac
    ("#a3b4c2", "#4f6272"),  # silver
    ("#7d7d7d", "#101010"),  # black
    ("#f2cf45", "#7d6200"),  # gold
    ("#5fcf74", "#186e2e"),  # green
    ("#ff9a3c", "#a84c00"),  # amber
    ("#ff6b62", "#c01b2e"),  # red
    ("#ff8fc8", "#b02a78"),  # pink
)
"""The colours of hues 1, 2 …, each for dark and for light themes: a black bead must not be black on black."""


HUES: Final = dict(zip(COLOURS, BEADS, strict=True))


def theme_colour(widget: Widget, name: str) -> str:
    """A colour of the current theme or of beads, by name, as text for Rich; some themes use colours of the terminal."""
    if name in HUES:
        return HUES[name][0 if widget.app.current_theme.dark else 1]
    return widget.app.theme_variables.get(name, "default").removeprefix("ansi_")


def palette_of(widget: Widget) -> Palette:
    """The styles of small boards in the current theme; the colours are those of the large board. Cached, so fast."""
    colours = tuple(
        theme_colour(widget, name) for name in ("role-first", "role-second", "role-bad", "accent", "foreground")
    )
    return _palette(colours, _heat(widget), dark=widget.app.current_theme.dark, coloured=not widget.app.no_color)


@cache
def _palette(colours: tuple[str, ...], heat: tuple[str, str], *, dark: bool, coloured: bool) -> Palette:
    *bold, foreground = colours
    first, second, symbol, cursor = (Style(color=colour, bold=True, dim=False) for colour in bold)
    return Palette(
        first=first,
        second=second,
        symbol=symbol,
        share=Style(color=foreground, bold=False, dim=False),
        quiet=Style(color=foreground, bold=False, dim=True),
        cursor=cursor,
        beads=tuple(Style(color=pair[0 if dark else 1]) for pair in BEADS if coloured),
        shades=tuple(_shade(*heat, step) for step in range(SHADES + 1)) if coloured else (),
    )


SHADES: Final = 10
"""The number of shades, not counting no shade."""
DEEPEST: Final = 0.8
"""The amount of colour in the last shade, from 0 to 1."""


def shade_of(widget: Widget, share: float) -> Style:
    """The style for a share from 0 to 1 in the current theme: a larger share has a deeper shade; only 0 has none."""
    return _shade(*_heat(widget), -int(-share * SHADES // 1))


def _heat(widget: Widget) -> tuple[str, str]:
    """The two colours that are mixed to make shades: the background, and the colour of heat."""
    ground, colour = (widget.app.theme_variables.get(name, "ansi_default") for name in ("background", "role-heat"))
    return ground, colour


def ground_of(widget: Widget) -> Style:
    """The style for the selection in a widget without focus, in the current theme."""
    colour = widget.app.theme_variables["primary-muted"]
    return Style(reverse=True) if "ansi" in colour else Style(bgcolor=colour)


@cache
def _shade(ground: str, colour: str, step: int) -> Style:
    if "ansi" in ground + colour:  # colours of the terminal cannot be mixed
        return Style(reverse=2 * step > SHADES, bold=step > 0)
    mixed = Color.parse(ground).blend(Color.parse(colour), DEEPEST * step / SHADES)
    return Style(bgcolor=mixed.hex, color=mixed.get_contrast_text(1).rich_color, bold=step > 0)
