"""The help page of a screen: what it shows, and all its keys."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Markdown, Static

from tui.shell.page import Page


class HelpScreen(Page):
    """The help of a screen; the keys that open it close it too."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,f1", "dismiss", "Back")]

    def __init__(self, words: str, keys: list[tuple[str, str]]) -> None:
        """`words` is Markdown; `keys` has pairs of key names and what they do."""
        super().__init__()
        self._words = words
        self._keys = keys

    def body(self) -> Iterable[Widget]:
        yield Markdown(self._words)
        yield Static(Text("\n".join(f"{key:>12}  {does}" for key, does in self._keys)))
