"""Messages from a page: JSON arrays `["size", columns, rows]` and `["input", text]`. Anything else is malformed."""

import json
from dataclasses import dataclass
from typing import Final

MIN_SIZE: Final = (20, 5)
MAX_SIZE: Final = (500, 200)
"""The minimum and maximum size of a terminal, in columns and rows; other sizes are clamped."""
MAX_MESSAGE: Final = 64 * 1024
"""The maximum size of a message, in bytes."""
SIZE_REPORT: Final = "\x1b[48;"
"""The start of the control sequence by which a terminal reports its size. As input, it would bypass the clamping."""


@dataclass(frozen=True)
class Size:
    columns: int
    rows: int


class Malformed(Exception):
    """A message that pages of this server never send."""


def parse_message(text: str) -> Size | str:
    """Return the size, or the text of the input, in a message. Raises `Malformed`."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error
    match message:
        case ["size", int(columns), int(rows)] if not isinstance(columns, bool) and not isinstance(rows, bool):
            return Size(min(max(columns, MIN_SIZE[0]), MAX_SIZE[0]), min(max(rows, MIN_SIZE[1]), MAX_SIZE[1]))
        case ["input", str(keys)]:
            return keys
        case _:
            raise Malformed("neither a size nor input")


class InputFilter:
    """Refuses size reports in the input, even if they are split over several messages."""

    def __init__(self) -> None:
        self._end = ""
        """The last characters of the earlier input, one fewer than `SIZE_REPORT` has."""

    def encode(self, text: str) -> bytes:
        """Encode a text as UTF-8, without lone surrogates. Raises `Malformed` for a size report."""
        encoded = text.encode("utf-8", "ignore")
        newest_input = self._end + encoded.decode()
        if SIZE_REPORT in newest_input:
            raise Malformed("a size report in the input")
        self._end = newest_input[1 - len(SIZE_REPORT) :]
        return encoded
