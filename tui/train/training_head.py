"""The lines above a training: what is trained, the state of the training, and the buttons."""

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from lab.training.training_job import JobState, TrainingJob
from tui.shell.live_text import LiveText


class TrainingHead(Vertical):
    """Shows the setup and the state of a training, each in one line, and its buttons."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-head"):
            yield LiveText(id="train-setup")
            yield Button("Start", variant="primary", id="start", compact=True)
            yield Button("Pause", id="pause", compact=True)
            yield Button("Stop", id="stop", compact=True)
            yield Button("Change", id="change", compact=True)
        yield LiveText(id="train-state")

    def show_text(self, setup: Text, state: Text) -> None:
        """Show these two lines."""
        self.query_one("#train-setup", LiveText).set_text(setup)
        self.query_one("#train-state", LiveText).set_text(state)

    def show_buttons(self, job: TrainingJob | None, *, form_is_open: bool) -> None:
        """Show the buttons that have an effect now."""
        running = job is not None and job.running
        for name, shown in (("start", not running), ("pause", running), ("stop", running), ("change", job is not None)):
            self.query_one(f"#{name}", Button).display = shown
        paused = job is not None and job.view.state is JobState.PAUSED
        self.query_one("#pause", Button).label = "Resume" if paused else "Pause"
        self.query_one("#change", Button).label = "Close" if form_is_open else "Change"
