"""Input fields on screens whose keys are letters."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from engine.game import BadText, quoted


class Field(Input):
    """An input field. While it has the focus, letters are text; at Escape it posts `Escaped` to give the focus back."""

    class Escaped(Message):
        """Posted when Escape was pressed in the field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave the field")]

    def action_leave(self) -> None:
        self.post_message(self.Escaped())


def parse_whole(text: str, what: str, least: int, most: int) -> int:
    """Parse a whole number, with or without thousands separators. Raises `BadText` that states the range."""
    digits = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20 and least <= int(digits) <= most):
        raise BadText(f"{what} {quoted(text)}: give a whole number from {least:,} to {most:,}")
    return int(digits)
