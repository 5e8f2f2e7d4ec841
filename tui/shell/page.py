"""Pages to read, and the help of a screen."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widget import Widget
from textual.widgets import Input, Label, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from lab.text.sanitise import PATH_WIDTH, plain
from tui.shell.actions import Action
from tui.shell.dialog import Dialog
from tui.shell.options import Options


class Page(Dialog[None]):
    """Shows widgets on a page that scrolls. Escape, the help keys or a click outside close it."""

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


class HelpPage(Dialog[Action | None]):
    """The help of a screen: a table of all its keys, with a search, and a text. Its result is the chosen action."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Back"),
        Binding("question_mark,f1", "dismiss", "Back"),
        Binding("slash", "search", "Search the keys", key_display="/"),
    ]
    AUTO_FOCUS = "#help-keys"
    DEFAULT_CSS = """
    HelpPage {
        & #help-keys { height: auto; max-height: 45%; border: none; padding: 0; margin: 1 0; background: $surface; }
        & #help-text { height: 1fr; min-height: 3; }
        & #help-note { height: 1; color: $text-muted; }
    }
    """

    def __init__(self, text: str, actions: Sequence[Action]) -> None:
        super().__init__()
        self._text = text
        self._actions = sorted(actions, key=lambda each: not each.in_palette)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog help"):
            yield Input(placeholder="/ searches the keys", id="help-search", compact=True, max_length=60)
            yield Options(*self._options(""), id="help-keys", compact=True, markup=False)
            with VerticalScroll(id="help-text"):
                yield Markdown(self._text)
            yield Static("Enter runs an entry, Escape closes this page, Tab goes on.", id="help-note", markup=False)

    def _options(self, words: str) -> list[Option]:
        """The actions whose keys or descriptions contain the words. Those that cannot be run now are dimmed."""
        wanted = words.casefold().split()
        return [
            Option(Text(f"{' '.join(each.keys):>12}  {each.description}"), id=str(number), disabled=not each.in_palette)
            for number, each in enumerate(self._actions)
            if all(word in f"{' '.join(each.keys)} {each.description}".casefold() for word in wanted)
        ]

    @on(Input.Changed)
    def typed(self, event: Input.Changed) -> None:
        for listed in self.query(OptionList):  # the list is already gone while the page closes
            listed.set_options(self._options(event.value))
            listed.action_first()

    @on(Input.Submitted)
    def entered(self) -> None:
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionSelected)
    def chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._actions[int(event.option.id or 0)])

    def action_search(self) -> None:
        for field in self.query(Input):  # the field does not exist yet while the page opens
            field.focus()

    def on_key(self, event: events.Key) -> None:
        """Let the down arrow move the focus from the search field to the list."""
        if event.key == "down" and isinstance(self.focused, Input):
            self.query_one(OptionList).focus()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


def text_page(title: str, lines: Sequence[str]) -> Page:
    """A page with a title and lines of text."""
    heading = Label(plain(title), classes="dialog-title", markup=False)
    return Page(title, [heading, Static(Text("\n".join(plain(line, PATH_WIDTH) for line in lines)))])
