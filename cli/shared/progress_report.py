"""Work of which it is told on standard error how it goes."""

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

from lab.words.numbers import duration_text, rate_text, remaining_seconds, short_count
from learners.core.plural import plural

T = TypeVar("T")
Tell = Callable[[T], None]
Look = Callable[[T], tuple[float, str]]
"""How far work has come: as a share of one, and in words."""


class Going(Protocol):
    """Work that goes on, in rounds."""

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...

    @property
    def per_second(self) -> float: ...


def telling(rounds: int, noun: str) -> AbstractContextManager[Tell[Going]]:
    """Shows how many rounds are done, on standard error where that is a terminal that can draw, and else nothing."""

    def look(going: Going) -> tuple[float, str]:
        done, total, rate = going.done, going.total, going.per_second
        left = duration_text(remaining_seconds(done, total, rate))
        told = f"{short_count(done)} of {short_count(total)} {plural(noun, total)}, {rate_text(rate)}, {left} left"
        return done / rounds, told

    return telling_of("", look)


def telling_of(title: str, look: Look[T]) -> AbstractContextManager[Tell[T]]:
    """Shows what `look` tells of any work, likewise, after a title if there is one."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext(lambda _progress: None)
    from cli.shared.progress import bar  # imports rich

    return bar(title, look)
