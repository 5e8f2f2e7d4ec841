"""Train the saves of the gallery from their seeds, and compute the papers: what comes with the program.

make gallery
python bench/gallery.py thill    only the save and the paper of this name
"""

import json
import sys
from collections.abc import Collection
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from engine.games import parse_game
from lab.results.exact_results import Timeline
from lab.results.portraits import curve_of
from learners import kind_of, parse_learner
from learners.core.snapshot import Snapshot
from learners.core.training import TrainingPlan, run
from learners.papers import PAPERS
from saves.formats import export_file
from saves.gallery import LOSSES
from saves.gallery.paper_reports import FOLDER as PAPERS_FOLDER
from saves.gallery.paper_reports import SUFFIX, ShippedReport, report_text

FOLDER: Final = Path(__file__).resolve().parent.parent / "saves" / "gallery"
SAVES: Final = {
    "hochmuth": ("genetic", "tictactoe", "hochmuth", 25, 500),
    "michie": ("menace", "tictactoe", "michie", 1960, 220),
    "riechel": ("failures", "tictactoe", "literal", 2007, 100_000),
    "scroggs": ("menace", "tictactoe", "scroggs", 2016, 10_000),
}
"""By name: learner, game, preset, seed, and rounds. Training ends early if the learner becomes perfect."""

LOSS_DIGITS: Final = 4
SEED: Final = 1
"""The first seed of every paper."""


def train(name: str) -> Snapshot:
    kind, game, preset, seed, rounds = SAVES[name]
    *_, last = run(parse_learner(kind)(parse_game(game), preset, seed), TrainingPlan(rounds))
    return last.snapshot


def write_saves(names: Collection[str]) -> None:
    for name in filter(names.__contains__, SAVES):
        snapshot = train(name)
        path = FOLDER / f"{name}.json"
        export_file(snapshot, path, replace=True)
        losses = json.dumps([(rounds, round(share, LOSS_DIGITS)) for rounds, share in curve_of(Timeline(snapshot))])
        (FOLDER / LOSSES / f"{name}.json").write_text(losses + "\n", "utf-8")
        kind = kind_of(snapshot)
        statistics = (
            f"{snapshot.stats[key]:,} {key}"
            for key in dict.fromkeys((kind.spec.round_statistic, kind.shown.size_statistic))
        )
        print(f"{path}: {', '.join(statistics)}")


def write_papers(names: Collection[str]) -> None:
    for paper in PAPERS:
        if paper.name not in names:
            continue
        *_, last = paper.run(SEED)
        if last.report is None:
            raise RuntimeError(f"{paper.name} ended without a report")
        shipped = ShippedReport(version("noughts"), f"{datetime.now(UTC):%Y-%m-%d}", last.report)
        path = FOLDER / PAPERS_FOLDER / f"{paper.name}{SUFFIX}"
        path.write_text(report_text(shipped), "utf-8")
        print(f"{path}: {last.report.seconds:.1f} s")


def main() -> None:
    everything = dict.fromkeys([*SAVES, *(paper.name for paper in PAPERS)])
    names = sys.argv[1:] or everything
    unknown = [name for name in names if name not in everything]
    if unknown:
        sys.exit(f"There is no {unknown[0]} to make; there are {', '.join(everything)}.")
    write_saves(names)
    write_papers(names)


if __name__ == "__main__":
    main()
