"""A scrollable panel beside the main part of a screen."""

from textual.containers import VerticalScroll


class Panel(VerticalScroll):
    """A scrollable container. It takes the focus only if its content does not fit."""

    DEFAULT_CSS = """
    Panel { scrollbar-size-vertical: 1; &:focus { scrollbar-color: $primary; } }
    """

    def allow_focus(self) -> bool:
        return self.allow_vertical_scroll
