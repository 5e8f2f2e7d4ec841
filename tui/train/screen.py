"""Train: set up a training, watch it, and save what was learned. It goes on while other screens are open."""

from asyncio import to_thread
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from textual import on, work
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button

from engine.game import BadText, Game, Position
from engine.plural import counted_noun
from engine.stop import Stop
from lab.board.seating import Seating
from lab.jobs import JobState
from lab.text.sanitise import plain
from lab.training.setup import READY_MADE, Setup
from lab.training.start import begin_training, make_branch, warm_up
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import LOG_TIME, Pace, TrainingJob, TrainingStatus
from learners.core.learner import PERSON
from learners.core.snapshot import Snapshot
from saves.errors import NameTaken
from tui.shell.files import Export
from tui.shell.parts import LiveText, Panel, SizedPanel, entitle
from tui.shell.requests import OpenMemory, PlayAgainst
from tui.shell.screen import LabScreen
from tui.shell.tour_stages import ScreenView
from tui.train.chart_panel import ChartPanel
from tui.train.keys import BINDINGS, HELP
from tui.train.moment import Watch
from tui.train.story import StoryList
from tui.train.train_form import TrainForm
from tui.train.training_head import TrainingHead
from tui.train.training_view import FORM_WIDTH, TrainingView
from tui.widgets.form import Form
from tui.widgets.line_chart import chart_export
from tui.widgets.wall import Wall


