"""A panel that scrolls, beside the main part of a screen."""

from textual.containers import VerticalScroll


class Panel(VerticalScroll):
    """Shows other widgets, and scrolls. It takes the focus only if its content is larger than itself."""

    DEFAULT_CSS = """
    Panel { scrollbar-size-vertical: 1; &:focus { scrollbar-color: $primary; } }
    """

    def allow_focus(self) -> bool:
        return self.allow_vertical_scroll
