"""A field of a form on a screen, not of a dialog: letters are typed into it that are keys of the screen elsewhere."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input


class Field(Input):
    """Escape leaves it, so that the keys of the screen are keys again."""

    class Left(Message):
        """Escape was pressed in it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave the field")]

    def action_leave(self) -> None:
        self.post_message(self.Left())
