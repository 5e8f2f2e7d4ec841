"""The smallest part of a list that still shows what the whole list showed."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def smallest(items: Sequence[Item], fails: Callable[[Sequence[Item]], bool]) -> list[Item]:
    """Drop parts, large ones first, as long as what is left fails; of what comes back no single item can be dropped."""
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
