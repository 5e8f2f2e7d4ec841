"""A field of a form on a screen, not of a dialog: letters are typed into it that are keys of the screen elsewhere."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from engine.game import BadText, quoted


class Field(Input):
    """Escape leaves it, so that the keys of the screen are keys again."""

    class Left(Message):
        """Escape was pressed in it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave the field")]

    def action_leave(self) -> None:
        self.post_message(self.Left())


def parse_whole(text: str, what: str, least: int, most: int) -> int:
    """A whole number, perhaps with its thousands apart. Raises `BadText` that tells the range."""
    digits = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20 and least <= int(digits) <= most):
        raise BadText(f"{what} {quoted(text)}: give a whole number from {least:,} to {most:,}")
    return int(digits)
