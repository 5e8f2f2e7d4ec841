"""A race behind the screen: a thread that runs it and publishes how it stands, to be looked at."""

from collections.abc import Sequence
from threading import Event, Thread
from typing import Final

from lab.training.training_job import JobState
from lab.words.numbers import percent_text, rate_text
from learners.race.entrants import Entrant
from learners.race.race import Standings, race

PATIENCE: Final = 5.0
"""Seconds to wait for a race to end: far more than it takes."""


class RaceJob:
    """Races `entrants`. The screen polls `state` and `standings`, which are replaced as a whole."""

    def __init__(self, entrants: Sequence[Entrant], seeds: range, budget: int) -> None:
        self.entrants = tuple(entrants)
        self.seeds = seeds
        self.budget = budget
        self.state = JobState.STARTING
        self.standings: Standings | None = None
        self.error = ""
        self._asked = Event()
        self._thread = Thread(target=self._run, name="race", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, wait: float = PATIENCE) -> None:
        """End the race, and wait for that. What its machines came to stays."""
        self._asked.set()
        if self._thread.is_alive():
            self._thread.join(wait)

    @property
    def running(self) -> bool:
        return not self.state.over

    @property
    def headline(self) -> tuple[str, str]:
        """What it is called, and how far it has come."""
        standings = self.standings
        if standings is None:
            return "race", self.state.value
        share, rate = percent_text(standings.done / standings.total), rate_text(standings.per_second)
        return "race", f"{share}  {rate}"

    def _run(self) -> None:
        try:
            for standings in race(self.entrants, self.seeds, self.budget, stop=self._asked.is_set):
                self.standings = standings
                self.state = JobState.RUNNING
            self.state = JobState.FINISHED if standings.finished else JobState.STOPPED
        except Exception as error:  # noqa: BLE001  whatever went wrong is shown on the screen, and the app lives on
            self.error = str(error) or type(error).__name__
            self.state = JobState.FAILED
