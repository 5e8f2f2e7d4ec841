"""The roles of colours, the same in every theme: the two sides, heat, and verdicts. The theme's accent is for focus.

Each role is a variable for style sheets, such as `$role-first`. Its value is a colour of the theme, changed as little
as legibility on the theme's background requires. Only heat has a colour of its own, distinct from those of the sides;
in a theme with the colours of the terminal, it shares that of the first side.
"""

from collections.abc import Mapping
from typing import Final

from textual.color import Color, ColorParseError

from tui.shell.filters import legible_pair

MIN_CONTRAST: Final = 4.5
"""The minimum contrast ratio of every role with the background: level AA of WCAG."""
NAMES: Final = {"first": "primary", "second": "warning", "good": "success", "bad": "error"}
"""For each role, the name of the theme's colour that it uses."""
HEAT: Final = ("#9f7aea", "#6b3fa0")
"""The colour of heat on dark and on light backgrounds."""


def role_colours(theme: Mapping[str, str], *, dark: bool) -> dict[str, str]:
    """The style sheet variables of the roles, from those of a theme; unchanged if Textual cannot parse one of them."""
    found = {role: theme[name] for role, name in NAMES.items()}
    found["heat"] = theme["primary"] if "ansi" in theme["primary"] else HEAT[0 if dark else 1]
    try:
        ground = Color.parse(theme["background"])
        read = {role: legible_pair(Color.parse(colour), ground, MIN_CONTRAST)[0].hex for role, colour in found.items()}
    except ColorParseError:
        read = found
    return {f"role-{role}": colour for role, colour in read.items()}
