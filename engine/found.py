"""What a search tells: its result, and the steps that lead to it."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from engine.game import Game, Move, Path, Position

WON: Final = 1_000_000
"""What a win is worth under a depth limit, as in the lecture: no heuristic comes near. Each ply left below it adds 1,
which the lecture does not have, so that a quicker win is worth more and a later loss less."""


class Algorithm(StrEnum):
    MINIMAX = "minimax"
    ALPHABETA = "alphabeta"


@dataclass(frozen=True)
class Rated:
    """A move of the root and what it came to."""

    move: Move
    value: int
    exact: bool
    """Whether that is the move's value; else the move is no better than it for the side to move."""
    guessed: bool
    """Whether the heuristic had a part in it."""
    line: Path
    """The play that the value stands for, this move first."""


@dataclass(frozen=True)
class Found:
    """The result of a search."""

    game: Game
    position: Position
    algorithm: Algorithm
    depth: int | None
    value: int
    """Without a depth limit 1, 0 or −1, the exact value; with one a win (see `WON`), 0 for a draw, or an estimate."""
    moves: tuple[Rated, ...]
    """Every move of the position, in the order searched."""
    line: Path
    """The principal variation: what both sides would play, as far as the search saw."""
    nodes: int
    """The nodes looked at, the root among them."""
    leaves: int
    """Those that were valued by themselves: the game was over, or the depth limit reached."""
    guesses: int
    """The leaves that the heuristic valued; with none, the value is certain."""
    cutoffs: int
    """The nodes left before all their moves were looked at."""
    skipped: int
    """The moves, each with the subtree below it, not looked at because of that."""

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves known to be worth as much as the position."""
        return tuple(rated.move for rated in self.moves if rated.exact and rated.value == self.value)

    def plies_to_win(self, value: int) -> int | None:
        """After how many plies the win comes that a value stands for; `None` without a depth limit or a win."""
        return None if self.depth is None or abs(value) < WON else self.depth - (abs(value) - WON)


class StepKind(Enum):
    ENTER = "enter"
    """A node is entered, in the window `low` … `high`."""
    LEAF = "leaf"
    """The node just entered is a leaf, worth `value`."""
    BACK = "back"
    """A child is done: the node is worth `value` by its moves so far, `move` being the last of them."""
    SKIP = "skip"
    """The node and all below it is left out: with `value`, its parent is no better for the side to move above than
    the bound that is kept for it at `owner`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a search does. A node is either skipped, or entered and then a leaf or backed up to."""

    kind: StepKind
    path: Path
    """The node that it happens to."""
    position: Position
    low: int
    high: int
    """The window in which the node is searched; of a skipped node, that of its parent when it was cut."""
    value: int | None = None
    move: Move | None = None
    owner: Path | None = None
    """The node above whose best move so far set the bound that cuts."""
