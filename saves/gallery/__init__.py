"""The saves that come with the program. The file `NAME.json` is the save called NAME, as a JSON export.

`losses/NAME.json` is its curve in the Library, which takes long to compute. `make gallery` makes both again from the
seeds of the saves, with exactly the same result.
"""

import json
from contextlib import AbstractContextManager
from functools import cache
from importlib import resources
from typing import Final

from learners.core.snapshot import Snapshot
from saves.entry import Entry, make_entry
from saves.errors import file_errors
from saves.formats import json_text

SHIPPED: Final = "2026-11-20T00:00:00+00:00"
"""The date that lists show for the saves of the gallery."""
USUAL_OPPONENTS: Final = {"tictactoe": "riechel"}
"""The usual opponent in each game that has one in the gallery."""
LOSSES: Final = "losses"
SUFFIX: Final = json_text.FORMAT.suffix


@cache
def names() -> tuple[str, ...]:
    """Return the names of the gallery's saves, in alphabetical order. Raises `LibraryError`."""
    with _reading():
        files = [file.name for file in resources.files(__name__).iterdir()]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in files if name.endswith(SUFFIX)))


@cache
def load(name: str) -> Snapshot:
    """Return the save called `name`, one of `names()`. All callers share it, so its arrays are read-only."""
    snapshot = json_text.FORMAT.read(_text(name), None)
    for numbers in (snapshot.memory, snapshot.times):
        if numbers is not None:
            numbers.setflags(write=False)
    return snapshot


@cache
def entries() -> tuple[Entry, ...]:
    """Return the entries of the gallery for lists, without parsing the memories."""
    heads = ((name, json_text.read_head(_text(name))) for name in names())
    return tuple(make_entry(name, head, SHIPPED, gallery=True) for name, head in heads)


@cache
def losses(name: str) -> tuple[tuple[int, float], ...]:
    """Return the share of games that the save called `name` lost, by rounds, as a portrait computes it."""
    return tuple((rounds, share) for rounds, share in json.loads(_text(f"{LOSSES}/{name}")))


def _text(name: str) -> str:
    with _reading():
        return resources.files(__name__).joinpath(name + SUFFIX).read_text("utf-8")


def _reading() -> AbstractContextManager[None]:
    return file_errors(f"{resources.files(__name__)} cannot be read")
