"""The theme's colours as styles for little boards."""

from rich.style import Style
from textual.widget import Widget

from tui.widgets.tiles import Palette


def palette_of(widget: Widget) -> Palette:
    """The styles of the running theme: the same colours as on the large board."""
    colours = widget.app.theme_variables

    def style(name: str, *, bold: bool = False, dim: bool = False) -> Style:
        colour = colours.get(name, "")
        return Style(color=colour if colour.startswith("#") else None, bold=bold, dim=dim)

    return Palette(
        first=style("primary", bold=True),
        second=style("warning", bold=True),
        symbol=style("error", bold=True),
        quiet=style("foreground", dim=True),
    )
