"""Caches of results computed from a space. `engine.spaces` clears them when it drops a large space."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

_CLEAR: Final = list[Callable[[], None]]()


def cached_with_spaces(max_results: int | None = None) -> Callable[[Function], Function]:
    """Cache up to `max_results` results of a function, as `functools.lru_cache` does, until `clear_result_caches`.

    For results that are as large as a space, or that refer to one.
    """

    def cached(function: Function) -> Function:
        caching = lru_cache(max_results)(function)
        _CLEAR.append(caching.cache_clear)
        return cast("Function", caching)

    return cached


def clear_result_caches() -> None:
    for clear in _CLEAR:
        clear()
