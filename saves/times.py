"""Points in time as the library writes them: ISO 8601 in UTC, with microseconds."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from engine.game import BadText, quoted

YEARS: Final = range(1971, 9999)
"""Years that can be converted to any time zone without an overflow."""
EARLIEST: Final = datetime(YEARS[0], 1, 1, tzinfo=UTC)
LATEST: Final = datetime(YEARS[-1], 12, 31, tzinfo=UTC)


def now(later: timedelta = timedelta()) -> str:
    """Return the present time plus `later`, as text that `parse_time` accepts even if the clock is wrong."""
    time = min(max(datetime.now(UTC) + later, EARLIEST), LATEST)
    return time.isoformat(timespec="microseconds")


def parse_time(text: str) -> datetime:
    """Return a time in UTC. Raises `BadText`, and `TypeError` for a value that is not text."""
    try:
        time = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadText(f"{quoted(text)} is not a date and time") from error
    if time.year not in YEARS:
        raise BadText(f"{quoted(text)} is not between the years {YEARS[0]} and {YEARS[-1]}")
    return time


def is_time(text: object) -> bool:
    """Return whether a value is a time that `parse_time` accepts, with an explicit time zone."""
    with suppress(BadText):
        return isinstance(text, str) and bool(parse_time(text)) and datetime.fromisoformat(text).tzinfo is not None
    return False
