"""The form of a training: learner, game, preset, opponent, single settings, rounds, seed, name and pace.

Below its fields it tells what can be started at once; while a setting is written, what can be set.
"""

from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.message import Message

from engine.game import BadText, Game
from engine.games import SMALL_GAMES, known_games
from lab.text.sanitise import label
from lab.training.setup import TEACHER, Setup, fresh_seed, parse_settings, settings_text
from lab.training.training_job import Pace, paces_for
from learners import LEARNERS
from learners.core.generator import LARGEST_SEED
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import is_save, parse_name
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.training import MAX_ROUNDS
from saves.library.library import Library
from tui.shell.parts import ChoiceList, LiveText
from tui.train.ready_made import ready_text
from tui.widgets.form import FormField, LearnerForm, TextChoices, presets_of, settings_field, text_field

LOCKED: Final = ("learner", "game", "preset", "seed", "name")
"""The fields that are locked during a training, and if a save is to be continued."""

TEACHER_TEXT: Final = "A teacher finds a short course: the few games after which nobody beats it."
BRANCH_HINT: Final = "Write a setting. Enter: two branches train on, one with it."


def _game_choices(kind: type[Learner], game: Game) -> list[tuple[str, str]]:
    """Return title and name of each game that a learner can learn, `game` included even if it is not in the lists."""
    return [(each.title, each.name) for each in known_games(game) if kind.spec.fits(each)]


