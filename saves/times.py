"""Moments as the library writes them."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from engine.game import BadText, quoted

YEARS: Final = range(1971, 9999)
"""Those of a moment that can be told by any clock of the world."""


def parse_time(text: str) -> datetime:
    """The moment in UTC. Raises `BadText`; `TypeError` for what is no text, as a damaged file may hold."""
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadText(f"{quoted(text)} is no moment") from error
    if moment.year not in YEARS:
        raise BadText(f"{quoted(text)} is no moment of our times")
    return moment


def is_time(text: object) -> bool:
    """Whether it is a moment as the library writes it: with its zone, and one that `parse_time` reads."""
    with suppress(BadText):
        return isinstance(text, str) and bool(parse_time(text)) and datetime.fromisoformat(text).tzinfo is not None
    return False
