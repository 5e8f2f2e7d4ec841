"""The list of options that all screens use."""

from textual.events import Click
from textual.widgets import OptionList


class Options(OptionList):
    """A list whose options may change at any time.

    Symptom without this guard: `IndexError` when the user clicks an option that was removed after the list was drawn.
    """

    def on_click(self, event: Click) -> None:
        """Ignore a click on an option that is gone."""
        option = event.style.meta.get("option")
        if option is not None and option >= self.option_count:
            event.prevent_default()
