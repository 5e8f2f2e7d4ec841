"""The whole position graph of a small game as numbered tables.

    position  a row number 0 … n−1, ordered by ply and then by packed value; the start is 0
    edge      a row number 0 … m−1 of the (position, move) pairs, ordered by position and then by move:
              the edges of position p are first_edge[p] … first_edge[p+1]−1
    class     a number shared by all positions (or all edges) that are symmetric to each other

Numbers may change from version to version, so nothing that is saved depends on them. `engine.space_building` builds
spaces; `engine.spaces` keeps those that are built.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText, Game, Move, PluginFailed, Position, Side
from engine.stop import stop_at_end

RUNNING: Final = -1
"""The value in `Space.outcome` of a position that is not over."""

FEW_MOVES: Final = 64
"""At most this many different moves fit into a bit mask."""

Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Symmetries = NDArray[np.signedinteger[Any]]
"""Numbers of symmetries, of `Space.symmetry_type`."""


class TooLarge(ValueError):
    """The game has more positions than a space may hold."""


class TooLittleMemory(TooLarge):
    """The space of the game takes more memory than is available."""


class Endless(BadText):
    """A position of the game can occur twice, so that a game may last for ever."""


@dataclass(frozen=True, eq=False)
class Space:
    """All positions of `game` that play can reach: n of them, with m edges."""

    game: Game
    position: Int64
    """The packed positions, shape (n,)."""
    ply: Int16
    """The largest number of moves that lead to each position, shape (n,)."""
    side: Int8
    """The `Side` to move, shape (n,)."""
    outcome: Int8
    """The `Outcome`, or `RUNNING`, shape (n,)."""
    first_edge: Int32
    """Where each position's edges begin, shape (n + 1,)."""
    source: Int32
    """The position each edge leaves, shape (m,)."""
    move: Int32
    """The move of each edge, shape (m,)."""
    target: Int32
    """The position each edge leads to, always of a later ply, shape (m,)."""

    @cached_property
    def _index(self) -> tuple[Int64, Int32]:
        """The packed positions in ascending order, and their row numbers, shape (n,) each."""
        order = np.argsort(self.position).astype(np.int32)
        return self.position[order], order

    @cached_property
    def _views(self) -> tuple["memoryview[int]", "memoryview[int]"]:
        """The arrays of `_index` as memory views, which are faster than numpy at looking up single positions."""
        ordered, order = self._index
        return ordered.data, order.data

    def rows(self, positions: Int64) -> Int32:
        """Return the row numbers of packed positions, −1 for those that play cannot reach, shape (k,)."""
        ordered, order = self._index
        place = np.minimum(np.searchsorted(ordered, positions), len(ordered) - 1)
        return np.where(ordered[place] == positions, order[place], np.int32(-1))

    def row(self, position: Position) -> int:
        """Return the row number of a packed position. Raises `KeyError` for one that play cannot reach."""
        ordered, order = self._views
        place = bisect_left(ordered, position)
        if place == len(ordered) or ordered[place] != position:
            raise KeyError(position)
        return order[place]

    def holds(self, position: Position) -> bool:
        """Return whether play can reach a packed position."""
        try:
            self.row(position)
        except KeyError:
            return False
        return True

    @cached_property
    def pieces(self) -> Int8:
        """The number of pieces on the board of each position, shape (n,)."""
        boards = map(self.game.board.cells, self.position.tolist())
        return np.array([len(board) - board.count(None) for board in boards], np.int8)

    @cached_property
    def ply_start(self) -> list[int]:
        """The first position of each ply, and the number of positions at the end."""
        return [int(row) for row in np.searchsorted(self.ply, np.arange(int(self.ply[-1]) + 2))]

    def edges(self, position: Position) -> range:
        """Return the edges of a packed position. Raises `KeyError` for one that play cannot reach."""
        return self.edges_from(self.row(position))

    def edges_from(self, row: int) -> range:
        """Return the edges of the position in a row."""
        return range(int(self.first_edge[row]), int(self.first_edge[row + 1]))

    def edge(self, position: Position, move: Move) -> int:
        """Return the edge of a (position, move) pair. Raises `KeyError` where there is none."""
        for edge in self.edges(position):
            if self.move[edge] == move:
                return edge
        raise KeyError((position, move))

    def edges_among(self, chosen: NDArray[np.bool_]) -> Int32:
        """Return how many edges of each position are chosen, shape (n,). `chosen` is a mask of shape (m,)."""
        passed = np.append(np.int32(0), np.cumsum(chosen, dtype=np.int32))
        return np.diff(passed[self.first_edge])

    def plies(self) -> Iterator[tuple[slice, slice]]:
        """Yield the positions and the edges of each ply, from the last ply to the first. Raises `Stopped`."""
        bounds = self.ply_start
        for low, high in zip(reversed(bounds[:-1]), reversed(bounds[1:]), strict=True):
            stop_at_end()
            yield slice(low, high), slice(int(self.first_edge[low]), int(self.first_edge[high]))

    def backwards(self) -> Iterator[tuple[Int64, slice, Int32]]:
        """Yield the running positions of each ply, from the last ply to the first. Raises `Stopped`.

        These are their rows, the slice of all their edges, and where in that slice the edges of each position begin, as
        `reduceat` takes it.
        """
        for positions, edges in self.plies():
            rows = np.flatnonzero(self.outcome[positions] == RUNNING) + positions.start
            if len(rows):
                yield rows, edges, self.first_edge[rows] - edges.start

    @cached_property
    def sign(self) -> Int8:
        """1 where the first side is to move, else −1, shape (n,)."""
        return np.where(self.side == Side.FIRST, 1, -1).astype(np.int8)

    @cached_property
    def images(self) -> Int32:
        """The number of the image of every position under every symmetry, shape (symmetries, n).

        Raises `PluginFailed` if a symmetry maps a position to one that play cannot reach.
        """
        game = self.game
        images = np.empty((len(game.symmetries), len(self.position)), np.int32)
        for image, symmetry in zip(images, game.symmetries, strict=True):
            stop_at_end()
            image[:] = self.rows(game.transform_all(self.position, symmetry))
            if image.min() < 0:
                position = int(self.position[image.argmin()])
                unreached = game.to_text(game.transform(position, symmetry))
                raise PluginFailed(
                    f"{game.title} failed: its symmetry {symmetry} maps {game.to_text(position)} to {unreached}, "
                    "which play cannot reach"
                )
        return images

    def edge_images(self) -> Iterator[Int32]:
        """Yield the images of all edges, shape (m,), under one symmetry after another, to save memory."""
        used = np.flatnonzero(np.bincount(self.move))
        number = np.zeros(int(used[-1]) + 1, np.int8 if len(used) <= FEW_MOVES else np.int32)
        number[used] = np.arange(len(used))
        move = number[self.move]
        for symmetry, image in zip(self.game.symmetries, self.images, strict=True):
            moved = number[[self.game.transform_move(each, symmetry) for each in used.tolist()]]
            yield self._edges_of(image[self.source], moved[move], move)

    @property
    def symmetry_type(self) -> "np.dtype[np.signedinteger[Any]]":
        """The smallest type that holds the number of a symmetry: nim with six equal heaps has 720."""
        return np.min_scalar_type(-len(self.game.symmetries))

    def edge_images_by(self, symmetry: Symmetries) -> Int32:
        """Return the number of the image of every edge under the symmetry of its position, shape (m,).

        `symmetry` has the number of a symmetry for each position, of `symmetry_type`, shape (n,).
        """
        chosen, images = symmetry[self.source], np.empty(len(self.move), np.int32)
        for number, image in enumerate(self.edge_images()):
            taken = chosen == number
            images[taken] = image[taken]
        return images

    @cached_property
    def first_twin(self) -> Int32:
        """For every edge, the smallest number among its images, shape (m,)."""
        return reduce(np.minimum, self.edge_images())

    def _edges_of(self, source: Int32, moved: NDArray[Any], move: NDArray[Any]) -> Int32:
        """Return the edge of each pair of a position in `source` and a move in `moved`, shape (m,).

        `move` has the move of every edge of the space. In both, the moves that occur in the space are numbered from 0.
        With at most `FEW_MOVES` of them, the legal moves of a position fit in a bit mask: counting its bits below a
        move is faster than searching for the edge, and takes less memory.
        """
        move_count = int(move.max()) + 1
        edges: Int32
        if move_count > FEW_MOVES:
            key = self.source * np.int64(move_count) + move
            edges = np.searchsorted(key, source * np.int64(move_count) + moved).astype(np.int32)
            return edges
        mask = next(kind for kind in (np.uint16, np.uint32, np.uint64) if move_count <= np.iinfo(kind).bits)
        bit: NDArray[Any] = (np.uint64(1) << np.arange(move_count, dtype=np.uint64)).astype(mask)
        running = np.flatnonzero(np.diff(self.first_edge))
        legal: NDArray[Any] = np.zeros(len(self.position), mask)
        legal[running] = np.bitwise_or.reduceat(bit[move], self.first_edge[running])
        edges = self.first_edge[source] + np.bitwise_count(legal[source] & (bit - mask(1))[moved])
        return edges

    @cached_property
    def position_class(self) -> Int32:
        """The symmetry class of each position, 0 upwards, shape (n,)."""
        return _number_classes(self.images.min(axis=0))

    @cached_property
    def edge_class(self) -> Int32:
        """The symmetry class of each edge, 0 upwards, shape (m,)."""
        return _number_classes(self.first_twin)

    def twins(self, position: Position) -> list[Position]:
        """Return the distinct images of `position` under the symmetries, itself first."""
        return list(dict.fromkeys(self.game.transform(position, symmetry) for symmetry in self.game.symmetries))


def _number_classes(representative: Int32) -> Int32:
    return np.unique(representative, return_inverse=True)[1].astype(np.int32)
