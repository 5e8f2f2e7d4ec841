"""The reports of the papers as lines of text, as Markdown, and as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

from engine.game import BadText
from engine.plural import counted_noun
from lab.text.columns import bar_parts, columns
from lab.text.numbers import count_text
from learners.core.snapshot import CHECKPOINTS
from learners.papers.report import (
    COMPARED,
    MIN_SEEDS,
    STANDARD_ERRORS,
    TAIL,
    UNPRINTED,
    Curves,
    Finding,
    FindingTable,
    Report,
    Verdict,
)
from learners.papers.running import Paper
from saves.gallery.paper_reports import ShippedReport, load

SIGNS: Final[Mapping[Verdict, str]] = {
    Verdict.EXACT: "= ",
    Verdict.WITHIN: "≈ ",
    Verdict.DIFFERS: "≠ ",
    Verdict.UNDECIDED: "? ",
}
HEAD: Final = ("", "printed", "measured", "verdict")
LEGEND: Final = (
    f"= exact: equal in all printed digits. ≈ within spread: at least one seed in {TAIL} is not above the figure, "
    f"and at least one in {TAIL} is not below it (2.5th to 97.5th percentile); or the mean lies within a printed "
    "average, or the share within the 95 % binomial interval of printed successes. ≠ differs. ? undecided: other "
    f"seeds might decide otherwise, since there are fewer than {MIN_SEEDS}, or what is compared lies within "
    f"{STANDARD_ERRORS} standard errors of its limit. Another board: the figure is not for the board measured here. No "
    "verdict: the source prints no figure to compare with."
)
LINE: Final = 100
"""The width in columns of running text, and of every line if the width of the terminal is not known."""
MIN_ROOM: Final = 16
MIN_ROOM_BESIDE_SIGNS: Final = 24
"""The columns that numbers leave to the descriptions of findings, if there is room: beside verdicts in words, or signs.
"""
NARROW: Final = 64
MAX_VERDICT: Final = len("≈ within spread")
"""The widest column of verdicts in a report of fewer than `NARROW` columns: longer ones are wrapped."""
SIGN: Final = 1
"""The width of a column of verdicts that has only their signs."""
MIN_WIDTH: Final = 8
"""The minimum width of the descriptions of findings, in columns."""
NUMBER: Final = 20
"""The columns for a number with its deviation; longer ones are wrapped if the descriptions need the room."""
GAP: Final = 2
INDENT: Final = "  "
AGREES: Final = {Verdict.EXACT: "exactly", Verdict.WITHIN: "within the spread of the seeds"}


def verdict_text(finding: Finding) -> str:
    """Return the sign and the word of a verdict; if the seeds are too few for a verdict, also their number."""
    verdict = finding.verdict
    if verdict is None:
        return ""
    text = f"{SIGNS.get(verdict, '')}{verdict.value}"
    if verdict is Verdict.UNDECIDED and finding.seeds < MIN_SEEDS:
        text += f", {counted_noun(finding.seeds, 'seed')}"
    return text


def heading(report: Report) -> str:
    return f"{report.source.title} ({report.source.by})"


def counts_text(counts: Mapping[Verdict, int]) -> str:
    """Return the number of findings for each verdict: `12 exact, 5 within spread, 1 differs`."""
    parts = []
    for verdict, count in counts.items():
        if count:
            word = "differ" if verdict is Verdict.DIFFERS and count > 1 else verdict.value
            parts.append(f"{count} {word}")
    return ", ".join(parts)


def origin_text(report: Report, shipped: ShippedReport | None = None) -> str:
    """Return the seed of a report, and when it was computed: in this session, or before it came with the program."""
    seed = f"Seed {report.seed}, {report.seconds:.1f} s"
    return f"{seed}; came with Noughts {shipped.version}, {shipped.date}." if shipped else f"{seed}; computed now."


def shipped_report(paper: Paper[Any]) -> ShippedReport:
    """Return the report of a paper that comes with the program. Raises `BadText` if there is none."""
    shipped = load(paper.name)
    if shipped is None:
        raise BadText(f"no results of {paper.name} come with the program: run it")
    return shipped


def reason_texts(report: Report) -> list[list[str]]:
    """Return for each table why findings differ or cannot be compared, with their names unless there is one reason."""
    texts, reasons_given = list[list[str]](), set[str]()
    for table in report.tables:
        names_by_reason: dict[tuple[str, str], list[str]] = {}
        for finding in table.findings:
            if finding.why and finding.verdict:
                names_by_reason.setdefault((SIGNS.get(finding.verdict, ""), finding.why), []).append(finding.what)
        lines = []
        for (sign, why), names in names_by_reason.items():
            about = f"{', '.join(names)}: " if len(names_by_reason) > 1 else ""
            lines.append(sign + sentence(f"{about}{'as above' if why in reasons_given else why}"))
        texts.append(lines)
        reasons_given.update(why for _, why in names_by_reason)
    return texts


def sentence(text: str) -> str:
    """Return a clause as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def finding_row(finding: Finding) -> tuple[str, str, str, str]:
    """Return a finding as the texts of a row, in the order of `HEAD`."""
    return finding.what, finding.figure.printed, finding.text, verdict_text(finding)


