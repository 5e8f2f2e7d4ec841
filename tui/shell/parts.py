"""The small widgets that all screens use: fields, lists, live text, and a scrollable panel."""

from collections.abc import Iterable
from typing import ClassVar, Final, TypeVar

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget
from textual.widgets import Checkbox, Input, OptionList, Select, Static

from engine.game import BadText
from lab.text.sanitise import parse_whole, plain
from tui.shell.filters import JOINT

FRAME: Final = 2
"""The lines, or the columns, that a frame takes."""
CORNERS: Final = 6
"""The columns of a frame's upper or lower border that no text takes."""
KEY_NAMES: Final = {
    "Del": "delete",
    "Esc": "escape",
    "Tab": "tab",
    "Space": "space",
    "Enter": "enter",
    "Home": "home",
    "End": "end",
    "F2": "f2",
    "F4": "f4",
    "<": "less_than_sign",
    ">": "greater_than_sign",
    ",": "comma",
    ".": "full_stop",
    "/": "slash",
    "←": "left",
    "→": "right",
}
"""The names of keys by what is shown for them; a letter or a digit is shown as it is named."""
MAX_ERROR_LENGTH: Final = 300
"""The maximum number of characters of an error message."""


class Field(Input):
    """An input field. While it has the focus, letters are text; on Escape it posts `Escaped` to give the focus back."""

    class Escaped(Message):
        """Posted when Escape was pressed in the field."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave the field", tooltip="letters act as keys again")
    ]

    def action_leave(self) -> None:
        self.post_message(self.Escaped())


class ErrorLine(Static):
    """The error of a form; hidden while there is none."""

    DEFAULT_CSS = "ErrorLine { display: none; width: 100%; height: auto; color: $role-bad; }"

    def show(self, message: str) -> None:
        """Show an error message; hide the line if `message` is empty."""
        self.display = bool(message)
        self.update(Text(plain(message, MAX_ERROR_LENGTH)))


def parse_number(text: str, what: str, minimum: int, maximum: int) -> int:
    """Parse the whole number in a field named `what`, from `minimum` to `maximum`. Raises `BadText`."""
    try:
        return parse_whole(text, minimum, maximum)
    except BadText as error:
        raise BadText(f"{what}: {error}") from error


class Options(OptionList):
    """A list whose options may change at any time.

    Symptom without this guard: `IndexError` when the user clicks an option that was removed after the list was drawn.
    """

    def on_click(self, event: Click) -> None:
        """Ignore a click on an option that is gone."""
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:
            event.prevent_default()


class Prose(Static):
    """A text of which no line begins with a per cent sign: Textual breaks lines at every kind of space."""

    @property
    def visual(self) -> Visual:
        visual = super().visual
        if not isinstance(visual, Content):
            return visual
        return Content(_join_per_cent(visual.plain), spans=list(visual.spans))


def _join_per_cent(text: str) -> str:
    """Return a text in which no line can be broken before a per cent sign."""
    return text.replace(" %", f"{JOINT}%")


def height_of(text: str, width: int) -> int:
    """Return how many lines of `width` columns a `Prose` takes for a text."""
    return len(Content(_join_per_cent(text)).wrap(max(1, width))) if text else 0


def numbered_moves(names: Iterable[str], first: int = 1) -> list[str]:
    """Return the names of moves with their numbers, `1. b2`, `2. a1`; no line is broken within one."""
    return [f"{number}. {name}".replace(" ", JOINT) for number, name in enumerate(names, first)]


class LiveText(Prose):
    """Shows a text. It is drawn only when it changes, and laid out only when its size changes."""

    def __init__(self, *, id: str, classes: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id, classes=classes, markup=False)
        self._text: Text | str = ""

    def set_text(self, text: Text | str) -> None:
        if text == self._text and _style(text) == _style(self._text):  # `Text.__eq__` ignores `style`
            return
        self._text = text
        self.update(text, layout=False)
        if self._needs_layout():
            self.refresh(layout=True)

    def _needs_layout(self) -> bool:
        """Return whether the text needs another size than the widget has."""
        width, height = self.size
        if self.styles.is_auto_width:
            minimum = self.styles.min_width
            least = 0 if minimum is None else minimum.cells or 0
            if max(least, *map(len, str(self._text).split("\n"))) != width:
                return True
        if not width:  # hidden: it is laid out when it is shown
            return False
        return self.visual.get_height(self.styles.get_rules(), width) != height


def _style(text: Text | str) -> object:
    return text.style if isinstance(text, Text) else ""


FramedWidget = TypeVar("FramedWidget", bound=Widget)
Value = TypeVar("Value")
Choices = Iterable[tuple[RenderableType, Value]]
"""The text of each choice, and its value."""


class ChoiceList(Select[Value], inherit_bindings=False):
    """Shows the chosen value in one line, and opens a list of all values. One of them is always chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,down,up", "show_overlay", "Open the list", tooltip="shows all values", show=False)
    ]

    def __init__(
        self,
        choices: Choices[Value],
        *,
        value: Value | None = None,
        id: str | None = None,  # noqa: A002  Textual's own name for it
        classes: str | None = None,
    ) -> None:
        self.choices = list(choices)
        self.values = [each for _, each in self.choices]
        chosen = self.values[0] if value is None else value
        super().__init__(self.choices, value=chosen, allow_blank=False, compact=True, id=id, classes=classes)

    def set_options(self, options: Choices[Value]) -> None:
        self.choices = list(options)
        self.values = [value for _, value in self.choices]
        super().set_options(self.choices)

    def choose_next(self) -> None:
        """Choose the next value; after the last, the first one."""
        index = next((nth for nth, value in enumerate(self.values) if value == self.value), -1)
        self.value = self.values[(index + 1) % len(self.values)]

    def refill(self, choices: Choices[Value], wanted: Value) -> None:
        """Replace the choices, and choose `wanted`, or the first if it is missing.

        If the choices are the same as before, nothing is replaced: an open list stays open, and if `wanted` is missing,
        the chosen value stays.
        """
        new_choices = list(choices)
        if new_choices != self.choices:
            with self.prevent(Select.Changed):
                self.set_options(new_choices)
        if wanted in self.values:
            self.value = wanted


