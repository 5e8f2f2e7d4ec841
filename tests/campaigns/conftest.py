"""In what order the campaigns run."""

from itertools import zip_longest

import pytest


def minutes(item: pytest.Item) -> float:
    """About how long it takes, as its mark tells."""
    mark = item.get_closest_marker("campaign")
    return mark.kwargs.get("minutes", 0) if mark else 0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the longest, and have a short one follow: a worker is always given one more than it is at."""
    if config.option.markexpr == "campaign":
        items.sort(key=minutes, reverse=True)
        long, short = items[: len(items) // 2], items[len(items) // 2 :]
        pairs = zip_longest(long, reversed(short))
        items[:] = [item for pair in pairs for item in pair if item is not None]
