"""Which failures of a database to show, and as what little boards. Plain functions on a memory, without an app."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Position, Side
from engine.space import Space
from learners.failures import FAILURE
from learners.learner import Memory
from tui.widgets.tiles import Tile


@dataclass(frozen=True)
class Filter:
    """Which failures to show; `None` leaves a property open."""

    side: Side | None = None
    pieces: int | None = None
    """How many pieces stand on the board."""
    position: Position | None = None
    """This position or one symmetric to it."""

    def next_side(self) -> "Filter":
        """First side, second side, both, in turn."""
        following = {None: Side.FIRST, Side.FIRST: Side.SECOND, Side.SECOND: None}
        return replace(self, side=following[self.side])

    def next_pieces(self, step: int, most: int) -> "Filter":
        """One piece more or less; any number lies between the most and the least."""
        now = -1 if self.pieces is None else self.pieces
        following = (now + 1 + step) % (most + 2) - 1
        return replace(self, pieces=None if following < 0 else following)


def newest(memory: Memory, count: int) -> list[int]:
    """The edges of the failures recorded last, the newest first."""
    recorded = int(np.count_nonzero(memory))
    count = min(count, recorded)
    if not count:
        return []
    last = np.argpartition(memory, -count)[-count:]
    return [int(edge) for edge in last[np.argsort(memory[last])][::-1]]


def piece_counts(space: Space) -> NDArray[np.int64]:
    """How many pieces stand on the board of each position, shape (n,)."""
    size = space.game.rows * space.game.columns
    occupied = (space.position | space.position >> size) & (1 << size) - 1
    return sum((occupied >> square & 1 for square in range(size)), np.zeros(len(occupied), np.int64))


def select(space: Space, memory: Memory, wanted: Filter) -> list[int]:
    """The edges of the failures that a filter lets through, in the order of recording."""
    shown = memory != 0
    if wanted.side is not None:
        shown &= space.side[space.source] == wanted.side
    if wanted.pieces is not None:
        shown &= piece_counts(space)[space.source] == wanted.pieces
    if wanted.position is not None:
        twins = [space.number[twin] for twin in space.twins(wanted.position) if twin in space.number]
        shown &= np.isin(space.source, twins)
    edges = np.flatnonzero(shown)
    return [int(edge) for edge in edges[np.argsort(memory[edges])]]


def failure_tile(space: Space, memory: Memory, edge: int) -> Tile:
    """One failure as a little board: the position, the failed move marked, its number and the move's name below."""
    game: Game = space.game
    position, move = int(space.position[space.source[edge]]), int(space.move[edge])
    caption = f"{memory[edge]:,} {game.mark(game.side(position))} {game.move_name(move)}"
    return Tile(game, position, {game.squares(position, move)[-1]: FAILURE}, caption)
