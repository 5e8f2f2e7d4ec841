"""Sweep: many machines at each point of a grid of two settings, and where in the grid they learn best.

The screen is opened over Race. A sweep goes on while other screens are open.
"""

from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget

from engine.game import BadText, Game
from engine.stop import Stop
from lab.jobs import JobState
from lab.sweep.findings import Cell, Findings, entrants_of, race_games, race_seeds, setup_of
from lab.sweep.setup import file_stem
from lab.sweep.sweep_job import SweepJob
from lab.sweep.sweep_text import learners_text
from lab.text.sanitise import plain
from lab.training.start import make_job, prepare, warm_up
from lab.training.training_job import FULL_SPEED, TrainingJob
from lab.training.training_story import Ghost, find_ghost, untrained_ghost
from learners.core.learner import Learner
from learners.sweep.definition import Definition
from saves.errors import LibraryError
from saves.sweeps.table import new_table, sweep_folder
from tui.shell.files import Export
from tui.shell.parts import entitle, fitting_text
from tui.shell.requests import PrepareRace
from tui.sweep.dialogs import OpenDialog, keep_dialog
from tui.sweep.sweep_form import VIEW_FIELDS, SweepForm
from tui.sweep.sweep_map import SweepMap
from tui.sweep.sweep_view import SweepView, proposed_name, state_text, training_text
from tui.widgets.chart_screen import CHART_KEYS, ChartScreen
from tui.widgets.form import Form, LearnerForm


