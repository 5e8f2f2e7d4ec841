"""Race: learners on one budget of games and one chart, many machines of each. It goes on behind other screens."""

from collections.abc import Iterable
from time import monotonic
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button
from textual.worker import get_current_worker

from engine.game import BadText, Game
from lab.training.race_job import RaceJob
from lab.training.training_job import JobState
from lab.words.numbers import RateMeter
from lab.words.race import Seen, unlike
from lab.words.sanitise import plain
from learners.core.plural import counted_noun
from learners.race.entrants import MOST_ENTRANTS, Entrant, line_up, parse_entrant, require_field
from learners.race.race import USUAL_BUDGET
from saves.errors import LibraryError
from tui.race.entrant_dialog import EntrantDialog
from tui.race.race_form import RaceForm
from tui.race.race_view import RaceView
from tui.shell.live_text import Steady
from tui.shell.screen import LabScreen
from tui.widgets.choices import ChoiceList
from tui.widgets.mark_styles import theme_colour

CHART: Final = Binding.Group("Chart", compact=True)
BUTTONS: Final = {"start": "Start", "stop": "Stop", "add": "Add", "remove": "Remove"}
"""Each does what the action of its name does."""


class RaceScreen(LabScreen):
    mode = "race"
    home = "#race-start"
    HELP = f"""\
# Race

Learners race on one budget of games. Every entrant takes part with as many **machines** as you say: the same rules over
as many seeds, from the one given on. **g** starts, **x** stops; what the machines came to by then stays. A race goes on
while you look at other screens.

After 1, 2, 5, 10 … games each machine is judged exactly: nothing is sampled. The chart shows the median of each entrant
as a line with its number on it, and as two dotted lines where the middle 80 % of its machines lie, from the 10th to the
90th percentile. **m** chooses what is shown: games lost or won against a random player, perfect play, the best
responder (the opponent that knows the machine and makes it lose as often as it can) or itself; or how many of its moves
are perfect. **s** chooses the side. A learner that plays one side only is told as that side, beside the mean of both of
the others: choose that side to compare like with like. **y** changes between an even and a logarithmic axis.

**n** adds an entrant, up to {MOST_ENTRANTS}; **d** removes the one under the cursor. Games are those of the training.
A population plays thousands in each generation: it is shown as it was after the last whole one, untrained before it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "start", "Start"),
        Binding("x", "stop", "Stop"),
        Binding("n", "add", "Add"),
        Binding("d", "remove", "Remove"),
        Binding("m", "next('measure')", "Measure", group=CHART),
        Binding("s", "next('side')", "Side", group=CHART),
        Binding("y", "scale", "Scale", group=CHART),
    ]
    CSS = """
    RaceScreen.-middle KeyGroup, RaceScreen.-middle FooterLabel { display: block; }
    """
    DEFAULT_CSS = """
    RaceScreen {
        & #race-left { width: 34; padding: 1 1 0 1; }
        &.-wide #race-left { width: 40; padding: 1 2; }
        &.-narrow #race-left { width: 27; }
        & #race-right { width: 1fr; padding: 1 1 0 1; }
        &.-wide #race-right { padding: 1 2; }
        &.-low #race-left, &.-low #race-right { padding: 0 1; }
        & #race-buttons { height: 1; margin-top: 1; }
        & #race-buttons Button { margin-right: 1; width: auto; min-width: 1; }
        &.-low #race-buttons { margin-top: 0; }
        &.-narrow #race-buttons Button { margin-right: 0; }
        & #race-state { height: auto; min-height: 1; max-height: 4; margin-top: 1; }
        &.-low #race-state { margin-top: 0; }
        &.-low RaceView > #race-table, &.-low RaceForm > #race-entrants { margin-top: 0; }
    }
    """

    entrants: tuple[Entrant, ...] = ()
    log_shares = False
    """Whether the axis of the shares is logarithmic."""
    drawn: object = None
    _rate = RateMeter()

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with Vertical(id="race-left"):
                yield RaceForm(self.lab.game)
                with Horizontal(id="race-buttons"):
                    for name, title in BUTTONS.items():
                        yield Button(title, id=f"race-{name}", compact=True)
                yield Steady(id="race-state")
            yield RaceView(id="race-right")

    @property
    def form(self) -> RaceForm:
        return self.query_one(RaceForm)

    def open_up(self) -> None:
        super().open_up()
        self.query_one("#race-start", Button).variant = "primary"
        self.find_field(self.form.game, ())

    @on(RaceForm.GameChosen)
    def game_chosen(self) -> None:
        self.find_field(self.form.game, self.entrants)

    @work(thread=True, exclusive=True, group="field", exit_on_error=False)
    def find_field(self, game: Game, entrants: tuple[Entrant, ...]) -> None:
        """Let those who can play the game take part in it; if that is nobody, some that are worth a look."""
        found = []
        for entrant in entrants:
            try:
                found.append(parse_entrant(entrant.text, game, self.lab.library.opponent))
            except (BadText, LibraryError) as error:
                self.app.call_from_thread(self.lab.warn, f"{entrant.text} does not take part: {error}")
        field = tuple(found) or line_up(game)
        if not get_current_worker().is_cancelled:  # another game was chosen since
            self.app.call_from_thread(self.field_found, entrants, field)

    def field_found(self, entrants: tuple[Entrant, ...], field: tuple[Entrant, ...]) -> None:
        """Let those take part who were found for these, unless others were added or removed meanwhile."""
        if self.entrants == entrants:
            self.take_field(field)
        else:
            self.find_field(self.form.game, self.entrants)

    def take_field(self, entrants: tuple[Entrant, ...]) -> None:
        """Let these take part from now on; the last race is no longer shown."""
        self.entrants = entrants
        if self.lab.race is not None and not self.lab.race.running:
            self.lab.race = None
        self.drawn = None
        self.form.complain("")
        self.form.list_entrants(entrants)
        self.poll()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        racing = self.lab.race is not None and self.lab.race.running
        if (action == "stop" and not racing) or (action in {"start", "add", "remove"} and racing):
            return None
        return super().check_action(action, parameters)

    @on(Button.Pressed)
    async def button_pressed(self, message: Button.Pressed) -> None:
        await self.run_action((message.button.id or "").removeprefix("race-"))

    @on(RaceForm.Submitted)
    def action_start(self) -> None:
        race = self.lab.race
        if race is not None and race.running:
            return
        try:
            require_field(self.entrants)
            course = self.form.course()
        except BadText as error:
            self.form.complain(str(error))
            return
        self.form.complain("")
        self.lab.race = RaceJob(self.entrants, course.seeds, course.budget)
        self._rate = RateMeter()
        self.lab.race.start()
        self.poll()
        self.query_one("#race-stop").focus()

    @work(thread=True, exit_on_error=False)
    def action_stop(self) -> None:
        if self.lab.race is not None:
            self.lab.race.stop()

    @work(exit_on_error=False)
    async def action_add(self) -> None:
        entrant = await self.ask(EntrantDialog(self.form.game, self.lab.library))
        if entrant is None:
            return
        entrants = (*self.entrants, entrant)
        try:
            require_field(entrants)
        except BadText as error:
            self.form.complain(str(error))
        else:
            self.take_field(entrants)

    def action_remove(self) -> None:
        number = self.form.chosen_entrant
        if number is None:
            number = len(self.entrants) - 1
        self.take_field((*self.entrants[:number], *self.entrants[number + 1 :]) if self.entrants else ())

    def action_next(self, name: str) -> None:
        self.query_one(f"#race-{name}", ChoiceList).choose_next()

    def action_scale(self) -> None:
        self.log_shares = not self.log_shares
        self.poll()

    @on(RaceForm.SeenChosen)
    def seen_chosen(self) -> None:
        self.poll()

    def resized(self) -> None:
        super().resized()
        self.drawn = None
        self.poll()

    def poll(self) -> None:
        super().poll()
        if not self.is_current:
            return
        race, seen = self.lab.race, self.form.seen
        moment = (race, race.state, race.standings) if race is not None else self.entrants
        what = moment, seen, self.log_shares, self.app.theme
        if what != self.drawn:
            self.drawn = what
            self.draw(race)

    def draw(self, race: RaceJob | None) -> None:
        """Bring every part up to this moment."""
        running = race is not None and race.running
        self.form.freeze(locked=running)
        for name in BUTTONS:
            self.query_one(f"#race-{name}", Button).disabled = running != (name == "stop")
        view, seen = self.query_one(RaceView), self.form.seen
        if race is None:
            view.invite(self.entrants, self.form.game, seen, USUAL_BUDGET)
        else:
            if race.standings is not None:
                self._rate.add(monotonic(), race.standings.done)
            view.show(race, seen, self._rate.per_second, log=self.log_shares)
        self.query_one("#race-state", Steady).tell(self._state(race).append_text(self._beside(seen)))
        self.refresh_bindings()

    def _beside(self, seen: Seen) -> Text:
        """Who is not to be compared with the others as they are shown."""
        alone = unlike(self.entrants, [str(number + 1) for number in range(len(self.entrants))], seen)
        lines = "".join(f"\n{who}: s to compare" for _, who in alone)
        return Text(lines, f"not dim {theme_colour(self, 'warning')}")

    def _state(self, race: RaceJob | None) -> Text:
        if race is None:
            return Text("Press g or Start." if self.entrants else "Nobody takes part: n adds an entrant.", "dim")
        if race.error:
            return Text(plain(race.error, 300), "bold red")
        standings = race.standings
        words = {
            JobState.STARTING: "Getting the game loops ready …",
            JobState.RUNNING: "Racing",
            JobState.FINISHED: "Finished",
            JobState.STOPPED: "Stopped",
        }
        told = words[race.state]
        if standings is None:
            return Text(told)
        done, total = sum(standings.machines), len(standings.entrants) * len(standings.seeds)
        return Text(f"{told}: {done:,} of {counted_noun(total, 'machine')} done")
