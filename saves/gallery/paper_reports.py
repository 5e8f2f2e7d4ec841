"""The reports of the papers that come with the program: `papers/NAME.json` for the paper called NAME.

`make gallery` computes them again. A file holds the version of the program, the date, and the report with every number
that was measured; the verdicts are computed from these.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from learners.papers.report import Curves, Figure, Finding, FindingTable, Report, Source
from saves.errors import file_errors

FOLDER: Final = "papers"
SUFFIX: Final = ".json"


@dataclass(frozen=True)
class ShippedReport:
    """A report that comes with the program."""

    version: str
    date: str
    """The day on which it was computed: `2026-11-20`."""
    report: Report


def report_text(shipped: ShippedReport) -> str:
    """Return the text of the file for a report, which `parse_report` reads."""
    return json.dumps(asdict(shipped), ensure_ascii=False, indent=0) + "\n"


@cache
def load(name: str) -> ShippedReport | None:
    """Return the report of a paper that comes with the program; `None` if there is none. Raises `LibraryError`."""
    file = resources.files("saves.gallery").joinpath(FOLDER, name + SUFFIX)
    with file_errors(f"{file} cannot be read"), suppress(FileNotFoundError):
        return parse_report(file.read_text("utf-8"))
    return None


def parse_report(text: str) -> ShippedReport:
    """Parse the text that `report_text` returns."""
    document = json.loads(text)
    report = document["report"]
    return ShippedReport(
        document["version"],
        document["date"],
        Report(
            Source(**report["source"]),
            report["seed"],
            report["seconds"],
            tuple(_table(each) for each in report["tables"]),
            tuple(_curves(each) for each in report["curves"]),
        ),
    )


def _table(document: Mapping[str, Any]) -> FindingTable:
    return FindingTable(**{**document, "findings": tuple(_finding(each) for each in document["findings"])})


def _finding(document: Mapping[str, Any]) -> Finding:
    measured = document["measured"]
    values = {
        "figure": Figure(**document["figure"]),
        "measured": measured if isinstance(measured, str) else tuple(measured),
    }
    return Finding(**{**document, **values})


def _curves(document: Mapping[str, Any]) -> Curves:
    points = tuple((games, tuple(numbers)) for games, numbers in document["points"])
    return Curves(**{**document, "names": tuple(document["names"]), "points": points})
