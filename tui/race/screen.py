"""Race: learners trained by the same number of games, many machines of each, compared in one chart.

A race goes on while other screens are open.
"""

from functools import partial
from time import monotonic
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget

from engine.game import BadText, Game
from engine.plural import counted_noun
from lab.jobs import JobState
from lab.race.race_job import Earlier, RaceJob, find_earlier
from lab.race.race_text import ShownMeasure, entrants_without_a_round, exactness_text, one_sided_texts
from lab.text.numbers import RateMeter
from lab.text.sanitise import plain
from learners.race.entrants import MAX_ENTRANTS, Entrant, default_entrants, parse_entrant, require_entrants
from learners.race.measures import judging_of
from saves.errors import LibraryError
from tui.race.entrant_table import EntrantTable
from tui.race.race_form import COURSE, RaceForm, entrant_dialog
from tui.race.race_view import RaceView
from tui.shell.files import Export
from tui.shell.requests import OpenSweep
from tui.widgets.chart_screen import CHART_KEYS, ChartScreen
from tui.widgets.form import Form
from tui.widgets.line_chart import chart_export
from tui.widgets.motion import Motion

REPLAY_STEP: Final = 0.25
"""Seconds between two marks of a race that is replayed."""


class RaceScreen(ChartScreen):
    """Shows the form of a race on the left, and the race on the right."""

    mode = prefix = "race"
    TITLES: ClassVar = {"start": "Start", "stop": "Stop", "add": "New", "remove": "Remove", "sweep": "Sweep"}
    AUTO_FOCUS = "#race-start"
    HELP = f"""\
# Race

Learners are trained by the same number of games and compared. Each entrant has as many **machines** as you choose:
the same rules with as many seeds, counting up from the one given. **g** starts, **S** stops; the results so far stay.
A race goes on while you look at other screens.

After 1, 2, 5, 10 … games the exact results of each machine are computed: nothing is sampled. In a game that is too
large for that, such as Connect Four, each machine plays some games against two opponents, and moves in positions with
known scores; a line above says that this is sampled, and how large the error is. The chart shows the
median of each entrant as a line with its number and share at the end, in a dim band: the middle 80 % of its machines
lie between the 10th and the 90th percentile. The list below is the ranking, the best first. **m** chooses the
measure: games lost or won against a random player, a perfect one, a player that has read its memory (and makes it
lose as often as possible) or itself; or the share of perfect moves. **s** chooses the side. A
learner that plays only one side is measured on that side, while the others show the mean of both: choose that side
for a fair comparison. **L** switches between a linear and a logarithmic axis. **Space** shows a race that is over once
more, from its first game to its last.

**n** adds an entrant, up to {MAX_ENTRANTS}; **Delete** removes the one under the cursor of the list. Games are those
of the training. A population plays thousands in each generation: it is shown as it was after its last complete
generation. **W** opens the sweep: many machines at each point of a grid of settings.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "start", "Start", tooltip="trains all entrants"),
        Binding("S", "stop", "Stop", tooltip="stops it, and keeps what it has found"),
        Binding("n", "add", "New entrant", tooltip="adds a machine"),
        Binding("delete,backspace", "remove", "Remove", tooltip="removes it from the race", key_display="Del"),
        Binding("space", "replay", "Replay", tooltip="shows the race once more"),
        Binding("W", "sweep", "Sweep", tooltip="tries many settings"),
        *CHART_KEYS,
    ]
    DEFAULT_CSS = """
    RaceScreen {
        & #race-right { height: 1fr; }
        &.-narrow #race-left { width: 34; }
        &.-wide #race-left { width: 44; }
        &.-vast #race-left { width: 42%; }
        &.-vast RaceForm Input, &.-vast RaceForm Select { max-width: 40; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.entrants: tuple[Entrant, ...] = ()
        self._rate = RateMeter()
        self._are_entrants_checked = False
        """Whether the entrants have been checked for the game, which reads the library."""
        self.earlier: Earlier | None = None
        """Earlier trainings of the entrants' learners, shown until the race starts; `None` until they are found."""
        self._earlier_of: object = None
        """The game and the learners for which earlier trainings are shown or searched for."""
        self.replay = Motion(self, self.poll)
        self._starts_when_checked = False
        """Whether Start was pressed before the entrants were checked: then the race starts as soon as they are."""

    def content(self) -> Widget:
        return RaceView(RaceForm(self.lab.game), id="race-right")

    @property
    def form(self) -> RaceForm:
        return self.query_one(RaceForm)

    def current_export(self) -> Export | None:
        return chart_export(self, "race", "Race")

    def set_up(self) -> None:
        super().set_up()
        self.entitle("Race", "The course")
        self.find_entrants(self.form.game, ())
        self.draw()

    @on(Form.Changed)
    def form_changed(self, message: Form.Changed) -> None:
        if message.field == "game":
            self.find_entrants(self.form.game, self.entrants)
        else:
            self.poll()

    @work(thread=True, exclusive=True, group="entrants", exit_on_error=False)
    def find_entrants(self, game: Game, entrants: tuple[Entrant, ...]) -> None:
        """Keep the entrants that can play the game; if none can, or nobody has chosen them, take the default ones."""
        usable, warnings = list[Entrant](), list[str]()
        if entrants and [each.text for each in entrants] == [each.text for each in default_entrants(entrants[0].game)]:
            entrants_to_check: tuple[Entrant, ...] = ()
        else:
            entrants_to_check = entrants
        for entrant in entrants_to_check:
            try:
                usable.append(parse_entrant(entrant.text, game, self.lab.library.opponent))
            except (BadText, LibraryError) as error:
                warnings.append(f"{entrant.text} is left out: {error}")
        if len(warnings) > 1 and not usable:
            warnings = [f"None of the entrants can race in {game.title}: the default ones take part."]
        for warning in warnings:
            self.app.call_from_thread(self.lab.warn, warning)
        self.app.call_from_thread(self.replace_entrants, entrants, tuple(usable) or default_entrants(game))

    def replace_entrants(self, entrants: tuple[Entrant, ...], usable: tuple[Entrant, ...]) -> None:
        """Replace `entrants` by the usable ones; if some were added or removed meanwhile, check again."""
        if self.entrants != entrants:
            self.find_entrants(self.form.game, self.entrants)
            return
        self.set_entrants(usable)
        if self._starts_when_checked:
            self._starts_when_checked = False
            self.action_start()

    def set_entrants(self, entrants: tuple[Entrant, ...]) -> None:
        """Set the entrants of the next race; the last race is no longer shown."""
        self.entrants, self._are_entrants_checked = entrants, True
        if self.lab.race is not None and not self.lab.race.running:
            self.lab.race = None
        self.form.show_error("")
        self.draw()

    def ineffective_actions(self) -> set[str]:
        """Return the actions that do nothing now. The last entrant cannot be removed: a race needs one."""
        if self.lab.race is not None and self.lab.race.running:
            return {"start", "add", "remove", "replay"}
        actions = {"stop"}
        if len(self.entrants) <= 1:
            actions.add("remove")
        if not self._can_replay:
            actions.add("replay")
        return actions

    @property
    def _can_replay(self) -> bool:
        """Whether a race that is over is shown."""
        race = self.lab.race
        return race is not None and not race.running and bool(race.view.standings and race.view.standings.done)

    def action_replay(self) -> None:
        """Show a race that is over from its beginning; end that if it is under way."""
        race = self.lab.race
        if self.replay.steps_left:
            self.replay.end()
        elif self._can_replay and race is not None and race.view.standings is not None:
            self.replay.play(len(race.view.standings.marks) - 1, REPLAY_STEP)
            self.poll()

    @on(Form.Submitted)
    def action_start(self) -> None:
        race = self.lab.race
        if race is not None and race.running:
            return
        if not self._are_entrants_checked:
            self._starts_when_checked = True
            return
        try:
            require_entrants(self.entrants)
            seeds, budget = self.form.course()
        except BadText as error:
            self.form.show_error(error)
            return
        self.form.show_error("")
        self.lab.race = RaceJob(self.entrants, seeds, budget)
        self._rate = RateMeter()
        self.lab.race.start()
        self.poll()
        self.button("stop").focus()

    def action_stop(self) -> None:
        self.stop_job(self.lab.race)

    @work(exit_on_error=False)
    async def action_add(self) -> None:
        entrant = await self.ask(entrant_dialog(self.form.game, self.lab.library))
        if entrant is None:
            return
        entrants = (*self.entrants, entrant)
        try:
            require_entrants(entrants)
        except BadText as error:
            self.form.show_error(error)
        else:
            self.set_entrants(entrants)

    def action_remove(self) -> None:
        number = self.query_one(EntrantTable).chosen
        if number is None:
            number = len(self.entrants) - 1
        self.set_entrants((*self.entrants[:number], *self.entrants[number + 1 :]))

    @work(exit_on_error=False)
    async def action_sweep(self) -> None:
        await self.request(OpenSweep())

    def prepare(self, entrants: tuple[Entrant, ...], seeds: range, games: int | None) -> None:
        """Fill in a race that another screen asks for, ready to start."""
        if self.lab.race is not None and self.lab.race.running:
            self.lab.warn("A race is running: stop it first.")
            return
        self.form.fill(entrants[0].game, seeds, games)
        self.set_entrants(entrants)
        self.button("start").focus()

    def view_state(self) -> tuple[object, ...]:
        race = self.lab.race
        return (
            (race, race.view) if race is not None else (self.entrants, self._course),
            self.form.shown_measure,
            self.replay.steps_left,
        )

    def draw_now(self) -> None:
        race = self.lab.race
        self.form.set_locked(COURSE, locked=race is not None and race.running)
        game = self.form.game if race is None else race.entrants[0].game
        judging = judging_of(game)
        view, shown_measure = self.query_one(RaceView), self.form.shown_measure.within(judging)
        if race is None or race.view.standings is None or not race.view.standings.done:  # it may be stopped before
            self.show_earlier(game)
            view.introduce(self.entrants, game, shown_measure, self._course, self.earlier)
        else:
            self._rate.add(monotonic(), race.view.standings.done)
            hidden = 0 if race.running else self.replay.steps_left
            per_second = self._rate.per_second
            view.show(race, race.view.standings, shown_measure, per_second, log=self.log_shares, hidden=hidden)
        view.show_keys(running=race is not None and race.running)
        notes = [Text(each, "bold") for each in self._warnings(shown_measure)]
        if judging.trials:
            text = exactness_text(judging, shown_measure)
            notes.insert(0, Text(f"{text[0].upper()}{text[1:]}."))
        self.show_head(self._state_text(race), Text("\n").join(notes), self.ineffective_actions())

    @property
    def _course(self) -> tuple[range, int] | None:
        """The seeds and the number of games, if the form describes them."""
        try:
            return self.form.course()
        except BadText:
            return None  # the error is reported at Start

    def show_earlier(self, game: Game) -> None:
        """Look for earlier trainings of these learners in this game, unless they are known."""
        learners = game, frozenset(entrant.kind for entrant in self.entrants)
        if learners != self._earlier_of and self.entrants and self.entrants[0].game == game:
            self._earlier_of, self.earlier = learners, None
            self.run_in_background("earlier", partial(find_earlier, self.lab.library, self.entrants), self.take_earlier)

    def take_earlier(self, earlier: Earlier) -> None:
        self.earlier = earlier
        self.draw()

    def _warnings(self, shown_measure: ShownMeasure) -> list[str]:
        """Warn of entrants that cannot be compared with the others: those of one side, and those that never learned."""
        numbers = [str(number + 1) for number in range(len(self.entrants))]
        warnings = [
            f"{who}: s compares on that side" for _, who in one_sided_texts(self.entrants, numbers, shown_measure)
        ]
        race = self.lab.race
        if race is not None and race.view.standings is not None:
            for number in entrants_without_a_round(race.view.standings):
                noun = self.entrants[number].kind.spec.round_noun
                warnings.append(f"{number + 1} is as it began: its first {noun} takes more games than that")
        return warnings

    def _state_text(self, race: RaceJob | None) -> Text:
        if race is None:
            return Text("Press g or Start.", "dim")
        if race.view.error:
            return Text(plain(race.view.error, 300), "bold red")
        standings = race.view.standings
        state = {
            JobState.STARTING: "Getting ready: compiling …",
            JobState.RUNNING: "Racing",
            JobState.FINISHED: "Finished",
            JobState.STOPPED: "Stopped",
        }[race.view.state]
        if standings is None:
            return Text(state)
        total = len(standings.entrants) * len(standings.seeds)
        if race.view.state is JobState.FINISHED:
            text = f"Finished: {counted_noun(total, 'machine')}. {self.query_one(RaceView).best}"
            if len(text) <= self.query_one("#race-state").size.width:
                return Text(text)
        return Text(f"{state}: {sum(standings.machines):,} of {counted_noun(total, 'machine')} done")
