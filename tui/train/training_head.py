"""The panel above a training: what is trained, how far it is, how its games ended, and the buttons."""

from collections import Counter
from dataclasses import replace
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, ProgressBar

from engine.plural import counted_label, counted_noun, listed
from lab.jobs import JobState
from lab.text.columns import whole_clauses
from lab.text.names import learner_name
from lab.text.numbers import count_text, duration_text, percent_text, rate_text, remaining_seconds
from lab.text.sanitise import plain
from lab.training.setup import averages_per_game, averages_text
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import COMPILING, TrainingJob, TrainingStatus
from learners import kind_of
from learners.core.learner import Learner
from learners.core.snapshot import ITSELF, Snapshot
from tui.shell.parts import CORNERS, LiveText, SizedPanel, entitle, fitting_text

GAP: Final = "   "
WIDEST_SHARE: Final = "88.8 %"
"""A share that takes as many columns as any; 100 % takes fewer."""
MIN_BAR: Final = 10
"""The minimum width of the bar in columns: with less, the rate is shortened."""


def setup_texts(job: TrainingJob, view: TrainingStatus) -> list[str]:
    """Return the learner, game, preset and opponent of a training, for the border of its panel; then shorter texts."""
    snapshot = view.snapshot
    if isinstance(job, TeachingJob):
        opponent = "a teacher"
    elif snapshot.opponent == ITSELF:
        opponent = "itself"
    else:
        opponent = plain(snapshot.opponent, 30)
    spec = kind_of(snapshot).spec
    name, against = learner_name(spec.title, snapshot.preset), f"against {opponent}"
    return [f"{name} · {job.game.title} · {against}", f"{name} · {against}", name, spec.title]


def state_text(job: TrainingJob, view: TrainingStatus) -> Text:
    """Return the state of a training, or its error, in one line."""
    error = view.error
    if not error and job.save_error:
        error = f"Not saved: {job.save_error}"
    if error:
        return Text(plain(error, 300), "bold red")
    if not view.state.active and job.running:
        return Text(f"{_end_text(view)}; its branch is still training")
    names = [plain(each.name, 30) for each in (job, job.branch) if each is not None]
    result = f"saved as {listed(names, 'and')}" if view.done else "nothing was learned yet"
    texts = {
        JobState.STARTING: f"{job.starting}{' Then it pauses.' if job.paused else ''}",
        JobState.RUNNING: _progress_text(view).ljust(len(_progress_text(replace(view, done=view.total)))),
        JobState.PAUSED: f"Paused at {_progress_text(view)}; {result}",
        JobState.FINISHED: f"{_end_text(view)}; {result}",
        JobState.STOPPED: f"Stopped; {result}",
        JobState.FAILED: "Failed",
    }
    return Text(texts[view.state], "bold")


def _end_text(view: TrainingStatus) -> str:
    if not view.perfect:
        return "Finished"
    spec = kind_of(view.snapshot).spec
    return f"Perfect after {counted_noun(view.snapshot.stats[spec.round_statistic], spec.round_noun)}"


def _progress_text(view: TrainingStatus) -> str:
    return f"{kind_of(view.snapshot).spec.round_noun} {count_text(view.done)} of {count_text(view.total)}"


def speed_text(view: TrainingStatus, per_second: float) -> str:
    """Return the rate of a training, and how long the rest takes or the whole took."""
    noun = kind_of(view.snapshot).spec.round_noun
    if not view.state.active:
        rate = view.done / view.seconds if view.seconds else 0.0
        return f"{rate_text(rate, noun)}  in {view.seconds:.2f} s"
    if view.state is JobState.PAUSED or view.done == view.total:  # then it is being saved
        return ""
    seconds_left = view.seconds_left
    if seconds_left is None:
        seconds_left = remaining_seconds(view.done, view.total, per_second)
    return f"{rate_text(per_second, noun)}  {duration_text(seconds_left)} left"


def summary_text(view: TrainingStatus, learner: Learner, width: int) -> str:
    """Return how the games of this training ended, and as many facts of the learner as fit into `width` columns."""
    stats = view.snapshot.stats
    if not learner.rounds:
        return ""
    # a population counts the games of its best individual, not those of the training
    own_games = Counter(stats) - Counter(view.began) if learner.spec.plays_games else stats
    counts = {label.format(*learner.game.marks): count for label, count in learner.view.endings(own_games).items()}
    endings = [f"{label} {percent_text(count / max(1, own_games['games']))}" for label, count in counts.items()]
    gap = GAP
    if len(GAP.join(f"{label} {WIDEST_SHARE}" for label in counts)) > width:  # whatever the shares are now
        gap, endings = "  ", [each.replace(" wins", "") for each in endings]
    averages = averages_per_game(view.began, stats)
    parts = [*endings, learner.view.remark(stats) or averages_text(averages)]
    for key, name in learner.spec.stat_labels.items():
        if key != learner.spec.round_statistic and f"{key}_share" not in averages:
            parts.append(counted_label(stats[key], name))
    while len(parts) > len(endings) and len(gap.join(parts)) > width:
        parts.pop()
    text = gap.join(parts)
    while len(text) > max(width, 0):
        text = text.rpartition("  ")[0]
    return text


