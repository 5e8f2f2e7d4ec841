"""What a page may send: JSON arrays `["size", columns, rows]` and `["input", text]`. Anything else is malformed."""

import json
from dataclasses import dataclass
from typing import Final

SMALLEST: Final = (20, 5)
LARGEST: Final = (500, 200)
"""Columns and rows that a terminal may have; other sizes are clamped."""
LONGEST: Final = 64 * 1024
"""The most bytes of a message."""
SIZE_REPORT: Final = "\x1b[48;"
"""The start of the control sequence by which a terminal reports its size: it would bypass the clamping."""


@dataclass(frozen=True)
class Size:
    columns: int
    rows: int


class Malformed(Exception):
    """A message that no page of ours sends."""


def parse_message(text: str) -> Size | str:
    """The size or the input that a message holds. Raises `Malformed`."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error
    match message:
        case ["size", int(columns), int(rows)] if not isinstance(columns, bool) and not isinstance(rows, bool):
            return clamped(columns, rows)
        case ["input", str(keys)]:
            return keys
        case _:
            raise Malformed("not a size and not input")


def clamped(columns: int, rows: int) -> Size:
    """The nearest size that is allowed."""
    return Size(
        min(max(columns, SMALLEST[0]), LARGEST[0]),
        min(max(rows, SMALLEST[1]), LARGEST[1]),
    )


class InputFilter:
    """Refuses size reports in the input, also those that are spread over several messages."""

    def __init__(self) -> None:
        self._end = ""
        """The last characters let through: as many as may begin a size report."""

    def encoded(self, text: str) -> bytes:
        """The text as UTF-8, without lone surrogates. Raises `Malformed` for a size report."""
        encoded = text.encode("utf-8", "ignore")
        seen = self._end + encoded.decode()
        if SIZE_REPORT in seen:
            raise Malformed("a size report in the input")
        self._end = seen[1 - len(SIZE_REPORT) :]
        return encoded
