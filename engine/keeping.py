"""What is computed from a space is kept as long as spaces are: see `engine.spaces`."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., object])

_FORGET: Final = list[Callable[[], None]]()
"""What empties each cache."""


def kept(most: int | None = None) -> Callable[[Function], Function]:
    """Keep the results of a function, as `functools.lru_cache` does, at `most` so many, until `forget_results`.

    For results that are as large as a space, or refer to one: they are computed anew after a large space was dropped.
    """

    def keeping(function: Function) -> Function:
        caching = lru_cache(most)(function)
        _FORGET.append(caching.cache_clear)
        return cast("Function", caching)

    return keeping


def forget_results() -> None:
    """Forget the results of all functions that are `kept`."""
    for forget in _FORGET:
        forget()
