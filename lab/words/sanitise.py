"""Foreign text made fit for a terminal."""

import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.text import Text

UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Unicode categories that control instead of showing: escape codes, bidi marks, zero widths, line separators."""


PATH_WIDTH: Final = 4096
"""Paths are shown whole."""


def showing(text: str) -> str:
    """`text` without characters that control."""
    if text.isprintable():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) not in UNSEEN)


def plain(text: str, width: int = 200) -> str:
    """`text` without characters that control, cut to `width`."""
    shown = showing(text)
    return shown if len(shown) <= width else shown[: width - 1] + "…"


def label(text: str, width: int = 200) -> "Text":
    """Foreign text as a Rich text that is never read as markup."""
    from rich.text import Text  # messages of the command line need `plain` only

    return Text(plain(text, width), no_wrap=True, overflow="ellipsis")
