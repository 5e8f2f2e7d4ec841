"""Texts of the Sweep screen: the state of the sweep, its file, and the state of the training of a kept machine."""

import shlex
from collections.abc import Sequence

from rich.text import Text

from engine.game import BadText
from lab.sweep.sweep_job import SweepJob
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from lab.training.training_job import JobState, TrainingJob
from learners.core.plural import counted_noun
from saves.names import MAX_NAME, parse_name
from saves.paths import served, shown
from saves.sweeps.part import part_path


def state_text(job: SweepJob | None) -> Text:
    """The state of a sweep, or if there is none, how to start it."""
    if job is None:
        return Text("Press g or Start.", "dim")
    view = job.view
    machines = f"{view.done:,} of {counted_noun(view.total, 'machine')}" if view.total else ""
    words = {
        JobState.STARTING: "Starting the workers …",
        JobState.RUNNING: machines,
        JobState.FINISHED: f"Finished: {counted_noun(view.done, 'machine')}",
        JobState.STOPPED: f"Stopped: {machines}",
        JobState.FAILED: f"Failed: {machines}" if view.done else "Failed",
    }
    return Text(words[view.state], "bold" if view.state.over else "", no_wrap=True, overflow="ellipsis")


def place_text(job: SweepJob) -> str:
    """Where a sweep is stored, and how to resume it."""
    if job.view.state is JobState.FINISHED:
        return f"Table: {shown(job.path)}"
    if job.running:
        return f"Kept in {shown(part_path(job.path))}"
    command = "" if served() else f", or: noughts sweep resume {shlex.quote(shown(job.path))}"
    return f"Kept. g resumes{command}" if job.view.done else ""


def training_text(job: TrainingJob) -> Text:
    """The state of the training of a kept machine."""
    view = job.view
    name = plain(job.name, MAX_NAME)
    if job.save_error or view.error:
        return Text(f"Not saved: {plain(job.save_error or view.error)}", "bold red")
    if view.state is JobState.FINISHED:
        return Text(f"Saved as {name}", "bold", no_wrap=True, overflow="ellipsis")
    share = percent_text(view.done / view.total)
    return Text(f"{share} trained: {name}", no_wrap=True, overflow="ellipsis")


def proposed_name(words: Sequence[str]) -> str:
    """A valid name for a save, made from some words."""
    text = " ".join(words)
    while True:
        try:
            return parse_name(text[:MAX_NAME])
        except BadText:
            text = "".join(letter for letter in text if letter.isalnum() or letter in " -_.,") or "machine"
