"""Input fields for screens whose key bindings are letters, and the error line of a form."""

from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input, Static

from engine.game import BadText
from lab.text.sanitise import parse_whole, plain

MAX_ERROR: Final = 300
"""The maximum number of characters of an error message."""


class Field(Input):
    """An input field. While it has the focus, letters are text; on Escape it posts `Escaped` to give the focus back."""

    class Escaped(Message):
        """Posted when Escape was pressed in the field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave the field")]

    def action_leave(self) -> None:
        self.post_message(self.Escaped())


class ErrorLine(Static):
    """The error of a form; hidden while there is none."""

    DEFAULT_CSS = "ErrorLine { display: none; width: 100%; height: auto; color: $error; }"

    def show(self, message: str) -> None:
        """Show an error message; hide the line if `message` is empty."""
        self.display = bool(message)
        self.update(Text(plain(message, MAX_ERROR)))


def parse_number(text: str, what: str, minimum: int, maximum: int) -> int:
    """Parse the whole number in a field named `what`, from `minimum` to `maximum`. Raises `BadText`."""
    try:
        return parse_whole(text, minimum, maximum)
    except BadText as error:
        raise BadText(f"{what}: {error}") from error
