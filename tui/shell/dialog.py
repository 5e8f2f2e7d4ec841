"""Dialogs: modal screens over another screen, to ask for a line of text or to read."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from rich.console import RenderableType
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.filter import LineFilter
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from engine.game import BadText
from lab.text.columns import whole_clauses
from lab.text.sanitise import PATH_WIDTH, plain
from tui.shell.commands import Action
from tui.shell.filters import Contrast
from tui.shell.parts import Options, entitle
from tui.shell.screen import BaseScreen, LabScreen

ARROWS: Final = ("↑", "↓", "←", "→")
"""The keys that move a cursor, as they are shown."""
PAGE_WIDTH: Final = 78
"""The maximum width of a list of keys with its page, in columns."""
LIST_EDGES: Final = 6
"""The columns of the page's frame and padding, and of the list's scrollbar and padding."""
STYLED_PART: Final = re.compile(r"(\*\*.+?\*\*|`[^`]+`)")
"""A part of a help text that is bold, or code."""
PART_BREAK: Final = re.compile(r"\n\n|\n(?=- )")
"""What stands between two paragraphs of a help text, or two entries of a list."""
COMMON_ACTIONS: Final = frozenset(binding.action for binding in Binding.make_bindings(LabScreen.BINDINGS))
"""The actions that every screen has, besides those of the app."""
DIGIT_KEYS: Final = "1 … 9"
"""The keys that pick a square, as they are shown: they come first."""


def dialog_frame(title: str, verb: str = "") -> Vertical:
    """Return the frame of a dialog, with its title and its keys; `verb` says what Enter does."""
    return entitle(Vertical(classes="dialog"), title, keys_text(verb))


def keys_text(verb: str) -> str:
    return f"`Enter` {verb.lower()} · `Esc` back" if verb else "`Esc` back"


class Dialog(ModalScreen[ScreenResultType], BaseScreen[ScreenResultType]):
    """A question, or a page to read. It has the same minimum size as the screens below it."""

    _last_focused: Widget | None = None

    def render(self) -> RenderableType:
        """Draw the screen below, dimmed.

        Symptom without this guard, found once by a random test: `RecursionError`, since two dialogs take each other for
        the screen below. Textual keeps a separate list of the screens below for each task, which may be out of date.
        """
        content = super().render()
        stack = self.app.screen_stack
        if isinstance(content, BackgroundScreen) and self in stack and content.screen not in stack[: stack.index(self)]:
            return ""  # only the background
        return content

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add no filter that would make the dimmed screen below legible: nobody needs to read it."""
        return [each for each in super().get_line_filters() if not isinstance(each, Contrast)]

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        self._last_focused = event.widget

    def adapt_to_size(self) -> None:
        if self.focused is None and self._last_focused is not None and self._last_focused.is_attached:
            self._last_focused.focus()


