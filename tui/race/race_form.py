"""The forms of a race: its size with the measure of the chart, and the dialog that adds an entrant."""

from typing import Final

from rich.text import Text
from textual.app import ComposeResult

from engine.game import Game
from engine.games import SMALL_GAMES, known_games, parse_game
from lab.race.race_text import ShownMeasure
from learners import LEARNERS
from learners.core.learner import PERSON
from learners.core.snapshot import ITSELF
from learners.core.training import MAX_ROUNDS
from learners.race.entrants import Entrant, can_race, parse_entrant
from learners.race.measures import judging_of
from saves.library.library import Library
from tui.shell.parts import ChoiceList, LiveText, Panel
from tui.widgets.form import (
    Form,
    FormDialog,
    FormField,
    LearnerForm,
    TextChoices,
    presets_of,
    settings_field,
    text_field,
)
from tui.widgets.measure_fields import adapt_to_game, measure_choices, parse_seeds, shown_measure_of, side_choices

SCROLL_BAR: Final = 2
"""The columns of a scroll bar, with a space before it."""
COURSE: Final = ("game", "games", "machines", "seed")
"""The fields that describe the race; the others only determine what the chart shows."""


class RaceForm(Form):
    """The fields of a race, each with a working default."""

    def __init__(self, game: Game) -> None:
        if not can_race(game):
            game = SMALL_GAMES[0]
        judging = judging_of(game)
        games = [(each.title, each.name) for each in known_games(game) if can_race(each)]
        fields: dict[str, FormField] = {
            "game": ChoiceList(games, value=game.name),
            "games": text_field(f"{judging.usual_budget:,}"),
            "machines": text_field(f"{judging.usual_machines:,}"),
            "seed": text_field("1"),
            "measure": ChoiceList(measure_choices(judging.measures)),
            "side": ChoiceList(side_choices(game)),
        }
        super().__init__(fields)

    @property
    def game(self) -> Game:
        return parse_game(self["game"])

    @property
    def shown_measure(self) -> ShownMeasure:
        """What the chart shows: a measure for one side, or its mean over both."""
        return shown_measure_of(self)

    def course(self) -> tuple[range, int]:
        """Return the seeds of the machines, and how many games each is trained for. Raises `BadField`."""
        budget = self.number("games", 1, MAX_ROUNDS)
        return parse_seeds(self), budget

    def fill(self, game: Game, seeds: range, games: int | None) -> None:
        """Fill in the fields for a race in `game`; if `games` is `None`, the number of games stays."""
        self.put(game=game.name)
        self.adapt("game")
        self.put(machines=f"{len(seeds):,}", seed=str(seeds[0]))
        if games is not None:
            self.put(games=f"{games:,}")

    def adapt(self, name: str) -> None:
        if name == "game":
            adapt_to_game(self)
            self.propose("games", f"{judging_of(self.game).usual_budget:,}")


class EntrantForm(LearnerForm):
    """The fields of an entrant."""

    DEFAULT_CSS = """
    EntrantForm Panel { height: 30vh; margin-top: 1; }
    .-low EntrantForm Panel { height: 3; }
    EntrantForm #entrant-set { height: auto; }
    """

    def __init__(self, game: Game, library: Library) -> None:
        kinds = [each for each in LEARNERS if each.spec.fits(game)] or LEARNERS
        fields: dict[str, FormField] = {
            "learner": ChoiceList([(each.spec.title, each.spec.name) for each in kinds]),
            "preset": ChoiceList(presets_of(kinds[0], game)),
            "opponent": ChoiceList([(Text("itself"), ITSELF)]),
            "set": settings_field(),
        }
        super().__init__(fields, game, library)

    def compose(self) -> ComposeResult:
        yield from super().compose()
        with Panel():
            yield LiveText(id="entrant-set")

    def begin(self) -> None:
        self.offer_opponents()

    def on_resize(self) -> None:
        self.show_settings()

    def adapt(self, name: str) -> None:
        if name == "learner":
            self.offer_presets(self["preset"])
        if name != "opponent":
            self.offer_opponents()
        self.show_settings()

    def show_settings(self) -> None:
        """Show below the fields what can be set, and how."""
        text = self.describe_settings(self.content_size.width - SCROLL_BAR, typed=True)
        self.query_one("#entrant-set", LiveText).set_text(text)

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        super().list_opponents([choice for choice in choices if choice[1] != PERSON], usual)


def entrant_dialog(game: Game, library: Library) -> FormDialog[Entrant | None]:
    def check(values: dict[str, str]) -> Entrant:
        rules = f"{values['learner']}:{values['preset']}/{values['opponent']}"
        return parse_entrant("+".join([rules, *values["set"].split()]), game, library.opponent)

    return FormDialog("Add an entrant", EntrantForm(game, library), check, "Add", focus="learner")
