"""Text as wide as the terminal draws it: cut to fit, and in columns that line up."""

import unicodedata
from collections.abc import Sequence


def cells(text: str) -> int:
    """How many columns of a terminal `text` takes."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def cut(text: str, width: int) -> str:
    """`text` in at most `width` columns, with a sign where something is missing."""
    if cells(text) <= width:
        return text
    while cells(text) > width - 1:
        text = text[:-1]
    return text + "…"


def columns(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Lines of the rows' entries in columns two spaces apart, each set to the left (`<`) or the right (`>`)."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = []
        for text, width, side in zip(row, widths, sides, strict=True):
            space = " " * (width - cells(text))
            padded.append(space + text if side == ">" else text + space)
        lines.append("  ".join(padded).rstrip())
    return lines
