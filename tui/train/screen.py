"""Train: set a learner up, watch it learn, and keep what it learned. Leaving the screen does not stop the training."""

from collections.abc import Iterable
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
from lab.tour.screen_view import Sight
from lab.training.setup import READY_MADE
from lab.training.training_job import JobState, JobView, TrainingJob
from lab.training.training_story import TrainingStory
from lab.words.numbers import rounds_text, short_count
from lab.words.sanitise import plain
from learners import parse_learner, revive
from learners.core.learner import Learner
from learners.core.snapshot import ITSELF, Snapshot
from saves.errors import LibraryError
from tui.shell.live_text import Steady
from tui.shell.requests import OpenMemory
from tui.train.start_screen import StartingScreen
from tui.train.story_list import StoryList
from tui.train.train_form import TrainForm
from tui.train.training_view import TrainingView
from tui.widgets.strand_view import StrandView
from tui.widgets.wall import Wall

READY: Final = Binding.Group("Ready made", compact=True)
READY_KEYS: Final = tuple((key, ready.title) for key, ready in enumerate(READY_MADE, 1))
"""The trainings that are ready made, by their keys."""
STORY_PAUSE: Final = 0.5
"""Seconds between two updates of the story of a running training."""


class TrainScreen(StartingScreen):
    mode = "train"
    home = "#start"
    HELP = f"""\
# Train

Choose what learns, by which preset of rules, whom it trains against and for how many games or generations, and press
**Start**. Under `set` single rules can be changed, as in `pick=rounded`. The training is kept in the library under its
name: when it ends, when you pause or stop it, and when you quit. It goes on while you look at other screens. Against
**a person** it learns at the board, from the games that you play with it.

The curves show in how many games the learner loses, computed exactly and not played: to perfect play, to random play,
and to **one who knows it by heart**, the opponent that knows how it plays and makes it lose as often as possible. **o**
shows its other side. Below, the turning points are listed with their games: **Enter** on one opens the memory at that
moment. **f** shows the next figure: exact results, what it has learned, what changed last, and how its memory grew.

At the usual pace a training takes about 20 seconds: you see the first games one by one, then tens, thousands and
millions. **>** is faster, up to full speed; **<** is slower, down to single moves. **e** opens the form again.
A population is shown by the genome of its champion; its training ends when it is perfect.

Some trainings are ready made and start by one key: {", ".join(f"**{key}** {name}" for key, name in READY_KEYS)}.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "start", "Start"),
        Binding("space", "pause", "Pause"),
        Binding("full_stop", "step", "One step", key_display="."),
        Binding("x", "stop", "Stop"),
        Binding("s", "save", "Save"),
        Binding("e", "change", "Change"),
        Binding("f", "figure", "Figure"),
        Binding("o", "side", "Other side", show=False),
        Binding("greater_than_sign", "faster(1)", "Faster", key_display=">", show=False),
        Binding("less_than_sign", "faster(-1)", "Slower", key_display="<", show=False),
        *(Binding(str(key), f"ready_made({key})", name, group=READY) for key, name in READY_KEYS),
        Binding("escape", "begin_anew", "A new training", show=False),
    ]

    ended: TrainingJob | None = None
    """The training whose end was dealt with."""
    led: TrainingJob | None = None
    """The training whose keys were given the focus."""
    drawn: JobView | None = None
    followed: TrainingJob | Snapshot | None = None
    """The training whose story is followed, or the save that is to go on."""
    story: TrainingStory
    drawn_story: tuple[object, object] = ((), ())
    """The moments and turning points that were drawn last."""
    following: Worker[None] | None = None
    """What brings the story up to date."""
    story_snapshot: Snapshot | None = None
    """The snapshot that the story was brought up to last, and when."""
    story_at = 0.0
    open_form = True
    """Whether the form is open beside a training."""
    ghost_of: tuple[str, str] = ("", "")
    """The learner and the game of the earlier training whose curves are shown."""

    def body(self) -> Iterable[Widget]:
        with Vertical(id="train"):
            with Horizontal(id="train-head"):
                yield Steady(id="train-setup")
                yield Button("Start", variant="primary", id="start", compact=True)
                yield Button("Pause", id="pause", compact=True)
                yield Button("Stop", id="stop", compact=True)
                yield Button("Change", id="change", compact=True)
            yield Steady(id="train-state")
            with Horizontal(id="train-body"):
                with Vertical(id="train-left"):
                    yield TrainForm(self.lab.game)
                    yield Steady(id="train-ready")
                yield TrainingView(id="train-right")

    def open_up(self) -> None:
        super().open_up()
        self.propose_name()
        self.show_idle()
        self.warm_up(self.lab.game)

    def sight(self) -> Sight:
        try:
            setup = self.query_one(TrainForm).setup()
        except BadText:
            return super().sight()
        rounds = rounds_text(setup.rounds, setup.learner.round_noun, short=False)
        return replace(super().sight(), form=f"{setup.learner.title}, {rounds}")

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

    def action_change(self) -> None:
        """Open the form beside a training, or close it."""
        if self.lab.job is not None:
            self.open_form = not self.open_form
            self.fold()
            if self.open_form:
                self.query_one("#form-pace" if self.lab.job.running else "#form-learner").focus()
            self.redraw_training()

    @on(Button.Pressed, "#change")
    def change_pressed(self) -> None:
        self.action_change()

    def fold(self) -> None:
        """Close the form while a training is watched; show the buttons that do something now."""
        job = self.lab.job
        self.query_one("#train").set_class(job is not None and not self.open_form, "-folded")
        running = job is not None and job.running
        for name, shown in (("start", not running), ("pause", running), ("stop", running), ("change", job is not None)):
            self.query_one(f"#{name}", Button).display = shown
        self.query_one("#change", Button).label = "Close" if self.open_form else "Change"

    def redraw_training(self) -> None:
        """Draw the training again, though nothing has changed in it."""
        self.drawn = None
        self.call_after_refresh(self.poll)

    def action_figure(self) -> None:
        self.query_one(TrainingView).turn()
        self.drawn = None
        self.poll()
        self.call_after_refresh(self.focus_figure)

    def action_side(self) -> None:
        """Show the losses of the other side."""
        self.query_one(TrainingView).turn_side()
        self.drawn = None
        self.poll()

    def action_faster(self, steps: int) -> None:
        """Choose the next faster pace, or with a negative number a slower one."""
        self.query_one(TrainForm).change_pace(steps)

    @on(StoryList.Chosen)
    @work(exit_on_error=False)
    async def open_turning_point(self, message: StoryList.Chosen) -> None:
        """Open what was learned, at the moment of a turning point."""
        job = self.lab.job
        if job is None:
            return
        job.keep_now()
        await self.request(OpenMemory(job.name, rounds=message.point.rounds))

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
        """Show what is about to be trained."""
        form = self.query_one(TrainForm)
        self.open_form = True
        self.fold()
        if self.continued is None:
            self.drawn = self.followed = None
            self.show_ghost(form.learner, form.game)
        else:
            self.show_rest(self.continued, form.game)
        if self.compiling:
            line = "Getting the game loop ready …"
        elif self.continued is not None:
            kind = parse_learner(self.continued.learner)
            rounds = self.continued.stats[kind.counted]
            told = rounds_text(rounds, kind.round_noun, short=False)
            line = f"Goes on from {told}: press g or Start. Escape: a new training."
        else:
            line = "Press g or Start."
        ready = "\n".join(f"{key} {name}" for key, name in READY_KEYS)
        self.query_one("#train-state", Steady).tell(Text(line, "dim"))
        self.query_one("#train-setup", Steady).tell(Text("A new training", "bold"))
        at_once = "" if self.continued is not None else f"Or start at once:\n{ready}"
        self.query_one("#train-ready", Steady).tell(Text(at_once, "dim"))

    def show_ghost(self, kind: type[Learner], game: Game) -> None:
        """Show the curves of an earlier training of this learner, once they are known."""
        wanted = kind.name, game.name
        if wanted != self.ghost_of and game.numbered:
            self.ghost_of = wanted
            learner = kind(game, (kind.presets_for(game) or [*kind.presets])[0], seed=0)
            self.query_one(TrainingView).show_ghost(learner, {}, "")
            self.find_ghost(kind, game)

    @work(thread=True, exclusive=True, group="ghost", exit_on_error=False)
    def find_ghost(self, kind: type[Learner], game: Game) -> None:
        """Judge the newest save of this learner and game, own saves first."""
        worker = get_current_worker()
        try:
            entries = [
                entry for entry in self.lab.library.entries() if (entry.learner, entry.game) == (kind.name, game.name)
            ]
            if not entries:
                return
            snapshot, story = self.lab.library.load(entries[0].name), TrainingStory()
            story.update_moments(snapshot, lambda: worker.is_cancelled)
            learner = revive(replace(snapshot, bulk=b""), game)
        except (BadText, LibraryError, TooLarge):
            return  # a save that cannot be read has no curves to show: Library says why
        if not worker.is_cancelled:
            self.app.call_from_thread(self.ghost_found, (kind.name, game.name), learner, story, entries[0].name)

    def ghost_found(self, wanted: tuple[str, str], learner: Learner, story: TrainingStory, name: str) -> None:
        """Draw the curves of an earlier training, if they are still wanted."""
        if wanted == self.ghost_of:
            self.query_one(TrainingView).show_ghost(learner, story.known, plain(name, 30))
            if self.lab.job is not None:
                self.redraw_training()

    def show_rest(self, snapshot: Snapshot, game: Game) -> None:
        """Show a save that is to go on, as it is."""
        drawn = self.drawn
        if drawn is None or drawn.snapshot is not snapshot:
            drawn = JobView(JobState.STARTING, 0, 0, 0.0, snapshot, snapshot.stats)
        self.follow(snapshot, drawn)
        if drawn is not self.drawn or self.story_is_new:
            self.drawn, self.drawn_story = drawn, (self.story.moments, self.story.points)
            self.query_one(TrainingView).show(drawn, game, 0.0, self.story)

    @property
    def story_is_new(self) -> bool:
        """Whether the story has changed since it was drawn."""
        moments, points = self.drawn_story
        return self.story.moments is not moments or self.story.points is not points

    def poll(self) -> None:
        super().poll()
        if not self.is_current:
            return
        job = self.lab.job
        if job is None:
            self.show_idle()
            return
        view = job.view
        self.follow(job, view)
        if view is not self.drawn or self.story_is_new:
            self.drawn, self.drawn_story = view, (self.story.moments, self.story.points)
            self.draw(job, view)
        if view.state.over and self.ended is not job:
            self.ended, self.continued = job, None
            self.propose_name()

    def follow(self, whose: TrainingJob | Snapshot, view: JobView) -> None:
        """Bring the story up to the newest snapshot, unless that is under way or was done a moment ago."""
        if whose is not self.followed:
            self.followed, self.story, self.story_snapshot = whose, TrainingStory(), None
            self.open_form = isinstance(whose, Snapshot)
            self.fold()
            self.query_one(TrainingView).begin()
        busy = self.following is not None and not self.following.is_finished
        resting = view.state is JobState.RUNNING and monotonic() - self.story_at < STORY_PAUSE
        if not busy and not resting and view.snapshot is not self.story_snapshot:
            self.story_snapshot, self.story_at = view.snapshot, monotonic()
            self.following = self.update_story(self.story, view.snapshot)

    @work(thread=True, exclusive=True, group="story", exit_on_error=False)
    def update_story(self, story: TrainingStory, snapshot: Snapshot) -> None:
        worker = get_current_worker()
        story.update(snapshot, lambda: worker.is_cancelled)

    def draw(self, job: TrainingJob, view: JobView) -> None:
        """Bring every part up to one moment of the job."""
        game = job.game
        form = self.query_one(TrainForm)
        form.freeze(locked=job.running)
        self.fold()
        if job.running and job is not self.led:
            self.led = job
            self.query_one("#pause", Button).focus()
        self.query_one("#pause", Button).label = "Go on" if view.state is JobState.PAUSED else "Pause"
        self.query_one("#train-state", Steady).tell(self._state(job, view))
        self.query_one("#train-setup", Steady).tell(self._setup(job, view))
        self.query_one(TrainingView).show(view, game, self.lab.rate.per_second, self.story)

    @staticmethod
    def _setup(job: TrainingJob, view: JobView) -> Text:
        """What is trained, in one line."""
        kind, snapshot = parse_learner(view.snapshot.learner), view.snapshot
        whom = "itself" if snapshot.opponent == ITSELF else plain(snapshot.opponent, 30)
        done = kind.round_noun + "s"
        rounds = f"{short_count(view.done)} of {short_count(view.total)} {done}"
        return Text.assemble(
            (kind.title, "bold"), f" · {job.game.title} · {snapshot.preset} · {whom}   {rounds}", no_wrap=True
        )

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
        if view.error or job.trouble:
            return Text(plain(view.error or job.trouble, 300), "bold red")
        return Text(words[view.state])

    @staticmethod
    def _ended(view: JobView) -> str:
        kind = parse_learner(view.snapshot.learner)
        rounds = view.snapshot.stats[kind.counted]
        return f"Perfect after {rounds_text(rounds, kind.round_noun, short=False)}" if view.perfect else "Finished"