def shown_points(curves: Curves) -> list[tuple[str, ...]]:
    """Return the points of curves after 1, 2, 5, 10 … rounds and at the end, as text."""
    last = curves.points[-1][0]
    return [
        (count_text(rounds), *map(count_text, numbers))
        for rounds, numbers in curves.points
        if rounds in CHECKPOINTS or rounds == last
    ]


def count_reproduced(report: Report) -> tuple[int, int]:
    """Return the number of reproduced figures, and the number of figures that can be compared."""
    counts = report.counts
    return counts[Verdict.EXACT] + counts[Verdict.WITHIN], sum(counts[verdict] for verdict in COMPARED)


def verdict_bar(counts: Mapping[Verdict, int], width: int) -> list[tuple[Verdict, int]]:
    """Return the verdicts on figures that can be compared, each with its part of a bar of `width` cells.

    The parts add up to the width; a verdict that occurs has at least one cell, as long as there is room.
    """
    verdicts = [verdict for verdict in COMPARED if counts[verdict]]
    return list(zip(verdicts, bar_parts([counts[verdict] for verdict in verdicts], width), strict=True))


def headline(report: Report) -> str:
    """Return how many printed figures are reproduced, as a sentence."""
    counts = report.counts
    elsewhere, undecided, differ = counts[Verdict.ANOTHER_BOARD], counts[Verdict.UNDECIDED], counts[Verdict.DIFFERS]
    others = f"{counted_noun(elsewhere, 'figure')} {'is' if elsewhere == 1 else 'are'} for another board."
    reproduced, compared = count_reproduced(report)
    if not compared:
        return others if elsewhere else "There are no printed figures to compare with."
    figures = counted_noun(compared, "printed figure")
    if reproduced:
        ways = [f"{counts[verdict]} {how}" for verdict, how in AGREES.items() if counts[verdict]]
        verb = "is" if reproduced == 1 else "are"
        parts = [f"{reproduced} of {figures} {verb} reproduced ({', '.join(ways)})"]
    else:
        parts = [f"None of the {figures} is reproduced"]
    if differ:
        parts.append(f"{differ} differ{'s' if differ == 1 else ''}")
    if undecided:
        parts.append(f"{undecided} {'is' if undecided == 1 else 'are'} undecided")
    text = f"{', '.join(parts)}."
    return f"{text} {others}" if elsewhere else text


def table_verdict(table: FindingTable) -> tuple[Verdict | None, str]:
    """Return the verdict on a whole table and its words: `≠ 1 of 5 differs`; no verdict on a correction."""
    if table.correction:
        return None, "not counted above"
    all_verdicts = [finding.verdict for finding in table.findings]
    verdicts = [verdict for verdict in all_verdicts if verdict in COMPARED]
    if not verdicts and Verdict.ANOTHER_BOARD in all_verdicts:
        return None, Verdict.ANOTHER_BOARD.value
    if not verdicts:
        return None, "nothing printed to compare"
    differ = verdicts.count(Verdict.DIFFERS)
    if differ:
        return Verdict.DIFFERS, f"≠ {differ} of {len(verdicts)} differ{'s' if differ == 1 else ''}"
    undecided = verdicts.count(Verdict.UNDECIDED)
    if undecided:
        return Verdict.UNDECIDED, f"? {undecided} of {len(verdicts)} undecided"
    verdict = Verdict.WITHIN if Verdict.WITHIN in verdicts else Verdict.EXACT
    return verdict, f"{SIGNS[verdict]}{'all ' if len(verdicts) > 1 else ''}{verdict.value}"


