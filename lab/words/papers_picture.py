"""The reports of the papers drawn with Rich, for the screen and as an SVG."""

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from lab.words.papers import LEGEND, heading, row, run_text, shown_points, why_texts
from learners.papers.figures import Curves, Report, Table, Verdict

PICTURE: Final = 110
"""The width of an SVG in columns."""
Styles = Mapping[Verdict | None, Style]
"""The style of each verdict."""
PLAIN: Final[Styles] = {
    Verdict.EXACT: Style(color="green", bold=True),
    Verdict.WITHIN: Style(color="cyan", bold=True),
    Verdict.DIFFERS: Style(color="yellow", bold=True),
    None: Style(),
}


def table_view(table: Table, styles: Styles, *, places: bool) -> Group:
    """A table of findings, with their places in the source if `places`."""
    grid = Grid(
        box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, header_style="dim", border_style="dim", expand=True
    )
    grid.add_column("")
    grid.add_column("printed", justify="right")
    if places:
        grid.add_column("where", style="dim")
    grid.add_column("measured", justify="right")
    grid.add_column("verdict", no_wrap=True)
    for finding in table.findings:
        what, printed, text, verdict = row(finding)
        where = (Text(finding.figure.place),) if places else ()
        grid.add_row(Text(what), Text(printed), *where, Text(text), Text(verdict, styles[finding.verdict]))
    reasons = [Text(why, "italic") for why in why_texts(table)]
    return Group(Text(table.title, "bold"), Text(table.about, "dim"), grid, *reasons, Text(""))


def curves_view(curves: Curves) -> Group:
    """The points of curves as a table."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, header_style="dim", border_style="dim")
    for name in ("games", *curves.names):
        grid.add_column(name, justify="right")
    for point in shown_points(curves):
        grid.add_row(*map(Text, point))
    return Group(Text(curves.title, "bold"), Text(curves.about, "dim"), grid, Text(""))


def report_view(report: Report, styles: Styles = PLAIN, *, places: bool = False) -> Group:
    """A whole report."""
    parts: list[RenderableType] = [
        Text(heading(report), "bold"),
        Text(report.source.about),
        Text(run_text(report)),
        Text(""),
    ]
    parts += [table_view(table, styles, places=places) for table in report.tables]
    parts += [curves_view(curves) for curves in report.curves]
    return Group(*parts, Text(LEGEND, "dim"))


def svg(reports: Sequence[Report]) -> str:
    """The reports as an SVG."""
    console = Console(record=True, width=PICTURE, file=StringIO(), force_terminal=True, color_system="truecolor")
    for report in reports:
        console.print(report_view(report, places=True), "")
    return console.export_svg(title="noughts papers")
