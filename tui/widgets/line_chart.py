"""A widget that draws line charts."""

from collections.abc import Sequence

from rich.text import Text
from textual.widget import Widget

from lab.text.line_charts import Axes, Series, draw_chart


class LineChart(Widget):
    """Draws curves as a chart that fills the widget."""

    DEFAULT_CSS = """
    LineChart { height: 1fr; min-height: 3; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.series: Sequence[Series] = ()
        self.axes = Axes(10)
        self.letters = False
        """Whether curves are drawn with their letters."""

    def show(self, series: Sequence[Series], axes: Axes, *, letters: bool = False) -> None:
        """Show these curves; for `letters` see `draw_chart`."""
        if (series, axes, letters) != (self.series, self.axes, self.letters):
            self.series, self.axes, self.letters = series, axes, letters
            self.refresh()

    def render(self) -> Text:
        """Draw the chart for the current size."""
        lines = draw_chart(self.series, self.axes, self.size.width, self.size.height, letters=self.letters)
        return Text("\n", no_wrap=True).join(lines)
