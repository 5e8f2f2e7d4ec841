"""The line at the top: the modes, and the progress of background work."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from lab.text.sanitise import plain
from tui.shell.live_text import LiveText
from tui.shell.modes import KEYS, TITLES


class ModeTab(Static):
    """Shows the title of a mode, with its key highlighted. Posts `Chosen` when it is clicked."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, mode: str) -> None:
            super().__init__()
            self.mode = mode

    def __init__(self, mode: str, *, active: bool) -> None:
        title = TITLES[mode]
        place = title.lower().index(KEYS[mode])
        style = "b u" if active else "b u $footer-key-foreground"
        marked = f"{title[:place]}[{style}]{title[place]}[/]{title[place + 1 :]}"
        super().__init__(marked, classes="-active" if active else "")
        self.mode = mode

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Chosen(self.mode))


class ModeBar(Horizontal):
    """Shows the program's name, a tab for each mode, and the state of background work."""

    DEFAULT_CSS: ClassVar[str] = """
    ModeBar {
        dock: top; height: 1; background: $panel;
        & > Static { width: auto; padding: 0 1; }
        & > #title { text-style: bold; padding: 0 2 0 1; }
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
        yield LiveText(id="training")

    def show_work(self, name: str, state: str) -> None:
        """Show the name and state of background work; to fit, the name is cut, then left out, then the rate, too."""
        place = self.query_one("#training", LiveText)
        width = place.content_size.width
        room = width - len(state) - len(": ")
        texts = (f"{plain(name, max(1, room))}: {state}", state, state.partition("  ")[0])
        fitting = next((text for text in texts[room < 2 :] if len(text) <= width), "")
        place.set_text(fitting if name else "")
