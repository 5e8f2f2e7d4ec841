"""Whole numbers as people write them. A small module: the help of the command line needs it, and must start quickly."""

import re
from typing import Final

from engine.game import BadText, quoted

WHOLE: Final = re.compile(r"[0-9]{1,30}|[0-9]{1,3}(?:(?P<mark>[,_ ])[0-9]{3})(?:(?P=mark)[0-9]{3}){0,8}")


def parse_whole(text: str, least: int, most: int) -> int:
    """A number written as `100000`, `100_000`, `100,000` or `100 000`. Raises `BadText`, which names the range."""
    number = int(re.sub("[,_ ]", "", text)) if WHOLE.fullmatch(text.strip()) else None
    if number is None or not least <= number <= most:
        raise BadText(f"{quoted(text)} is not a whole number from {least:,} to {most:,}")
    return number
