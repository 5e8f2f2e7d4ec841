"""A dialog that asks for one line of text, such as a name or a path."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, Static

from engine.game import BadText
from lab.text.sanitise import plain
from tui.shell.dialog import Dialog


class Prompt(Dialog[str | None]):
    """Asks for a line of text until `check` accepts it; its result is what `check` returns, or `None` after Escape.

    To refuse a text, `check` raises `BadText`, whose message the dialog shows.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, question: str, answer: str, check: Callable[[str], str], *, verb: str = "OK") -> None:
        super().__init__()
        self._question = question
        self._answer = answer
        self._check = check
        self._verb = verb

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(plain(self._question), classes="dialog-title", markup=False)
            yield Input(self._answer, compact=True, id="answer")
            yield Static("", classes="dialog-error", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(self._verb, variant="primary", id="accept", compact=True)
                yield Button("Back", id="back", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#accept")
    def accept(self) -> None:
        try:
            answer = self._check(self.query_one(Input).value)
        except BadText as error:
            self.query_one(".dialog-error", Static).update(plain(str(error), 300))
        else:
            self.dismiss(answer)

    @on(Button.Pressed, "#back")
    def action_back(self) -> None:
        self.dismiss(None)
