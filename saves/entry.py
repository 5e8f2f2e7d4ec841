"""The entry of a save in a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.game import BadText
from learners import find_kind
from saves.times import EARLIEST, parse_time


@dataclass(frozen=True)
class Entry:
    """The properties of a save that lists show, read without its memory."""

    name: str
    learner: str
    preset: str
    game: str
    games: int
    """The number of games in the statistics of the save."""
    rounds: int
    """The number of rounds of training; for an unknown learner, the number of games."""
    round_noun: str
    """The singular noun for a round, such as `game`."""
    size: int
    """The size of the memory: the learner's `Presentation.size_statistic`; 0 for an unknown learner."""
    updated: datetime
    """When the save was last changed, in UTC."""
    gallery: bool
    """Whether the save comes with the program."""
    deleted: datetime | None = None
    """When the save was deleted, in UTC; `None` if it is not deleted."""
    trouble: str = ""
    """The reason why the other properties cannot be read, in one line; empty if they can."""


def unreadable_entry(name: str, trouble: str) -> Entry:
    """Return the entry of a save of which only the name can be read."""
    return Entry(name, "damaged", "", "", 0, 0, "game", 0, EARLIEST, gallery=False, trouble=trouble)


def make_entry(
    name: str, fields: Mapping[str, Any], updated: str, deleted: str | None = None, *, gallery: bool = False
) -> Entry:
    """Return the entry of a save, given some fields of its snapshot, and times as text. Raises `ValueError`."""
    learner, preset, game, stats = (fields[key] for key in ("learner", "preset", "game", "stats"))
    kind = find_kind(learner)
    games = stats.get("games")
    rounds, noun, size = games, "game", 0
    if kind is not None:
        rounds, noun = stats.get(kind.spec.round_statistic), kind.spec.round_noun
        size = stats.get(kind.shown.size_statistic)
    if any(type(count) is not int for count in (games, rounds, size)):
        raise BadText("its statistics are not whole numbers")
    deleted_at = None if deleted is None else parse_time(deleted)
    return Entry(name, learner, preset, game, games, rounds, noun, size, parse_time(updated), gallery, deleted_at)
