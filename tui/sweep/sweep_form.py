"""The form of a sweep: learner, game, opponent, two settings with their values, machines, and what the map shows."""

from typing import Final

from rich.text import Text

from engine.game import Game
from engine.games import SMALL_GAMES, known_games
from engine.plural import plural
from lab.race.race_text import ShownMeasure
from lab.sweep.setup import USUAL_LEARNER, SweepSetup, can_be_swept, usual_grid, usual_values
from learners import LEARNERS, parse_learner
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import is_save
from learners.core.snapshot import ITSELF
from learners.core.training import MAX_ROUNDS
from learners.race.entrants import can_race
from learners.race.measures import EXACT, judging_of
from learners.sweep.definition import USUAL_ROUNDS, Definition
from saves.library.library import Library
from tui.shell.parts import ChoiceList
from tui.widgets.form import BadField, FormField, LearnerForm, TextChoices, presets_of, text_field
from tui.widgets.measure_fields import adapt_to_game, measure_choices, parse_seeds, shown_measure_of, side_choices

AXES: Final = ("across", "down")
"""The two settings that vary; the values of each are typed in the field `NAME-values`."""
VIEW_FIELDS: Final = ("measure", "side")
"""The fields that only determine what the map shows."""


class SweepForm(LearnerForm):
    """The fields of a sweep, each with a working default."""

    SETTING_FIELDS = tuple(f"{name}-values" for name in AXES)

    def __init__(self, game: Game, library: Library) -> None:
        kind = USUAL_LEARNER
        if not kind.spec.fits(game):
            game = SMALL_GAMES[0]
        self._keys: dict[str, str] = {}
        """The settings that vary, by the names in `AXES`."""
        self._opponent = ""
        """The opponent that a person or a file chose; empty for the usual one."""
        learners = [(each.spec.title, each.spec.name) for each in LEARNERS if can_be_swept(each)]
        games = [(each.title, each.name) for each in known_games(game) if can_race(each)]
        across, down = (ChoiceList(settings_of(kind), value=key) for key in usual_grid(kind))
        fields: dict[str, FormField] = {
            "learner": ChoiceList(learners, value=kind.spec.name),
            "preset": ChoiceList(presets_of(kind, game)),
            "game": ChoiceList(games, value=game.name),
            "opponent": ChoiceList([(Text("itself"), ITSELF)]),
            "across": across,
            "across-values": text_field(length=400),
            "down": down,
            "down-values": text_field(length=400),
            "rounds": text_field(),
            "machines": text_field(f"{EXACT.usual_machines:,}"),
            "seed": text_field("1"),
            "measure": ChoiceList(measure_choices(judging_of(game).measures)),
            "side": ChoiceList(side_choices(game)),
        }
        titles = {"across": "columns", "across-values": "values", "down": "rows", "down-values": "values"}
        super().__init__(fields, game, library, titles)

    def begin(self) -> None:
        self._adapt_to_learner()
        self.offer_opponents()

    @property
    def shown_measure(self) -> ShownMeasure:
        """What the map shows: a measure for one side, or its mean over both."""
        return shown_measure_of(self)

    @property
    def texts(self) -> dict[str, str]:
        """The content of every field that describes the sweep."""
        return {name: text for name, text in self.values.items() if name not in VIEW_FIELDS}

    def definition(self) -> Definition:
        """Return the sweep that the fields describe. Raises `BadText`."""
        seeds = parse_seeds(self)
        for name in AXES:
            if not self[f"{name}-values"].strip():
                setting = self.learner.spec.setting_name(self[name])
                raise BadField(f"{setting} has no values: write some, as in 1,3,5", f"{name}-values")
        return SweepSetup(
            self.learner,
            self["preset"],
            self.game,
            self["opponent"],
            tuple((self[name], self[f"{name}-values"]) for name in AXES),
            self.number("rounds", 1, MAX_ROUNDS, plural(self.learner.spec.round_noun, 2)),
            seeds,
        ).definition()

    def fill(self, definition: Definition) -> None:
        """Fill in the fields from a sweep: of its learners and opponents the first, of its settings the first two."""
        name, preset = definition.learners[0]
        kind, game = parse_learner(name), definition.game
        self.put(learner=name, game=game.name)
        self.offer("preset", presets_of(kind, game), preset)
        self._adapt_to_learner()
        for axis, (key, values) in zip(AXES, definition.grid, strict=False):
            separator = ";" if any("," in value for value in values) else ","
            self._keys[axis] = key
            self.put(**{axis: key, f"{axis}-values": separator.join(values)})
        self.put(
            rounds=f"{dict(definition.budgets)[kind.spec.round_noun]:,}",
            machines=f"{len(definition.seeds):,}",
            seed=str(definition.seeds[0]),
        )
        adapt_to_game(self)
        self._opponent = next(iter(definition.opponents), "")
        if self._opponent:
            self.offer("opponent", [(Text(self._opponent), self._opponent)], self._opponent)
        self.offer_opponents()

    def _adapt_to_learner(self) -> None:
        """Adapt the form to the learner: its settings, their proposed values, and the unit and number of its rounds."""
        kind = self.learner
        for name, usual in zip(AXES, usual_grid(kind), strict=True):
            self.offer(name, settings_of(kind), usual)
        noun = kind.spec.round_noun
        self.label("rounds", plural(noun, 2))
        self.propose("rounds", f"{USUAL_ROUNDS[noun]:,}")
        self._propose_values()

    def _propose_values(self) -> None:
        """Propose values for the settings that vary; values that the user typed for the same setting stay."""
        spec = self.learner.spec
        preset = spec.presets[self["preset"]]
        for name in AXES:
            key, field = self[name], f"{name}-values"
            if self._keys.get(name) != key:
                self.put(**{field: ""})
            self._keys[name] = key
            self.propose(field, usual_values(spec.settings[key], preset[key]))

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        """List the opponents; an opponent that a file names, but this computer does not have, is listed as well."""
        choices = [(text, opponent) for text, opponent in choices if opponent != PERSON and not is_save(opponent)]
        if self._opponent and self._opponent not in [opponent for _, opponent in choices]:
            choices.append((Text(self._opponent), self._opponent))
        self.offer("opponent", choices, self._opponent or usual)
        self.post_message(self.Changed("opponent"))

    def adapt(self, name: str) -> None:
        if name == "opponent":
            self._opponent = self["opponent"]
        elif name in AXES:
            self._propose_values()
        elif name in {"learner", "preset", "game"}:
            if name == "game":
                adapt_to_game(self)
            self.offer_presets(self["preset"])
            if name == "learner":
                self._opponent = ""
                self._adapt_to_learner()
            else:
                self._propose_values()
            self.offer_opponents()


def settings_of(kind: type[Learner]) -> TextChoices:
    """Return the settings of a learner, each with a few words for it in the open list."""
    return [
        (Text.assemble(setting.title or key, (f"\n{setting.summary}", "dim")), key)
        for key, setting in kind.spec.settings.items()
    ]
