"""Brains that ship with the program, one JSON export each: the file `NAME.json` is the brain called NAME.

`make gallery` trains them again, from their seeds, to the same last bit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from itertools import chain
from typing import Final

from learners.core.snapshot import Snapshot
from saves.entry import Entry, make_entry
from saves.errors import LibraryError, reason
from saves.formats import json_text

SHIPPED: Final = "2026-11-20T00:00:00+00:00"
"""The date that the gallery's brains carry in the list."""
GREETERS: Final = {"tictactoe": "riechel"}
"""The brain that a newcomer meets at the board, by game."""
SUFFIX: Final = json_text.FORMAT.suffix


@cache
def names() -> tuple[str, ...]:
    """The names of the gallery's brains, in alphabetical order."""
    with _in_words():
        files = [file.name for file in resources.files(__name__).iterdir()]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)))


@cache
def load(name: str) -> Snapshot:
    """The brain of that name, one of `names()`; its memories are read-only, because every caller shares it."""
    snapshot = json_text.FORMAT.read(_text(name), None)
    kept = ((each.memory, each.times) for each in snapshot.checkpoints.values())
    for numbers in (snapshot.memory, snapshot.times, *chain.from_iterable(kept)):
        if numbers is not None:
            numbers.setflags(write=False)
    return snapshot


@cache
def entries() -> tuple[Entry, ...]:
    """What the list shows of the gallery. Reads no memory."""
    heads = ((name, json_text.read_head(_text(name))) for name in names())
    return tuple(make_entry(name, head, SHIPPED, gallery=True) for name, head in heads)


def _text(name: str) -> str:
    with _in_words():
        return resources.files(__name__).joinpath(name + SUFFIX).read_text("utf-8")


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LibraryError(f"{resources.files(__name__)} cannot be read: {reason(error)}") from error