class Question(Dialog[ScreenResultType]):
    """A dialog with buttons to accept it and to go back, and a line for errors; its result is `None` after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def foot(self, verb: str) -> ComposeResult:
        """Yield the line for errors, and the buttons; `verb` is the text of the one that accepts."""
        yield Static("", classes="dialog-error", markup=False)
        with Horizontal(classes="dialog-buttons"):
            yield Button(verb, variant="primary", id="accept", compact=True)
            yield Button("Back", id="back", compact=True)

    def show_error(self, message: str) -> None:
        self.query_one(".dialog-error", Static).update(plain(message, 300))

    def accept(self) -> None:
        """Close the dialog with its result. Raises `BadText`, whose message is shown."""
        raise NotImplementedError

    @on(Input.Submitted)
    @on(Button.Pressed, "#accept")
    def _try_to_accept(self) -> None:
        try:
            self.accept()
        except BadText as error:
            self.show_error(str(error))

    @on(Button.Pressed, "#back")
    def _go_back(self) -> None:
        self.action_back()


class Prompt(Question[str | None]):
    """Asks for a line of text until `check` accepts it; its result is what `check` returns.

    To refuse a text, `check` raises `BadText`, whose message the dialog shows.
    """

    def __init__(
        self, question: str, answer: str, check: Callable[[str], str], *, verb: str = "OK", note: str = ""
    ) -> None:
        super().__init__()
        self._question = question
        self._answer = answer
        self._check = check
        self._verb = verb
        self._note = note

    def compose(self) -> ComposeResult:
        with dialog_frame(self._question, self._verb):
            yield Input(self._answer, compact=True, id="answer")
            if self._note:
                yield Static(self._note, classes="dialog-label", markup=False)
            yield from self.foot(self._verb)

    def accept(self) -> None:
        self.dismiss(self._check(self.query_one(Input).value))


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
        with entitle(VerticalScroll(classes="dialog help"), self.page_title, "`Esc` closes it · ↑ ↓ scroll"):
            yield from self._content

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
        Binding("tab,shift+tab", "turn", "Text", show=False, system=True),
        Binding("slash", "search", "Search the keys", tooltip="finds a key by its name", key_display="/"),
    ]
    AUTO_FOCUS = "#help-keys"
    DEFAULT_CSS = """
    HelpPage {
        & #help-left { width: 1fr; height: 100%; }
        & #help-search { margin-bottom: 1; }
        & #help-keys {
            height: 1fr; border: none; padding: 0; background: $surface; text-wrap: nowrap; text-overflow: ellipsis;
            &:focus { background-tint: transparent; }
        }
        & #help-text { height: 100%; display: none; }
        & #help-text > Static { margin-bottom: 1; }
        & #help-text > Horizontal { height: auto; &:last-of-type { margin-bottom: 1; } }
        & #help-text > Horizontal > Static { width: 1fr; &.mark { width: 2; } }
    }
    HelpPage.-reading { & #help-text { display: block; } & #help-left { display: none; } }
    HelpPage.-wide {
        & #help-left { width: 73; display: block; margin-right: 2; }
        & #help-text { display: block; width: 1fr; }
    }
    """

    def __init__(self, text: str, actions: Sequence[Action]) -> None:
        super().__init__()
        self.page_title = "Help"
        if text.startswith("# "):
            heading, _, text = text.partition("\n")
            self.page_title = heading.replace("# ", "Help · ")
        self._text = text.strip()
        moves = [each for each in actions if not each.in_palette and not each.about]
        keys_of_moves = dict.fromkeys(key for each in moves for key in each.keys)
        self._arrows = " ".join(key for key in keys_of_moves if key in ARROWS)
        ranges = [key for each in actions for key in each.keys if " " in key]
        in_ranges = {part for key in ranges for part in key.split()}  # such as `1` and `9` of `1 … 9`
        listed = [each for each in actions if each not in moves and not in_ranges.issuperset(each.keys)]
        self._actions = sorted(listed, key=lambda each: (self._is_common(each), DIGIT_KEYS not in each.keys))

    def _is_common(self, action: Action) -> bool:
        """Return whether every screen has this action."""
        return action.node is self.app or action.action in COMMON_ACTIONS

    def compose(self) -> ComposeResult:
        keys = "Enter runs a key · `Tab`: the text · `Esc` closes it"
        with entitle(Vertical(classes="dialog help"), self.page_title, keys), Horizontal():
            with Vertical(id="help-left"):
                yield Input(placeholder="/ searches the keys", id="help-search", compact=True, max_length=60)
                yield Options(*self._options(""), id="help-keys", compact=True, markup=False)
            with VerticalScroll(id="help-text"):
                for part in PART_BREAK.split(self._text):
                    if part.startswith("- "):
                        yield Horizontal(Static("·", classes="mark"), Static(parse_markdown(part.removeprefix("- "))))
                    else:
                        yield Static(parse_markdown(part))

    def _options(self, words: str) -> list[Option | None]:
        """Return the actions whose keys or descriptions contain the words. Those that cannot be run now are dimmed.

        Without words, the arrows come first, and a line separates the actions that every screen has.
        """
        wanted = words.casefold().split()
        options: list[Option | None] = []
        for number, action in enumerate(self._actions):
            keys = " ".join(action.keys)
            text = f"{keys} {action.description} {action.about}".casefold()
            if all(word in text for word in wanted):
                line = self._line(keys, action.description, action.about)
                options.append(Option(line, id=str(number), disabled=not action.in_palette))
        if wanted:
            return options
        options.insert(sum(not self._is_common(each) for each in self._actions), None)
        if self._arrows:
            options.insert(0, Option(self._line(self._arrows, "Move", "the cursor"), disabled=True))
        return options

    def _line(self, keys: str, description: str, about: str) -> Content:
        width = min(self.app.size.width * 98 // 100, PAGE_WIDTH) - LIST_EDGES
        keys_width, description_width = (9, 18) if width == PAGE_WIDTH - LIST_EDGES else (7, 15)
        start = f"{keys:>{keys_width}}  {description:<{description_width}}  "
        return Content.assemble(start, (whole_clauses(about, width - len(start)), "$foreground 65%"))

    @on(events.Resize)
    @on(Input.Changed)
    def list_matches(self) -> None:
        """List the keys that match the words in the field, for the present width; without words, list all keys."""
        for field, options in zip(self.query(Input), self.query(OptionList), strict=False):
            options.set_options(self._options(field.value))
            options.action_first()

    @on(Input.Submitted)
    def run_highlighted(self) -> None:
        self.query_one(OptionList).action_select()

    @on(OptionList.OptionSelected)
    def choose(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._actions[int(event.option.id or 0)])

    def action_turn(self) -> None:
        """Go to the text, or back to the keys; where they do not fit side by side, show only one of them."""
        is_reading = not self.has_class("-reading")
        self.set_class(is_reading, "-reading")
        self.query_one("#help-text" if is_reading else "#help-keys").focus()

    def action_search(self) -> None:
        if self.has_class("-reading"):
            self.action_turn()
        for field in self.query(Input):  # the field does not exist yet while the page opens
            field.focus()

    def on_key(self, event: events.Key) -> None:
        """Let the down arrow move the focus from the search field to the list."""
        if event.key == "down" and isinstance(self.focused, Input):
            self.query_one(OptionList).focus()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.dismiss(None)


def parse_markdown(text: str) -> Content:
    """Return a paragraph with `**bold**` parts, and parts between backticks in the colour of keys.

    Help texts have nothing else of Markdown; its widget would take longer to open than all others of the page.
    """
    parts = []
    for part in STYLED_PART.split(re.sub(r"\n *", " ", text)):
        if part.startswith("**"):
            parts.append((part[2:-2], "bold"))
        elif part.startswith("`"):
            parts.append((part[1:-1], "bold $role-lit"))
        else:
            parts.append((part, ""))
    return Content.assemble(*parts)


def text_page(title: str, lines: Sequence[str]) -> Page:
    return Page(title, [Static(Text("\n".join(plain(line, PATH_WIDTH) for line in lines)))])
