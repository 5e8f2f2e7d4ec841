"""The smallest part of a list that still fails like the whole."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def smallest(items: Sequence[Item], fails: Callable[[Sequence[Item]], bool]) -> list[Item]:
    """Drop parts, large ones first, while the rest still fails. No single item of the result can be dropped."""
    left, part = list(items), len(items)
    while part and left:
        start = 0
        while start < len(left):
            without = left[:start] + left[start + part :]
            if fails(without):
                left = without
            else:
                start += part
        part //= 2
    return left
