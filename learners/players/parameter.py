"""What may follow the label of a player, as in `alphabeta:4`."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from engine.game import Game


@dataclass(frozen=True)
class Parameter:
    word: str
    """How a list of labels shows it: `DEPTH`."""
    pattern: str
    """The regular expression of its written form."""
    form: Callable[[Game], str]
    """What it can be in a game, for messages: `a depth from 1 to 9`."""
    example: str
    offered: Callable[[Game], Mapping[str, str]]
    """What menus offer in a game: each written form, with what a player is that has it: `looks 4 moves ahead`."""

    def is_written(self, text: str) -> bool:
        """Return whether a text has this form. A number may still be too large for a game."""
        return re.fullmatch(self.pattern, text) is not None

    def hint(self, label: str, game: Game) -> str:
        """Return what to write instead of a text that does not have this form."""
        return f"write {self.form(game)}, as in {label}:{self.example}"


class Parametric(ABC):
    """A player whose label may be followed by a parameter."""

    parameter: ClassVar[Parameter]

    @classmethod
    @abstractmethod
    def parsed(cls, game: Game, text: str) -> Self:
        """Return the player with this text after its label. Raises `BadText`, `TooLarge` if the game has none."""
