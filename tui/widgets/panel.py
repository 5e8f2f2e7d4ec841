"""What stands beside the main part of a screen and may be longer than it."""

from textual.containers import VerticalScroll


class Panel(VerticalScroll):
    """Scrolls by the wheel, and by keys when Tab comes there, which it does only where there is more than is shown."""

    DEFAULT_CSS = """
    Panel { scrollbar-size-vertical: 1; &:focus { scrollbar-color: $primary; } }
    """

    def allow_focus(self) -> bool:
        return self.allow_vertical_scroll
