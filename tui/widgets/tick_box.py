"""A check box."""

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """A check box with an X only if it is checked. Textual's always has one, and shows its state by colour alone."""

    def render(self) -> Content:
        self.BUTTON_INNER = "X" if self.value else " "
        return super().render()
