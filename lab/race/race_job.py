"""Run a race as a job, beside earlier trainings of its learners."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from statistics import fmean

from engine.compiling.compile_thread import wait_unless
from engine.evaluate import OPPONENTS
from engine.game import Side
from engine.stop import Stop, never
from lab.jobs import Job, JobState, JobStatus
from lab.race.race_text import ShownMeasure
from lab.text.axes import Points
from lab.text.numbers import percent_text
from lab.training.training_story import UNTRAINED, Ghost, find_ghost, untrained_ghost
from learners.race.entrants import Entrant
from learners.race.measures import JUDGED, Floats, judging_of, measure_shares
from learners.race.race import Standings, race
from saves.library.library import Library


@dataclass(frozen=True)
class RaceStatus(JobStatus):
    standings: Standings | None = None
    """`None` before the first machines are trained."""


class RaceJob(Job[RaceStatus]):
    """A race of learners, with one machine of each entrant per seed."""

    def __init__(self, entrants: Sequence[Entrant], seeds: range, budget: int) -> None:
        """Prepare a race whose machines are each trained by `budget` games."""
        super().__init__("race", RaceStatus(JobState.STARTING))
        self.entrants = tuple(entrants)
        self.seeds = seeds
        self.budget = budget

    @property
    def headline(self) -> tuple[str, str]:
        standings = self.view.standings
        if standings is None:
            return self.name, self.view.state.value
        return self.name, percent_text(standings.done / standings.total)

    def work(self, stop: Stop) -> bool:
        judging, finished = judging_of(self.entrants[0].game), False
        for standings in race(self.entrants, self.seeds, self.budget, stop=stop, judging=judging):
            self.view = replace(self.view, state=JobState.RUNNING, standings=standings)
            finished = standings.finished
        return finished


@dataclass(frozen=True, eq=False)
class SampledGhost:
    """The results of an untrained learner, in a game that is too large for exact results."""

    judged: Floats
    """The shares measured in samples of games: see `learners.race.measures`."""
    sides: Collection[Side]
    last: int
    """The number of games at which a race usually ends."""
    name = UNTRAINED

    def curve(self, shown: ShownMeasure) -> Points:
        share = float(measure_shares(self.judged, shown.measure, shown.side, self.sides))
        return [] if isnan(share) else [(1, share), (self.last, share)]


Earlier = Mapping[str, Ghost | SampledGhost]
"""The newest save of each learner, by the name of the learner."""


def find_earlier(library: Library, entrants: Sequence[Entrant], stop: Stop = never) -> Earlier:
    """Return the newest save of each learner in the race, of the same game, by the name of the learner.

    Learners that are not trained by games are left out, since the axis counts games. If no learner has a save, return
    the learners as they are before their training. Raises `Stopped`.
    """
    trained_by_games = [each for each in entrants if each.fixed is None and each.kind.spec.round_noun == "game"]
    by_learner = {each.kind.spec.name: each for each in trained_by_games}
    judging = judging_of(entrants[0].game)
    if judging.trials:
        with wait_unless(stop):
            machines = {name: entrant.machine(0) for name, entrant in by_learner.items()}
            return {
                name: SampledGhost(judging.judge(machine, machine.policy, stop), machine.sides, judging.usual_budget)
                for name, machine in machines.items()
            }
    ghosts: dict[str, Ghost] = {}
    for name, entrant in by_learner.items():
        ghost = None if stop() else find_ghost(library, entrant.kind, entrant.game, stop)
        if ghost is not None:
            ghosts[name] = ghost
    if ghosts:
        return ghosts
    for name, entrant in by_learner.items():
        ghost = None if stop() else untrained_ghost(entrant.machine(0))
        if ghost is not None:
            ghosts[name] = ghost
    return ghosts


def earlier_curve(ghost: Ghost | SampledGhost, shown: ShownMeasure) -> Points:
    """Return the points of an earlier training for the shown measure, by number of games; empty if it is unknown."""
    if isinstance(ghost, SampledGhost):
        return ghost.curve(shown)
    opponent, chance = JUDGED[shown.measure.column]
    shown_sides = Side if shown.side is None else (shown.side,)
    sides = [side.name.lower() for side in shown_sides]
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
