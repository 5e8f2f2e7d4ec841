"""The reports of the papers drawn with Rich, for the screen."""

from collections.abc import Mapping, Sequence
from math import ceil, log10
from textwrap import wrap

from rich import box
from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table as Columns
from rich.text import Text

from lab.papers import report_text
from lab.text.axes import Axes
from lab.text.curves import Series
from lab.text.numbers import count_text, short_count
from learners.papers.report import Curves, FindingTable, Report, Verdict

Styles = Mapping[Verdict, Style]
"""The styles of verdicts; the others have none. `DIFFERS` has no colour, since it is not an error."""


def title_view(table: FindingTable, styles: Styles, width: int, column: int = 0) -> Text:
    """Return the title of a table in `width` columns, with the verdict on it in the last `column` columns, or more."""
    verdict, words = report_text.table_verdict(table)
    title = Text(table.title, "bold")
    room = width - max(column, len(words)) - title.cell_len
    return title.append(" " * max(report_text.GAP, room)).append(words, styles.get(verdict, "") if verdict else "")


def table_view(
    table: FindingTable, styles: Styles, grid: report_text.ColumnWidths, reasons: Sequence[str], *, about: bool
) -> Group:
    """Return a table of findings: title, verdict, reasons, and lines in the grid; with `about`, also what was run."""
    parts = [title_view(table, styles, grid.width, grid.verdict)]
    width = max(report_text.MIN_ROOM, grid.width)
    parts += [Text(line, "italic") for why in reasons for line in wrap(why, width, subsequent_indent="  ")]
    if about:
        parts.append(Text(report_text.sentence(table.about), "dim"))
    for finding, cells in report_text.grid_lines(table, grid):
        *texts, verdict = cells
        line = Text((" " * report_text.GAP).join([*texts, ""]), "" if finding else "dim", no_wrap=True)
        parts.append(line.append(verdict, styles.get(finding.verdict, "") if finding and finding.verdict else ""))
    return Group(*parts, Text(""))


def series_of(curves: Curves, colours: Sequence[str]) -> list[Series]:
    """Return the curves in these colours for a chart; the label of a curve is its name and its last number."""
    series = []
    for number, (name, colour) in enumerate(zip(curves.names, colours, strict=False)):
        points = [(rounds, float(numbers[number])) for rounds, numbers in curves.points]
        series.append(Series(f"{name} {count_text(points[-1][1])}", points, colour, name[:1]))
    return series


def axes_of(curves: Curves) -> Axes:
    most = max(10.0, *(float(each) for _, numbers in curves.points for each in numbers))
    return Axes(
        curves.points[-1][0],
        unit=curves.rounds,
        logarithmic=curves.log_rounds,
        low=1.0 if curves.log else 0.0,
        high=10.0 ** ceil(log10(most)) if curves.log else most,
        number_text=short_count,
        step=1.0,  # which `short_count` writes as it is
        log_numbers=curves.log,
    )


def curves_view(curves: Curves) -> Group:
    grid = Columns(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, header_style="dim", border_style="dim")
    for name in (curves.rounds, *curves.names):
        grid.add_column(name, justify="right")
    for point in report_text.shown_points(curves):
        grid.add_row(*map(Text, point))
    return Group(Text(curves.title, "bold"), Text(curves.about, "dim"), grid, Text(""))


def report_view(report: Report, width: int, styles: Styles, when: str = "", *, legend: bool = True) -> Group:
    """Return a whole report in `width` columns, with a `legend` at its end; `when` says how the report was made."""
    parts: list[RenderableType] = [
        Text(report_text.heading(report), "bold"),
        Text(report.source.about),
        Text(report_text.headline(report)),
        Text(when or report_text.origin_text(report), "dim"),
        Text(""),
    ]
    about = ""
    grids, reasons_by_table = report_text.grids_of(report, width, places=True), report_text.reason_texts(report)
    for table, grid, reasons in zip(report.tables, grids, reasons_by_table, strict=True):
        parts.append(table_view(table, styles, grid, reasons, about=table.about != about))
        about = table.about
    parts += [curves_view(curves) for curves in report.curves]
    if legend:
        parts += [Text(line, "dim") for line in report_text.legend_lines(min(width, report_text.LINE))]
    return Group(*parts)
