"""Saves that learn at the board: after a game each learns from it as the side that it played, and is kept."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from engine.game import BadText, Side
from engine.games import parse_game
from engine.match import Record
from lab.words.numbers import bars
from learners import revive
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.training import note
from saves import gallery
from saves.library.library import SAVE, Library
from saves.names import AT

MOST_WORDS: Final = 5
"""How many changes of a game are told one by one."""


@dataclass(frozen=True)
class Lesson:
    """What a game taught a save."""

    learner: Learner
    """As it is now."""
    words: tuple[str, ...]
    """Each change of its memory, told."""
    gained: Mapping[str, int]
    """By how much its curves rose, by label: those of the sides that it played."""


def learns(player: Player | None) -> TypeGuard[Learner]:
    """Whether a player is a save of one's own that learns from games: the gallery and what is past stay as they are."""
    if not isinstance(player, Learner) or not player.learns_records or AT in player.label:
        return False
    return player.label.removeprefix(SAVE) not in (player.label, *gallery.names())


def why_nobody_learns(
    players: Iterable[Player | None],
    advice: str = "Only a save of your own can learn: choose one with o, or train one with t.",
) -> str:
    """What to tell a person who wants these to learn, none of which does: `advice`, where another one could."""
    for player in players:
        if isinstance(player, Learner) and not player.learns_records:
            name = player.label.removeprefix(SAVE)
            return f"{name} learns from all games at once, never from one: it cannot learn at the board."
    return advice


def teach(library: Library, record: Record, label: str) -> Lesson:
    """Let the save of that label learn from a finished game as whoever it was in it, and keep it.

    It is read anew: it may have been trained since it took its seat. Raises `BadText`, `LibraryError`, `TooLarge`.
    """
    name = label.removeprefix(SAVE)
    seats = [side for side in Side if record.players[side] == label]
    lessons: list[Lesson] = []

    def learned(snapshot: Snapshot) -> Snapshot:
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
        learner.turn_to(ITSELF if len(sides) == len(Side) else record.players[sides[0].other])
        note(learner)
        words = tuple(learner.tell(change) for change in changes)
        others = [side.other for side in sides if len(sides) == 1]
        lessons.append(Lesson(learner, words, gains(learner, before, others)))
        return learner.snapshot()

    library.change(name, learned)
    return lessons[0]


def gains(learner: Learner, before: Mapping[str, int], others: Collection[Side]) -> dict[str, int]:
    """By how much its curves have risen, by label, but for those of sides that others played."""
    was, now = learner.growth(before), learner.growth(learner.stats())
    return {
        label.format(*learner.game.marks): now[label] - was[label]
        for label in now
        if not any(f"{{{side.value}}}" in label for side in others)
    }


def told(words: Sequence[str], most: int = MOST_WORDS) -> list[str]:
    """What a game changed, in a few lines."""
    if not words:
        return ["nothing changed"]
    shown = list(words[: most - (len(words) > most)])
    return [*shown, f"and {len(words) - len(shown)} more"] if len(shown) < len(words) else shown


def signed_text(count: int) -> str:
    """A gain or a loss: `+3`, `−1`."""
    return f"{count:+,}".replace("-", "−")


def curve_text(numbers: Sequence[int], width: int) -> str:
    """The last of some numbers as a curve in one line of at most `width` characters."""
    shown = numbers[-width:]
    return bars(shown, min(shown), max(shown))
