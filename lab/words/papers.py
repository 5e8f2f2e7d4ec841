"""The reports of the papers as lines of text, as Markdown, and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Final

from lab.words.columns import columns
from lab.words.numbers import count_text
from learners.core.checkpoint_marks import CHECKPOINTS
from learners.papers.figures import SPREAD, Curves, Finding, Report, Table, Verdict

SIGNS: Final[Mapping[Verdict | None, str]] = {Verdict.EXACT: "=", Verdict.WITHIN: "≈", Verdict.DIFFERS: "≠", None: ""}
HEAD: Final = ("", "printed", "measured", "verdict")
LEGEND: Final = (
    f"= exact: equal in all printed digits. ≈ within spread: at most {SPREAD} standard deviations of the seeds from "
    "their mean. ≠ differs. No verdict: the source prints no figure to compare with."
)
LINE: Final = 100
"""The width in columns of running text, and of every line if the width of the terminal is not known."""
LEAST: Final = 16
"""The least width in columns of the descriptions of findings."""


def verdict_text(verdict: Verdict | None) -> str:
    """The sign and the word of a verdict."""
    return f"{SIGNS[verdict]} {verdict.value}" if verdict else ""


def heading(report: Report) -> str:
    """The title and author of the source."""
    return f"{report.source.title} ({report.source.by})"


def counts_text(counts: Mapping[Verdict, int]) -> str:
    """The number of findings for each verdict: `12 exact, 5 within spread, 1 differs`."""
    words = {Verdict.DIFFERS: "differ"}
    parts = (
        f"{count} {verdict.value if count == 1 else words.get(verdict, verdict.value)}"
        for verdict, count in counts.items()
        if count
    )
    return ", ".join(parts)


def run_text(report: Report) -> str:
    """The result of a run in one line."""
    return f"{counts_text(report.counts)}; seed {report.seed}, {report.seconds:.1f} s"


def whys(table: Table) -> dict[str, list[str]]:
    """The reasons why findings differ, each with the descriptions of its findings."""
    found: dict[str, list[str]] = {}
    for finding in table.findings:
        if finding.why:
            found.setdefault(finding.why, []).append(finding.what)
    return found


def why_texts(table: Table) -> list[str]:
    """The reasons as sentences, with their findings unless there is only one reason."""
    found = whys(table)
    if len(found) == 1:
        return [f"≠ {why}" for why in found]
    return [f"≠ {', '.join(about)}: {why}" for why, about in found.items()]


def row(finding: Finding) -> tuple[str, str, str, str]:
    """The entries of a finding for the columns of `HEAD`."""
    return finding.what, finding.figure.printed, finding.text, verdict_text(finding.verdict)


def shown_points(curves: Curves) -> list[tuple[str, ...]]:
    """The points of curves after 1, 2, 5, 10 … games, as text."""
    return [(count_text(games), *map(count_text, numbers)) for games, numbers in curves.points if games in CHECKPOINTS]


def report_lines(report: Report, width: int = LINE) -> list[str]:
    """A report as lines of at most `width` columns, except for tables that need more."""
    lines = [line for text in (heading(report), report.source.about, run_text(report)) for line in wrap(text, width)]
    for table in report.tables:
        lines += ["", *wrap(f"{table.title} ({table.about})", width), *_table_lines(table, width)]
        for why in why_texts(table):
            lines += wrap(why, min(width, LINE), initial_indent="    ", subsequent_indent="      ")
    for curves in report.curves:
        lines += ["", f"{curves.title} ({curves.about})"]
        rows = [("games", *curves.names), *shown_points(curves)]
        lines += [f"  {line}" for line in columns(rows, ">" * len(rows[0]))]
    return lines


def _table_lines(table: Table, width: int) -> list[str]:
    """The findings in columns; long descriptions are wrapped."""
    rows = [row(finding) for finding in table.findings]
    others = max(map(len, columns([HEAD[1:], *(line[1:] for line in rows)], ">><")))
    room = max(LEAST, width - others - 4)
    lines: list[Sequence[str]] = [HEAD]
    for what, *rest in rows:
        *above, last = wrap(what, room, subsequent_indent=" ")
        lines += [*((part, "", "", "") for part in above), (last, *rest)]
    return [f"  {line}" for line in columns(lines, "<>><")]


def legend_lines(width: int = LINE) -> list[str]:
    """The meaning of the verdicts, as lines."""
    return wrap(LEGEND, min(width, LINE))


def markdown(reports: Sequence[Report]) -> str:
    """The reports as a page of Markdown."""
    lines = ["# The papers, repeated", "", LEGEND]
    for report in reports:
        lines += ["", f"## {heading(report)}", "", report.source.about, "", f"*{run_text(report)}*"]
        for table in report.tables:
            rows = [
                (what, printed, finding.figure.place, text, verdict)
                for finding in table.findings
                for what, printed, text, verdict in (row(finding),)
            ]
            lines += ["", f"### {table.title}", "", table.about, ""]
            lines += _grid(("what", "printed", "where", "measured", "verdict"), "lrlrl", rows)
            lines += ["", *(f"- {why}" for why in why_texts(table))] if whys(table) else []
        for curves in report.curves:
            names = ("games", *curves.names)
            lines += ["", f"### {curves.title}", "", curves.about, ""]
            lines += _grid(names, "r" * len(names), shown_points(curves))
    return "\n".join([*lines, ""])


def _grid(head: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> list[str]:
    rule = ["---:" if side == "r" else ":---" for side in sides]
    return [f"| {' | '.join(line)} |" for line in (head, rule, *rows)]


def report_document(report: Report) -> dict[str, object]:
    """A report as a JSON object."""
    return {
        "name": report.source.name,
        "title": report.source.title,
        "by": report.source.by,
        "seed": report.seed,
        "seconds": round(report.seconds, 3),
        **{verdict.name.lower(): count for verdict, count in report.counts.items()},
        "tables": [
            {"title": table.title, "about": table.about, "findings": [_finding(each) for each in table.findings]}
            for table in report.tables
        ],
        "curves": [
            {
                "title": curves.title,
                "about": curves.about,
                "points": [
                    {"games": games, **dict(zip(map(_key, curves.names), numbers, strict=True))}
                    for games, numbers in curves.points
                ],
            }
            for curves in report.curves
        ],
    }


def _key(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _finding(finding: Finding) -> dict[str, object]:
    measured = finding.measured
    seeds = measured if isinstance(measured, tuple) else ()
    return {
        "what": finding.what,
        "printed": finding.figure.printed,
        "place": finding.figure.place,
        "text": finding.text,
        "measured": measured if isinstance(measured, str) else finding.mean,
        "deviation": finding.deviation,
        "least": min(seeds, default=None),
        "most": max(seeds, default=None),
        "seeds": len(seeds),
        "verdict": finding.verdict,
        "why": finding.why or None,
    }
