"""The line of keys at the bottom."""

from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.widget import Widget
from textual.widgets import Footer
from textual.widgets._footer import FooterKey

LASTING: Final = ("help", "quit")
"""The actions whose keys are always there, however narrow the terminal: the first of them tells of all others."""
SPACES: Final = 3
"""The columns that a key takes beside its letters."""


class KeyLine(Footer):
    """The keys that can be pressed now, as many as there is room for.

    They are made anew only when they are others: Textual would at each change of focus.
    """

    _shown: object = None

    def compose(self) -> ComposeResult:
        for each in super().compose():
            if isinstance(each, FooterKey):
                each.set_reactive(FooterKey.compact, self.compact)  # it would get its styles for both
                each._reactive_connect = None  # noqa: SLF001  Textual 8.2.8 never lets go of a key that follows another's
            yield each

    async def recompose(self) -> None:
        if not self.is_attached:
            return
        keys = [
            (active.binding, active.enabled, active.tooltip)
            for active in self.screen.active_bindings.values()
            if active.binding.show
        ]
        if keys != self._shown:
            self._shown = keys
            await super().recompose()
            self.fit()

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Leave out the last of the keys that there is no room for, but for those that are always there."""
        keys = [key for key in self.children if isinstance(key, FooterKey)]
        lasting = [key for key in keys if key.action.rpartition(".")[2] in LASTING]
        room = self.size.width - sum(map(width_of, lasting)) - sum(width_of(each) for each in self._others())
        for key in keys:
            if key not in lasting:
                room -= width_of(key)
                key.display = room >= 0

    def _others(self) -> list[Widget]:
        return [each for each in self.children if not isinstance(each, FooterKey) and each.display]


def width_of(widget: Widget) -> int:
    """The columns that a part of the line takes."""
    if isinstance(widget, FooterKey):
        return cell_len(widget.key_display) + cell_len(widget.description) + SPACES
    return widget.outer_size.width
