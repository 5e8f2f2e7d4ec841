"""Text measured in terminal columns: cut to a width, and aligned in a table."""

from collections.abc import Sequence


def width_of(text: str) -> int:
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len  # imported here, since most commands print such text alone

    return cell_len(text)


def cut(text: str, width: int) -> str:
    """Return `text` in at most `width` columns; a cut is marked with `…`. Empty if there is no column."""
    if width_of(text) <= width:
        return text
    if width < 1:
        return ""
    while width_of(text) > width - 1:
        text = text[:-1]
    return text + "…"


def whole_clauses(text: str, width: int) -> str:
    """Return as many clauses from the start of `text` as fit into `width` columns; no clause is cut.

    Empty for a width below 0, which a widget may have before its first layout.
    """
    while width_of(text) > max(width, 0):
        text = text[: max(0, *(text.rfind(end) for end in ",;:"))]
    return text


def bar_parts(amounts: Sequence[float], width: int) -> list[int]:
    """Return the cells of each part of a bar, `width` in all; an amount above 0 has one at least, if there is room."""
    total, parts, sum_so_far = sum(amounts), list[int](), 0.0
    for place, amount in enumerate(amounts):
        if amount <= 0:
            parts.append(0)
            continue
        sum_so_far += amount
        needed_after = sum(later > 0 for later in amounts[place + 1 :])
        end = min(width - needed_after, round(width * sum_so_far / total))
        parts.append(max(min(1, width), end - sum(parts)))
    return parts


def columns(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Return a table as lines, two spaces between columns; `sides` aligns each left (`<`) or right (`>`)."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = []
        for text, width, side in zip(row, widths, sides, strict=True):
            space = " " * (width - width_of(text))
            padded.append(space + text if side == ">" else text + space)
        lines.append("  ".join(padded).rstrip())
    return lines
