"""The result of a search, and the steps that lead to it."""

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from engine.game import MAX_PLIES, Game, Move, MoveSequence, Position

WON: Final = 1_000_000
"""The score of a win at the depth limit, as in `engine.analysis.lecture`; heuristics stay far below it.

Unlike in the lecture, each ply of depth left after the win adds 1: quicker wins and later losses are better."""
UNLIMITED: Final = MAX_PLIES
"""The depth of a search to the ends of the game."""


class Algorithm(StrEnum):
    MINIMAX = "minimax"
    ALPHABETA = "alphabeta"


@dataclass(frozen=True)
class RootMove:
    move: Move
    value: int
    """As in `SearchResult`."""
    plies: int | None
    """The number of plies until the win that `value` stands for, this move included; `None` without a win."""
    exact: bool
    """Whether `value` is exact; otherwise it is a bound: for the side to move, the move is worth no more."""
    estimated: bool
    """Whether the value depends on the heuristic."""
    line: MoveSequence
    """The principal variation of the move, beginning with the move itself."""


@dataclass(frozen=True)
class SearchResult:
    game: Game
    position: Position
    algorithm: Algorithm
    depth: int | None
    value: int
    """Without a depth limit, the exact value: 1, 0 or −1. With one: a win (see `WON`), 0 for a draw, or an estimate."""
    plies: int | None
    """The number of plies until the win that `value` stands for; `None` without a win."""
    moves: tuple[RootMove, ...]
    """Every move of the position, in the order searched."""
    line: MoveSequence
    """The principal variation: best play of both sides, as far as the search looked."""
    nodes: int
    """The number of nodes visited, including the root."""
    leaves: int
    """The visited nodes without children: the game is over, or the depth limit is reached."""
    estimates: int
    """The leaves that the heuristic estimated; if there are none, the value is exact."""
    cutoffs: int
    """The nodes at which the search skipped moves."""
    skipped: int
    """The moves skipped at cutoffs, each with its subtree."""

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves known to be best, which keep the value of the position, and win as soon or lose as late as any."""
        wanted = self.value, self.plies
        return tuple(rated.move for rated in self.moves if rated.exact and (rated.value, rated.plies) == wanted)


def plies_to_win(score: int, depth: int | None) -> int | None:
    """Return the number of plies from the root to the win that a score of a search stands for; `None` without a win."""
    if abs(score) < WON:
        return None
    return (depth or UNLIMITED) - (abs(score) - WON)


class StepKind(Enum):
    ENTER = "enter"
    """A node is entered, in the window `low` … `high`."""
    LEAF = "leaf"
    """The node just entered is a leaf, worth `value`."""
    BACK = "back"
    """A child is finished: `value` is the best of the node's moves so far, and `move` the last of them."""
    SKIP = "skip"
    """A node and its subtree are skipped: `value`, the best value of the parent, reaches the bound set by `owner`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search. A node is skipped; or it is entered, and then has a step `LEAF` or steps `BACK`."""

    kind: StepKind
    path: MoveSequence
    position: Position
    low: int
    high: int
    """The window in which the node is searched; for a skipped node, that of its parent at the cutoff."""
    value: int | None = None
    move: Move | None = None
    owner: MoveSequence | None = None
    """The ancestor whose best move so far set the bound of the cutoff."""