class TrainScreen(LabScreen):
    """Shows the form of a training, and once it is started, the training."""

    mode = "train"
    AUTO_FOCUS = "#start"
    HELP = HELP
    BINDINGS = BINDINGS

    def __init__(self) -> None:
        super().__init__()
        self.compiling = False
        self._starts_when_named = False
        """Whether Start was pressed before there was a name to propose: the training starts once there is one."""
        self.form_is_open = True
        """Whether the form is open beside a training."""
        self.watched = Watch()
        self._ended_job: TrainingJob | None = None
        """The training whose end has been handled."""

    @property
    def form(self) -> TrainForm:
        return self.query_one(TrainForm)

    @property
    def running_job(self) -> TrainingJob | None:
        job = self.lab.job
        return job if job is not None and job.running else None

    def body(self) -> Iterable[Widget]:
        with Vertical(id="train"):
            yield TrainingHead(id="train-head", classes="panel")
            with Horizontal(id="train-body"):
                with Vertical(id="train-left", classes="panel"):
                    yield TrainForm(self.lab.game, self.lab.library, self.lab.preference("pace", LOG_TIME.label))
                yield TrainingView(id="train-right")
                with entitle(SizedPanel(id="train-settings", classes="panel"), "What can be set"), Panel():
                    yield LiveText(id="train-set")

    def set_up(self) -> None:
        super().set_up()
        self.form.find_name()
        self.show_changes()
        self.warm_up(self.lab.game)

    def current_export(self) -> Export | None:
        return self.watched.curve() or chart_export(self, "earlier-curve", "An earlier training")

    def screen_view(self) -> ScreenView:
        view = replace(super().screen_view(), losses=self.watched.losses)
        try:
            setup = self.form.setup()
        except BadText:
            return view
        rounds = counted_noun(setup.rounds, setup.learner.spec.round_noun)
        return replace(view, form=f"{setup.learner.spec.title}, {rounds}")

    def ineffective_actions(self) -> frozenset[str]:
        actions = {"pause", "step", "stop"} if self.running_job is None else {"start"}
        if self.lab.job is None:
            actions.add("save")
        if not isinstance(self.watched.source, TrainingJob | Snapshot):
            actions.add("chart")
        return frozenset(actions)

    def key_words(self) -> dict[str, str]:
        job, words = self.running_job, {}
        if self.lab.job is not None and self.form_is_open:
            words["change"] = "Close"
        if job is not None and job.paused:
            words["pause"] = "Resume"
        return words

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Beside a training that runs, only the ready-made training against a person can begin."""
        has_effect = super().check_action(action, parameters)
        if has_effect and action == "ready_made" and self.running_job is not None:
            person_keys = [key for key, ready in enumerate(READY_MADE, 1) if ready.opponent == PERSON]
            return True if parameters[0] in person_keys else None
        return has_effect

    # Setup and start

    @work(thread=True, exclusive=True, group="warm-up", exit_on_error=False)
    def warm_up(self, game: Game) -> None:
        """Compile the kernels, or load them from the cache, before they are needed."""
        self.compiling = True
        try:
            warm_up(game)
        finally:
            self.compiling = False

    @on(Form.Changed)
    def form_changed(self, message: Form.Changed) -> None:
        if message.field == "set":
            self.show_settings()
        elif message.field == "pace":
            self.lab.set_preference("pace", self.form.pace.label)
            if self.lab.job is not None:
                self.lab.job.set_pace(self.form.pace)

    @on(TrainForm.SettingFocused)
    def show_settings(self) -> None:
        """While a setting is written, show what can be set; where the form has no room for that, beside it."""
        self.form.show_hints(running=self.running_job is not None)
        self.query_one("#train-body").set_class(
            self.form.is_writing_settings and not self.has_class("-tall"), "-setting"
        )
        self.fit_form()

    @on(SizedPanel.Sized)
    def fit_form(self) -> None:
        """End the form where the curves end, on a vast screen; fill the panel of settings, if it is shown."""
        panel, curves = self.query_one("#train-settings"), self.query_one("#train-top")
        ends_with_curves = self.has_class("-vast", "-tall") and curves.size.height
        self.query_one("#train-left").styles.height = curves.size.height if ends_with_curves else None
        if panel.size:  # it is shown
            self.query_one("#train-set", LiveText).set_text(self.form.settings_text(panel.content_size.width - 1))

    @on(TrainForm.NameProposed)
    def start_once_named(self) -> None:
        if self._starts_when_named:
            self.action_start()

    def continue_save(self, name: str, snapshot: Snapshot, rounds: int | None = None) -> bool:
        """Prepare to continue a save; return false if another training keeps it from that."""
        if not self.lab.may_replace_training():
            return False
        self.lab.job = None
        self.form.fill_from_save(snapshot, name, rounds)
        self.show_changes()
        self.go_home()
        return True

    def action_leave(self) -> None:
        """Close the form beside a training; without a training, leave the save that is to be continued."""
        if self.lab.job is not None and self.form_is_open:
            self.action_change()
        elif self.lab.job is None and self.form.continued is not None:
            self.form.clear()

    @on(Form.Submitted)
    def start_or_branch(self) -> None:
        """Start a training; if one is running, branch it."""
        job = self.running_job
        if job is None:
            self.action_start()
            return
        setup = self.form.read_setup()
        if setup is not None:
            create = partial(make_branch, job, setup, self.lab.library)
            self.run_in_background("start", lambda _: create(), partial(self.begin_branch, job), self.form.show_error)

    def begin_branch(self, job: TrainingJob, branch: TrainingJob) -> None:
        """Train a copy of the learner with other settings, beside the original."""
        if job is self.lab.job and job.running and job.branch is None:
            job.add_branch(branch)
            self.form_is_open = False
            self.draw()

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        if self.running_job is not None:
            return
        self._starts_when_named = self.form.continued is None and not self.form.has_proposed_name
        if self._starts_when_named:
            return
        setup = self.form.read_setup()
        if setup is not None and (setup.opponent == PERSON or self.lab.may_replace_training()):
            self.begin(setup, self.form.continued, self.form.pace)

    def action_ready_made(self, key: int) -> None:
        ready = READY_MADE[key - 1]
        if ready.opponent != PERSON and not self.lab.may_replace_training():
            return
        usual_name = ready.learner.spec.name

        def begin(name: str) -> None:
            setup = ready.setup(name)
            if setup.opponent != PERSON:  # learning from a person runs beside a training, so the form stays as it is
                self.form.fill_from_setup(setup)
                self.show_changes()  # before the learner is made, which may take a second
            self.form.show_error("")
            self.begin(setup, None, self.form.pace)

        # if no name can be found, this was reported when the screen opened
        find_name = partial(self.lab.library.free_name, usual_name)
        self.run_in_background("start", lambda _: find_name(), begin, lambda _: begin(usual_name))

    def begin(self, setup: Setup, continued: Snapshot | None, pace: Pace) -> None:
        """Create the learner, and train it; or save it, and open Play, where a person teaches it."""

        def create(_: Stop) -> TrainingJob | Seating | NameTaken:
            try:
                return begin_training(setup, self.lab.library, continued, pace)
            except NameTaken as error:
                return error

        def start(result: TrainingJob | Seating | NameTaken) -> None:
            match result:
                case NameTaken():
                    self.form.show_error(result, "name")
                case TrainingJob():
                    self.lab.train(result)
                case Seating():
                    if self.running_job is None:
                        self.form.clear()
                    self.go(PlayAgainst(result))

        self.run_in_background("start", create, start, self.form.show_error)

    # During a training

    @on(Button.Pressed, "#pause")
    def action_pause(self) -> None:
        job = self.running_job
        if job is None:
            return
        if job.paused:
            job.resume()
        else:
            job.pause()
        self.draw()

    def action_step(self) -> None:
        job = self.running_job
        if job is not None:
            job.step()

    @on(Button.Pressed, "#stop")
    def action_stop(self) -> None:
        self.stop_job(self.lab.job)

    @work(thread=True, exclusive=True, group="save", exit_on_error=False)
    def action_save(self) -> None:
        job = self.lab.job
        if job is None:
            return
        job.save_now()
        self.watched.drawn = None
        if job.save_error:
            self.app.call_from_thread(self.lab.warn, f"Not saved: {job.save_error}")
        else:
            self.app.call_from_thread(self.app.notify, f"Saved as {plain(job.name)}.", markup=False)

    def action_faster(self, steps: int) -> None:
        """Choose a pace that is `steps` faster; slower if negative."""
        self.form.change_pace(steps)

    @on(StoryList.Chosen)
    def open_turning_point(self, message: StoryList.Chosen) -> None:
        """Open the memory as it was at the first checkpoint from a turning point on."""
        self.open_memory(rounds=message.line.rounds)

    def action_open_box(self, edge: int) -> None:
        """Open the memory at a box that was clicked."""
        self.open_memory(at=self.query_one(TrainingView).position_of(edge))

    @on(Button.Pressed, "#look")
    def look_inside(self) -> None:
        self.open_memory()

    @work(exit_on_error=False)
    async def open_memory(self, at: Position | None = None, rounds: int | None = None) -> None:
        job = self.lab.job
        if job is not None:
            await to_thread(job.save_now)
            await self.request(OpenMemory(job.name, at, rounds))

    # Drawing

    @on(Button.Pressed, "#change")
    def action_change(self) -> None:
        """Open or close the form beside a training; without a training, focus the field for settings."""
        if self.lab.job is None:
            self.set_focus(self.form.fields["set"])
        else:
            self.form_is_open = not self.form_is_open
            self.show_form()
            if self.form_is_open:
                self.set_focus(self.form.fields["set" if self.running_job else "learner"])  # before the next key
            self.call_after_refresh(self.draw)

    def show_form(self) -> None:
        """Show or hide the form, and show the buttons that have an effect now."""
        job = self.lab.job
        train, is_folded = self.query_one("#train"), job is not None and not self.form_is_open
        if is_folded != train.has_class("-folded"):
            train.set_class(is_folded, "-folded")
            self.query_one(TrainingView).arrange_for(self.size.width - (0 if is_folded else FORM_WIDTH))
        panel = self.query_one("#train-left")
        if self.running_job is None:
            entitle(panel, "What to train")
        else:
            entitle(panel, "Change a rule", "Enter branches")
        self.query_one(TrainingHead).show_buttons(job, form_is_open=self.form_is_open)
        self.key_state = self.ineffective_actions(), self.key_words()

    def draw(self) -> None:
        """Draw the training, or before a training what is known, even if nothing has changed."""
        self.watched.drawn = None
        if self.lab.job is None:
            self.query_one(TrainingView).draw_again()
        self.poll()

    def action_chart(self) -> None:
        self.query_one(ChartPanel).show_next_chart()
        self.draw()
        self.call_after_refresh(self.focus_chart)

    def focus_chart(self) -> None:
        """Focus a visible chart that has a cursor, if there is one."""
        for chart in (self.query_one(StoryList), self.query_one(Wall)):
            if chart.region.height:
                chart.focus()

    def action_side(self) -> None:
        self.query_one(ChartPanel).show_other_side()
        self.draw()

    def action_opponent(self) -> None:
        """Show the losses of a training and its branch to the next opponent."""
        self.query_one(ChartPanel).show_next_opponent()
        self.draw()

    def show_changes(self) -> None:
        job = self.lab.job
        if job is None:
            self._show_preparation()
            return
        self.show_moment(job, job.view)
        if not job.running and self._ended_job is not job:
            self._ended_job, self.form.continued = job, None
            self.form.find_name()
            if self.focused is None or self.query_one(TrainingHead).has_focus_within:
                self.set_focus(self.query_one("#look" if job.view.done else "#start"))

    def _show_preparation(self) -> None:
        """Show what is known before a training: of the save to be continued, or else of the learner."""
        self.form_is_open = True
        self.show_form()
        continued = self.form.continued
        if continued is None:
            kind, game = self.form.learner, self.form.game
            if (kind, game) != self.watched.source and kind.spec.fits(game):
                self.begin_watching(Watch((kind, game)))
                learner = kind(game, kind.spec.usual_preset(game), seed=0)
                self.query_one(TrainingView).introduce(learner, self.lab.library)
        else:
            view = self.watched.drawn
            if view is None or view.snapshot is not continued:
                stats_before = dict.fromkeys(continued.stats, 0)  # so that all its games count
                view = TrainingStatus(JobState.STARTING, 0, 0, 0.0, continued, stats_before)
            self.show_moment(continued, view)
        self.query_one(TrainingHead).invite(self.form.about, continued, compiling=self.compiling)
        self.form.show_hints(running=False)

    def begin_watching(self, watched: Watch) -> None:
        """Forget what was shown before."""
        self.watched.cancel()
        self.watched = watched

    def show_moment(self, source: TrainingJob | Snapshot, view: TrainingStatus) -> None:
        """Draw a training, or the save to be continued, as it is now, if anything has changed."""
        job = source if isinstance(source, TrainingJob) else None
        if source is not self.watched.source:
            self.begin_watching(Watch(source))
            self.form_is_open = job is None
            self.show_form()
            self.query_one(TrainingView).begin(taught=isinstance(job, TeachingJob))
            if self.running_job is not None:
                self.query_one("#pause", Button).focus()
        moment = self.watched.moment(self, view)
        if moment is None:
            return
        if job is not None:
            self.form.lock_fields(locked=job.running)
            self.show_form()
            self.form.show_hints(running=job.running)
        self.query_one(TrainingHead).show(job, view, moment.learner, self.lab.rate.per_second)
        self.query_one(TrainingView).show(moment)
