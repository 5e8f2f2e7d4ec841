"""Who plays: a dialog with the game and a list of players for each side."""

from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Select

from engine import GAMES, parse_game
from engine.game import Game
from learners import offers
from saves.errors import LibraryError
from saves.library import Entry, Library
from tui.figures import rounds_text
from tui.safe import label
from tui.screens.closing import ClosesOnce
from tui.session import HUMAN, Seating, machine_for
from tui.troubled import Troubled


class PlayersDialog(Troubled, ModalScreen[Seating | None], ClosesOnce[Seating | None]):
    """Choose the game and both players; Escape leaves everything as it was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, seating: Seating) -> None:
        super().__init__()
        self.seating = seating
        self.entries: list[Entry] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("Who plays?", classes="dialog-title")
            yield Select(
                [(game.title, game.name) for game in GAMES],
                value=self.seating.game.name,
                allow_blank=False,
                compact=True,
                id="players-game",
            )
            for side in ("first", "second"):
                yield Label("", id=f"players-{side}-label", classes="dialog-label")
                yield Select([("a person", HUMAN)], allow_blank=False, compact=True, id=f"players-{side}")
            with Horizontal(classes="dialog-buttons"):
                yield Button("Play", variant="primary", id="players-play", compact=True)
                yield Button("Back", id="players-back", compact=True)

    def on_mount(self) -> None:
        self.offer(self.seating.first, self.seating.second)
        self.query_one("#players-second", Select).focus()
        self.load()

    @work(thread=True, exit_on_error=False)
    def load(self) -> None:
        library: Library = self.app.library  # type: ignore[attr-defined]
        try:
            self.entries = library.entries()
        except LibraryError as error:
            self.entries = library.gallery()
            self.app.call_from_thread(self.app.warn, str(error))  # type: ignore[attr-defined]
        self.app.call_from_thread(self.offer, self.seating.first, self.seating.second)

    @property
    def game(self) -> Game:
        return parse_game(str(self.query_one("#players-game", Select).value))

    def offer(self, first: str, second: str) -> None:
        """List the players there are for the chosen game, with these two chosen if they are among them."""
        game = self.game
        options: list[tuple[Text, str]] = [(Text("a person"), HUMAN)]
        options += [(Text(f"{offer.title.lower()}: {offer.summary}"), offer.label) for offer in offers(game)]
        options += [
            (
                label(f"{entry.name}: {entry.learner}, {rounds_text(entry.rounds, entry.round_noun)}"),
                f"save:{entry.name}",
            )
            for entry in self.entries
            if entry.game == game.name
        ]
        values = [value for _, value in options]
        for side, mark, wanted in (("first", game.marks[0], first), ("second", game.marks[1], second)):
            self.query_one(f"#players-{side}-label", Label).update(f"{mark} moves {side}")
            select = self.query_one(f"#players-{side}", Select)
            select.set_options(options)
            machine = "perfect" if "perfect" in values else machine_for(game)
            select.value = wanted if wanted in values else (HUMAN if side == "first" else machine)

    @on(Select.Changed, "#players-game")
    def game_changed(self) -> None:
        self.offer(self.seating.first, self.seating.second)

    @on(Button.Pressed, "#players-play")
    def play(self) -> None:
        first, second = (str(self.query_one(f"#players-{side}", Select).value) for side in ("first", "second"))
        self.dismiss(Seating(self.game, first, second))

    @on(Button.Pressed, "#players-back")
    def action_back(self) -> None:
        self.dismiss(None)
