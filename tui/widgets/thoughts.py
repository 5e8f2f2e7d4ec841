"""What a player knows about each move of a position, in columns under headings."""

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from engine.game import Game
from lab.text.columns import cut
from lab.text.numbers import percent_text
from learners.core.player import Thought

KNOWS: Final = "knows"
PLAYS: Final = "plays"
"""The headings of what a player knows about a move, and of the probability with which it plays it."""
CHANCE: Final = 7
"""The width of a probability, in columns of the terminal."""
GAP: Final = 3
"""The space between two entries in a line, in columns of the terminal."""


def thoughts_text(game: Game, thoughts: Iterable[Thought], width: int) -> Text:
    """An entry for each move, under headings, in as many columns as fit into `width`."""
    listed = list(thoughts)
    names = [game.move_name(thought.move) for thought in listed]
    named = max(map(len, names), default=0) + 1
    most = max(len(KNOWS), *(len(thought.words) for thought in listed)) if listed else 0
    known = max(len(KNOWS), min(most, width - named - CHANCE))
    entries = [
        f"{name:<{named}}{cut(thought.words, known):<{known}}{percent_text(thought.chance):>{CHANCE}}"
        for name, thought in zip(names, listed, strict=True)
    ]
    columns = max(1, (width + GAP) // (named + known + CHANCE + GAP))
    rows = -(-len(entries) // columns)
    columns = -(-len(entries) // rows) if rows else 0
    heading = f"{'':<{named}}{KNOWS:<{known}}{PLAYS:>{CHANCE}}"
    text = Text((" " * GAP).join([heading] * columns), "dim", no_wrap=True)
    for row in range(rows):
        text.append("\n" + (" " * GAP).join(entries[row::rows]), "not dim")
    return text
