"""Text from files and people: made safe to print on a terminal, or read as a whole number."""

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from engine.game import BadText, quoted

if TYPE_CHECKING:
    from rich.text import Text

CONTROL: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""The Unicode categories of characters without a glyph: escape codes, bidi marks, zero widths, line separators."""
WHOLE: Final = re.compile(r"[0-9]{1,30}|[0-9]{1,3}(?:(?P<mark>[,_ ])[0-9]{3})(?:(?P=mark)[0-9]{3}){0,8}")
PATH_WIDTH: Final = 4096


def without_controls(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) not in CONTROL)


def plain(text: str, width: int = 200) -> str:
    """Return `text` without control characters, cut to `width` characters."""
    shown = without_controls(text)
    return shown if len(shown) <= width else shown[: width - 1] + "…"


def label(text: str, width: int = 200) -> "Text":
    """Return `plain(text)` as a Rich text, which is never read as markup."""
    from rich.text import Text  # imported here, since the command line rarely needs Rich

    return Text(plain(text, width), no_wrap=True, overflow="ellipsis")


def parse_whole(text: str, least: int, most: int) -> int:
    """Return a number written as `100000`, `100_000`, `100,000` or `100 000`. Raises `BadText` with the range."""
    number = int(re.sub("[,_ ]", "", text)) if WHOLE.fullmatch(text.strip()) else None
    if number is None or not least <= number <= most:
        raise BadText(f"{quoted(text)} is not a whole number from {least:,} to {most:,}")
    return number
