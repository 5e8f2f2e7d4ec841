"""Repeat the experiments of papers, one after the other, in a thread. The screen polls the progress."""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from threading import Event, Lock, Thread
from typing import Any

from lab.papers.report_text import counts_text, reproduced
from lab.text.numbers import duration_text, percent_text
from lab.training.training_job import JobState
from learners.papers import PAPERS
from learners.papers.figures import Report
from learners.papers.running import Paper
from saves.errors import LibraryError
from saves.gallery.paper_reports import ShippedReport, load


class PaperState(Enum):
    """The state of a paper, with its text for a person."""

    NOT_RUN = "not run"
    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = JobState.FINISHED.value
    STOPPED = JobState.STOPPED.value
    FAILED = JobState.FAILED.value


@dataclass(frozen=True)
class PaperView:
    """A consistent view of the state of a paper."""

    state: PaperState = PaperState.NOT_RUN
    share: float = 0.0
    """The completed share of the run, from 0 to 1."""
    what: str = ""
    """The current task."""
    left: float = math.inf
    """The estimated seconds until the end."""
    report: Report | None = None
    """The last report; it may be from an earlier run, or have come with the program."""
    shipped: ShippedReport | None = None
    """The report that came with the program, until the paper has been run."""
    error: str = ""

    @property
    def active(self) -> bool:
        """Whether it is running, or waiting to run."""
        return self.state in (PaperState.WAITING, PaperState.RUNNING)

    @property
    def brief(self) -> str:
        """How many of the printed figures are reproduced, as in `29 of 51`; else the progress, or the state."""
        if self.state is PaperState.RUNNING:
            return f"{percent_text(self.share)}, {duration_text(self.left)} left"
        if self.state in (PaperState.FINISHED, PaperState.NOT_RUN) and self.report:
            again, compared = reproduced(self.report)
            return f"{again} of {compared}"
        return self.text

    @property
    def text(self) -> str:
        """The state in a few words."""
        if self.state is PaperState.RUNNING:
            return f"running {percent_text(self.share)}, {duration_text(self.left)} left"
        if self.state is PaperState.STOPPED:
            return f"stopped at {percent_text(self.share)}"
        if self.state in (PaperState.FINISHED, PaperState.NOT_RUN) and self.report:
            return counts_text(self.report.counts)
        return str(self.state.value)


class PapersJob:
    """Runs papers in the order in which they were started."""

    def __init__(self, papers: Sequence[Paper[Any]] = PAPERS) -> None:
        """`papers` are those that can be started; each begins with the results that came with the program."""
        self.papers = papers
        self.views = {paper.name: _first_view(paper) for paper in papers}
        self._waiting: deque[tuple[Paper[Any], int]] = deque()
        self._stopping = Event()
        """Stops the current run. Each run has its own event."""
        self._change = Lock()
        self._thread: Thread | None = None

    def start(self, names: Iterable[str], seed: int) -> None:
        """Start the papers with these names, except those that are active already."""
        with self._change:
            for paper in self.papers:
                if paper.name in names and not self.views[paper.name].active:
                    self._show(paper.name, state=PaperState.WAITING, share=0.0, error="")
                    self._waiting.append((paper, seed))
            if self._thread is None and self._waiting:
                self._thread = Thread(target=self._run, name="papers", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop the running paper and all that wait."""
        with self._change:
            for paper, _ in self._waiting:
                self._show(paper.name, state=PaperState.STOPPED)
            self._waiting.clear()
            self._stopping.set()

    @property
    def running(self) -> bool:
        """Whether any paper is active."""
        return any(view.active for view in self.views.values())

    @property
    def headline(self) -> tuple[str, str]:
        """The name of the running paper and its progress; both empty if none is running."""
        now = [(name, view) for name, view in self.views.items() if view.state is PaperState.RUNNING]
        return (now[0][0], percent_text(now[0][1].share)) if now else ("", "")

    def _show(self, name: str, **changed: Any) -> None:  # noqa: ANN401 -- the fields of a view
        self.views[name] = replace(self.views[name], **changed)

    def _run(self) -> None:
        while True:
            with self._change:
                if not self._waiting:
                    self._thread = None
                    return
                paper, seed = self._waiting.popleft()
                stopping = self._stopping = Event()
                self._show(paper.name, state=PaperState.RUNNING, what="getting ready", left=math.inf)
            try:
                self._run_one(paper, seed, stopping)
            except Exception as error:  # noqa: BLE001  the screen shows any error; the app must not end
                self._show(paper.name, state=PaperState.FAILED, error=str(error) or type(error).__name__)

    def _run_one(self, paper: Paper[Any], seed: int, stopping: Event) -> None:
        report = None
        for progress in paper.run(seed, stopping.is_set):
            report = progress.report
            if report is None:
                self._show(paper.name, share=progress.share, what=progress.what, left=progress.left)
        if report is None:
            self._show(paper.name, state=PaperState.STOPPED)
        else:
            self._show(paper.name, state=PaperState.FINISHED, share=1.0, report=report, shipped=None)


def _first_view(paper: Paper[Any]) -> PaperView:
    """The view of a paper that has not been run yet."""
    try:
        shipped = load(paper.name)
    except LibraryError as error:
        return PaperView(PaperState.FAILED, error=str(error))
    return PaperView(report=shipped.report if shipped else None, shipped=shipped)
