"""A panel beside the main part of a screen, which scrolls."""

from textual.containers import VerticalScroll


class Panel(VerticalScroll):
    """Scrolls by the wheel, or by keys when it has the focus; it takes the focus only if it has more than fits."""

    DEFAULT_CSS = """
    Panel { scrollbar-size-vertical: 1; &:focus { scrollbar-color: $primary; } }
    """

    def allow_focus(self) -> bool:
        return self.allow_vertical_scroll
