"""The dialog to choose one of several moves to the same squares: they differ by an option, such as the piece."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Label

from engine.game import Game, Move, Position
from tui.shell.dialog import Dialog


class MoveDialog(Dialog[Move | None]):
    """Asks for the option of a move, by key or button; its result is the move, or `None` after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, game: Game, position: Position, moves: Sequence[Move]) -> None:
        super().__init__()
        self._moves = {game.board.option(position, move): move for move in moves}
        square = game.board.squares(position, moves[0])[-1]
        self._question = f"Which move on {game.board.grid.name(square)}? Press {' or '.join(self._moves)}."

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self._question, classes="dialog-title", markup=False)
            with Horizontal(classes="dialog-buttons"):
                for option in self._moves:
                    yield Button(option, variant="primary", name=option, compact=True)
                yield Button("Back", id="back", compact=True)

    def on_key(self, event: events.Key) -> None:
        for option, move in self._moves.items():
            if event.character is not None and event.character.upper() == option.upper():
                event.stop()
                self.dismiss(move)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(self._moves.get(event.button.name or ""))

    def action_back(self) -> None:
        self.dismiss(None)
