"""Text that changes often, drawn at little cost."""

from rich.text import Text
from textual.widgets import Static


class Steady(Static):
    """Text that is drawn only when it has changed, and laid out only when its number of lines may have changed."""

    def __init__(self, *, id: str, classes: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id, classes=classes, markup=False)
        self._told: Text | str = ""

    def tell(self, text: Text | str) -> None:
        if text != self._told or getattr(text, "style", "") != getattr(self._told, "style", ""):
            before, after = str(self._told).split("\n"), str(text).split("\n")
            wraps = max(map(len, (*before, *after))) > self.size.width
            self._told = text
            self.update(text, layout=wraps or len(before) != len(after))
