"""The number that may follow the label of a player, as in `alphabeta:4`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from engine.game import Game
from learners.core.plural import counted_noun


@dataclass(frozen=True)
class Parameter:
    """What the number means, and what it can be."""

    word: str
    """How a list of labels shows it: `DEPTH`."""
    noun: str
    """What it is called in a message: `a depth`."""
    digits: int
    """The maximum number of digits that it is written with."""
    most: Callable[[Game], int]
    """The largest number for a game; the smallest is 1."""
    example: int
    offered: tuple[int, ...]
    """The numbers that menus offer."""
    about: str
    """What a player with this number is, with `{}` for the number and its unit: `looks {} ahead`."""
    unit: str
    """What is counted: `move`."""

    def is_number(self, text: str) -> bool:
        """Return whether a text is such a number. It may still be too large for a game."""
        return re.fullmatch(rf"[1-9][0-9]{{0,{self.digits - 1}}}", text) is not None

    def words(self, number: int) -> str:
        """Return what a player with this number is: `looks 4 moves ahead`."""
        return self.about.format(counted_noun(number, self.unit))

    def hint(self, label: str, game: Game) -> str:
        """Return what to write instead of a text that is not such a number."""
        return f"write {self.noun} from 1 to {self.most(game):,}, as in {label}:{self.example}"
