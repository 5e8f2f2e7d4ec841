"""A box to tick."""

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """Its mark is there only when it is set: Textual's own tells by colour alone."""

    def render(self) -> Content:
        self.BUTTON_INNER = "X" if self.value else " "
        return super().render()
