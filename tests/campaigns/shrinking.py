"""Reduce a failing list to a minimal part that still fails."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def shrink(items: Sequence[Item], fails: Callable[[Sequence[Item]], bool]) -> list[Item]:
    """Drop parts, large ones first, while the rest still fails. No single item of the result can be dropped."""
    remaining, size = list(items), len(items)
    while size and remaining:
        start = 0
        while start < len(remaining):
            without = remaining[:start] + remaining[start + size :]
            if fails(without):
                remaining = without
            else:
                start += size
        size //= 2
    return remaining
