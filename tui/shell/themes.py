"""High-contrast and colour-blind themes, in addition to those of Textual."""

from typing import Final

from textual.theme import Theme

from tui.shell.filters import Contrast

# The palette of M. Okabe and K. Ito, "Color Universal Design" (2002): distinct for every type of colour vision.
ORANGE: Final = "#E69F00"
SKY_BLUE: Final = "#56B4E9"
BLUISH_GREEN: Final = "#009E73"
YELLOW: Final = "#F0E442"
BLUE: Final = "#0072B2"
VERMILLION: Final = "#D55E00"
REDDISH_PURPLE: Final = "#CC79A7"

THEMES: Final = (
    Theme(
        name="high-contrast-dark",
        primary="#7FD4FF",
        secondary="#B8B8FF",
        warning="#FFD000",
        error="#FF9C9C",
        success="#7CFF8F",
        accent="#FFB0FF",
        foreground="#FFFFFF",
        background="#000000",
        surface="#000000",
        panel="#1C1C1C",
        text_alpha=1.0,
    ),
    Theme(
        name="high-contrast-light",
        primary="#00439C",
        secondary="#3D3D8F",
        warning="#7A3300",
        error="#930013",
        success="#00531F",
        accent="#6E0070",
        foreground="#000000",
        background="#FFFFFF",
        surface="#FFFFFF",
        panel="#E8E8E8",
        dark=False,
        text_alpha=1.0,
    ),
    Theme(
        name="colour-blind-dark",
        primary=SKY_BLUE,
        secondary=BLUE,
        warning=ORANGE,
        error=VERMILLION,
        success=BLUISH_GREEN,
        accent=YELLOW,
        foreground="#E8E8E8",
        background="#101418",
        surface="#181D22",
        panel="#222930",
    ),
    Theme(
        name="colour-blind-light",
        primary=BLUE,
        secondary=ORANGE,
        warning=VERMILLION,
        error=REDDISH_PURPLE,
        success=BLUISH_GREEN,
        accent=SKY_BLUE,
        foreground="#101010",
        background="#FFFFFF",
        surface="#F4F4F4",
        panel="#E6E6E6",
        dark=False,
    ),
)

_STRONG, _CLEAR = Contrast(7.0), Contrast(4.5)  # levels AAA and AA of WCAG
CONTRASTS: Final = {theme.name: _STRONG if theme.name.startswith("high-contrast") else _CLEAR for theme in THEMES}
"""For each theme, the filter that gives every text on the screen enough contrast."""
