"""What a format is: a suffix, and how a snapshot is written as text and read from it."""

from collections.abc import Callable
from dataclasses import dataclass

from engine.game import Game
from learners.core.snapshot import Snapshot


@dataclass(frozen=True)
class Format:
    suffix: str
    """The end of a file's name, lower case, with the dot."""
    title: str
    read: Callable[[str, Game | None], Snapshot]
    """The snapshot that a text tells of, for that game where one is named. Raises `BadText`, with the line."""
    write: Callable[[Snapshot], str]
    """The one strict text of a snapshot. Raises `BadText` for a learner that the format cannot hold."""