class SweepScreen(ChartScreen):
    """Shows the form of a sweep on the left, and its results on the right."""

    mode = "race"
    prefix = "sweep"
    TITLES: ClassVar = {
        "start": "Start",
        "stop": "Stop",
        "race": "Race",
        "save": "Save",
        "open": "Open",
        "change": "Change",
    }
    AUTO_FOCUS = "#sweep-map"
    HELP = """\
# Sweep

A sweep trains many machines at each point of a grid: two settings of a learner, each with the values that you type, as
in `1,3,5` or `0..5`. **g** starts it, on all cores; **S** stops it. It goes on while you look at other screens.

Each machine is judged exactly. A cell of the map is the median of its machines: the fuller its colour, the better; a
star marks the best one. Beside it is the curve of the best cell, in a band that holds the middle 80 % of its machines,
and that of the selected cell. **m** chooses the measure, **s** the side, **L** a logarithmic axis.

Once a sweep runs, its form is folded: **c** opens it beside the map. Cells that are large enough show the curve of
their machines, all on the same axes.

**Enter**, or a second click, prepares a race of the cell. **k** keeps one of its machines: it is trained again from its
seed, and saved in the library.

Finished machines are stored in a file beside the library. **g** resumes a sweep that was stopped, and so does
`noughts sweep resume`. **P** opens an earlier sweep, including one of `noughts sweep`.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("enter", "race", "Race it", tooltip="races the chosen setting"),
        Binding("g", "start", "Start", tooltip="trains for all settings"),
        Binding("S", "stop", "Stop", tooltip="stops it, and keeps what it has found"),
        Binding("k", "save", "Save", tooltip="keeps one of its machines"),
        Binding("P", "open", "Open", tooltip="opens a saved sweep"),
        Binding("c", "change", "Change", tooltip="chooses what is varied"),
        *CHART_KEYS,
    ]
    DEFAULT_CSS = """
    SweepScreen {
        & #sweep-note { max-height: 3; color: $role-bad; }
        &.-narrow #sweep-save, &.-narrow #sweep-open { display: none; }
        &.-narrow #sweep-left { width: 31; margin-right: 0; }
        &.-wide #sweep-left { width: 44; }
        &.-vast #sweep-left { width: 60; }
        /* what can vary is below the form if there is room, and the curves have their place from the start */
        &.-wide.-tall #sweep-about { display: block; }
        &.-wide.-tall SweepForm { height: auto; }
        &.-wide.-tall #sweep-settings { display: none; }
        &.-wide.-tall #sweep-lower { display: block; }
        &.-low #sweep-best, &.-low #sweep-selected, &.-even #sweep-best, &.-even #sweep-selected { display: none; }
        &.-low #sweep-place, &.-even #sweep-place { display: none; }
        &.-even #sweep-lower { min-height: 9; }
        &.-low #sweep-settings { display: none; }
        &.-low .-setting #sweep-settings { display: block; }
        &.-low .-setting #sweep-heat { display: none; }
        &.-low #sweep-lower { min-height: 6; }
        & #sweep-start { width: 9; }
        & #sweep-change { width: 8; }
        &.-wide.-tall .-begun #sweep-machines { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._resumed_form: dict[str, str] = {}
        """The content of the form when the last sweep was started or opened.

        As long as the form has this content, Start resumes that sweep.
        """
        self._definition: Definition | None = None
        """The sweep that the form describes, if it describes one."""
        self._ghost_of: tuple[type[Learner], Game] | None = None
        """The learner and the game for which an earlier training is shown or searched for."""
        self._kept_job: TrainingJob | None = None
        """The training that trains a machine of the sweep again, to save it."""
        self.form_is_open = True
        """Whether the form is shown beside the results of a sweep; before there are any, it always is."""

    def content(self) -> Widget:
        return SweepView(SweepForm(self.lab.game, self.lab.library), id="sweep-right")

    @property
    def form(self) -> SweepForm:
        return self.query_one(SweepForm)

    @property
    def view(self) -> SweepView:
        return self.query_one(SweepView)

    @property
    def folder(self) -> Path:
        return sweep_folder(self.lab.library.path)

    @property
    def findings(self) -> Findings | None:
        return None if self.lab.sweep is None else self.lab.sweep.view.findings

    @property
    def cell(self) -> Cell | None:
        """The selected cell, if at least one of its machines is finished."""
        findings, cell = self.findings, self.view.map.cell
        return cell if findings is not None and cell in findings.heat.shares else None

    @property
    def running(self) -> bool:
        return self.lab.sweep is not None and self.lab.sweep.running

    def ineffective_actions(self) -> set[str]:
        actions = {"start", "open"} if self.running else {"stop"}
        if self.lab.sweep is None:
            actions.add("change")
        if self.cell is None:
            actions |= {"race", "save"}
        return actions

    def current_export(self) -> Export | None:
        findings = self.findings
        return None if findings is None else Export("sweep", findings.heat.picture)

    def set_up(self) -> None:
        super().set_up()
        self.entitle("Sweep", "The grid")
        if self.lab.sweep is None:
            self.button("start").focus()
            self.read_form()
        else:
            self.show_sweep(self.lab.sweep)

    def show_sweep(self, job: SweepJob) -> None:
        """Show a sweep, and fill in the form as far as it can describe the sweep."""
        self.lab.sweep = job
        self._kept_job, self.form_is_open = None, False
        if job.definition is not None:
            self.form.fill(job.definition)
        self.form.show_error("")
        self._resumed_form = self.form.texts
        self.read_form()

    @on(Form.Changed)
    def form_changed(self, message: Form.Changed) -> None:
        if message.field in VIEW_FIELDS:
            self.read_measure()
        else:
            self.read_form()

    @on(LearnerForm.SettingFocused)
    def show_settings(self) -> None:
        """Where there is no room for both, show in place of the map which values one can write."""
        self.view.set_class(self.form.is_writing_settings, "-setting")
        self.call_after_refresh(self.draw)  # for the new widths

    def read_form(self) -> None:
        job = self.lab.sweep
        if job is not None and job.view.state is JobState.FAILED and not job.view.done:
            self.lab.sweep = None
        try:
            self._definition = self.form.definition()
        except BadText:
            self._definition = None  # the error is reported at Start
        kind, game = self.form.learner, self.form.game
        if (kind, game) != self._ghost_of and kind.spec.fits(game):
            self._ghost_of = kind, game
            learner = kind(game, kind.spec.usual_preset(game), seed=0)
            self.run_in_background("ghost", lambda stop: self._find_ghosts(learner, stop), self._show_ghosts)
            self.warm_up(game, kind)
        self.draw()

    @work(thread=True, exclusive=True, group="warm-up", exit_on_error=False)
    def warm_up(self, game: Game, kind: type[Learner]) -> None:
        """Compile the kernels before the workers need them, which then load them from the cache."""
        warm_up(game, [kind])

    def _find_ghosts(self, learner: Learner, stop: Stop) -> tuple[Ghost | None, Ghost | None]:
        """Return an earlier training of a learner, if there is one, and the learner without training."""
        untrained = untrained_ghost(learner)
        return find_ghost(self.lab.library, type(learner), learner.game, stop) or untrained, untrained

    def _show_ghosts(self, ghosts: tuple[Ghost | None, Ghost | None]) -> None:
        self.view.ghost, self.view.untrained = ghosts
        self.draw()

    @property
    def _resumable_job(self) -> SweepJob | None:
        """The sweep that Start resumes: the last one, if it is unfinished and the form has not been changed since."""
        job = self.lab.sweep
        if job is None or job.running or job.definition is None or job.view.state is JobState.FINISHED:
            return None
        is_unchanged = self.form.texts == self._resumed_form
        return job if is_unchanged and job.view.done else None

    @on(Form.Submitted)
    def action_start(self) -> None:
        if self.running:
            return
        resumable_job, shown_measure = self._resumable_job, self.form.shown_measure
        try:
            if resumable_job is not None and resumable_job.definition is not None:
                definition, path = resumable_job.definition, resumable_job.path
            else:
                definition = self.form.definition()
                path = new_table(self.folder, file_stem(definition))
        except (BadText, LibraryError) as error:
            self.form.show_error(error)
            self.form_is_open = True
            self.draw()
            return
        self.form.show_error("")
        self._kept_job, self.form_is_open = None, False
        self._resumed_form = self.form.texts
        self.lab.sweep = SweepJob(path, shown_measure, definition)
        self.lab.sweep.start()
        self.query_one(SweepMap).focus()
        self.poll()

    def action_change(self) -> None:
        """Open or close the form beside the results."""
        self.form_is_open = not self.form_is_open
        self.draw()
        if self.form_is_open:
            self.form.fields["learner"].focus()
        else:
            self.view.map.focus()

    def action_stop(self) -> None:
        self.stop_job(self.lab.sweep)

    @work(exit_on_error=False)
    async def action_open(self) -> None:
        path = await self.ask(OpenDialog(self.folder))
        if path is not None:
            shown_measure = self.form.shown_measure
            self.run_in_background("read", lambda _: SweepJob.from_file(path, shown_measure), self.show_opened)

    def show_opened(self, job: SweepJob) -> None:
        """Show a sweep that was opened, unless another one was started meanwhile."""
        if not self.running:
            self.show_sweep(job)
            self.query_one(SweepMap).focus()

    def action_race(self) -> None:
        findings, cell, library = self.findings, self.cell, self.lab.library
        if findings is None or cell is None:
            return

        def find_entrants(_: Stop) -> PrepareRace:
            entrants = entrants_of(findings, cell, library.opponent)
            return PrepareRace(entrants, race_seeds(findings, cell), race_games(findings, cell))

        self.run_in_background("race", find_entrants, self.go)

    @on(SweepMap.Opened)
    def race_clicked(self) -> None:
        self.action_race()

    @work(exit_on_error=False)
    async def action_save(self) -> None:
        """Ask which machine of the cell to train again, and under which name to save it."""
        findings, cell = self.findings, self.cell
        if findings is None or cell is None:
            return
        machines = findings.seeds(cell)
        titles = findings.axis_title(0), findings.axis_title(1)
        name = proposed_name([machines[0][0]["learner"], *_settings_texts(findings.axes, cell)])
        question = f"Keep a machine of {', '.join(_settings_texts(titles, cell))}"
        machine = await self.ask(keep_dialog(question, machines, name))
        if machine is None or not self.lab.may_replace_training():
            return
        library, rounds = self.lab.library, findings.curve(cell)[-1][0]

        def create_job(_: Stop) -> TrainingJob:
            setup = setup_of(machine.point, machine.seed, rounds, library.free_name(machine.name))
            return make_job(prepare(setup, library), library, FULL_SPEED)

        self.run_in_background("keep", create_job, self.begin_training)

    def begin_training(self, job: TrainingJob) -> None:
        self.lab.train(job)
        if self.lab.job is job:
            self._kept_job = job

    def read_measure(self) -> None:
        """Read another measure or side of a sweep from its table."""
        job, shown_measure = self.lab.sweep, self.form.shown_measure
        if job is not None:
            self.run_in_background("read", lambda _: job.show_measure(shown_measure), lambda _: self.draw())
        self.draw()

    @on(SweepMap.Moved)
    def show_selected(self) -> None:
        if self.findings is not None:
            self.view.show_curves(self.findings, log=self.log_shares)
        self.refresh_bindings()

    def view_state(self) -> tuple[object, ...]:
        job, kept_job = self.lab.sweep, self._kept_job
        return job, job and job.view, kept_job and kept_job.view

    def draw_now(self) -> None:
        job = self.lab.sweep
        self.form.set_locked(self.form.texts, locked=self.running)
        is_folded = job is not None and not self.form_is_open
        if is_folded != self.view.has_class("-folded"):
            self.view.set_class(is_folded, "-folded")
            self.call_after_refresh(self.draw)  # for the new widths
        self._entitle_head(job if is_folded else None)
        self.button("change").label = "Change" if is_folded else "Close"
        if self.findings is None or self.findings.best is None:
            definition = self._definition if job is None else job.definition
            self.view.introduce(definition, self.form.shown_measure, begun=job is not None)
        if job is not None:
            self.view.show(job, log=self.log_shares)
        self.button("start").label = "Resume" if self._resumable_job else self.TITLES["start"]
        trouble = job.view.error if job is not None else ""
        self.show_head(self._state_text(job), plain(trouble, 300), self.ineffective_actions())

    def _entitle_head(self, job: SweepJob | None) -> None:
        """Write above the head which sweep this is, in as many clauses as fit; without a job, only the word."""
        clauses = ["Sweep"]
        if job is not None and job.definition is not None:
            clauses += learners_text(job.definition).split(" · ")
        head = self.query_one("#sweep-head")
        entitle(head, fitting_text(head, *(" · ".join(clauses[:count]) for count in range(len(clauses), 0, -1))))

    def _state_text(self, job: SweepJob | None) -> Text:
        """Return the state of the training of a kept machine while it is the last training, else that of the sweep."""
        kept_job = self._kept_job
        if kept_job is not None and (kept_job.running or kept_job is self.lab.job):
            return training_text(kept_job)
        return state_text(job)


def _settings_texts(axes: tuple[str, str], cell: Cell) -> list[str]:
    """Return the settings of a cell as texts, `win 5`, but not those that the learner does not have."""
    return [f"{axis} {value}" for axis, value in zip(axes, cell, strict=True) if value]
