"""Saves that learn at the board: after a game, each learns from it as the side that it played, and is stored."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from engine.game import BadText, Side
from engine.games import parse_game
from engine.match import Record
from learners import revive
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.training import record_moment
from saves import gallery
from saves.library.library import SAVE, Library
from saves.names import AT


@dataclass(frozen=True)
class Lesson:
    """What a save learned from one game."""

    learner: Learner
    """The learner after the game."""
    words: tuple[str, ...]
    """Each change of its memory, in words."""
    gained: Mapping[str, int]
    """How much each of its growth curves rose, by label; only the curves of the sides that it played."""


def learns(player: Player | None) -> TypeGuard[Learner]:
    """Whether a player is a save of the user's own that learns from games; the gallery and checkpoints never change."""
    if not isinstance(player, Learner) or not player.spec.learns_records or AT in player.label:
        return False
    return player.label.removeprefix(SAVE) not in (player.label, *gallery.names())


def teach(library: Library, record: Record, label: str) -> Lesson:
    """Let the save with that label learn from a finished game as the side that it played, and store it.

    The save is loaded again, since it may have been trained after it took its seat.
    Raises `BadText`, `LibraryError`, `TooLarge`.
    """
    name = label.removeprefix(SAVE)
    seats = [side for side in Side if record.players[side] == label]
    lessons: list[Lesson] = []

    def learn(snapshot: Snapshot) -> Snapshot:
        learner = revive(snapshot, parse_game(snapshot.game))
        learner.label = label
        sides = [side for side in seats if side in learner.sides]
        if not sides:
            raise BadText(f"{name} does not play {learner.game.mark(seats[0])}: it learns nothing there")
        before = learner.stats()
        try:
            changes = learner.learn_record(record, sides)
        except KeyError as error:
            raise BadText(f"{name} plays another game than {record.game}") from error
        learner.record_opponent(ITSELF if len(sides) == len(Side) else record.players[sides[0].other])
        record_moment(learner)
        words = tuple(learner.view.describe(change) for change in changes)
        others = [side.other for side in sides if len(sides) == 1]
        lessons.append(Lesson(learner, words, _gains(learner, before, others)))
        return learner.snapshot()

    library.change(name, learn)
    return lessons[0]


def _gains(learner: Learner, before: Mapping[str, int], others: Collection[Side]) -> dict[str, int]:
    """How much each growth curve rose, by label, without the curves of the sides that `others` played."""
    old, new = learner.view.growth(before), learner.view.growth(learner.stats())
    return {
        label.format(*learner.game.marks): new[label] - old[label]
        for label in new
        if not any(f"{{{side.value}}}" in label for side in others)
    }