class TrainingHead(Vertical):
    """Shows the setup, the state and the progress of a training, and its buttons."""

    DEFAULT_CSS = """
    TrainingHead {
        height: 4;
        & Horizontal { height: 1; }
        & #train-state { width: auto; max-width: 62%; text-wrap: nowrap; text-overflow: ellipsis; }
        &.-resting #train-state { width: 1fr; max-width: 100%; }
        &.-single { height: 3; layout: horizontal; & Horizontal { width: 1fr; } & #summary-place { display: none; } }
        &.-single #train-start { width: auto; }
        & ProgressBar { width: 1fr; margin-left: 2; }
        & ProgressBar Bar { width: 1fr; }
        & #rate { width: auto; min-width: 24; margin-left: 2; text-align: right; color: $text-muted; }
        & #summary-place { width: 1fr; height: 1; }
        & #summary { width: 100%; color: $text-muted; }
        & Button { width: auto; min-width: 10; margin-left: 1; }
    }
    """

    _shown: tuple[TrainingJob | None, TrainingStatus, Learner, float] | None = None
    """The arguments of the last call of `show`; `None` since a training is prepared."""

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield LiveText(id="train-state")
            yield ProgressBar(total=1, show_percentage=False, show_eta=False, id="bar")
            yield LiveText(id="rate")
        with Horizontal(id="train-start"):
            with SizedPanel(id="summary-place"):
                yield LiveText(id="summary")
            yield Button("Look inside", variant="primary", id="look", compact=True)
            yield Button("Start", id="start", compact=True)
            yield Button("Pause", id="pause", compact=True)
            yield Button("Stop", id="stop", compact=True)
            yield Button("Change", id="change", compact=True)

    def invite(self, about: str, continued: Snapshot | None, *, compiling: bool) -> None:
        """Say what can be started, and how; `about` describes the chosen preset, if not empty."""
        self._shown = None
        title, state = "A new training", "Press g or Start."
        if continued is not None:
            spec = kind_of(continued).spec
            rounds = counted_noun(continued.stats[spec.round_statistic], spec.round_noun)
            title, about = "An earlier training", f"Continues after {rounds}."
            state = f"{state} Escape: a new training."
        if compiling:
            state = COMPILING
        is_single = not self.screen.has_class("-tall")
        self.set_class(is_single, "-single")
        entitle(self, title, state if is_single else "")
        room = self.content_size.width or self.app.size.width - CORNERS  # its width once it is laid out
        if is_single:
            room -= self.query_one("#start").outer_size.width
        about = whole_clauses(about, room)
        summary = self.query_one("#summary", LiveText)
        if about:
            self._show(Text(about), "", share=None)
            summary.set_text(state)
        else:
            self._show(Text(state, "dim"), "", share=None)
            summary.set_text("")

    def show(self, job: TrainingJob | None, view: TrainingStatus, learner: Learner, per_second: float) -> None:
        """Show a training, or, without a job, the games of the save that is to be continued."""
        self._shown = job, view, learner, per_second
        self.remove_class("-single")
        if job is not None:
            keys = f"`<` slower · {job.pace.label} · faster `>`" if job.running else ""
            entitle(self, fitting_text(self, *setup_texts(job, view)), keys)
            share = view.share if view.state in (JobState.STARTING, JobState.RUNNING) else None
            self._show(state_text(job, view), speed_text(view, per_second), share=share)
        summary = self.query_one("#summary", LiveText)
        course_text = ""
        if isinstance(job, TeachingJob):
            course_text = job.verdict_text() if view.state is JobState.FINISHED else job.remaining_text(view.done)
        room = summary.size.width - 1
        summary.set_text(whole_clauses(course_text, room) or summary_text(view, learner, room))

    @on(SizedPanel.Sized)
    def show_again(self, message: SizedPanel.Sized) -> None:
        """Show the last training again, in the room that the buttons leave, unless another one is prepared by now."""
        message.stop()
        if self._shown is not None:
            self.show(*self._shown)

    def _show(self, state: Text, speed: str, *, share: float | None) -> None:
        first_clause = state.plain.rfind("; ")
        if 0 < self.content_size.width < state.cell_len and first_clause > 0:
            state = state[:first_clause]
        room = self.content_size.width - len(GAP) - state.cell_len - (0 if share is None else MIN_BAR)
        if len(speed) > room:
            speed = speed.rpartition("  ")[2]
        if len(speed) > room and share is None and self.content_size.width:
            speed = ""
        self.query_one("#train-state", LiveText).set_text(state)
        rate = self.query_one("#rate", LiveText)
        rate.display = bool(speed)
        rate.set_text(speed)
        bar = self.query_one(ProgressBar)
        bar.display = share is not None
        self.set_class(share is None, "-resting")
        bar.update(progress=share or 0.0)

    def show_buttons(self, job: TrainingJob | None, *, form_is_open: bool) -> None:
        """Show the buttons that have an effect now."""
        runs = job is not None and job.running
        has_learned = job is not None and not runs and job.view.done > 0
        effects = {"look": has_learned, "start": not runs, "pause": runs, "stop": runs, "change": job is not None}
        for name, has_effect in effects.items():
            self.query_one(f"#{name}", Button).display = has_effect
        self.query_one("#start", Button).variant = "default" if has_learned else "primary"
        is_paused = job is not None and job.paused
        self.query_one("#pause", Button).label = "Resume" if is_paused else "Pause"
        self.query_one("#change", Button).label = "Close" if form_is_open else "Change"
