"""Run a race in a thread. The screen polls the standings."""

from collections.abc import Sequence
from threading import Event, Thread
from typing import Final

from lab.judging.race_samples import judging_of
from lab.text.numbers import percent_text, rate_text
from lab.training.training_job import JobState
from learners.race.entrants import Entrant
from learners.race.race import Standings, race

PATIENCE: Final = 5.0
"""Seconds to wait for a race to end, far more than it needs."""


class RaceJob:
    """A race in a thread. `state` and `standings` are replaced, never changed, so that the screen may poll them."""

    def __init__(self, entrants: Sequence[Entrant], seeds: range, budget: int) -> None:
        """Prepare a race with one machine of each entrant per seed, each trained by `budget` games."""
        self.entrants = tuple(entrants)
        self.seeds = seeds
        self.budget = budget
        self.state = JobState.STARTING
        self.standings: Standings | None = None
        self.error = ""
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="race", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self, wait: float = PATIENCE) -> None:
        """End the race and wait up to `wait` seconds. The standings so far remain."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(wait)

    @property
    def running(self) -> bool:
        """Whether the race has not ended."""
        return not self.state.over

    @property
    def headline(self) -> tuple[str, str]:
        """A name for the race, and its progress in words."""
        standings = self.standings
        if standings is None:
            return "race", self.state.value
        share, rate = percent_text(standings.done / standings.total), rate_text(standings.per_second)
        return "race", f"{share}  {rate}"

    def _run(self) -> None:
        try:
            judging = judging_of(self.entrants[0].game)
            for standings in race(self.entrants, self.seeds, self.budget, stop=self._stopping.is_set, judging=judging):
                self.standings = standings
                self.state = JobState.RUNNING
            self.state = JobState.FINISHED if standings.finished else JobState.STOPPED
        except Exception as error:  # noqa: BLE001  the screen shows any error; the app must not end
            self.error = str(error) or type(error).__name__
            self.state = JobState.FAILED
