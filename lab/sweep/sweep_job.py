"""Run a sweep as a job, with processes that do the work, or read a sweep from a file."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Final

from engine.stop import Stop
from lab.jobs import Job, JobState, JobStatus
from lab.race.race_text import ShownMeasure
from lab.sweep.findings import Axes, Findings, Gathering, grid_of, read_findings
from lab.text.numbers import RateMeter, percent_text
from learners.sweep.batch import Rows
from learners.sweep.definition import Definition
from learners.sweep.running import SweepPlan, plan_of, run
from learners.sweep.workers import Processes, usable_cores
from saves.errors import LibraryError
from saves.files import is_there
from saves.sweeps.part import Part, part_path
from saves.sweeps.table import write_table

UPDATE_SECONDS: Final = 0.3
"""The shortest time between two updates of the findings of a running sweep, in seconds."""


@dataclass(frozen=True)
class SweepStatus(JobStatus):
    done: int = 0
    """The number of finished machines, with those of earlier runs."""
    total: int = 0
    per_second: float = 0.0
    seconds: float = 0.0
    findings: Findings | None = None
    """The findings so far; `None` before any machine is finished."""


class SweepJob(Job[SweepStatus]):
    def __init__(self, path: Path, shown: ShownMeasure, definition: Definition | None = None) -> None:
        """Prepare the sweep whose table is to be at `path`; without a definition, the sweep is only read.

        The findings are over the first columns that vary; in a sweep that is only read, over those that explain most.
        """
        super().__init__("sweep", SweepStatus(JobState.STARTING))
        self.path = path
        self.definition = definition
        self._shown = shown
        self._axes = None if definition is None else _axes_of(definition)
        self._grid: Mapping[str, Sequence[str]] = {}
        self._reading = Lock()

    @classmethod
    def from_file(cls, path: Path, shown: ShownMeasure) -> "SweepJob":
        """Return the sweep in a file, finished or not. Raises `LibraryError`, `BadText`."""
        if is_there(path):
            job = cls(path, shown)
            job.view = SweepStatus(JobState.FINISHED)
        else:
            with Part(part_path(path)) as part:
                definition, done = part.definition, part.machines
            plan = plan_of(definition)
            job = cls(path, shown, definition)
            job._grid = grid_of(plan.points, _axes_of(definition), sampled=definition.sample > 0)
            job.view = SweepStatus(JobState.STOPPED, done, plan.machines)
        job.show_measure(shown)
        return job

    @property
    def headline(self) -> tuple[str, str]:
        view = self.view
        if not view.total:
            return self.name, view.state.value
        return self.name, percent_text(view.done / view.total)

    def show_measure(self, shown: ShownMeasure) -> None:
        """Show another measure or side from now on. If the sweep has ended, read its file again.

        This takes time: call it in a thread. Raises `LibraryError`, `BadText`.
        """
        self._shown = shown
        with self._reading:
            if not self.running and (is_there(self.path) or is_there(part_path(self.path))):
                findings = read_findings(self.path, shown, self._axes, self._grid)
                self._axes = findings.axes
                done = self.view.done or int((findings.machines.rounds == findings.mark).sum())
                self.view = replace(self.view, findings=findings, done=done, total=self.view.total or done)

    def work(self, stop: Stop) -> bool:
        return self.definition is not None and self._gather(plan_of(self.definition), self.definition, stop)

    def _gather(self, plan: SweepPlan, definition: Definition, stop: Stop) -> bool:
        """Run the missing machines. If all are then finished, write the table; return whether it was written."""
        axes = self._axes or _axes_of(definition)
        self._grid = grid_of(plan.points, axes, sampled=definition.sample > 0)
        with Part(part_path(self.path), definition) as part:
            try:
                finished = self._run_missing(part, plan, axes, stop)
            finally:
                with suppress(LibraryError):  # the disk may be what has failed
                    self.view = replace(self.view, done=part.machines)
                    if not self.view.done:
                        part.delete()
            if finished:
                write_table(self.path, plan.layout, part.lines(), replace=False)
                part.delete()
        return finished

    def _run_missing(self, part: Part, plan: SweepPlan, axes: Axes, stop: Stop) -> bool:
        """Run the missing machines, and publish the findings meanwhile; return whether all machines are finished."""
        gathering = Gathering(plan.layout, self._shown, part.lines())
        done = part.machines
        meter, begun, published = RateMeter(window=10.0), perf_counter(), 0.0
        self.view = SweepStatus(JobState.STARTING, done, plan.machines, findings=gathering.find(axes, self._grid))

        def keep(batches: Sequence[Rows]) -> None:
            part.add(batches)
            for rows in batches:
                gathering.add(rows.text)

        missing = list(part.missing(len(plan.points)))
        workers, finished = Processes(usable_cores()), not missing
        try:
            for progress in run(plan, missing, workers, keep, stop):
                now = perf_counter()
                finished = progress.done == progress.total
                meter.add(now, progress.done)
                if self._shown != gathering.shown:
                    gathering, published = Gathering(plan.layout, self._shown, part.lines()), 0.0
                if (
                    finished or now - published >= UPDATE_SECONDS
                ):  # together, so that no machine is counted and not yet drawn
                    published = now
                    self.view = replace(
                        self.view,
                        state=JobState.RUNNING if progress.done > done else self.view.state,
                        done=progress.done,
                        per_second=meter.per_second,
                        seconds=now - begun,
                        findings=gathering.find(axes, self._grid),
                    )
        finally:
            workers.close(finished=finished)
            self.view = replace(self.view, findings=gathering.find(axes, self._grid))
        return finished


def _axes_of(definition: Definition) -> Axes:
    """Return the first two settings that vary; with only one, add the opponent; with none, opponent and preset."""
    across, down = [*(key for key, _ in definition.grid), "opponent", "preset"][:2]
    return across, down
