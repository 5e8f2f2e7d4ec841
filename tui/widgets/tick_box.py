"""A check box."""

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """Shows a mark only when it is set. Textual's own box shows its state by colour alone."""

    def render(self) -> Content:
        self.BUTTON_INNER = "X" if self.value else " "
        return super().render()
