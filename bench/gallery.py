"""Trains the brains of the gallery, each from its seed, and writes them where the program ships them from.

make gallery
"""

from pathlib import Path
from typing import Final

from engine.games import parse_game
from learners import parse_learner
from learners.core.snapshot import Snapshot
from learners.core.training import Plan, run
from saves.formats import export_file

FOLDER: Final = Path(__file__).resolve().parent.parent / "saves" / "gallery"
BRAINS: Final = {
    "hochmuth": ("genetic", "tictactoe", "hochmuth", 12, 500),
    "michie": ("menace", "tictactoe", "michie", 1960, 220),
    "riechel": ("failures", "tictactoe", "literal", 2007, 100_000),
    "scroggs": ("menace", "tictactoe", "scroggs", 2016, 10_000),
}
"""Each brain's name, and its learner, game, preset, seed and number of rounds, fewer where it is perfect before."""


def train(name: str) -> Snapshot:
    """Train a brain of the gallery from nothing."""
    kind, game, preset, seed, rounds = BRAINS[name]
    *_, last = run(parse_learner(kind)(parse_game(game), preset, seed), Plan(rounds))
    return last.snapshot


def main() -> None:
    for name in BRAINS:
        snapshot = train(name)
        path = FOLDER / f"{name}.json"
        export_file(snapshot, path, replace=True)
        kind = parse_learner(snapshot.learner)
        told = (
            f"{snapshot.stats[key]:,} {key}"
            for key in dict.fromkeys((kind.spec.round_statistic, kind.spec.size_statistic))
        )
        print(f"{path}: {', '.join(told)}")


if __name__ == "__main__":
    main()
