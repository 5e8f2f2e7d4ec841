"""The form of a training: learner, game, preset, opponent, single settings, rounds, seed, name and pace."""

from typing import Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Label, Select
from textual.worker import Worker

from engine.game import BadText, Game
from engine.games import SMALL_GAMES, known_games, parse_game
from engine.space import TooLarge
from lab.text.sanitise import label
from lab.training.setup import Setup, fresh_seed, parse_settings, settings_text
from lab.training.training_job import Pace, paces_for
from learners import LEARNERS, parse_learner
from learners.core.generator import LARGEST_SEED
from learners.core.learner import Learner
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.training import MAX_ROUNDS
from saves.library.library import SAVE, Library
from saves.names import parse_name
from tui.shell.guards import warn_of_failure
from tui.shell.parts import ChoiceList, ErrorLine, Field, parse_number
from tui.widgets.learner_choices import TextChoices, opponents_for, presets_of

SHORT: Final = 8
"""The maximum length of a label that fits the usual width of labels."""


def _game_choices(kind: type[Learner], game: Game) -> list[tuple[str, str]]:
    """The title and the name of each game that a learner can learn, including `game` if it is not listed anyway."""
    return [(each.title, each.name) for each in known_games(game) if kind.spec.fits(each)]


class TrainForm(Vertical):
    """The fields of a training, each with a working default.

    Posts `PaceChosen`, `LearnerChosen` and `Submitted`.
    """

    DEFAULT_CSS = """
    TrainForm {
        height: auto;
        & > Horizontal { height: 1; }
        & Label { width: 9; color: $text-muted; }
        &.-long Label { width: 12; }
        & Input, & Select { width: 1fr; }
    }
    """

    class PaceChosen(Message):
        """Posted when another pace was chosen, which is possible at any time."""

        def __init__(self, pace: Pace) -> None:
            super().__init__()
            self.pace = pace

    class LearnerChosen(Message):
        """Posted when another learner was chosen, unless the user has typed a name."""

    class Submitted(Message):
        """Posted when Enter was pressed in a field."""

    def __init__(self, game: Game, library: Library, pace: str) -> None:
        """Propose `game`, if the first learner can learn it, and the pace with the label `pace`, if there is one."""
        super().__init__()
        self._pace = pace
        self._game = game if LEARNERS[0].spec.fits(game) else SMALL_GAMES[0]
        self._library = library
        self._proposed_name = ""
        """The last name that the program put into the field."""
        self._proposed_rounds = ""
        """The last number of rounds that the program proposed."""
        self._proposed_opponent = ITSELF
        """The last opponent that the program chose; empty if a save or a ready-made training determines it."""

    def compose(self) -> ComposeResult:
        kind = LEARNERS[0]
        fields = {
            "learner": ChoiceList([(kind.spec.title, kind.spec.name) for kind in LEARNERS], value=kind.spec.name),
            "game": ChoiceList(_game_choices(kind, self._game), value=self._game.name),
            "preset": ChoiceList(presets_of(kind, self._game)),
            "opponent": ChoiceList([(Text("itself"), ITSELF)]),
            "set": Field("", compact=True, max_length=400),
            "rounds": Field("", compact=True, max_length=20),
            "seed": Field(str(fresh_seed()), compact=True, max_length=20),
            "name": Field("", compact=True, max_length=80),
            "pace": ChoiceList(paces_of(kind)),
        }
        for name, field in fields.items():
            field.id = f"form-{name}"
            with Horizontal():
                yield Label(name, id=f"label-{name}")
                yield field
        yield ErrorLine(id="form-error")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        warn_of_failure(self.app, event)

    def on_mount(self) -> None:
        self.adapt_to_learner()
        self.offer_opponents()

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#form-{name}", Select).value)

    def _typed(self, name: str) -> str:
        return self.query_one(f"#form-{name}", Input).value

    @property
    def pace(self) -> Pace:
        return next(pace for pace in paces_for(self.learner) if pace.label == self._chosen("pace"))

    @property
    def learner(self) -> type[Learner]:
        return parse_learner(self._chosen("learner"))

    @property
    def game(self) -> Game:
        return parse_game(self._chosen("game"))

    def change_pace(self, steps: int) -> None:
        """Choose a pace that is `steps` faster, or slower if negative; at most the fastest or the slowest."""
        paces = paces_for(self.learner)
        place = paces.index(self.pace) - steps
        self.query_one("#form-pace", Select).value = paces[min(max(0, place), len(paces) - 1)].label

    @property
    def has_proposed_name(self) -> bool:
        """Whether a name has been proposed."""
        return bool(self._proposed_name)

    def setup(self) -> Setup:
        """The training that the fields describe. Raises `BadText`."""
        return Setup(
            learner=self.learner,
            game=self.game,
            preset=self._chosen("preset"),
            rounds=parse_number(self._typed("rounds"), f"{self.learner.spec.round_noun}s", 1, MAX_ROUNDS),
            seed=parse_number(self._typed("seed"), "seed", 0, LARGEST_SEED),
            name=parse_name(self._typed("name")),
            opponent=self._chosen("opponent"),
            settings=parse_settings(self.learner, self._typed("set").split()),
        )

    def fill_from_save(self, snapshot: Snapshot, name: str) -> None:
        """Fill in the fields from a save that is to be continued."""
        self._choose(snapshot.learner, parse_game(snapshot.game), snapshot.preset, snapshot.opponent)
        self._type(set=settings_text(snapshot), seed=str(snapshot.seed), name=name)

    def fill_from_setup(self, setup: Setup) -> None:
        """Fill in the fields from a ready-made training."""
        self._choose(setup.learner.spec.name, setup.game, setup.preset, setup.opponent)
        self._type(set="", rounds=f"{setup.rounds:,}", seed=str(setup.seed))
        self.propose_name(setup.name)

    def _choose(self, learner: str, game: Game, preset: str, opponent: str) -> None:
        with self.prevent(Select.Changed):
            self.query_one("#form-learner", Select).value = learner
            self.query_one("#form-game", ChoiceList).refill(_game_choices(self.learner, game), game.name)
            self.offer_presets(preset)
            self.adapt_to_learner()
            self.query_one("#form-opponent", ChoiceList).refill([(label(opponent), opponent)], opponent)
            self._proposed_opponent = ""
        self.offer_opponents()

    def _type(self, **texts: str) -> None:
        for name, text in texts.items():
            self.query_one(f"#form-{name}", Input).value = text

    def offer_presets(self, wanted: str = "") -> None:
        """List the presets of the learner that fit the game, and choose `wanted`, or the first if it is missing."""
        choices = presets_of(self.learner, self.game)
        self.query_one("#form-preset", ChoiceList).refill(choices, wanted)

    def adapt_to_learner(self) -> None:
        """Adapt the form to the learner: its settings and paces, the unit of its rounds, and their proposed number."""
        kind = self.learner
        rounds = f"{kind.spec.round_noun}s"
        self.query_one("#label-rounds", Label).update(rounds)
        self.set_class(len(rounds) > SHORT, "-long")
        self.propose_rounds()
        self.query_one("#form-pace", ChoiceList).refill(paces_of(kind), self._pace)
        field, kinds = self.query_one("#form-set", Input), kind.spec.settings
        field.placeholder = " ".join(f"{key}=…" for key in kinds)
        field.tooltip = Text("\n".join(f"{key}={kind.syntax}" for key, kind in kinds.items()))

    def propose_rounds(self) -> None:
        """Propose the usual number of rounds of the preset, unless the user has typed another one."""
        usual = f"{self.learner.spec.rounds_for(self._chosen('preset')):,}"
        if self._typed("rounds") == self._proposed_rounds:
            self._type(rounds=usual)
        self._proposed_rounds = usual

    def offer_opponents(self) -> None:
        """List the opponents that the learner can train against.

        The opponent that the user has chosen stays if it is listed; otherwise the usual one is proposed.
        """
        try:
            settings = parse_settings(self.learner, self._typed("set").split())
        except BadText:
            settings = {}  # the error is reported at Start
        game = self.game
        self.find_opponents(Setup(self.learner, game, self._chosen("preset"), 1, 0, "", settings=settings))

    @work(thread=True, exclusive=True, group="opponents", exit_on_error=False)
    def find_opponents(self, setup: Setup) -> None:
        try:
            learner = setup.learner(setup.game, setup.preset, setup.seed, setup.settings)
        except (BadText, TooLarge):
            return  # the error is reported at Start
        usual, choices = learner.opponent, opponents_for(learner, self._library)
        self.app.call_from_thread(self.list_opponents, choices, usual)

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        select = self.query_one("#form-opponent", ChoiceList)
        chosen, values = str(select.value), [value for _, value in choices]
        if chosen.startswith(SAVE) and chosen not in values:
            self.show_error(f"{chosen} cannot play this game: choose another opponent")
        if chosen not in values or chosen == self._proposed_opponent:
            chosen = self._proposed_opponent = usual
        select.refill(choices, chosen)

    @on(Select.Changed, "#form-learner")
    @on(Select.Changed, "#form-game")
    def kind_changed(self, message: Select.Changed) -> None:
        message.stop()
        self.query_one("#form-game", ChoiceList).refill(_game_choices(self.learner, self.game), self.game.name)
        self.offer_presets(self.learner.spec.preferred.get(self.game.name, self._chosen("preset")))
        self.adapt_to_learner()
        self.offer_opponents()
        if message.select.id == "form-learner":
            self._proposed_opponent = self._chosen("opponent")  # so the usual opponent of this learner replaces it
            if self._typed("name") == self._proposed_name:
                self.post_message(self.LearnerChosen())

    @on(Select.Changed, "#form-preset")
    @on(Input.Changed, "#form-set")
    def rules_changed(self, message: Select.Changed | Input.Changed) -> None:
        message.stop()
        self.propose_rounds()
        self.offer_opponents()

    def propose_name(self, name: str) -> None:
        self._proposed_name = self.query_one("#form-name", Input).value = name

    def lock_fields(self, *, locked: bool, continued: bool = False) -> None:
        """Lock the fields that cannot be changed now, or unlock them.

        The pace is never locked. During a training, the settings stay open, so that it can be branched. If a save is
        to be `continued`, the opponent and the number of rounds stay open.
        """
        always = ["learner", "game", "preset", "seed", "name"]
        for name in (*always, *(["set"] if continued else ["opponent", "rounds"])):
            self.query_one(f"#form-{name}").disabled = locked

    def show_error(self, message: str) -> None:
        self.query_one(ErrorLine).show(message)

    @on(Select.Changed, "#form-pace")
    def pace_changed(self, message: Select.Changed) -> None:
        message.stop()
        self._pace = self.pace.label
        self.post_message(self.PaceChosen(self.pace))

    @on(Input.Submitted)
    def submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Submitted())


def paces_of(kind: type[Learner]) -> TextChoices:
    return [(Text(pace.label), pace.label) for pace in paces_for(kind)]
