"""Train: set a learner up, watch it learn, and keep what it learned. Leaving the screen does not stop the training."""

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
from lab.tour.screen_view import ScreenView
from lab.training.exact_history import ExactHistory, ExactResults
from lab.training.setup import READY_MADE
from lab.training.training_job import JobState, JobView, TrainingJob
from lab.words.sanitise import plain
from learners import parse_learner
from learners.core.plural import counted_noun
from learners.core.snapshot import Snapshot
from tui.shell.live_text import Steady
from tui.train.start_screen import StartingScreen
from tui.train.train_form import TrainForm
from tui.train.training_view import TrainingView
from tui.widgets.mark_styles import palette_of
from tui.widgets.strand_view import StrandView
from tui.widgets.tiles import Tile, lines_of
from tui.widgets.wall import Wall

READY: Final = Binding.Group("Ready made", compact=True)
READY_KEYS: Final = tuple((key, ready.title) for key, ready in enumerate(READY_MADE, 1))
"""The trainings that are ready made, by their keys."""
TRUTH_PAUSE: Final = 0.5
"""Seconds between two looks at how a training fares exactly."""


class TrainScreen(StartingScreen):
    mode = "train"
    home = "#start"
    HELP = f"""\
# Train

Choose what learns, by which preset of rules, whom it trains against and for how many games or generations, and press
**Start**. Under `set` single rules can be changed, as in `pick=rounded`. The training is kept in the library under its
name: when it ends, when you pause or stop it, and when you quit. It goes on while you look at other screens. Against
**a person** it learns at the board, from the games that you play with it.

You see how its games ended, and beside that the truth, computed and not played: in how many games it loses to a
random player, to a perfect one, and to a best responder, who knows it and makes it lose as often as can be. **o**
tells that of its other side, **f** shows the next figure: what it has learned, and what changed last. A population is
shown by the genome of its champion: go to a gene with the arrows or the mouse, and the board tells where the
population's choices for that situation go. It ends when it is perfect.

Some trainings are ready made and start by one key: {", ".join(f"**{key}** {name}" for key, name in READY_KEYS)}.
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

    ended: TrainingJob | None = None
    """The training whose end was dealt with."""
    led: TrainingJob | None = None
    """The training whose keys were given the focus."""
    drawn: JobView | None = None
    judged: TrainingJob | Snapshot | None = None
    """The training that the truth is of, or the save that is to go on."""
    truth: ExactHistory
    drawn_truth: Mapping[int, ExactResults] | None = None
    seeking: Worker[None] | None = None
    """What finds the truth out."""
    sought: Snapshot | None = None
    """The snapshot whose truth was sought last, and when."""
    sought_at = 0.0

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with Vertical(id="train-left"):
                yield TrainForm(self.lab.game)
                with Horizontal(id="train-buttons"):
                    yield Button("Start", variant="primary", id="start", compact=True)
                    yield Button("Pause", id="pause", compact=True, disabled=True)
                    yield Button("Stop", id="stop", compact=True, disabled=True)
                yield Steady(id="train-state")
                yield Steady(id="train-board")
            yield TrainingView(id="train-right")

    def open_up(self) -> None:
        super().open_up()
        self.propose_name()
        self.show_idle()
        self.warm_up(self.lab.game)

    def screen_view(self) -> ScreenView:
        try:
            setup = self.query_one(TrainForm).setup()
        except BadText:
            return super().screen_view()
        rounds = counted_noun(setup.rounds, setup.learner.spec.round_noun)
        return replace(super().screen_view(), form=f"{setup.learner.spec.title}, {rounds}")

    def action_pause(self) -> None:
        job = self.lab.job
        if job is not None and job.running:
            (job.resume if job.paused else job.pause)()

    @on(Button.Pressed, "#pause")
    def pause_pressed(self) -> None:
        self.action_pause()

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

    def action_figure(self) -> None:
        self.query_one(TrainingView).turn()
        self.drawn = None
        self.poll()
        self.call_after_refresh(self.focus_figure)

    def action_side(self) -> None:
        """Show the truth of the other side."""
        self.query_one(TrainingView).turn_side()
        self.drawn = None
        self.poll()

    def focus_figure(self) -> None:
        """Let the keys go to the figure that has a cursor, if there is one."""
        for figure in (self.query_one(Wall), self.query_one(StrandView)):
            if figure.region.height:
                figure.focus()

    @on(TrainForm.PaceChosen)
    def pace_chosen(self, message: TrainForm.PaceChosen) -> None:
        if self.lab.job is not None:
            self.lab.job.set_pace(message.pace)

    def show_idle(self) -> None:
        """Nothing trains yet."""
        form = self.query_one(TrainForm)
        if self.continued is None:
            self.drawn = self.judged = None
            self.query_one(TrainingView).introduce(form.learner, form.game)
        else:
            self.show_rest(self.continued, form.game)
        if self.compiling:
            line = "Getting the game loop ready …"
        elif self.continued is not None:
            kind = parse_learner(self.continued.learner)
            rounds = self.continued.stats[kind.spec.round_statistic]
            told = counted_noun(rounds, kind.spec.round_noun)
            line = f"Goes on from {told}: press g or Start. Escape: a new training."
        else:
            line = "Press g or Start."
        ready = "\n".join(f"{key} {name}" for key, name in READY_KEYS)
        for name, text in (("state", line), ("board", "" if self.continued is not None else f"Or at once:\n{ready}")):
            self.query_one(f"#train-{name}", Steady).tell(Text(text, "dim"))

    def show_rest(self, snapshot: Snapshot, game: Game) -> None:
        """Show what is to go on as it is."""
        drawn = self.drawn
        if drawn is None or drawn.snapshot is not snapshot:
            drawn = JobView(JobState.STARTING, 0, 0, 0.0, snapshot, snapshot.stats)
        self.seek_truth(snapshot, drawn)
        if drawn is not self.drawn or self.truth.known is not self.drawn_truth:
            self.drawn, self.drawn_truth = drawn, self.truth.known
            self.query_one(TrainingView).show(drawn, game, 0.0, self.truth.known)

    def poll(self) -> None:
        super().poll()
        if not self.is_current:
            return
        job = self.lab.job
        if job is None:
            self.show_idle()
            return
        view = job.view
        self.seek_truth(job, view)
        if view is not self.drawn or self.truth.known is not self.drawn_truth:
            self.drawn, self.drawn_truth = view, self.truth.known
            self.draw(job, view)
        if view.state.over and self.ended is not job:
            self.ended, self.continued = job, None
            self.propose_name()

    def seek_truth(self, whose: TrainingJob | Snapshot, view: JobView) -> None:
        """Have the newest snapshot judged, unless one is at that moment, or was a moment ago."""
        if whose is not self.judged:
            self.judged, self.truth, self.sought = whose, ExactHistory(), None
            self.query_one(TrainingView).begin()
        busy = self.seeking is not None and not self.seeking.is_finished
        resting = view.state is JobState.RUNNING and monotonic() - self.sought_at < TRUTH_PAUSE
        if not busy and not resting and view.snapshot is not self.sought:
            self.sought, self.sought_at = view.snapshot, monotonic()
            self.seeking = self.find_truth(self.truth, view.snapshot)

    @work(thread=True, exclusive=True, group="truth", exit_on_error=False)
    def find_truth(self, truth: ExactHistory, snapshot: Snapshot) -> None:
        worker = get_current_worker()
        truth.find(snapshot, lambda: worker.is_cancelled)

    def draw(self, job: TrainingJob, view: JobView) -> None:
        """Bring every part up to one moment of the job."""
        game = job.game
        form = self.query_one(TrainForm)
        form.freeze(locked=job.running)
        for name, on_ in (("start", not job.running), ("pause", job.running), ("stop", job.running)):
            self.query_one(f"#{name}", Button).disabled = not on_
        if job.running and job is not self.led:
            self.led = job
            self.query_one("#pause", Button).focus()
        self.query_one("#pause", Button).label = "Go on" if view.state is JobState.PAUSED else "Pause"
        self.query_one("#train-state", Steady).tell(self._state(job, view))
        self.query_one(TrainingView).show(view, game, self.lab.rate.per_second, self.truth.known)
        self._draw_board(game, view)

    def resized(self) -> None:
        super().resized()
        self.drawn = None
        self.poll()

    def _state(self, job: TrainingJob, view: JobView) -> Text:
        name = plain(job.name, 30)
        kept = f"kept as {name}" if view.done else "nothing was learned yet"
        words = {
            JobState.STARTING: "Getting the game loop ready …",
            JobState.RUNNING: "Training",
            JobState.PAUSED: f"Paused; {kept}",
            JobState.FINISHED: f"{self._ended(view)}; {kept}",
            JobState.STOPPED: f"Stopped; {kept}",
            JobState.FAILED: "Failed",
        }
        if error := view.error or (job.save_error and f"Not saved: {job.save_error}"):
            return Text(plain(error, 300), "bold red")
        return Text(words[view.state])

    @staticmethod
    def _ended(view: JobView) -> str:
        kind = parse_learner(view.snapshot.learner)
        rounds = view.snapshot.stats[kind.spec.round_statistic]
        return f"Perfect after {counted_noun(rounds, kind.spec.round_noun)}" if view.perfect else "Finished"

    def _draw_board(self, game: Game, view: JobView) -> None:
        board = self.query_one("#train-board", Steady)
        if not parse_learner(view.snapshot.learner).spec.learns_records:  # it has no last game
            board.tell("")
            return
        position = game.start
        for move in view.moves:
            position = game.play(position, move)
        games = view.snapshot.stats["games"]
        caption = f"game {games:,}" if view.moves or view.resigned else ""
        if view.resigned:
            caption += f": {game.mark(game.side(position))} resigns"
        board.tell(lines_of([Tile(game, position, {}, caption)], 28, palette_of(self)))
