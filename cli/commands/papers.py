"""`noughts papers`: repeat the experiments of the papers, and compare the figures."""

import gc
import shutil
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import click

from cli.shared.arguments import parse_seed
from cli.shared.common import json_option, path_option, print_error, print_result, replace_option
from cli.shared.completion import complete_paper
from cli.shared.progress import progress_bar
from cli.shared.signals import collect_signals
from cli.shared.streams import file_name, is_stream, require_one_document, require_writable, write_to
from engine.plural import counted_noun
from lab.papers.report_text import (
    LINE,
    legend_lines,
    markdown_text,
    origin_text,
    report_document,
    report_lines,
    shipped_report,
)
from lab.signals import SIGNAL_EXIT
from lab.text.numbers import duration_text, percent_text
from learners.papers import PAPERS, parse_paper
from learners.papers.report import Report
from learners.papers.running import Paper, PaperProgress
from saves.errors import LibraryError
from saves.gallery.paper_reports import ShippedReport

PAPERS_HELP: Final = "\b\nPapers:\n" + "\n".join(
    f"  {paper.name:12}{paper.source.title}, {paper.source.by}" for paper in PAPERS
)


@click.command(epilog=PAPERS_HELP)
@click.argument("name", required=False, shell_complete=complete_paper)
@click.option("--seed", type=parse_seed, metavar="N", default="1", help="The first seed.  [default: 1]")
@path_option("--markdown", "page", help="Write the tables as Markdown, too.")
@path_option("--svg", "picture", help="Draw the tables as an SVG, too.")
@click.option("--shipped", is_flag=True, help="Run nothing: print the results that came with the program.")
@replace_option
@json_option
def papers(  # noqa: PLR0913  one parameter an option
    name: str | None, *, seed: int, page: Path | None, picture: Path | None, shipped: bool, replace: bool, as_json: bool
) -> int:
    """Repeat the experiments of paper NAME, or of all papers.

    Each measured figure is printed beside the published one. Ctrl+C stops the
    run and prints the papers that are finished. If a FILE is -, standard output
    holds it instead of the tables.

    \b
    Examples:
      noughts papers michie
      noughts papers --shipped
      noughts papers --markdown papers.md
    """
    chosen = PAPERS if name is None else (parse_paper(name),)
    for paper in chosen:
        paper.require_seed(seed)
    require_one_document(page, picture, as_json=as_json)
    check_files(page, picture, replace=replace)
    shipped_reports, received = list[ShippedReport](), list[int]()
    if shipped:
        shipped_reports = [shipped_report(paper) for paper in chosen]
        reports = [each.report for each in shipped_reports]
        seed = reports[0].seed
    else:
        reports, received = run_papers(chosen, seed)
    if reports:
        if not (is_stream(page) or is_stream(picture)):
            complete = len(reports) == len(chosen)
            show(reports, seed, complete=complete, as_json=as_json, shipped_reports=shipped_reports)
        write(reports, page, picture, replace=replace)
    if received:
        gc.freeze()  # skips a slow garbage collection at the exit
        print_error(f"stopped: {len(reports)} of {counted_noun(len(chosen), 'paper')} finished")
    return SIGNAL_EXIT + received[0] if received else 0


def run_papers(papers: Sequence[Paper[Any]], seed: int) -> tuple[list[Report], list[int]]:
    """Run papers, with progress, until a signal comes; return the finished reports, and the signals."""
    reports = list[Report]()
    with collect_signals() as received:
        for number, paper in enumerate(papers, 1):
            with progress_bar(f"{paper.name} ({number} of {len(papers)})", paper_progress) as show_progress:
                for progress in paper.run(seed, lambda: bool(received)):
                    show_progress(progress)
                    if progress.report is not None:
                        reports.append(progress.report)
            if received:
                break
    return reports, received


def check_files(page: Path | None, picture: Path | None, *, replace: bool) -> None:
    for path in (page, picture):
        if path is not None:
            require_writable(path, replace=replace)
    if page is not None and page == picture:
        raise LibraryError(f"{file_name(page)} is given twice: choose another name for one of the files")


def show(
    reports: Sequence[Report], seed: int, *, complete: bool, as_json: bool, shipped_reports: Sequence[ShippedReport]
) -> None:
    pairs = list(zip_longest(reports, shipped_reports))
    document = {"seed": seed, "complete": complete, "papers": [report_document(*pair) for pair in pairs]}
    width, lines = shutil.get_terminal_size((LINE, 24)).columns, list[str]()
    for report, shipped in pairs:
        lines += [*report_lines(report, width, origin_text(report, shipped)), "", ""]
    print_result([*lines, *legend_lines(width)], document, as_json=as_json)


def write(reports: Sequence[Report], page: Path | None, picture: Path | None, *, replace: bool) -> None:
    if page is not None:
        write_to(page, markdown_text(reports), replace=replace)
    if picture is not None:
        from lab.pictures.paper_pictures import papers_picture  # imports rich

        write_to(picture, papers_picture(reports).svg(), replace=replace)


def paper_progress(progress: PaperProgress) -> tuple[float, str]:
    return progress.share, f"{percent_text(progress.share)}, {duration_text(progress.left)} left; {progress.what}"
