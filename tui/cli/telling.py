"""Work of which it is told on standard error how it goes."""

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Going(Protocol):
    """Work that goes on, in rounds."""

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...

    @property
    def per_second(self) -> float: ...


Tell = Callable[[Going], None]


def telling(rounds: int, noun: str) -> AbstractContextManager[Tell]:
    """Shows progress on standard error where that is a terminal that can draw, and else nothing."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return nullcontext(lambda _progress: None)
    from tui.cli.progress import bar  # imports rich

    return bar(rounds, noun)
