"""Caches of results computed from a space. `engine.spaces` empties them when it drops a large space."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

_FORGET: Final = list[Callable[[], None]]()
"""The function that empties each cache."""


def kept(most: int | None = None) -> Callable[[Function], Function]:
    """Cache the results of a function, up to `most` of them, as `functools.lru_cache` does, until `forget_results`.

    For results that are as large as a space, or that refer to one.
    """

    def keeping(function: Function) -> Function:
        caching = lru_cache(most)(function)
        _FORGET.append(caching.cache_clear)
        return cast("Function", caching)

    return keeping


def forget_results() -> None:
    """Empty the caches of all functions that are `kept`."""
    for forget in _FORGET:
        forget()
