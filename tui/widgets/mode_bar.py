"""The line at the top: the modes, and what is training behind."""

from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from tui.safe import plain
from tui.widgets.steady import Steady

TITLES: Final = {"play": "Play", "train": "Train", "library": "Library"}
"""The modes of the app in order; the first letter is the key."""


class ModeTab(Static):
    """One mode's name; a click goes there."""

    class Chosen(Message):
        def __init__(self, mode: str) -> None:
            super().__init__()
            self.mode = mode

    def __init__(self, mode: str, *, active: bool) -> None:
        key, rest = TITLES[mode][0], TITLES[mode][1:]
        super().__init__(Text.assemble((key, "underline"), rest), classes="-active" if active else "")
        self.mode = mode

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Chosen(self.mode))


class ModeBar(Horizontal):
    """The program's name, a tab for each mode, and a line about the training."""

    DEFAULT_CSS: ClassVar[str] = """
    ModeBar {
        dock: top; height: 1; background: $panel;
        & > Static { width: auto; padding: 0 1; }
        & > #title { text-style: bold; color: $primary; padding: 0 2 0 1; }
        & > ModeTab { color: $text-muted; }
        & > ModeTab:hover { background: $foreground 10%; color: $text; }
        & > ModeTab.-active { background: $primary; color: $background; text-style: bold; }
        & > #training { width: 1fr; text-align: right; color: $text-muted; }
    }
    """

    def __init__(self, active: str) -> None:
        super().__init__()
        self._active = active

    def compose(self) -> ComposeResult:
        yield Static("NOUGHTS", id="title")
        for mode in TITLES:
            yield ModeTab(mode, active=mode == self._active)
        yield Steady(id="training")

    def tell(self, name: str, state: str) -> None:
        """Show how the training behind goes; its name is cut to what room there is."""
        place = self.query_one("#training", Steady)
        room = place.content_size.width - len(state) - len(": ")
        place.tell(f"{plain(name, max(1, room))}: {state}" if name else "")
