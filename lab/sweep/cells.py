"""Make a race of the points in a cell of a sweep, or a training that repeats one of its machines."""

from collections.abc import Mapping

from engine.games import parse_game
from lab.sweep.findings import Cell, Findings
from lab.training.setup import Setup
from learners import parse_learner
from learners.race.entrants import MAX_ENTRANTS, Entrant, FindOpponent, parse_entrant
from learners.race.race import MAX_MACHINES
from learners.sweep.layout import WHO


def entrants_of(findings: Findings, cell: Cell, find_opponent: FindOpponent) -> tuple[Entrant, ...]:
    """Return the points of a cell as entrants of a race; a single point races against the best one.

    Raises `BadText`, and what `find_opponent` raises.
    """
    points = findings.points(cell)
    if len(points) == 1 and findings.best not in (None, cell):
        points += findings.points(findings.best)[:1]
    game, entrants = parse_game(points[0]["game"]), dict[str, Entrant]()
    for point in points[:MAX_ENTRANTS]:
        entrant = parse_entrant(entrant_text_of(point), game, find_opponent)
        entrants.setdefault(entrant.text, entrant)
    return tuple(entrants.values())


def race_seeds(findings: Findings, cell: Cell) -> range:
    """Return the seeds of a race of a cell: those of the cell, but at most as many as a race can have."""
    seeds = [seed for _, seed, _ in findings.seeds(cell)]
    return range(min(seeds), max(seeds) + 1)[:MAX_MACHINES]


def race_games(findings: Findings, cell: Cell) -> int | None:
    """Return how many games a race of a cell trains; `None` if the rounds of its learner are not games."""
    in_games = parse_learner(findings.points(cell)[0]["learner"]).spec.round_noun == "game"
    return findings.curve(cell)[-1][0] if in_games else None


def entrant_text_of(point: Mapping[str, str]) -> str:
    """Return a point as the text of an entrant; the point is given by the values of its key columns."""
    settings = "".join(f"+{key}={value}" for key, value in _settings(point).items())
    return f"{point['learner']}:{point['preset']}/{point['opponent']}{settings}"


def setup_of(point: Mapping[str, str], seed: int, rounds: int, name: str) -> Setup:
    """Return the training that makes a machine of a point again, to be saved under a name. Raises `BadText`."""
    kind = parse_learner(point["learner"])
    settings = {key: kind.spec.parse_setting(key, value) for key, value in _settings(point).items()}
    return Setup(kind, parse_game(point["game"]), point["preset"], rounds, seed, name, point["opponent"], settings)


def _settings(point: Mapping[str, str]) -> dict[str, str]:
    """The settings among the key columns. Those that the learner does not have are empty in the table."""
    return {key: value for key, value in point.items() if key not in WHO and value}
