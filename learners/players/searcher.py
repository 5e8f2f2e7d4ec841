"""The base of the players that search a position before each move, and the parameters of labels: `alphabeta:4`."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from engine.evaluate import Policy
from engine.game import Game, Move, Position, Side
from engine.stop import Stop, never
from learners.core.learner import BOTH
from learners.core.player import Choice, Player, Thought


@dataclass(frozen=True)
class Parameter:
    word: str
    """The parameter as a list of labels shows it: `DEPTH`."""
    pattern: str
    """The regular expression of its written form."""
    form: Callable[[Game], str]
    """The possible values in a game, for messages: `a depth from 1 to 9`."""
    example: str
    offered: Callable[[Game], Mapping[str, str]]
    """The values that menus offer in a game, each with what a player with it does: `looks 4 moves ahead`."""

    def is_written(self, text: str) -> bool:
        """Return whether a text has the form of this parameter. A number may still be too large for a game."""
        return re.fullmatch(self.pattern, text) is not None

    def hint(self, label: str, game: Game) -> str:
        """Return advice for a text that does not have the form of this parameter."""
        return f"write {self.form(game)}, as in {label}:{self.example}"


class Parametric(ABC):
    """A player whose label may be followed by a parameter."""

    parameter: ClassVar[Parameter]

    @classmethod
    @abstractmethod
    def parse(cls, game: Game, text: str) -> Self:
        """Return the player of a game whose parameter is `text`. Raises `BadText`, `TooLarge` if the game has none."""


SHOWN_MOVES: Final = 6
"""How many moves of the expected line a reason contains."""

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class PositionSearch(Protocol[Result_co]):
    """Searches positions, and keeps its last result."""

    def result(self, position: Position, stop: Stop = never) -> Result_co:
        """Search a position. Raises `BadText` if the game is over, `Stopped` soon after `stop()` is true."""


class Searcher(ABC, Generic[Result]):
    """A player that searches."""

    label: str
    depth: int | None = None
    """The number of plies that the player looks ahead; `None` if it looks to the end, or something else limits it."""
    playouts: int = 0
    """The number of playouts for a move; 0 if the player makes none."""
    sides: tuple[Side, ...] = BOTH
    trained_sides: tuple[Side, ...] = BOTH

    def __init__(self, game: Game, search: PositionSearch[Result]) -> None:
        self.game, self.search = game, search
        self.stop: Stop = never

    def stoppable(self, stop: Stop) -> Self:
        """Return a copy with the same results, whose methods raise `Stopped` once `stop()` is true."""
        player = copy(self)
        player.stop = stop
        return player

    def result(self, position: Position) -> Result:
        """Return the result of the search. Raises `Stopped`."""
        return self.search.result(position, self.stop)

    @abstractmethod
    def choose(self, position: Position, random: Random) -> Choice:
        """Choose a move, as in `Player`. Raises `Stopped`."""

    @abstractmethod
    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """Return the thoughts, as in `Player`. Raises `Stopped`."""

    @abstractmethod
    def policy(self) -> Policy:
        """Return the policy, as in `Player`. Raises `Stopped`."""

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        """Return the moves that the player would play if there were only these. Raises `Stopped`."""
        return moves

    def with_seed(self, seed: int) -> Self:
        """Return a player that searches with this seed: itself if its label has a seed, or if it needs none."""
        return self

    def reached_policy(self) -> Policy:
        """Return the policy without moves in positions out of the player's reach as either side. Raises `Stopped`."""
        return self.policy()

    def expected_line(self, position: Position, line: Sequence[Move]) -> list[str]:
        """Return the clause of a reason that names the moves after the first of a line; empty if there are none."""
        names = self.game.move_labels(position, line[: SHOWN_MOVES + 1])[1:]
        if not names:
            return []
        ellipsis = " …" if len(line) > SHOWN_MOVES + 1 else ""
        return [f"expects {', '.join(names)}{ellipsis}"]


def stoppable(player: Player, stop: Stop) -> Player:
    """Return the player; if it searches, a copy whose methods raise `Stopped` once `stop()` is true."""
    return player.stoppable(stop) if isinstance(player, Searcher) else player


def unseeded_searcher(player: Player) -> Searcher[Any] | None:
    """Return the player if its play depends on a seed that its label does not name, else `None`."""
    if isinstance(player, Searcher) and player.with_seed(0) is not player:
        return player
    return None
