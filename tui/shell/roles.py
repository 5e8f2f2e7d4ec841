"""The roles of colours, the same in every theme: the two sides, heat, and verdicts. The theme's accent is for focus.

Each role is a variable for style sheets: `$role-first`. It is the theme's colour, changed as little as needed to be
read on the theme's background; heat has a hue of its own, apart from the sides.
"""

from collections.abc import Mapping
from typing import Final

from textual.color import Color, ColorParseError

from tui.shell.filters import legible

LEAST: Final = 4.5
"""The contrast of every role: level AA of the guidelines."""
NAMES: Final = {"first": "primary", "second": "warning", "good": "success", "bad": "error"}
"""The roles that are colours of the theme, by the theme's names."""
HEAT: Final = ("#9f7aea", "#6b3fa0")
"""The colour of heat on dark and on light backgrounds."""


def role_colours(theme: Mapping[str, str], *, dark: bool) -> dict[str, str]:
    """The variable of each role, given a theme's variables. Colours of the terminal stay as they are."""
    found = {role: theme[name] for role, name in NAMES.items()}
    found["heat"] = theme["primary"] if "ansi" in theme["primary"] else HEAT[0 if dark else 1]
    try:
        ground = Color.parse(theme["background"])
        read = {role: legible(Color.parse(colour), ground, LEAST)[0].hex for role, colour in found.items()}
    except ColorParseError:
        read = found
    return {f"role-{role}": colour for role, colour in read.items()}
