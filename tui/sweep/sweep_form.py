"""The form of a sweep: learner, game, opponent, two settings with their values, machines, and what the map shows."""

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label, Select
from textual.worker import Worker

from engine.game import BadText, Game
from engine.games import SMALL_GAMES, known_games, parse_game
from engine.space import TooLarge
from lab.race.race_text import SIDES, ShownMeasure
from lab.sweep.setup import USUAL_LEARNER, SweepSetup, can_be_swept, usual_grid, usual_values
from learners import LEARNERS, parse_learner
from learners.core.learner import PERSON, Learner
from learners.core.plural import plural
from learners.core.snapshot import ITSELF
from learners.core.training import MAX_ROUNDS
from learners.race.entrants import SAVED
from learners.race.measures import EXACT, parse_measure
from learners.sweep.definition import USUAL_ROUNDS, Definition
from saves.library.library import Library
from tui.shell.guards import warn_of_failure
from tui.shell.parts import ChoiceList, ErrorLine, Field, parse_number
from tui.widgets.learner_choices import TextChoices, opponents_for, presets_of
from tui.widgets.machine_fields import measure_list, offer_sides, parse_seeds, sides_of

AXES = ("across", "down")
"""The two settings that vary; the values of each are typed in the field `NAME-values`."""
SHOWN = ("measure", "side")
"""The fields that only determine what the map shows."""