@dataclass(frozen=True)
class ColumnWidths:
    """The widths of the columns of a table; 0 for those that are not shown."""

    what: int
    printed: int
    where: int
    measured: int
    verdict: int

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the columns that are shown."""
        return tuple(width for width in (self.what, self.printed, self.where, self.measured, self.verdict) if width)

    @property
    def width(self) -> int:
        return sum(self.widths) + GAP * (len(self.widths) - 1)


def grids_of(report: Report, width: int, *, places: bool = False) -> list[ColumnWidths]:
    """Return the column widths for each table of a report in `width` columns, at most `LINE`.

    The tables share a grid; one that it would wrap has its own, which ends at the same column. `places` adds a column
    for where figures are printed, if there is room.
    """
    shared = grid_of([finding for table in report.tables for finding in table.findings], width, places=places)
    grids = []
    for table in report.tables:
        if all(len(each.what) <= shared.what and len(each.text) <= shared.measured for each in table.findings):
            grids.append(shared)
            continue
        own = grid_of(table.findings, shared.width, signs=shared.verdict == SIGN)
        grids.append(replace(own, what=own.what + shared.width - own.width))
    return grids


def grid_of(findings: Sequence[Finding], width: int, *, places: bool = False, signs: bool = False) -> ColumnWidths:
    """Return the column widths for a table of findings, as in `grids_of`. `signs` shortens verdicts to signs.

    A column that would only be empty is not shown.
    """
    texts_by_column = zip(*map(finding_row, findings), strict=True)
    what, printed, measured, verdict = (
        _needed_width(title, texts) for title, texts in zip(HEAD, texts_by_column, strict=True)
    )
    if verdict and signs:
        verdict = SIGN
    elif verdict and width < NARROW:
        verdict = min(verdict, MAX_VERDICT)
    room = min(width, LINE) - verdict - GAP * (1 + (printed > 0) + (verdict > 0))
    numbers = room - what
    if numbers < 2 * NUMBER:
        numbers = max(2 * len("measured"), room - (MIN_ROOM_BESIDE_SIGNS if signs else MIN_ROOM))
    printed = min(printed, max(numbers // 2, numbers - measured))
    measured = min(measured, numbers - printed)
    room -= printed + measured
    where = _needed_width("where", [finding.figure.place for finding in findings]) if places else 0
    if room - where - GAP < what:
        where = 0
    if where:
        room -= where + GAP
    if places and not signs and room < what:
        return grid_of(findings, width, places=True, signs=True)
    return ColumnWidths(max(MIN_WIDTH, min(what, room)), printed, where, measured, verdict)


def _needed_width(title: str, texts: Sequence[str]) -> int:
    """Return the width of a column with its title; 0 if it says nothing."""
    if {*texts} <= {"", UNPRINTED.printed}:
        return 0
    return max(len(title), *map(len, texts))


def grid_lines(table: FindingTable, grid: ColumnWidths) -> Iterable[tuple[Finding | None, list[str]]]:
    """Yield the lines of a table: the finding (`None` for the head), and its cells, which have the widths of `grid`."""
    signs = grid.verdict == SIGN
    titles = ["", "printed", "where", "measured", "" if signs else "verdict"]
    rows: list[tuple[Finding | None, list[str]]] = [(None, titles)]
    for finding in table.findings:
        what, printed, measured, verdict = finding_row(finding)
        if signs:
            verdict = SIGNS.get(finding.verdict, "")[:SIGN] if finding.verdict else ""
        rows.append((finding, [what, printed, finding.figure.place, measured, verdict]))
    for row_finding, texts in rows:
        for cells in _row_lines(texts, grid):
            yield row_finding, cells


def _row_lines(texts: Sequence[str], grid: ColumnWidths) -> Iterable[list[str]]:
    """Yield the lines of a row: the cells of the shown columns, wrapped, numbers to the right."""
    wrapped_cells = []
    all_widths = (grid.what, grid.printed, grid.where, grid.measured, grid.verdict)
    for text, width, side in zip(texts, all_widths, "<><><", strict=True):
        if width:
            wrapped_cells.append([f"{part:{side}{width}}" for part in _wrap_number(text, width)])
    for parts in zip_longest(*wrapped_cells):
        yield [" " * width if part is None else part for part, width in zip(parts, grid.widths, strict=True)]


def _wrap_number(text: str, width: int) -> list[str]:
    """Wrap a text, but never between ± and its number."""
    parts = wrap(text.replace("± ", "±\N{NO-BREAK SPACE}"), width)
    return [part.replace("\N{NO-BREAK SPACE}", " ") for part in parts] or [""]


def report_lines(report: Report, width: int = LINE, when: str = "") -> list[str]:
    """Return a report as lines of at most `width` columns, but for wider tables; `when` says how it was made."""
    texts = (heading(report), report.source.about, headline(report), when or origin_text(report))
    lines = [line for text in texts for line in wrap(text, min(width, LINE))]
    grids, about = grids_of(report, min(width, LINE) - len(INDENT)), ""
    for table, grid, why in zip(report.tables, grids, reason_texts(report), strict=True):
        lines += ["", *wrap(f"{table.title}: {table_verdict(table)[1]}", width)]
        for reason in why:
            lines += wrap(reason, min(width, LINE), subsequent_indent="  ")
        if table.about != about:
            lines += wrap(sentence(table.about), width)
        about = table.about
        lines += [(INDENT + (" " * GAP).join(cells)).rstrip() for _, cells in grid_lines(table, grid)]
    for curves in report.curves:
        lines += ["", f"{curves.title} ({curves.about})"]
        rows = [(curves.rounds, *curves.names), *shown_points(curves)]
        lines += [f"{INDENT}{line}" for line in columns(rows, ">" * len(rows[0]))]
    return lines


def legend_lines(width: int = LINE) -> list[str]:
    return wrap(LEGEND, min(width, LINE))


def markdown_text(reports: Sequence[Report]) -> str:
    lines = ["# The papers, repeated", "", LEGEND]
    for report in reports:
        lines += [
            "",
            f"## {heading(report)}",
            "",
            report.source.about,
            "",
            f"*{headline(report)} {origin_text(report)}*",
        ]
        for table, why in zip(report.tables, reason_texts(report), strict=True):
            lines += ["", f"### {table.title}", ""]
            if why:
                lines += [*(f"- {reason}" for reason in why), ""]
            lines += [sentence(table.about), ""]
            rows = []
            for finding in table.findings:
                what, printed, text, verdict = finding_row(finding)
                rows.append((what, printed, finding.figure.place, text, verdict))
            lines += _markdown_table(("what", "printed", "where", "measured", "verdict"), "lrlrl", rows)
        for curves in report.curves:
            names = (curves.rounds, *curves.names)
            lines += ["", f"### {curves.title}", "", curves.about, ""]
            lines += _markdown_table(names, "r" * len(names), shown_points(curves))
    return "\n".join([*lines, ""])


def _markdown_table(head: Sequence[str], sides: str, rows: Iterable[Sequence[str]]) -> list[str]:
    rule = ["---:" if side == "r" else ":---" for side in sides]
    return [f"| {' | '.join(line)} |" for line in (head, rule, *rows)]


def report_document(report: Report, shipped: ShippedReport | None = None) -> dict[str, object]:
    """Return a report as a JSON object; `shipped` if it came with the program."""
    return {
        "name": report.source.name,
        "title": report.source.title,
        "by": report.source.by,
        "seed": report.seed,
        "seconds": round(report.seconds, 3),
        "shipped": {"version": shipped.version, "date": shipped.date} if shipped else None,
        **{verdict.name.lower(): count for verdict, count in report.counts.items()},
        "tables": [
            {
                "title": table.title,
                "about": table.about,
                "findings": [_finding_document(each) for each in table.findings],
            }
            for table in report.tables
        ],
        "curves": [
            {
                "title": curves.title,
                "about": curves.about,
                "points": [
                    {curves.rounds: rounds, **dict(zip(map(_key, curves.names), numbers, strict=True))}
                    for rounds, numbers in curves.points
                ],
            }
            for curves in report.curves
        ],
    }


def _key(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")


def _finding_document(finding: Finding) -> dict[str, object]:
    measured = finding.measured
    seeds = () if isinstance(measured, str) else measured
    return {
        "what": finding.what,
        "printed": finding.figure.printed,
        "place": finding.figure.place,
        "text": finding.text,
        "measured": measured if isinstance(measured, str) else finding.mean,
        "deviation": finding.deviation,
        "least": min(seeds, default=None),
        "most": max(seeds, default=None),
        "seeds": finding.seeds,
        "verdict": finding.verdict,
        "why": finding.why or None,
    }
