"""The theme's colours as styles for little boards."""

from rich.style import Style
from textual.widget import Widget

from tui.widgets.tiles import Palette


def theme_colour(widget: Widget, name: str) -> str:
    """A colour of the running theme as Rich writes it: some themes name those of the terminal."""
    return widget.app.theme_variables.get(name, "default").removeprefix("ansi_")


def palette_of(widget: Widget) -> Palette:
    """The styles of the running theme: the same colours as on the large board."""

    def style(name: str, *, bold: bool = False, dim: bool = False) -> Style:
        return Style(color=theme_colour(widget, name), bold=bold, dim=dim)

    return Palette(
        first=style("primary", bold=True),
        second=style("warning", bold=True),
        symbol=style("error", bold=True),
        quiet=style("foreground", dim=True),
    )
