"""What the list of the library shows of a save."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from engine.game import BadText
from learners import LEARNERS


@dataclass(frozen=True)
class Entry:
    """A save, or a brain of the gallery, at a glance."""

    name: str
    learner: str
    preset: str
    game: str
    games: int
    """How many games it was trained for."""
    size: int
    """How large its memory is as its learner counts it, by its `size_stat`; 0 for a learner unknown here."""
    updated: datetime
    """In UTC."""
    gallery: bool
    """Whether it ships with the program."""


def make_entry(name: str, fields: Mapping[str, Any], updated: str, *, gallery: bool = False) -> Entry:
    """The entry of a save from fields of its snapshot, as they are written. Raises `ValueError`."""
    learner, preset, game, stats = (fields[key] for key in ("learner", "preset", "game", "stats"))
    size_stats = [kind.size_stat for kind in LEARNERS if kind.name == learner]
    games, size = stats.get("games"), stats.get(size_stats[0]) if size_stats else 0
    if type(games) is not int or type(size) is not int:
        raise BadText("its statistics are no counts")
    return Entry(name, learner, preset, game, games, size, datetime.fromisoformat(updated).astimezone(UTC), gallery)
