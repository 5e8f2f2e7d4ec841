"""Repeat the experiments of papers as jobs, one after the other."""

import math
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from engine.stop import Stop
from lab.jobs import Job, JobState, JobStatus
from lab.papers.report_text import count_reproduced, counts_text
from lab.text.numbers import duration_text, percent_text
from learners.papers import PAPERS
from learners.papers.report import Report
from learners.papers.running import Paper
from saves.errors import LibraryError
from saves.gallery.paper_reports import ShippedReport, load


@dataclass(frozen=True)
class PaperStatus(JobStatus):
    share: float = 0.0
    """The completed share of the run, from 0 to 1."""
    what: str = ""
    left: float = math.inf
    """The estimated seconds until the end."""
    report: Report | None = None
    """The last report: of this run, of an earlier run, or the one that came with the program."""
    shipped: ShippedReport | None = None
    """The report that came with the program, until the paper has been run."""

    @property
    def brief(self) -> str:
        """How many figures are reproduced, `29 of 51`, or `–` without any; in a run its progress, else the state."""
        if self.state is JobState.RUNNING:
            return f"{percent_text(self.share)}, {duration_text(self.left)} left"
        if self.state in (JobState.FINISHED, JobState.NOT_RUN) and self.report:
            reproduced, compared = count_reproduced(self.report)
            return f"{reproduced} of {compared}" if compared else "–"
        return self.text

    @property
    def text(self) -> str:
        if self.state is JobState.RUNNING:
            return f"running {percent_text(self.share)}, {duration_text(self.left)} left"
        if self.state is JobState.STOPPED:
            return f"stopped at {percent_text(self.share)}"
        if self.state in (JobState.FINISHED, JobState.NOT_RUN) and self.report:
            return counts_text(self.report.counts)
        return str(self.state.value)


class PaperJob(Job[PaperStatus]):
    def __init__(self, paper: Paper[Any]) -> None:
        """Begin with the report that came with the program."""
        super().__init__(paper.name, _first_view(paper))
        self.paper = paper
        self._seed = 0

    @property
    def headline(self) -> tuple[str, str]:
        return self.name, percent_text(self.view.share)

    def start_from(self, seed: int) -> None:
        """Start the paper with this seed, as soon as no other paper runs."""
        self._seed = seed
        self.view = replace(self.view, state=JobState.WAITING, share=0.0, error="")
        self.start()

    def work(self, stop: Stop) -> bool:
        self.view = replace(self.view, state=JobState.RUNNING, what="getting ready", left=math.inf)
        report = None
        for progress in self.paper.run(self._seed, stop):
            report = progress.report
            if report is None:
                self.view = replace(self.view, share=progress.share, what=progress.what, left=progress.left)
        if report is not None:
            self.view = replace(self.view, share=1.0, report=report, shipped=None)
        return report is not None


class PapersJob:
    """Runs papers in the order in which they were started."""

    def __init__(self, papers: Sequence[Paper[Any]] = PAPERS) -> None:
        self.papers = papers
        self.jobs = {paper.name: PaperJob(paper) for paper in papers}
        self._threads: ThreadPoolExecutor | None = None
        """Runs one paper at a time. After a stop, the next paper may start before the stopped one has ended."""

    @property
    def views(self) -> Mapping[str, PaperStatus]:
        return {name: job.view for name, job in self.jobs.items()}

    def start(self, names: Iterable[str], seed: int) -> None:
        """Start the papers with these names, except those that are active already."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, "papers")
        for name, job in self.jobs.items():
            if name in names and not job.running:
                job.threads = self._threads
                job.start_from(seed)

    def stop(self) -> None:
        """Stop the running paper and all that wait, without waiting for the end."""
        for job in reversed(self.jobs.values()):
            job.stop(patience=0)
        if self._threads is not None:
            self._threads.shutdown(wait=False)  # its thread ends with the running paper
            self._threads = None

    @property
    def running(self) -> bool:
        return any(job.running for job in self.jobs.values())

    @property
    def headline(self) -> tuple[str, str]:
        """The name of the running paper and its progress; both empty if none is running."""
        headlines = (job.headline for job in self.jobs.values() if job.view.state is JobState.RUNNING)
        return next(headlines, ("", ""))


def _first_view(paper: Paper[Any]) -> PaperStatus:
    try:
        shipped = load(paper.name)
    except LibraryError as error:
        return PaperStatus(JobState.FAILED, error=str(error))
    return PaperStatus(JobState.NOT_RUN, report=shipped.report if shipped else None, shipped=shipped)