def choice_with_key(key: str, choice: ChoiceList[Value]) -> Horizontal:
    """Return a list of choices, and before it the key that chooses its next value."""
    return Horizontal(Static(Text(key, "bold")), choice, id=f"{choice.id}-keyed", classes="keyed")


class Tick(Checkbox):
    """A check box with a tick only if it is checked. Textual's always has an X, and shows its state by colour alone."""

    def render(self) -> Content:
        self.BUTTON_INNER = "✓" if self.value else " "
        return super().render()


def entitle(widget: FramedWidget, title: str | Content, state: str | Content = "") -> FramedWidget:
    """Write the title of a widget into its frame, and its state or keys into the bottom of the frame, at the right.

    Both are drawn as they are, never as markup, but for keys in backticks in the state: those are bold, and a click on
    one, or on the words after it, presses it. Control characters are removed. A text that has not changed is not
    written again, since Textual would draw the whole widget.
    """
    title_content = Content(plain(title)) if isinstance(title, str) else title
    state_content = text_with_keys(plain(state)) if isinstance(state, str) else state
    if widget.border_title != title_content.markup:
        widget.border_title = title_content
    if widget.border_subtitle != state_content.markup:
        widget.border_subtitle = state_content
    return widget


def text_with_keys(text: str) -> Content:
    """Return a text with each key in backticks bold; a click on a key, or on what it does, presses it."""
    parts, click = list[Content](), Style()
    for nth, part in enumerate(text.split("`")):
        if nth % 2:
            name = KEY_NAMES.get(part, part if len(part) == 1 else "")
            click = Style.from_meta({"@click": f"app.press({name!r})"}) if name else Style()
            parts.append(Content.styled(part, click + Style(bold=True) if name else ""))
        else:
            words, dot, rest = part.partition(" · ")
            parts += [Content.styled(words + dot, click), Content(rest)]
    return Content("").join(parts)


def fitting_text(widget: Widget, *texts: str) -> str:
    """Return the first of these texts that fits into a widget's frame, else the last, as before its first layout."""
    room = widget.outer_size.width - CORNERS
    return next((text for text in texts if cell_len(plain(text).replace("`", "")) <= room), texts[-1])


class Panel(VerticalScroll):
    """A scrollable region. It takes the focus only if its content does not fit.

    It has a frame if it has the class `panel`, as any other widget; `entitle` writes into the frame. See docs/look.md.
    """

    DEFAULT_CSS = "Panel { scrollbar-size-vertical: 1; &:focus { scrollbar-color: $primary; } }"

    def allow_focus(self) -> bool:
        return self.allow_vertical_scroll


class SizedPanel(Vertical):
    """A panel whose content is drawn for its size. Posts `Sized` when the size changes."""

    class Sized(Message):
        """Posted when the panel has a new size, also when it is shown again."""

    def on_resize(self) -> None:
        self.post_message(self.Sized())
