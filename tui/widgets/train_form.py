"""The set-up of a training: learner, game, preset, games, seed, name and pace."""

from dataclasses import dataclass
from random import SystemRandom
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Label, Select

from engine import GAMES, parse_game
from engine.game import BadText, Game, quoted
from learners import LEARNERS, parse_learner
from learners.generator import LARGEST_SEED
from learners.learner import Learner, Snapshot
from learners.training import MOST_GAMES
from saves.names import parse_name
from tui.jobs import PACES, Pace
from tui.safe import plain

DEFAULT_GAMES: Final = 100_000
FRESH_SEEDS: Final = 10_000
"""A new training gets a seed below this: short enough to be told to somebody."""


@dataclass(frozen=True)
class Setup:
    """A training as it was asked for."""

    learner: type[Learner]
    game: Game
    preset: str
    games: int
    seed: int
    name: str

    def new_learner(self) -> Learner:
        """A learner that knows nothing yet. Raises `TooLarge`."""
        return self.learner(self.game, self.preset, self.seed)


def parse_whole(text: str, what: str, least: int, most: int) -> int:
    """A whole number, perhaps with its thousands apart. Raises `BadText` that tells the range."""
    digits = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20 and least <= int(digits) <= most):
        raise BadText(f"{what} {quoted(text)}: give a whole number from {least:,} to {most:,}")
    return int(digits)


class TrainForm(Vertical):
    """Everything that a training needs to be told, each with a default that works."""

    DEFAULT_CSS = """
    TrainForm {
        height: auto;
        & > Horizontal { height: 1; }
        & Label { width: 9; color: $text-muted; }
        & Input, & Select { width: 1fr; }
        & #form-error { width: 100%; height: auto; color: $error; }
    }
    """

    class PaceChosen(Message):
        """The pace was changed; it may be changed at any time."""

        def __init__(self, pace: Pace) -> None:
            super().__init__()
            self.pace = pace

    class Submitted(Message):
        """Enter was pressed in a field."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        kind = LEARNERS[0]
        fields = {
            "learner": Select(
                [(kind.title, kind.name) for kind in LEARNERS], value=kind.name, allow_blank=False, compact=True
            ),
            "game": Select(
                [(game.title, game.name) for game in GAMES], value=self._game.name, allow_blank=False, compact=True
            ),
            "preset": Select([(preset, preset) for preset in kind.presets], allow_blank=False, compact=True),
            "games": Input(f"{DEFAULT_GAMES:,}", compact=True, max_length=20),
            "seed": Input(str(SystemRandom().randrange(1, FRESH_SEEDS)), compact=True, max_length=20),
            "name": Input("", compact=True, max_length=80),
            "pace": Select([(pace.label, pace.label) for pace in PACES], allow_blank=False, compact=True),
        }
        for name, field in fields.items():
            field.id = f"form-{name}"
            with Horizontal():
                yield Label(name)
                yield field
        yield Label("", id="form-error", markup=False)

    @property
    def pace(self) -> Pace:
        label = self.query_one("#form-pace", Select).value
        return next(pace for pace in PACES if pace.label == label)

    def setup(self) -> Setup:
        """What the fields say. Raises `BadText`."""
        learner, game, preset = (str(self.query_one(f"#form-{name}", Select).value) for name in SELECTED)
        games, seed, name = (self.query_one(f"#form-{name}", Input).value for name in ("games", "seed", "name"))
        return Setup(
            learner=parse_learner(learner),
            game=parse_game(game),
            preset=preset,
            games=parse_whole(games, "games", 1, MOST_GAMES),
            seed=parse_whole(seed, "seed", 0, LARGEST_SEED),
            name=parse_name(name),
        )

    def fill(self, snapshot: Snapshot, name: str) -> None:
        """Set the fields as the save of that name, which is to be continued, had them."""
        with self.prevent(Select.Changed):
            self.query_one("#form-learner", Select).value = snapshot.learner
            self.query_one("#form-game", Select).value = snapshot.game
        self.offer_presets(parse_learner(snapshot.learner))
        self.query_one("#form-preset", Select).value = snapshot.preset
        self.query_one("#form-seed", Input).value = str(snapshot.seed)
        self.fill_name(name)

    def offer_presets(self, learner: type[Learner]) -> None:
        """List the presets of a learner, its first one chosen."""
        self.query_one("#form-preset", Select).set_options([(preset, preset) for preset in learner.presets])

    @on(Select.Changed, "#form-learner")
    def learner_changed(self, message: Select.Changed) -> None:
        message.stop()
        self.offer_presets(parse_learner(str(message.value)))

    def fill_name(self, name: str) -> None:
        self.query_one("#form-name", Input).value = name

    def freeze(self, *, locked: bool, games_too: bool = True) -> None:
        """While a training runs only the pace may change; where a save is continued, the number of games as well."""
        for name in ("learner", "game", "preset", "seed", "name", *(["games"] if games_too else [])):
            self.query_one(f"#form-{name}").disabled = locked

    def complain(self, message: str) -> None:
        self.query_one("#form-error", Label).update(plain(message, 300))

    @on(Select.Changed, "#form-pace")
    def pace_changed(self, message: Select.Changed) -> None:
        message.stop()
        self.post_message(self.PaceChosen(self.pace))

    @on(Input.Submitted)
    def submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Submitted())


SELECTED: Final = ("learner", "game", "preset")
