"""What the list of the library shows of a save."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.game import BadText
from learners import LEARNERS
from saves.times import parse_time


@dataclass(frozen=True)
class Entry:
    """A save, or a brain of the gallery, at a glance."""

    name: str
    learner: str
    preset: str
    game: str
    games: int
    """How many games its statistics tell of."""
    rounds: int
    """How long it was trained, counted in what its learner counts in; in games for a learner unknown here."""
    round_noun: str
    """What one of them is called."""
    size: int
    """How large its memory is as its learner counts it, by its `size_stat`; 0 for a learner unknown here."""
    updated: datetime
    """In UTC."""
    gallery: bool
    """Whether it ships with the program."""
    deleted: datetime | None = None
    """When it was put aside, in UTC."""


def make_entry(
    name: str, fields: Mapping[str, Any], updated: str, deleted: str | None = None, *, gallery: bool = False
) -> Entry:
    """The entry of a save from fields of its snapshot, as they are written. Raises `ValueError`."""
    learner, preset, game, stats = (fields[key] for key in ("learner", "preset", "game", "stats"))
    kind = next((kind for kind in LEARNERS if kind.spec.name == learner), None)
    games, size = stats.get("games"), stats.get(kind.spec.size_statistic) if kind else 0
    rounds, noun = (stats.get(kind.spec.round_statistic), kind.spec.round_noun) if kind else (games, "game")
    if any(type(count) is not int for count in (games, rounds, size)):
        raise BadText("its statistics are no counts")
    aside = None if deleted is None else parse_time(deleted)
    return Entry(name, learner, preset, game, games, rounds, noun, size, parse_time(updated), gallery, aside)
