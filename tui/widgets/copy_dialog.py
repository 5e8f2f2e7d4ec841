"""Copy and paste: the position and the game as text, and a field to paste another one."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Input, Label, Static

from engine.games import find_game
from engine.match import Match
from engine.notation import game_text, parse_game_text, position_text
from tui.shell.dialog import Question, dialog_frame


class CopyDialog(Question[Match | None]):
    """Shows the position and the game as text; its result is a pasted position or game, or `None` after Escape."""

    AUTO_FOCUS = "#paste"

    def __init__(self, match: Match) -> None:
        super().__init__()
        self._match = match

    def compose(self) -> ComposeResult:
        with dialog_frame("Copy and paste"):
            for name, title, text in self._texts:
                with Horizontal(classes="copy-line"):
                    yield Label(title, classes="dialog-label")
                    yield Button("Copy", compact=True, id=f"take-{name}", classes="take")
                yield Static(text, id=f"copy-{name}", markup=False)
            yield Label("Play on from another position", classes="dialog-label")
            yield Input(placeholder="paste a position or a game, and press Enter", compact=True, id="paste")
            yield Static("", classes="dialog-error", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Static("", id="copy-note", markup=False)
                yield Button("Back", id="back", compact=True)

    @property
    def _texts(self) -> list[tuple[str, str, str]]:
        """The texts to copy: the name, the title and the text of each."""
        return [
            ("position", "The position", position_text(self._match)),
            ("game", "The game so far", game_text(self._match)),
        ]

    @on(Button.Pressed, ".take")
    def copy_text(self, event: Button.Pressed) -> None:
        for name, _, text in self._texts:
            if event.button.id == f"take-{name}":
                self.app.copy_to_clipboard(text)
                self.query_one("#copy-note", Static).update(f"The {name} is copied.")

    def accept(self) -> None:
        text = self.query_one(Input).value
        if text.strip():
            self.dismiss(parse_game_text(text, find_game, self._match.game))
