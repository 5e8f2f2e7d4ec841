"""What a save learned from a game, in words and as a curve."""

from collections.abc import Iterable, Sequence
from typing import Final

from lab.words.numbers import bars
from learners.core.learner import Learner
from learners.core.player import Player
from saves.library.library import SAVE

MOST_LINES: Final = 5
"""The most lines that the changes of one game take."""


def lesson_lines(words: Sequence[str], most: int = MOST_LINES) -> list[str]:
    """What a game changed in a memory, in at most so many lines."""
    if not words:
        return ["nothing changed"]
    shown = list(words[: most - (len(words) > most)])
    return [*shown, f"and {len(words) - len(shown)} more"] if len(shown) < len(words) else shown


def signed_text(count: int) -> str:
    """A gain or a loss: `+3`, `−1`."""
    return f"{count:+,}".replace("-", "−")


def curve_text(numbers: Sequence[int], width: int) -> str:
    """The last numbers as a curve in one line of at most `width` characters."""
    shown = numbers[-width:]
    return bars(shown, min(shown), max(shown))


def why_nobody_learns(players: Iterable[Player | None], advice: str) -> str:
    """Why none of these players can learn at the board; `advice` says what to do if another player could."""
    for player in players:
        if isinstance(player, Learner) and not player.spec.learns_records:
            name = player.label.removeprefix(SAVE)
            return f"{name} learns from all games at once, never from one: it cannot learn at the board."
    return advice