class TrainForm(LearnerForm):
    """The fields of a training, each with a working default."""

    # an error takes the place of what is below the fields: nothing else moves
    DEFAULT_CSS = "TrainForm.-wrong #train-ready { display: none; }"

    class NameProposed(Message):
        """Posted when a name is proposed."""

    def __init__(self, game: Game, library: Library, pace: str) -> None:
        """Propose `game`, if the first learner can learn it, and the pace with the label `pace`, if there is one."""
        kind = LEARNERS[0]
        if not kind.spec.fits(game):
            game = SMALL_GAMES[0]
        self._pace = pace
        self._proposed_opponent = ITSELF
        """The last opponent that the program chose; empty if a save or a ready-made training determines it."""
        self.continued: Snapshot | None = None
        """The snapshot of the save that the next training continues, if any."""
        self.has_proposed_name = False
        self._can_branch = False
        """Whether a training runs, which can be branched."""
        fields: dict[str, FormField] = {
            "learner": ChoiceList([(kind.spec.title, kind.spec.name) for kind in LEARNERS]),
            "game": ChoiceList(_game_choices(kind, game), value=game.name),
            "preset": ChoiceList(presets_of(kind, game)),
            "opponent": ChoiceList([(Text("itself"), ITSELF)]),
            "set": settings_field(),
            "rounds": text_field(),
            "seed": text_field(str(fresh_seed())),
            "name": text_field(length=80),
            "pace": ChoiceList(paces_of(kind)),
        }
        super().__init__(fields, game, library)

    def compose(self) -> ComposeResult:
        yield from super().compose()
        below = LiveText(id="train-ready")
        below.auto_links = False  # a bold digit is a key, as in frames
        yield below

    def begin(self) -> None:
        self.adapt_to_learner()
        self.offer_opponents()

    @property
    def pace(self) -> Pace:
        return next(pace for pace in paces_for(self.adapted_learner) if pace.label == self["pace"])

    @property
    def about(self) -> str:
        """What the chosen opponent or preset is, in a sentence; maybe empty."""
        if self["opponent"] == TEACHER:
            return TEACHER_TEXT
        preset = self["preset"]
        words = self.learner.shown.preset_words.get(preset, "")
        return f"{preset}: {words}." if words else ""

    def change_pace(self, steps: int) -> None:
        """Choose a pace that is `steps` faster, or slower if negative; at most the fastest or the slowest."""
        paces = paces_for(self.adapted_learner)
        place = paces.index(self.pace) - steps
        self.choices("pace").value = paces[min(max(0, place), len(paces) - 1)].label

    def setup(self) -> Setup:
        """Return the training that the fields describe. Raises `BadText`."""
        return Setup(
            learner=self.learner,
            game=self.game,
            preset=self["preset"],
            rounds=self.number("rounds", 1, MAX_ROUNDS, f"{self.learner.spec.round_noun}s"),
            seed=self.number("seed", 0, LARGEST_SEED),
            name=self.parse_field("name", parse_name),
            opponent=self["opponent"],
            settings=self.parse_field("set", lambda text: parse_settings(self.learner, text.split())),
        )

    def read_setup(self) -> Setup | None:
        """Return the training that the fields describe; if they describe none, show why."""
        try:
            setup = self.setup()
        except BadText as error:
            self.show_error(error)
            return None
        self.show_error("")
        return setup

    def clear(self) -> None:
        """Prepare for a new training, no longer for a save to be continued."""
        self.continued = None
        self.lock_fields(locked=False)
        self.find_name()

    def fill_from_save(self, snapshot: Snapshot, name: str, rounds: int | None = None) -> None:
        """Prepare to continue a save."""
        self.continued = snapshot
        self.lock_fields(locked=False)
        self._choose(snapshot.learner, snapshot.game, snapshot.preset, snapshot.opponent)
        self.put(set=settings_text(snapshot), seed=str(snapshot.seed), name=name)
        if rounds is not None:
            self.put(rounds=f"{rounds:,}")
        self.lock_fields(locked=True, continued=True)

    def fill_from_setup(self, setup: Setup) -> None:
        self.continued = None
        self.lock_fields(locked=False)
        self._choose(setup.learner.spec.name, setup.game, setup.preset, setup.opponent)
        self.put(set="", rounds=f"{setup.rounds:,}", seed=str(setup.seed))
        self.propose_name(setup.name)

    def _choose(self, learner: str, game: Game, preset: str, opponent: str) -> None:
        self.put(learner=learner)
        self.offer("game", _game_choices(self.learner, game), game.name)
        self.offer_presets(preset)
        self.adapt_to_learner()
        self.offer("opponent", [(label(opponent), opponent)], opponent)
        self._proposed_opponent = ""
        self.offer_opponents()

    def adapt_to_learner(self) -> None:
        """Adapt the form to the learner: its settings and paces, the unit of its rounds, and their proposed number."""
        self.label("rounds", f"{self.learner.spec.round_noun}s")
        self.propose_rounds()
        self.offer("pace", paces_of(self.learner), self._pace)

    def propose_rounds(self) -> None:
        """Propose the usual number of rounds of the preset, unless the user has typed another one."""
        self.propose("rounds", f"{self.learner.spec.rounds_for(self['preset']):,}")

    def find_name(self) -> None:
        """Find a free name in the background, and propose it."""
        name = self.learner.spec.name

        def propose(free_name: str) -> None:
            if self.continued is None:
                self.propose_name(free_name)
            self.post_message(self.NameProposed())

        def warn(problem: str) -> None:
            self.warn(f"{problem}. You can train, but nothing can be saved.")
            propose(name)

        self.run_in_background("name", lambda _: self._library.free_name(name), propose, warn)

    def propose_name(self, name: str) -> None:
        self.has_proposed_name = True
        self.put(name="")
        self.propose("name", name)

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        """List the opponents; the one that the user has chosen stays if it is listed."""
        choices, chosen = list(choices), self["opponent"]
        if self.learner.spec.learns_records and self.game.learnable:
            person = [value for _, value in choices].index(PERSON)
            choices.insert(person + 1, (Text("a teacher"), TEACHER))
        values = [value for _, value in choices]
        if is_save(chosen) and chosen not in values:
            self.show_error(f"{chosen} cannot play this game: choose another opponent", "opponent")
        if chosen not in values or chosen == self._proposed_opponent:
            chosen = self._proposed_opponent = usual
        self.offer("opponent", choices, chosen)

    def adapt(self, name: str) -> None:
        match name:
            case "learner" | "game":
                if name == "learner":
                    self.put(set="")  # it names rules of another learner
                    if self.has_proposal("name"):
                        self.find_name()
                self.offer("game", _game_choices(self.learner, self.game), self.game.name)
                self.offer_presets(self.learner.spec.preferred.get(self.game.name, self["preset"]))
                self.adapt_to_learner()
                self.offer_opponents()
                if name == "learner":
                    self._proposed_opponent = self["opponent"]  # so the usual opponent of this learner replaces it
            case "preset" | "set":
                self.propose_rounds()
                self.offer_opponents()
            case "opponent":
                self.set_locked(["rounds"], locked=self["opponent"] == TEACHER)
            case "pace":
                self._pace = self.pace.label

    def lock_fields(self, *, locked: bool, continued: bool = False) -> None:
        """Lock the fields that cannot be changed now, or unlock them.

        The pace is never locked. During a training, the settings stay open, so that it can be branched. If a save is
        to be `continued`, the opponent and the number of rounds stay open.
        """
        branch_fields, continue_fields = ("set",), ("opponent", "rounds")
        if continued:
            self.set_locked((*LOCKED, *branch_fields), locked=locked)
            self.set_locked(continue_fields, locked=False)
        else:
            self.set_locked((*LOCKED, *continue_fields), locked=locked)
            self.set_locked(branch_fields, locked=False)

    # Below the fields

    def on_resize(self) -> None:
        self.show_hints(running=self._can_branch)

    def show_hints(self, *, running: bool) -> None:
        """Show below the fields what can be set while one writes that, as for a branch; else what can be started."""
        self._can_branch = running
        hints = self._branch_hints() if running or self.is_writing_settings else self._start_hints()
        self.query_one("#train-ready", LiveText).set_text(hints)

    def _start_hints(self) -> Text:
        """Return the ready-made trainings, unless a save is continued; on a tall screen also what can be set."""
        screen, width, text = self.screen, self.content_size.width, Text()
        if self.continued is None:
            text = ready_text(width, with_summaries=screen.has_class("-vast", "-tall"))
        if screen.has_class("-tall") and width:
            text.append("\n\nWhat can be set:\n", "dim").append(self.settings_text(width))
        return text

    def _branch_hints(self) -> Text:
        """Return how to branch a training, and on a tall screen what can be set; elsewhere a panel shows that."""
        text = Text(f"{BRANCH_HINT}\n\n" if self._can_branch else "", "dim")
        if self.screen.has_class("-tall"):
            text.append(self.settings_text(self.content_size.width - 1))  # a column before a scroll bar
        return text

    def settings_text(self, width: int) -> Text:
        """Return what can be set, and how while one writes that or a training can be branched."""
        return self.describe_settings(width, typed=self.is_writing_settings or self._can_branch)


def paces_of(kind: type[Learner]) -> TextChoices:
    return [(Text(pace.label), pace.label) for pace in paces_for(kind)]
