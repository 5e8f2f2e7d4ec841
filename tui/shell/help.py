"""Help on a screen: what it shows, and every key."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Markdown, Static

from tui.shell.page import Page


class HelpScreen(Page):
    """Closes by the keys that open it as well."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,f1", "dismiss", "Back")]

    def __init__(self, words: str, keys: list[tuple[str, str]]) -> None:
        """`words` are Markdown; `keys` are each key, or keys, and what it does."""
        super().__init__()
        self._words = words
        self._keys = keys

    def body(self) -> Iterable[Widget]:
        yield Markdown(self._words)
        yield Static(Text("\n".join(f"{key:>12}  {does}" for key, does in self._keys)))
