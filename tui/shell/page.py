"""Pages to read, such as help."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Label, Markdown, Static

from lab.words.sanitise import PATH_WIDTH, plain
from tui.shell.dialog import Dialog


class Page(Dialog[None]):
    """Shows widgets on a page that scrolls. Escape, the keys of help, or a click outside close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", "Back"),
        Binding("question_mark,f1", "dismiss", "Back"),
    ]

    def __init__(self, title: str, content: Iterable[Widget]) -> None:
        super().__init__()
        self.page_title = title
        self._content = content

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog help"):
            yield from self._content
            yield Static(Text("\nEscape closes this page, the arrow keys scroll.", "dim"))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss()


def help_page(text: str, keys: Iterable[tuple[str, str]]) -> Page:
    """The help of a screen: a text in Markdown, and pairs of keys and what they do."""
    listed = Text("\n".join(f"{key:>12}  {does}" for key, does in keys))
    return Page("Help", [Markdown(text), Static(listed)])


def text_page(title: str, lines: Sequence[str]) -> Page:
    """A page with a title and lines of text."""
    heading = Label(plain(title), classes="dialog-title", markup=False)
    return Page(title, [heading, Static(Text("\n".join(plain(line, PATH_WIDTH) for line in lines)))])
