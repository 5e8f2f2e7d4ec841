"""Something to be read in peace, line by line."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Label, Static

from tui.safe import plain
from tui.screens.dialog import Dialog


class Told(Dialog[None]):
    """Lines to scroll through; Escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", "Back")]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield Label(plain(self._title), classes="dialog-title", markup=False)
            yield Static(Text("\n".join(plain(line, 4096) for line in self._lines)))
            yield Static(Text("\nEscape goes back, the arrows scroll.", "dim"))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
