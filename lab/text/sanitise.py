"""Make text from files and people safe to print on a terminal."""

import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.text import Text

CONTROL: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""The Unicode categories of characters without a glyph: escape codes, bidi marks, zero widths, line separators."""


PATH_WIDTH: Final = 4096
"""The width for paths, which are not cut."""


def without_controls(text: str) -> str:
    """`text` without control characters."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) not in CONTROL)


def plain(text: str, width: int = 200) -> str:
    """`text` without control characters, cut to `width` characters."""
    shown = without_controls(text)
    return shown if len(shown) <= width else shown[: width - 1] + "…"


def label(text: str, width: int = 200) -> "Text":
    """`plain(text)` as a Rich text, which is never read as markup."""
    from rich.text import Text  # imported here, since the command line rarely needs Rich

    return Text(plain(text, width), no_wrap=True, overflow="ellipsis")
