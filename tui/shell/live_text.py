"""Text that changes often and is cheap to draw."""

from rich.text import Text
from textual.widgets import Static


class LiveText(Static):
    """Shows a text. It is drawn only when it changes, and laid out only when its number of lines may change."""

    def __init__(self, *, id: str, classes: str | None = None) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id, classes=classes, markup=False)
        self._text: Text | str = ""

    def set_text(self, text: Text | str) -> None:
        if text == self._text and _style(text) == _style(self._text):  # `Text.__eq__` ignores `style`
            return
        before, after = str(self._text).split("\n"), str(text).split("\n")
        wraps = max(map(len, (*before, *after))) > self.size.width
        self._text = text
        self.update(text, layout=wraps or len(before) != len(after))


def _style(text: Text | str) -> object:
    return text.style if isinstance(text, Text) else ""
