"""Help on a screen: what it shows, and every key."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Markdown, Static

from tui.screens.dialog import Dialog


class HelpScreen(Dialog[None]):
    """A page to scroll through; Escape goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1,enter", "dismiss", "Back")]

    def __init__(self, words: str, keys: list[tuple[str, str]]) -> None:
        """`words` are Markdown; `keys` are each key, or keys, and what it does."""
        super().__init__()
        self._words = words
        self._keys = keys

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield Markdown(self._words)
            yield Static(Text("\n".join(f"{key:>12}  {does}" for key, does in self._keys)))
            yield Static(Text("\nEscape goes back, the arrows scroll.", "dim"))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
