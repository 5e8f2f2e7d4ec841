"""Train: set a learner up, watch it learn, and save what it learned. A training goes on behind other screens."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import monotonic
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button
from textual.worker import Worker, get_current_worker

from engine.game import BadText, Game
from engine.space import TooLarge
from lab.board.session import Seating
from lab.tour.screen_view import ScreenView
from lab.training.exact_history import ExactHistory, ExactResults
from lab.training.setup import READY_MADE, ReadyMade, Setup, seating_of
from lab.training.start import Prepared, job_of, prepare
from lab.training.training_job import JobState, JobView, Pace, TrainingJob
from lab.words.sanitise import plain
from learners import LEARNERS, parse_learner
from learners.core.learner import PERSON
from learners.core.plural import counted_noun
from learners.core.snapshot import Snapshot
from saves.errors import LibraryError
from tui.shell.live_text import LiveText
from tui.shell.requests import PlayAgainst
from tui.shell.screen import LabScreen
from tui.train.train_form import TrainForm
from tui.train.training_view import TrainingView
from tui.widgets.genome_view import GenomeView
from tui.widgets.mark_styles import palette_of
from tui.widgets.tiles import Tile, lines_of
from tui.widgets.wall import Wall

READY: Final = Binding.Group("Ready made", compact=True)
READY_KEYS: Final = tuple((key, ready.title) for key, ready in enumerate(READY_MADE, 1))
"""The keys of the ready-made trainings."""
EXACT_PAUSE: Final = 0.5
"""Seconds between two computations of exact results."""


class TrainScreen(LabScreen):
    """Shows the form of a training on the left, and the training on the right."""

    mode = "train"
    home = "#start"
    HELP = f"""\
# Train

Choose what learns, the preset of its rules, its opponent and for how many games or generations, and press **Start**.
Under `set` single rules can be changed, as in `pick=rounded`. The training is saved in the library under its name: when
it ends, when you pause or stop it, and when you quit. It goes on while you look at other screens. Against **a person**
the learner learns at the board, from the games that you play with it.

You see how its games ended, and beside that its exact results, which are computed and not sampled: in how many games it
loses to a random player, to a perfect one, and to a best responder, who knows its policy and makes it lose as often as
possible. **o** shows these results for its other side. **f** shows the next figure: what it has learned, and what
changed last. A population is shown by the genome of its champion: go to a gene with the arrows or the mouse, and the
board shows the moves that the population chooses in that situation. Its training ends when it is perfect.

