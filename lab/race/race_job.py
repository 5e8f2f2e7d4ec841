"""Run a race as a job."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.stop import Stop
from lab.jobs import Job, JobState, JobStatus
from lab.text.numbers import percent_text, rate_text
from learners.race.entrants import Entrant
from learners.race.measures import judging_of
from learners.race.race import Standings, race


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
        return self.name, f"{percent_text(standings.done / standings.total)}  {rate_text(standings.per_second)}"

    def work(self, stop: Stop) -> bool:
        judging, finished = judging_of(self.entrants[0].game), False
        for standings in race(self.entrants, self.seeds, self.budget, stop=stop, judging=judging):
            self.view = replace(self.view, state=JobState.RUNNING, standings=standings)
            finished = standings.finished
        return finished
