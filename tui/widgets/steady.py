"""A text in a place of fixed size."""

from rich.text import Text
from textual.widgets import Static


class Steady(Static):
    """Text that changes often: drawn only when it differs, and without laying the screen out anew."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id, markup=False)
        self._told: Text | str = ""

    def tell(self, text: Text | str) -> None:
        """Show `text`, which must fit the place."""
        if text != self._told:
            self._told = text
            self.update(text, layout=False)