One key starts a ready-made training: {", ".join(f"**{key}** {name}" for key, name in READY_KEYS)}.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "start", "Start"),
        Binding("space", "pause", "Pause"),
        Binding("full_stop", "step", "One step", key_display="."),
        Binding("x", "stop", "Stop"),
        Binding("s", "save", "Save"),
        Binding("f", "figure", "Figure"),
        Binding("o", "side", "Other side", show=False),
        *(Binding(str(key), f"ready_made({key})", name, group=READY) for key, name in READY_KEYS),
        Binding("escape", "begin_anew", "A new training", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.continued: Snapshot | None = None
        """The save that the next training continues."""
        self.compiling = False
        self.drawn: JobView | None = None
        self.drawn_exact: Mapping[int, ExactResults] | None = None
        self._ended: TrainingJob | None = None
        """The training whose end was handled."""
        self._focused_for: TrainingJob | None = None
        """The training at whose start the focus went to its buttons."""
        self._exact_of: TrainingJob | Snapshot | None = None
        """The training whose exact results are shown, or the save to be continued."""
        self._exact = ExactHistory()
        self._exact_worker: Worker[None] | None = None
        self._exact_snapshot: Snapshot | None = None
        """The snapshot whose exact results were computed last."""
        self._exact_time = 0.0
        """When that began."""

    @property
    def form(self) -> TrainForm:
        return self.query_one(TrainForm)

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with Vertical(id="train-left"):
                yield TrainForm(self.lab.game, self.lab.library)
                with Horizontal(id="train-buttons"):
                    yield Button("Start", variant="primary", id="start", compact=True)
                    yield Button("Pause", id="pause", compact=True, disabled=True)
                    yield Button("Stop", id="stop", compact=True, disabled=True)
                yield LiveText(id="train-state")
                yield LiveText(id="train-board")
            yield TrainingView(id="train-right")

    def set_up(self) -> None:
        super().set_up()
        self.propose_name()
        self.show_idle()
        self.warm_up(self.lab.game)

    def screen_view(self) -> ScreenView:
        try:
            setup = self.form.setup()
        except BadText:
            return super().screen_view()
        rounds = counted_noun(setup.rounds, setup.learner.spec.round_noun)
        return replace(super().screen_view(), form=f"{setup.learner.spec.title}, {rounds}")

    # Set up and start

    @work(thread=True, exclusive=True, group="warm-up", exit_on_error=False)
    def warm_up(self, game: Game) -> None:
        """Compile the kernels, or load them from their cache, before they are needed."""
        self.compiling = True
        try:
            for kind in LEARNERS if game.numbered else ():
                for preset in kind.spec.presets_for(game)[:1]:
                    kind(game, preset, seed=0).train(1)
        finally:
            self.compiling = False

    @on(TrainForm.LearnerChosen)
    def propose_name(self) -> None:
        self.find_name(self.form.learner.spec.name)

    @work(thread=True, exclusive=True, group="name", exit_on_error=False)
    def find_name(self, name: str) -> None:
        try:
            name = self.lab.library.free_name(name)
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, f"{error}. You can train, but nothing can be saved.")
        self.app.call_from_thread(self.offer_name, name)

    def offer_name(self, name: str) -> None:
        if self.continued is None:
            self.form.propose_name(name)

    def continue_save(self, name: str, snapshot: Snapshot) -> None:
        """Set the form so that the next training continues a save."""
        if not self.lab.may_replace_training():
            return
        self.continued = snapshot
        self.lab.job = None
        self.form.freeze(locked=False)
        self.form.fill(snapshot, name)
        self.form.freeze(locked=True, continued=True)
        self.show_idle()
        self.go_home()

    def action_begin_anew(self) -> None:
        """Train a new learner instead of continuing a save."""
        if self.continued is not None and self.lab.job is None:
            self.continued = None
            self.form.freeze(locked=False)
            self.propose_name()

    @on(Button.Pressed, "#start")
    @on(TrainForm.Submitted)
    def action_start(self) -> None:
        if self.lab.job is not None and self.lab.job.running:
            self.lab.job.resume()
            return
        try:
            setup = self.form.setup()
        except BadText as error:
            self.form.show_error(str(error))
            return
        if setup.opponent == PERSON or self.lab.may_replace_training():
            self.form.show_error("")
            self.begin(setup, self.continued, self.form.pace)

    def action_ready_made(self, key: int) -> None:
        """Start a ready-made training."""
        ready = READY_MADE[key - 1]
        if ready.opponent == PERSON or self.lab.may_replace_training():
            self.find_ready_name(ready)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def find_ready_name(self, ready: ReadyMade) -> None:
        """Find a free name for a ready-made training, and start it."""
        try:
            name = self.lab.library.free_name(ready.learner.spec.name)
        except LibraryError:
            name = ready.learner.spec.name  # reported when the screen opened
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self.begin_ready_made, ready.setup(name))

    def begin_ready_made(self, setup: Setup) -> None:
        if setup.opponent != PERSON:  # a person plays beside any training: the form stays as it is
            self.continued = None
            self.form.freeze(locked=False)
            self.form.show(setup)
        self.form.show_error("")
        self.begin(setup, None, self.form.pace)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def begin(self, setup: Setup, continued: Snapshot | None, pace: Pace) -> None:
        """Make the learner and start to train it, or let it play with a person."""
        library, form = self.lab.library, self.form
        try:
            prepared = prepare(setup, library, continued)
        except (BadText, LibraryError, TooLarge) as error:
            self.app.call_from_thread(form.show_error, str(error))
            return
        if setup.opponent == PERSON:
            self.take_to_the_board(prepared)
            return
        job = job_of(prepared, library, pace)
        if not get_current_worker().is_cancelled:  # Start was pressed again
            self.app.call_from_thread(self.lab.train, job)

    def take_to_the_board(self, prepared: Prepared) -> None:
        """Save a learner that a person is to teach, and go to the board. Runs in a thread."""
        learner, name = prepared.learner, prepared.setup.name
        try:
            self.lab.library.save(name, learner.snapshot(), replace=prepared.continues)
        except LibraryError as error:
            self.app.call_from_thread(self.form.show_error, str(error))
        else:
            self.app.call_from_thread(self.play_with, replace(seating_of(learner, name), learning=True))

    @work(exit_on_error=False)
    async def play_with(self, seating: Seating) -> None:
        if self.lab.job is None or not self.lab.job.running:
            self.continued = None
            self.form.freeze(locked=False)
            self.propose_name()
        await self.lab.carry_out(PlayAgainst(seating))

    # While it trains

    @on(Button.Pressed, "#pause")
    def action_pause(self) -> None:
        """Pause, or resume."""
        job = self.lab.job
        if job is not None and job.running:
            (job.resume if job.paused else job.pause)()

    def action_step(self) -> None:
        if self.lab.job is not None and self.lab.job.running:
            self.lab.job.step()

    @on(Button.Pressed, "#stop")
    @work(thread=True, exit_on_error=False)
    def action_stop(self) -> None:
        if self.lab.job is not None:
            self.lab.job.stop()

    @work(thread=True, exclusive=True, group="save", exit_on_error=False)
    def action_save(self) -> None:
        job = self.lab.job
        if job is None:
            return
        job.save_now()
        self.drawn = None
        if job.save_error:
            self.app.call_from_thread(self.lab.warn, f"Not saved: {job.save_error}")
        else:
            self.app.call_from_thread(self.app.notify, f"Saved as {plain(job.name)}.", markup=False)

    @on(TrainForm.PaceChosen)
    def pace_chosen(self, message: TrainForm.PaceChosen) -> None:
        if self.lab.job is not None:
            self.lab.job.set_pace(message.pace)

    # Drawing

    def action_figure(self) -> None:
        self.query_one(TrainingView).show_next_figure()
        self.drawn = None
        self.poll()
        self.call_after_refresh(self.focus_figure)

    def focus_figure(self) -> None:
        """Focus the figure that has a cursor, if there is one."""
        for figure in (self.query_one(Wall), self.query_one(GenomeView)):
            if figure.region.height:
                figure.focus()

    def action_side(self) -> None:
        """Show the exact results of the other side."""
        self.query_one(TrainingView).show_other_side()
        self.drawn = None
        self.poll()

    def poll(self) -> None:
        super().poll()
        if not self.is_current:
            return
        job = self.lab.job
        if job is None:
            self.show_idle()
            return
        view = job.view
        self.update_exact(job, view)
        if view is not self.drawn or self._exact.known is not self.drawn_exact:
            self.drawn, self.drawn_exact = view, self._exact.known
            self.draw(job, view)
        if view.state.over and self._ended is not job:
            self._ended, self.continued = job, None
            self.propose_name()

    def resized(self) -> None:
        super().resized()
        self.drawn = None
        self.poll()

    def show_idle(self) -> None:
        """Show what can be started, while nothing trains."""
        if self.continued is None:
            self.drawn = self._exact_of = None
            self.query_one(TrainingView).introduce(self.form.learner, self.form.game)
        else:
            self.show_continued(self.continued, self.form.game)
        if self.compiling:
            line = "Compiling the game loop …"
        elif self.continued is not None:
            kind = parse_learner(self.continued.learner)
            rounds = counted_noun(self.continued.stats[kind.spec.round_statistic], kind.spec.round_noun)
            line = f"Continues after {rounds}: press g or Start. Escape: a new training."
        else:
            line = "Press g or Start."
        ready = "\n".join(f"{key} {name}" for key, name in READY_KEYS)
        board = "" if self.continued is not None else f"Or start at once:\n{ready}"
        self.query_one("#train-state", LiveText).set_text(Text(line, "dim"))
        self.query_one("#train-board", LiveText).set_text(Text(board, "dim"))

    def show_continued(self, snapshot: Snapshot, game: Game) -> None:
        """Show the save that is to be continued."""
        drawn = self.drawn
        if drawn is None or drawn.snapshot is not snapshot:
            drawn = JobView(JobState.STARTING, 0, 0, 0.0, snapshot, snapshot.stats)
        self.update_exact(snapshot, drawn)
        if drawn is not self.drawn or self._exact.known is not self.drawn_exact:
            self.drawn, self.drawn_exact = drawn, self._exact.known
            self.query_one(TrainingView).show(drawn, game, 0.0, self._exact.known)

    def update_exact(self, source: TrainingJob | Snapshot, view: JobView) -> None:
        """Compute the exact results of the newest snapshot in the background, if it is time for that."""
        if source is not self._exact_of:
            self._exact_of, self._exact, self._exact_snapshot = source, ExactHistory(), None
            self.query_one(TrainingView).begin()
        busy = self._exact_worker is not None and not self._exact_worker.is_finished
        too_soon = view.state is JobState.RUNNING and monotonic() - self._exact_time < EXACT_PAUSE
        if not busy and not too_soon and view.snapshot is not self._exact_snapshot:
            self._exact_snapshot, self._exact_time = view.snapshot, monotonic()
            self._exact_worker = self.find_exact(self._exact, view.snapshot)

    @work(thread=True, exclusive=True, group="exact", exit_on_error=False)
    def find_exact(self, exact: ExactHistory, snapshot: Snapshot) -> None:
        worker = get_current_worker()
        exact.find(snapshot, lambda: worker.is_cancelled)

    def draw(self, job: TrainingJob, view: JobView) -> None:
        """Draw one moment of the training."""
        self.form.freeze(locked=job.running)
        for name, enabled in (("start", not job.running), ("pause", job.running), ("stop", job.running)):
            self.query_one(f"#{name}", Button).disabled = not enabled
        if job.running and job is not self._focused_for:
            self._focused_for = job
            self.query_one("#pause", Button).focus()
        self.query_one("#pause", Button).label = "Resume" if view.state is JobState.PAUSED else "Pause"
        self.query_one("#train-state", LiveText).set_text(_state_text(job, view))
        self.query_one(TrainingView).show(view, job.game, self.lab.rate.per_second, self._exact.known)
        self.query_one("#train-board", LiveText).set_text(self._board(job.game, view))

    def _board(self, game: Game, view: JobView) -> Text:
        """The board of the last game, if the learner learns from single games."""
        if not parse_learner(view.snapshot.learner).spec.learns_records:
            return Text()
        position = game.start
        for move in view.moves:
            position = game.play(position, move)
        caption = f"game {view.snapshot.stats['games']:,}" if view.moves or view.resigned else ""
        if view.resigned:
            caption += f": {game.mark(game.side(position))} resigns"
        return lines_of([Tile(game, position, {}, caption)], 28, palette_of(self))


def _state_text(job: TrainingJob, view: JobView) -> Text:
    if error := view.error or (job.save_error and f"Not saved: {job.save_error}"):
        return Text(plain(error, 300), "bold red")
    saved = f"saved as {plain(job.name, 30)}" if view.done else "nothing was learned yet"
    words = {
        JobState.STARTING: "Compiling the game loop …",
        JobState.RUNNING: "Training",
        JobState.PAUSED: f"Paused; {saved}",
        JobState.FINISHED: f"{_end_text(view)}; {saved}",
        JobState.STOPPED: f"Stopped; {saved}",
        JobState.FAILED: "Failed",
    }
    return Text(words[view.state])


def _end_text(view: JobView) -> str:
    kind = parse_learner(view.snapshot.learner)
    rounds = view.snapshot.stats[kind.spec.round_statistic]
    return f"Perfect after {counted_noun(rounds, kind.spec.round_noun)}" if view.perfect else "Finished"
