"""The half of Train that sets a training up: its name, its learner, the save it goes on from; and starts it."""

import dataclasses
from contextlib import suppress

from textual import on, work
from textual.widgets import Button
from textual.worker import get_current_worker

from engine.game import BadText, Game
from engine.space import TooLarge
from lab.board.session import Seating
from lab.training.setup import READY_MADE, ReadyMade, Setup, seating_of
from lab.training.training_job import Pace, TrainingJob
from learners import LEARNERS
from learners.core.learner import PERSON, Learner
from learners.core.snapshot import Snapshot
from saves.errors import LibraryError, NameTaken
from tui.shell.requests import PlayAgainst
from tui.shell.screen import LabScreen
from tui.train.train_form import TrainForm


class StartingScreen(LabScreen):
    """Starts what its form says. A subclass shows it."""

    continued: Snapshot | None = None
    """The save that the next training goes on from."""
    compiling = False

    def show_idle(self) -> None:
        """Show that nothing trains yet."""
        raise NotImplementedError

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
        self.find_name(self.query_one(TrainForm).learner.spec.name)

    @work(thread=True, exclusive=True, group="name", exit_on_error=False)
    def find_name(self, name: str) -> None:
        try:
            name = self.lab.library.free_name(name)
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, f"{error}. Training works, but nothing can be kept.")
        self.app.call_from_thread(self.offer_name, name)

    def offer_name(self, name: str) -> None:
        if self.continued is None:
            self.query_one(TrainForm).propose_name(name)

    def go_on_from(self, name: str, snapshot: Snapshot) -> None:
        """Set the form so that the next training continues a save."""
        if not self.lab.may_replace_training():
            return
        self.continued = snapshot
        self.lab.job = None
        form = self.query_one(TrainForm)
        form.freeze(locked=False)
        form.fill(snapshot, name)
        form.freeze(locked=True, continued=True)
        self.show_idle()
        self.go_home()

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
        if setup.opponent == PERSON or self.lab.may_replace_training():
            form.complain("")
            self.begin(setup, self.continued, form.pace)

    def action_ready_made(self, key: int) -> None:
        """Start one of the trainings that are ready made."""
        ready = READY_MADE[key - 1]
        if ready.opponent == PERSON or self.lab.may_replace_training():
            self.prepare(ready)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def prepare(self, ready: ReadyMade) -> None:
        """Find a free name for a training that is ready made."""
        try:
            name = self.lab.library.free_name(ready.learner.spec.name)
        except LibraryError:
            name = ready.learner.spec.name  # told when the screen opened
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self.begin_ready_made, ready.setup(name))

    def begin_ready_made(self, setup: Setup) -> None:
        form = self.query_one(TrainForm)
        if setup.opponent != PERSON:  # who plays beside whatever trains
            self.continued = None
            form.freeze(locked=False)
            form.show(setup)
        form.complain("")
        self.begin(setup, None, form.pace)

    @work(thread=True, exclusive=True, group="start", exit_on_error=False)
    def begin(self, setup: Setup, continued: Snapshot | None, pace: Pace) -> None:
        """Make the learner, see that the name is free unless its save is continued, and start."""
        library, form = self.lab.library, self.query_one(TrainForm)
        stamp = None
        if continued is not None:
            with suppress(LibraryError):  # it may have learned at the board since it was chosen
                stamp = library.stamp(setup.name)
                continued = library.load(setup.name)
        try:
            learner = setup.learner_for(library, continued)
        except (BadText, LibraryError, TooLarge) as error:
            self.app.call_from_thread(form.complain, str(error))
            return
        try:
            free = setup.name if continued is not None else library.free_name(setup.name)
        except LibraryError:
            free = setup.name  # told when the screen opened, and again when it is to be kept
        if free != setup.name:
            self.app.call_from_thread(form.complain, f"{setup.name} is taken. {free} is free.")
            return
        if setup.opponent == PERSON:
            self.take_to_the_board(learner, setup.name, replace=continued is not None)
            return

        def keep(snapshot: Snapshot) -> None:
            nonlocal stamp
            try:
                stamp = library.save(job.name, snapshot, replace=stamp is not None, since=stamp)
            except NameTaken:  # or changed, by another program since this training began
                job.name = library.free_name(job.name)
                stamp = library.save(job.name, snapshot)

        job = TrainingJob(learner, setup.rounds, setup.name, pace, keep)
        if not get_current_worker().is_cancelled:  # Start was pressed once more
            self.app.call_from_thread(self.lab.train, job)

    def take_to_the_board(self, learner: Learner, name: str, *, replace: bool) -> None:
        """Keep a learner that a person is to teach, and let them play. Runs in a thread."""
        try:
            self.lab.library.save(name, learner.snapshot(), replace=replace)
        except LibraryError as error:
            self.app.call_from_thread(self.query_one(TrainForm).complain, str(error))
        else:
            self.app.call_from_thread(self.play_with, dataclasses.replace(seating_of(learner, name), learning=True))

    @work(exit_on_error=False)
    async def play_with(self, seating: Seating) -> None:
        if self.lab.job is None or not self.lab.job.running:
            self.continued = None
            self.query_one(TrainForm).freeze(locked=False)
            self.propose_name()
        await self.lab.carry_out(PlayAgainst(seating))
