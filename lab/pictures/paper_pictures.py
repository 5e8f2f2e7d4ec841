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
from lab.pictures.drawing import HEAD, MARGIN, Cell, Picture, heading, line, number, rectangle, text, wrapped
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
        y = _bar(body, report, y + 12)
        for words, role in ((report.source.about, "ink"), (headline(report), "ink"), (origin_text(report), "quiet")):
            y = _sentence(body, words, y, role)
        for table, why in zip(report.tables, reason_texts(report), strict=True):
            y = _table(body, table, why, y + 12)
            rows += [(report.source.topic, table.title, *finding_row(each)) for each in table.findings]
        for curves in report.curves:
            drawn = chart_picture(curves.title, series_of(curves, [""] * len(curves.names)), axes_of(curves))
            body.append(f'<g transform="translate(0 {number(y)})">{"".join(drawn.body)}</g>')
            words = f"{sentence(curves.about)} Upwards: {curves.unit}{', logarithmic' if curves.log else ''}."
            y = _sentence(body, words, y + drawn.height)
        y += 2 * LINE_HEIGHT
    return Picture("The papers, repeated", WIDTH, y, body, COLUMNS, rows)


def _bar(body: list[str], report: Report, y: float) -> float:
    """Draw a bar of how many figures are exact, within the spread, and different; return the y where it ends."""
    wide, high = BAR
    x = float(MARGIN)
    for verdict, part in verdict_bar(report.counts, wide):
        body.append(f'<path class="{ROLES.get(verdict, "quiet")}-f" d="{rectangle(x, y, part, high)}"/>')
        x += part
    return y + high + LINE_HEIGHT


def _sentence(body: list[str], words: str, y: float, role: str = "quiet") -> float:
    for part in wrapped(words, 13, WIDTH - 2 * MARGIN):
        body.append(text(MARGIN, y, part, role))
        y += LINE_HEIGHT
    return y


def _table(body: list[str], table: FindingTable, reasons: Sequence[str], y: float) -> float:
    """Draw a table: title, verdict, a line for each figure, and reasons for differences; return the y where it ends."""
    verdict, words = table_verdict(table)
    body.append(text(MARGIN, y, table.title, "ink", 14, "b"))
    body.append(text(WIDTH - MARGIN, y, words, ROLES.get(verdict, "quiet") if verdict else "quiet", 13, "e b"))
    y += LINE_HEIGHT
    y = _sentence(body, sentence(table.about), y)
    for nth, words in enumerate(("printed", "measured")):
        body.append(text((PRINTED, MEASURED)[nth], y, words, "quiet", 12, "e"))
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
        wrapped = [(x, wrap(words, most) or [""], role, more) for x, words, most, role, more in cells]
        for x, parts, role, more in wrapped:
            body += [text(x, y + LINE_HEIGHT * (nth + 1), part, role, 13, more) for nth, part in enumerate(parts)]
        y += LINE_HEIGHT * max(len(parts) for _, parts, _, _ in wrapped)
    y += LINE_HEIGHT
    for reason in reasons:
        y = _sentence(body, reason, y, "ink")
    return y + LINE_HEIGHT / 2 if reasons else y
