"""Pictures of the reports of papers: each figure as printed and as measured, with its verdict, and curves as charts."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from lab.papers.report_text import (
    finding_row,
    headline,
    origin_text,
    reason_texts,
    sentence,
    table_verdict,
    verdict_bar,
)
from lab.papers.report_text import heading as title_of
from lab.papers.report_view import axes_of, series_of
from lab.pictures.charts import chart_picture
from lab.pictures.drawing import HEAD, MARGIN, Cell, Picture, heading, line, number, rectangle, text, wrap_text
from learners.papers.report import FindingTable, Report, Verdict

WIDTH: Final = 1000.0
LINE_HEIGHT: Final = 19
PRINTED, MEASURED, JUDGED = 560.0, 770.0, 790.0
"""The x where the columns of printed and of measured figures end, and where that of verdicts begins."""
WHAT_LETTERS: Final = 58
"""The maximum number of letters in a line that says what was measured."""
FIGURE_LETTERS: Final = 26
"""The maximum number of letters in a line of a figure."""
ROLES: Final = {Verdict.EXACT: "curve3", Verdict.WITHIN: "curve4", Verdict.DIFFERS: "lit"}
BAR: Final = (260, 10)
"""The width and the height of the bar of verdicts."""
COLUMNS: Final = ("paper", "table", "what", "printed", "measured", "verdict")


def papers_picture(reports: Sequence[Report]) -> Picture:
    """Return a picture of reports one below the other; their figures are the rows of the CSV."""
    body, rows, y = list[str](), list[Sequence[Cell]](), float(HEAD)
    body += heading("The papers, repeated", "each printed figure beside ours")
    for report in reports:
        body.append(text(MARGIN, y, title_of(report), "ink", 17, "b"))
        y = _draw_bar(body, report, y + 12)
        for words, role in ((report.source.about, "ink"), (headline(report), "ink"), (origin_text(report), "quiet")):
            y = _draw_words(body, words, y, role)
        for table, why in zip(report.tables, reason_texts(report), strict=True):
            y = _draw_table(body, table, why, y + 12)
            rows += [(report.source.topic, table.title, *finding_row(each)) for each in table.findings]
        for curves in report.curves:
            chart = chart_picture(curves.title, series_of(curves, [""] * len(curves.names)), axes_of(curves))
            body.append(f'<g transform="translate(0 {number(y)})">{"".join(chart.body)}</g>')
            words = f"{sentence(curves.about)} Upwards: {curves.unit}{', logarithmic' if curves.log else ''}."
            y = _draw_words(body, words, y + chart.height)
        y += 2 * LINE_HEIGHT
    return Picture("The papers, repeated", WIDTH, y, body, COLUMNS, rows)


def _draw_bar(body: list[str], report: Report, y: float) -> float:
    """Draw a bar of how many figures are exact, within the spread, and different; return the y where it ends."""
    width, height = BAR
    x = float(MARGIN)
    for verdict, part in verdict_bar(report.counts, width):
        body.append(f'<path class="{ROLES.get(verdict, "quiet")}-f" d="{rectangle(x, y, part, height)}"/>')
        x += part
    return y + height + LINE_HEIGHT


def _draw_words(body: list[str], words: str, y: float, role: str = "quiet") -> float:
    """Draw a text in as many lines as it needs; return the y where it ends."""
    for words_of_line in wrap_text(words, 13, WIDTH - 2 * MARGIN):
        body.append(text(MARGIN, y, words_of_line, role))
        y += LINE_HEIGHT
    return y


def _draw_table(body: list[str], table: FindingTable, reasons: Sequence[str], y: float) -> float:
    """Draw a table: title, verdict, a line for each figure, and reasons for differences; return the y where it ends."""
    verdict, words = table_verdict(table)
    body.append(text(MARGIN, y, table.title, "ink", 14, "b"))
    body.append(text(WIDTH - MARGIN, y, words, ROLES.get(verdict, "quiet") if verdict else "quiet", 13, "e b"))
    y += LINE_HEIGHT
    y = _draw_words(body, sentence(table.about), y)
    body.append(text(PRINTED, y, "printed", "quiet", 12, "e"))
    body.append(text(MEASURED, y, "measured", "quiet", 12, "e"))
    body.append(line(MARGIN, y + 5, WIDTH - MARGIN, y + 5, "line"))
    for finding in table.findings:
        what, printed, measured, judged = finding_row(finding)
        role = ROLES.get(finding.verdict, "quiet") if finding.verdict else "quiet"
        cells = (
            (MARGIN, what, WHAT_LETTERS, "ink", ""),
            (PRINTED, printed, FIGURE_LETTERS, "ink", "e"),
            (MEASURED, measured, FIGURE_LETTERS, "ink", "e"),
            (JUDGED, judged, FIGURE_LETTERS, role, ""),
        )
        line_count = 1
        for x, words, max_letters, cell_role, more in cells:
            lines = wrap(words, max_letters) or [""]
            for nth, words_of_line in enumerate(lines, 1):
                body.append(text(x, y + LINE_HEIGHT * nth, words_of_line, cell_role, 13, more))
            line_count = max(line_count, len(lines))
        y += LINE_HEIGHT * line_count
    y += LINE_HEIGHT
    for reason in reasons:
        y = _draw_words(body, reason, y, "ink")
    return y + LINE_HEIGHT / 2 if reasons else y
