"""The form of a race: game, number of games, number of machines, first seed, and what the chart shows."""

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label, Select

from engine.game import Game
from engine.games import SMALL_GAMES, known_games, parse_game
from lab.judging.race_samples import judging_of
from lab.race.race_text import SIDES, ShownMeasure
from learners.core.training import MAX_ROUNDS
from learners.race.entrants import can_race
from learners.race.measures import parse_measure
from tui.shell.parts import ChoiceList, ErrorLine, Field, parse_number
from tui.widgets.machine_fields import measure_choices, measure_list, offer_sides, parse_seeds, sides_of


@dataclass(frozen=True)
class Course:
    """How many games each machine of a race is trained for, and the seeds of the machines."""

    budget: int
    seeds: range


class RaceForm(Vertical):
    """The fields of a race, each with a working default.

    Posts `Submitted`, `GameChosen` and `SeenChosen`.
    """

    DEFAULT_CSS = """
    RaceForm {
        height: auto;
        & > Horizontal { height: 1; }
        & Label { width: 9; color: $text-muted; }
        & Input, & Select { width: 1fr; }
    }
    """

    class Submitted(Message):
        """Posted when Enter was pressed in a field."""

    class GameChosen(Message):
        """Posted when another game was chosen."""

    class SeenChosen(Message):
        """Posted when another measure or side was chosen."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game if can_race(game) else SMALL_GAMES[0]

    def compose(self) -> ComposeResult:
        games = [(game.title, game.name) for game in known_games(self._game) if can_race(game)]
        judging = judging_of(self._game)
        fields: dict[str, Widget] = {
            "game": ChoiceList(games, value=self._game.name),
            "games": Field(f"{judging.usual_budget:,}", compact=True, max_length=20),
            "machines": Field(f"{judging.usual_machines:,}", compact=True, max_length=20),
            "seed": Field("1", compact=True, max_length=20),
            "measure": measure_list(judging.measures),
            "side": ChoiceList(sides_of(self._game)),
        }
        titles = {"measure": "shows", "side": "as"}
        for name, field in fields.items():
            field.id = f"race-{name}"
            with Horizontal():
                yield Label(titles.get(name, name))
                yield field
        yield ErrorLine(id="race-error")

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#race-{name}", Select).value)

    def _typed(self, name: str) -> str:
        return self.query_one(f"#race-{name}", Input).value

    @property
    def game(self) -> Game:
        return parse_game(self._chosen("game"))

    @property
    def seen(self) -> ShownMeasure:
        """What the chart shows: a measure for one side, or its mean over both."""
        return ShownMeasure(
            parse_measure(self._chosen("measure"), judging_of(self._game).measures), SIDES[self._chosen("side")]
        )

    def _parse_budget(self) -> int:
        return parse_number(self._typed("games"), "games", 1, MAX_ROUNDS)

    def course(self) -> Course:
        """The number of games and the seeds in the fields. Raises `BadText`."""
        return Course(self._parse_budget(), parse_seeds(self._typed("machines"), self._typed("seed")))

    def fill(self, game: Game, seeds: range, games: int | None) -> None:
        """Fill in the fields for a race in `game`; if `games` is `None`, the number of games stays."""
        with self.prevent(Select.Changed, Input.Changed):
            self.query_one("#race-game", ChoiceList).value = game.name
            self._offer_shown(game)
            if games is not None:
                self.query_one("#race-games", Input).value = f"{games:,}"
            self.query_one("#race-machines", Input).value = f"{len(seeds):,}"
            self.query_one("#race-seed", Input).value = str(seeds[0])

    def _offer_shown(self, game: Game) -> None:
        """Offer the measures, sides and usual numbers of another game; the user's choices stay as far as they fit."""
        before, now = judging_of(self._game), judging_of(game)
        self._game = game
        measures = self.query_one("#race-measure", ChoiceList)
        with self.prevent(Select.Changed, Input.Changed):
            measures.refill(measure_choices(now.measures), measures.value)
            self._replace("games", before.usual_budget, now.usual_budget)
            self._replace("machines", before.usual_machines, now.usual_machines)
        offer_sides(self.query_one("#race-side", ChoiceList), game)

    def _replace(self, name: str, usual: int, proposed: int) -> None:
        """Put the number `proposed` into a field that still has the `usual` one."""
        field = self.query_one(f"#race-{name}", Input)
        if field.value == f"{usual:,}":
            field.value = f"{proposed:,}"

    def lock_fields(self, *, locked: bool) -> None:
        """Lock or unlock all fields except those for what the chart shows."""
        for name in ("game", "games", "machines", "seed"):
            self.query_one(f"#race-{name}").disabled = locked

    def show_error(self, message: str) -> None:
        self.query_one(ErrorLine).show(message)

    @on(Input.Submitted)
    def submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Submitted())

    @on(Select.Changed)
    def changed(self, message: Select.Changed) -> None:
        message.stop()
        if message.select.id != "race-game":
            self.post_message(self.SeenChosen())
            return
        if self.game.name == self._game.name:  # `Select` also posts its initial value
            return
        self._offer_shown(self.game)
        self.post_message(self.GameChosen())
