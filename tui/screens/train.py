"""Train: set a learner up, watch it learn, and keep what it learned. Leaving the screen does not stop the training."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button, Static
from textual.worker import get_current_worker

from engine.game import BadText, Game
from engine.space import TooLarge
from learners import LEARNERS, revive
from learners.learner import Snapshot
from saves.errors import LibraryError, NameTaken
from tui.figures import count_text
from tui.jobs import JobState, JobView, Pace, TrainingJob
from tui.safe import plain
from tui.screens.lab import LabScreen
from tui.widgets.palette import palette_of
from tui.widgets.tiles import Tile, lines_of
from tui.widgets.train_form import Setup, TrainForm
from tui.widgets.training_view import TrainingView


class TrainScreen(LabScreen):
    mode = "train"
    home = "#start"
    HELP = """\
# Train

Choose what learns and how many games it plays against itself, and press **Start**. The training is kept in the library
under its name: when it ends, when you pause or stop it, and when you quit. It goes on while you look at other screens.

The figures are those of Riechel's paper: games, draws, wins, the failures avoided (moves passed over because they are
recorded) and the failures recorded. The charts are its Figures 2 and 4. Below are the newest failures: the position,
and `!` on the move that failed.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "start", "Start"),
        Binding("space", "pause", "Pause"),
        Binding("full_stop", "step", "One game", key_display="."),
        Binding("x", "stop", "Stop"),
        Binding("s", "save", "Save"),
        Binding("f", "figure", "Figure"),
        Binding("escape", "begin_anew", "A new training", show=False),
    ]

    continued: Snapshot | None = None
    """The save that the next training goes on from."""
    ended: TrainingJob | None = None
    """The training whose end was dealt with."""
    led: TrainingJob | None = None
    """The training whose keys were given the focus."""
    drawn: JobView | None = None
    compiling = False

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with Vertical(id="train-left"):
                yield TrainForm(self.lab.game)
                with Horizontal(id="train-buttons"):
                    yield Button("Start", variant="primary", id="start", compact=True)
                    yield Button("Pause", id="pause", compact=True, disabled=True)
                    yield Button("Stop", id="stop", compact=True, disabled=True)
                yield Static("", id="train-state", markup=False)
                yield Static("", id="train-board", markup=False)
            yield TrainingView(id="train-right")

    def on_mount(self) -> None:
        super().on_mount()
        self.propose_name()
        self.query_one("#start").focus()
        self.show_idle()
        self.warm_up(self.lab.game)

    @work(thread=True, exclusive=True, group="warm-up", exit_on_error=False)
    def warm_up(self, game: Game) -> None:
        """Compile the kernels, or load them from their cache, before they are needed."""
        self.compiling = True
        try:
            for kind in LEARNERS:
                kind(game, next(iter(kind.presets)), seed=0).train(1)
        finally:
            self.compiling = False

    @work(thread=True, exclusive=True, group="name", exit_on_error=False)
    def propose_name(self) -> None:
        try:
            name = self.lab.library.free_name(LEARNERS[0].name)
        except LibraryError as error:
            name = LEARNERS[0].name
            self.app.call_from_thread(self.lab.warn, f"{error}. Training works, but nothing can be kept.")
        self.app.call_from_thread(self.offer_name, name)

    def offer_name(self, name: str) -> None:
        if self.continued is None:
            self.query_one(TrainForm).fill_name(name)

    def go_on_from(self, name: str, snapshot: Snapshot) -> None:
        """Set the form so that the next training continues a save."""
        if not self.lab.may_replace_training():
            return
        self.continued = snapshot
        self.lab.job = None
        form = self.query_one(TrainForm)
        form.freeze(locked=False)
        form.fill(snapshot, name)
        form.freeze(locked=True, games_too=False)
        self.show_idle()
        self.query_one("#start").focus()

    def action_begin_anew(self) -> None:
        """Train from nothing, not on from a save."""
        if self.continued is not None and self.lab.job is None:
            self.continued = None
            self.query_one(TrainForm).freeze(locked=False)
            self.propose_name()

    @on(Button.Pressed, "#start")
    @on(TrainForm.Submitted)
    def action_start(self) -> None:
        form = self.query_one(TrainForm)
        if self.lab.job is not None and self.lab.job.running:
            self.lab.job.resume()
            return
        try:
            setup = form.setup()
        except BadText as error:
            form.complain(str(error))
            return
        if self.lab.may_replace_training():
            form.complain("")
            self.begin(setup, self.continued, form.pace)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def begin(self, setup: Setup, continued: Snapshot | None, pace: Pace) -> None:
        """Make the learner, see that the name is free unless its save is continued, and start."""
        library, form = self.lab.library, self.query_one(TrainForm)
        try:
            learner = revive(continued, setup.game) if continued is not None else setup.new_learner()
        except (BadText, TooLarge) as error:
            self.app.call_from_thread(form.complain, str(error))
            return
        try:
            free = setup.name if continued is not None else library.free_name(setup.name)
        except LibraryError:
            free = setup.name  # told when the screen opened, and again when it is to be kept
        if free != setup.name:
            self.app.call_from_thread(form.complain, f"{setup.name} is taken. {free} is free.")
            return
        saved = continued is not None

        def keep(snapshot: Snapshot) -> None:
            nonlocal saved
            try:
                library.save(job.name, snapshot, replace=saved)
            except NameTaken:  # by another program, since this training began
                job.name = library.free_name(job.name)
                library.save(job.name, snapshot)
            saved = True

        job = TrainingJob(learner, setup.games, setup.name, pace, keep)
        if not get_current_worker().is_cancelled:  # Start was pressed once more
            self.app.call_from_thread(self.lab.train, job)

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
        job.keep_now()
        self.drawn = None
        if job.trouble:
            self.app.call_from_thread(self.lab.warn, job.trouble)
        else:
            self.app.call_from_thread(self.app.notify, f"Kept as {plain(job.name)}.", markup=False)

    def action_figure(self) -> None:
        self.query_one(TrainingView).turn()
        self.drawn = None

    @on(TrainForm.PaceChosen)
    def pace_chosen(self, message: TrainForm.PaceChosen) -> None:
        if self.lab.job is not None:
            self.lab.job.set_pace(message.pace)

    def show_idle(self) -> None:
        """Nothing trains yet."""
        self.drawn = None
        if self.compiling:
            line = "Getting the game loop ready …"
        elif self.continued is not None:
            games = count_text(self.continued.stats["games"])
            line = f"Goes on from {games} games: press g or Start. Escape: a new training."
        else:
            line = "Press g or Start."
        state = self.query_one("#train-state", Static)
        if str(state.content) != line:
            state.update(Text(line, "dim"))

    def poll(self) -> None:
        super().poll()
        if not self.is_current:
            return
        job = self.lab.job
        if job is None:
            self.show_idle()
            return
        view = job.view
        if view is not self.drawn:
            self.drawn = view
            self.draw(job, view)
        if view.state.over and self.ended is not job:
            self.ended, self.continued = job, None
            self.propose_name()

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
        self.query_one("#train-state", Static).update(self._state(job, view))
        self.query_one(TrainingView).show(view, game, self.lab.rate.per_second)
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
            JobState.FINISHED: f"Finished; {kept}",
            JobState.STOPPED: f"Stopped; {kept}",
            JobState.FAILED: "Failed",
        }
        if view.error or job.trouble:
            return Text(plain(view.error or job.trouble, 300), "bold red")
        return Text(words[view.state])

    def _draw_board(self, game: Game, view: JobView) -> None:
        position = game.start
        for move in view.moves:
            position = game.play(position, move)
        caption = f"game {view.snapshot.stats['games']:,}" if view.moves else ""
        self.query_one("#train-board", Static).update(
            lines_of([Tile(game, position, {}, caption)], 28, palette_of(self))
        )
