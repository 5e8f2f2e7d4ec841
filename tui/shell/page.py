"""Pages to read."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Label, Static

from lab.words.sanitise import PATH_WIDTH, plain
from tui.shell.dialog import Dialog


class Page(Dialog[None]):
    """A page that scrolls. Escape closes it, and so does a click outside."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter", "dismiss", "Back")]

    def body(self) -> Iterable[Widget]:
        """The widgets of the page."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield from self.body()
            yield Static(Text("\nEscape closes this page, the arrow keys scroll.", "dim"))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()


class Lines(Page):
    """A page with a title and lines of text."""

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def body(self) -> Iterable[Widget]:
        yield Label(plain(self._title), classes="dialog-title", markup=False)
        yield Static(Text("\n".join(plain(line, PATH_WIDTH) for line in self._lines)))
