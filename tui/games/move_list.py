"""The list of moves of a game."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click

from tui.shell.options import Options


class MoveList(Options):
    """Lists the moves of a game. A click selects a move; only Enter plays on from there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play on")]

    def on_click(self, event: Click) -> None:
        event.prevent_default()
        move = event.style.meta.get("option", self.option_count)
        if move < self.option_count:  # the list may have become shorter since the click
            self.highlighted = move
