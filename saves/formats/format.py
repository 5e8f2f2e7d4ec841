"""The description of a file format."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.game import Game
from learners.core.snapshot import Snapshot


@dataclass(frozen=True)
class Format:
    """A file format: its suffix, and functions to read and write it."""

    suffix: str
    """The suffix of the file, in lower case, with the dot."""
    title: str
    read: Callable[[str, Game | None], Snapshot]
    """Parse a text; `game` is that of a text that names none, by default tic-tac-toe. Raises `BadText` with the line.
    """
    write: Callable[[Snapshot], str]
    """Return the text of a snapshot, always the same one. Raises `BadText` if the format cannot express the learner."""
