"""Input fields on screens whose keys are letters."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from engine.game import BadText
from lab.words.whole_numbers import parse_whole


class Field(Input):
    """An input field. While it has the focus, letters are text; at Escape it posts `Escaped` to give the focus back."""

    class Escaped(Message):
        """Posted when Escape was pressed in the field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave the field")]

    def action_leave(self) -> None:
        self.post_message(self.Escaped())


def parse_number(text: str, what: str, least: int, most: int) -> int:
    """Parse the whole number in a field, which `what` names. Raises `BadText`."""
    try:
        return parse_whole(text, least, most)
    except BadText as error:
        raise BadText(f"{what}: {error}") from error
