"""A strip with the history of a number of a memory: the games that changed it, computed in the background."""

from functools import partial

from engine.game import Move, Position
from lab.exact.number_history import NumberHistory, history_strip, number_history
from lab.text.sanitise import plain
from saves.library.library import Library
from tui.shell.background import Background
from tui.shell.parts import LiveText


class WhyStrip(LiveText, Background):
    """Shows the history of one number; hidden until `ask`. While it is shown, its container has the class `-asked`."""

    DEFAULT_CSS = "WhyStrip { display: none; height: auto; width: 100%; margin-top: 1; }"
    COMPUTING = "Playing the games of its training again …"

    _wanted: object = None
    _history: NumberHistory | str | None = None
    """The history, or why there is none; `None` while it is being computed."""

    def ask(self, library: Library, save: str, position: Position, move: Move) -> None:
        """Show the history of the number of a move in a save; show a note while the games are played again."""
        self._wanted, self._history = (save, position, move), None
        self._open(is_open=True)
        self.set_text(self.COMPUTING)
        show = partial(self._show, self._wanted)
        self.run_in_background(
            "why",
            lambda stop: number_history(library.load(save), position, move, library.opponent, stop=stop),
            show,
            show,
        )

    def close(self) -> None:
        self._wanted = None
        self._open(is_open=False)
        self.workers.cancel_node(self)

    def _open(self, *, is_open: bool) -> None:
        self.display = is_open
        if self.parent is not None:
            self.parent.set_class(is_open, "-asked")

    def _show(self, wanted: object, history: NumberHistory | str) -> None:
        if wanted == self._wanted:
            self._history = history
            self.on_resize()

    def on_resize(self) -> None:
        """Break the lines for the new width."""
        history = self._history
        if history is None:
            return
        if isinstance(history, str):
            self.set_text(f"{history[0].upper()}{plain(history[1:], 300)}.")
            return
        room = self.container_size.height if self.screen.has_class("-low") else 0  # it has the panel there
        self.set_text("\n".join(history_strip(history, self.size.width, room)))
