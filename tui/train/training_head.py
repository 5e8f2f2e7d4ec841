"""The lines above a training: what is trained, the state of the training, and the buttons."""

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from lab.jobs import JobState
from lab.text.numbers import count_text, short_count
from lab.text.sanitise import plain
from lab.training.training_job import TrainingJob, TrainingStatus
from learners import kind_of
from learners.core.plural import counted_noun
from learners.core.snapshot import ITSELF
from tui.shell.parts import LiveText


def setup_text(job: TrainingJob, view: TrainingStatus) -> Text:
    """The learner, game, preset and opponent of a training, in one line."""
    snapshot = view.snapshot
    spec = kind_of(snapshot).spec
    opponent = "itself" if snapshot.opponent == ITSELF else plain(snapshot.opponent, 30)
    rest = f" · {job.game.title} · {snapshot.preset} · {opponent}"
    return Text.assemble((spec.title, "bold"), rest, no_wrap=True, overflow="ellipsis")


def state_text(job: TrainingJob, view: TrainingStatus) -> Text:
    """The state of a training, or its error, in one line."""
    if error := view.error or (job.save_error and f"Not saved: {job.save_error}"):
        return Text(plain(error, 300), "bold red")
    names = [plain(each.name, 30) for each in (job, job.branch) if each is not None]
    saved = f"saved as {' and '.join(names)}" if view.done else "nothing was learned yet"
    if not view.state.active and job.running:
        return Text(f"{_end_text(view)}; its branch is still training")
    look = "   l: look inside" if view.done else ""
    words = {
        JobState.STARTING: "Compiling the game loop …",
        JobState.RUNNING: f"{_progress_text(view)}   {job.pace.label}   < slower   > faster",
        JobState.PAUSED: f"Paused at {_progress_text(view)}; {saved}",
        JobState.FINISHED: f"{_end_text(view)}; {saved}{look}",
        JobState.STOPPED: f"Stopped; {saved}{look}",
        JobState.FAILED: "Failed",
    }
    return Text(words[view.state])


def _end_text(view: TrainingStatus) -> str:
    spec = kind_of(view.snapshot).spec
    rounds = view.snapshot.stats[spec.round_statistic]
    return f"Perfect after {counted_noun(rounds, spec.round_noun)}" if view.perfect else "Finished"


def _progress_text(view: TrainingStatus) -> str:
    spec = kind_of(view.snapshot).spec
    return f"{spec.round_noun} {count_text(view.done)} of {short_count(view.total)}"


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
