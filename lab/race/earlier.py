"""Earlier trainings of the learners of a race: what is known of them before it begins."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from engine.evaluate import OPPONENTS
from engine.game import Side
from engine.stop import Stop, never
from lab.race.race_text import ShownMeasure
from lab.text.line_charts import Points
from lab.training.training_story import Ghost, find_ghost, untrained_ghost
from learners.race.entrants import Entrant
from learners.race.measures import JUDGED
from saves.library.library import Library

Earlier = Mapping[str, Ghost]
"""The newest save of each learner, by the name of the learner."""


def find_earlier(library: Library, entrants: Sequence[Entrant], stop: Stop = never) -> Earlier:
    """Return the newest save of each learner that races, in the same game, by the name of the learner.

    Without those that are not trained by games, since the axis counts games. If there is none, return the learners as
    they are before their training.
    """
    racing = {each.kind.spec.name: each for each in entrants if each.fixed is None}
    racing = {name: each for name, each in racing.items() if each.kind.spec.round_noun == "game"}
    found: dict[str, Ghost | None] = {}
    for name, entrant in racing.items():
        found[name] = None if stop() else find_ghost(library, entrant.kind, entrant.game, stop)
    if not any(found.values()):
        found = {name: None if stop() else untrained_ghost(each.machine(0)) for name, each in racing.items()}
    return {name: ghost for name, ghost in found.items() if ghost is not None}


def earlier_curve(ghost: Ghost, seen: ShownMeasure) -> Points:
    """Return the shown measure after each number of games of an earlier training; nothing if it is not known."""
    opponent, chance = JUDGED[seen.measure.column]
    sides = [each.name.lower() for each in (Side if seen.side is None else (seen.side,))]
    points = []
    for rounds, exact in ghost.known.items():
        results = [exact[side] for side in sides if side in exact]
        if rounds and results and opponent in OPPONENTS:
            points.append((rounds, fmean(getattr(each.against[opponent], chance) for each in results)))
        elif rounds and results and chance == "perfect":
            points.append((rounds, fmean(each.perfect_moves for each in results)))
    return points


def size_text(entrants: int, machines: int, games: int) -> str:
    return f"{entrants:,} × {machines:,} machines train {games:,} games each: {entrants * machines * games:,} in all."