class SweepForm(Vertical):
    """The fields of a sweep, each with a working default.

    Posts `Submitted`, `RulesChanged` and `SeenChosen`.
    """

    DEFAULT_CSS = """
    SweepForm {
        height: auto;
        & > Horizontal { height: 1; }
        & Label { width: 9; color: $text-muted; }
        &.-long Label { width: 12; }
        & Input, & Select { width: 1fr; }
    }
    """

    class Submitted(Message):
        """Posted when Enter was pressed in a field."""

    class RulesChanged(Message):
        """Posted when the fields describe another sweep."""

    class SeenChosen(Message):
        """Posted when another measure or side was chosen."""

    def __init__(self, game: Game, library: Library) -> None:
        super().__init__()
        self._game = game if game.learnable else SMALL_GAMES[0]
        self._library = library
        self._proposed: dict[str, str] = {}
        """The texts that the program last put into fields, by field."""
        self._keys: dict[str, str] = {}
        """The settings that vary, by the names in `AXES`."""
        self._rules = ("", "", "")
        """The learner, the preset and the game for which the other fields were filled in."""
        self._opponent = ""
        """The opponent that a person or a file chose; empty for the usual one."""
        self._shown_opponent = ITSELF

    def compose(self) -> ComposeResult:
        kind = USUAL_LEARNER
        games = [(game.title, game.name) for game in known_games(self._game) if game.learnable]
        across, down = (
            ChoiceList([(Text(key), key) for key in kind.spec.settings], value=key) for key in usual_grid(kind)
        )
        fields: dict[str, Widget] = {
            "learner": ChoiceList(
                [(each.spec.title, each.spec.name) for each in LEARNERS if can_be_swept(each)], value=kind.spec.name
            ),
            "preset": ChoiceList(presets_of(kind, self._game)),
            "game": ChoiceList(games, value=self._game.name),
            "opponent": ChoiceList([(Text("itself"), ITSELF)]),
            "across": across,
            "across-values": Field("", compact=True, max_length=400),
            "down": down,
            "down-values": Field("", compact=True, max_length=400),
            "rounds": Field("", compact=True, max_length=20),
            "machines": Field(f"{EXACT.usual_machines:,}", compact=True, max_length=20),
            "seed": Field("1", compact=True, max_length=20),
            "measure": measure_list(),
            "side": ChoiceList(sides_of(self._game)),
        }
        titles = {"across-values": "", "down-values": "", "measure": "shows", "side": "as"}
        for name, field in fields.items():
            field.id = f"sweep-{name}"
            with Horizontal():
                yield Label(titles.get(name, name), id=f"sweep-label-{name}")
                yield field
        yield ErrorLine(id="sweep-error")

    def on_mount(self) -> None:
        self._rules = self._chosen_rules
        self._adapt_to_learner()
        self.offer_opponents(self.kind, self._chosen("preset"), self.game)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#sweep-{name}", Select).value)

    def _typed(self, name: str) -> str:
        return self.query_one(f"#sweep-{name}", Input).value

    @property
    def _chosen_rules(self) -> tuple[str, str, str]:
        return self._chosen("learner"), self._chosen("preset"), self._chosen("game")

    @property
    def kind(self) -> type[Learner]:
        return parse_learner(self._chosen("learner"))

    @property
    def game(self) -> Game:
        return parse_game(self._chosen("game"))

    @property
    def seen(self) -> ShownMeasure:
        """What the map shows: a measure for one side, or its mean over both."""
        return ShownMeasure(parse_measure(self._chosen("measure")), SIDES[self._chosen("side")])

    @property
    def texts(self) -> dict[str, str]:
        """The content of every field that describes the sweep."""
        chosen = {each.id or "": str(each.value) for each in self.query(Select)}
        typed = {each.id or "": each.value for each in self.query(Input)}
        shown = {f"sweep-{name}" for name in SHOWN}
        return {name: text for name, text in (chosen | typed).items() if name not in shown}

    def definition(self) -> Definition:
        """The sweep that the fields describe. Raises `BadText`."""
        noun = self.kind.spec.round_noun
        seeds = parse_seeds(self._typed("machines"), self._typed("seed"))
        for name in AXES:
            if not self._typed(f"{name}-values").strip():
                raise BadText(f"{self._chosen(name)} has no values: write some, as in 1,3,5")
        return SweepSetup(
            self.kind,
            self._chosen("preset"),
            self.game,
            self._chosen("opponent"),
            tuple((self._chosen(name), self._typed(f"{name}-values")) for name in AXES),
            parse_number(self._typed("rounds"), plural(noun, 2), 1, MAX_ROUNDS),
            seeds,
        ).definition()

    def fill(self, definition: Definition) -> None:
        """Fill in the fields from a sweep: of its learners and opponents the first, of its settings the first two."""
        name, _, preset = definition.learners[0].partition(":")
        kind, game = parse_learner(name), parse_game(definition.game)
        with self.prevent(Select.Changed, Input.Changed):
            self._choose("learner", name)
            self._choose("game", game.name)
            self.query_one("#sweep-preset", ChoiceList).refill(presets_of(kind, game), preset)
            self._adapt_to_learner()
            for place, (key, values) in zip(AXES, definition.grid, strict=False):
                self._choose(place, key)
                self._keys[place] = key
                separator = ";" if any("," in value for value in values) else ","
                self.query_one(f"#sweep-{place}-values", Input).value = separator.join(values)
            self.query_one("#sweep-rounds", Input).value = f"{dict(definition.budgets)[kind.spec.round_noun]:,}"
            self.query_one("#sweep-machines", Input).value = f"{len(definition.seeds):,}"
            self.query_one("#sweep-seed", Input).value = str(definition.seeds[0])
            offer_sides(self.query_one("#sweep-side", ChoiceList), self.game)
            self._rules = self._chosen_rules
            self._opponent = next(iter(definition.opponents), "")
            if self._opponent:
                opponents = self.query_one("#sweep-opponent", ChoiceList)
                opponents.refill([(Text(self._opponent), self._opponent)], self._opponent)
            self._shown_opponent = self._chosen("opponent")
        self.offer_opponents(kind, preset, game)

    def _choose(self, name: str, value: str) -> None:
        select = self.query_one(f"#sweep-{name}", ChoiceList)
        if value in select.values:
            select.value = value

    def _adapt_to_learner(self) -> None:
        """Adapt the form to the learner: its settings, their proposed values, and the unit and number of its rounds."""
        kind = self.kind
        keys = [(Text(key), key) for key in kind.spec.settings]
        for name, usual in zip(AXES, usual_grid(kind), strict=True):
            select = self.query_one(f"#sweep-{name}", ChoiceList)
            with self.prevent(Select.Changed):
                select.refill(keys, usual)
        noun = kind.spec.round_noun
        self.query_one("#sweep-label-rounds", Label).update(plural(noun, 2))
        self.set_class(len(plural(noun, 2)) > len("opponent"), "-long")
        self._propose("rounds", f"{USUAL_ROUNDS[noun]:,}")
        self._propose_values()

    def _propose_values(self) -> None:
        """Propose values for the settings that vary; values that the user typed for the same setting stay."""
        spec = self.kind.spec
        preset = spec.presets[self._chosen("preset")]
        for name in AXES:
            key, field = self._chosen(name), f"{name}-values"
            if self._keys.get(name) != key:
                self._proposed[field] = self._typed(field)
            self._keys[name] = key
            self._propose(field, usual_values(spec.settings[key], preset[key]))

    def _propose(self, name: str, text: str) -> None:
        """Put a text into a field, unless the user has typed another one."""
        field = self.query_one(f"#sweep-{name}", Input)
        if field.value in ("", self._proposed.get(name)):
            field.value = self._proposed[name] = text

    @work(thread=True, exclusive=True, group="opponents", exit_on_error=False)
    def offer_opponents(self, kind: type[Learner], preset: str, game: Game) -> None:
        try:
            learner = kind(game, preset, 0)
        except (BadText, TooLarge):
            return  # the error is reported at Start
        usual = learner.opponent
        choices = [
            (text, label)
            for text, label in opponents_for(learner, self._library)
            if label != PERSON and not label.startswith(SAVED)
        ]
        self.app.call_from_thread(self.list_opponents, choices, usual)

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        select = self.query_one("#sweep-opponent", ChoiceList)
        listed = list(choices)
        wanted = self._opponent or usual
        if self._opponent and self._opponent not in [label for _, label in listed]:
            listed.append((Text(self._opponent), self._opponent))
        with self.prevent(Select.Changed):
            select.refill(listed, wanted)
        self._shown_opponent = self._chosen("opponent")
        self.post_message(self.RulesChanged())

    def lock_fields(self, *, locked: bool) -> None:
        """Lock or unlock all fields except those for what the map shows."""
        for each in self.query("Input, Select").results(Widget):
            if (each.id or "").removeprefix("sweep-") not in SHOWN:
                each.disabled = locked

    def show_error(self, message: str) -> None:
        self.query_one(ErrorLine).show(message)

    @on(Input.Submitted)
    def submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Submitted())

    @on(Input.Changed)
    def typed(self, message: Input.Changed) -> None:
        message.stop()
        self.post_message(self.RulesChanged())

    @on(Select.Changed)
    def changed(self, message: Select.Changed) -> None:
        message.stop()
        name = (message.select.id or "").removeprefix("sweep-")
        if name in SHOWN:
            self.post_message(self.SeenChosen())
            return
        if name == "opponent":
            if self._chosen(name) != self._shown_opponent:
                self._opponent = self._shown_opponent = self._chosen(name)
        elif name in AXES:
            self._propose_values()
        elif self._chosen_rules != self._rules:  # `Select` also posts its initial value
            self._rules_changed()
        self.post_message(self.RulesChanged())

    def _rules_changed(self) -> None:
        """Offer choices that fit the learner, the preset and the game chosen now."""
        learner, _, game = self._rules
        if self.game.name != game:
            offer_sides(self.query_one("#sweep-side", ChoiceList), self.game)
        with self.prevent(Select.Changed):
            presets = presets_of(self.kind, self.game)
            self.query_one("#sweep-preset", ChoiceList).refill(presets, self._chosen("preset"))
        if self.kind.spec.name != learner:
            self._opponent = ""
            self._adapt_to_learner()
        else:
            self._propose_values()
        self._rules = self._chosen_rules
        self.offer_opponents(self.kind, self._chosen("preset"), self.game)
