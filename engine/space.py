"""The whole position graph of a small game as numbered tables.

    position  a row number 0 … n−1, ordered by ply and then by packed value; the start is 0
    edge      a row number 0 … m−1 of the (position, move) pairs, ordered by position and then by move:
              the edges of position p are first_edge[p] … first_edge[p+1]−1
    class     a number shared by all positions (or all edges) that are symmetric to each other

Numbers may change from version to version, so nothing that is saved depends on them.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, reduce
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Move, Outcome, Position
from engine.stop import Stop, Stopped, never

RUNNING: Final = -1
"""The value in `Space.outcome` of a position that is not over."""
LIMIT: Final = 200_000
"""The most positions of a space that is built move by move."""
LARGEST: Final = 12_000_000
"""The most positions of a space that is built ply by ply, since the game `grows`."""
PART: Final = 2**16
"""The most positions of a ply that are expanded at once."""

Int8 = NDArray[np.int8]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


class TooLarge(ValueError):
    """The game has more positions than a space may hold."""


class Endless(ValueError):
    """A position of the game can come back, so that a game may last for ever."""


@dataclass(frozen=True, eq=False)
class Space:
    """All positions of `game` that play can reach: n of them, with m edges."""

    game: Game
    position: Int64
    """The packed positions, shape (n,)."""
    ply: Int8
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
        """The same as `_index`, to look up single positions: numpy is slower at that."""
        ordered, order = self._index
        return ordered.data, order.data

    def rows(self, positions: Int64) -> Int32:
        """The row numbers of packed positions, −1 for those that play cannot reach, shape (k,)."""
        ordered, order = self._index
        place = np.minimum(np.searchsorted(ordered, positions), len(ordered) - 1)
        return np.where(ordered[place] == positions, order[place], np.int32(-1))

    def row(self, position: Position) -> int:
        """The row number of a packed position. Raises `KeyError` for one that play cannot reach."""
        ordered, order = self._views
        place = bisect_left(ordered, position)
        if place == len(ordered) or ordered[place] != position:
            raise KeyError(position)
        return order[place]

    def holds(self, position: Position) -> bool:
        """Whether play can reach a packed position."""
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
        """The edges of a packed position. Raises `KeyError` for one that play cannot reach."""
        row = self.row(position)
        return range(int(self.first_edge[row]), int(self.first_edge[row + 1]))

    def edge(self, position: Position, move: Move) -> int:
        """The edge of a (position, move) pair. Raises `KeyError` where there is none."""
        for edge in self.edges(position):
            if self.move[edge] == move:
                return edge
        raise KeyError((position, move))

    def plies(self) -> Iterator[tuple[slice, slice]]:
        """The positions and the edges of each ply, from the last ply to the first."""
        bounds = self.ply_start
        for low, high in zip(reversed(bounds[:-1]), reversed(bounds[1:]), strict=True):
            yield slice(low, high), slice(int(self.first_edge[low]), int(self.first_edge[high]))

    @cached_property
    def images(self) -> Int32:
        """The number of the image of every position under every symmetry, shape (symmetries, n)."""
        images = np.empty((len(self.game.symmetries), len(self.position)), np.int32)
        for image, symmetry in zip(images, self.game.symmetries, strict=True):
            image[:] = self.rows(self.game.transform_all(self.position, symmetry))
        return images

    def edge_images(self) -> Iterator[Int32]:
        """The number of the image of every edge under each symmetry in turn, shape (m,): all would take much memory."""
        used = np.flatnonzero(np.bincount(self.move))
        move = np.searchsorted(used, self.move)
        for symmetry, image in zip(self.game.symmetries, self.images, strict=True):
            moved = [self.game.transform_move(each, symmetry) for each in used.tolist()]
            yield self._edges_of(image[self.source], np.searchsorted(used, moved)[move], move)

    def edge_images_by(self, symmetry: Int8) -> Int32:
        """The number of the image of every edge under the symmetry of its position, shape (m,).

        `symmetry` has the number of a symmetry for each position, shape (n,).
        """
        chosen, images = symmetry[self.source], np.empty(len(self.move), np.int32)
        for number, image in enumerate(self.edge_images()):
            taken = chosen == number
            images[taken] = image[taken]
        return images

    @cached_property
    def first_twin(self) -> Int32:
        """The smallest number among the images of every edge, shape (m,)."""
        return reduce(np.minimum, self.edge_images())

    def _edges_of(self, source: Int32, moved: Int64, move: Int64) -> Int32:
        """The edge of each pair of `source` and `moved`, shape (m,).

        `moved` and `move`, the moves of the space's own edges, are numbered among all moves that occur in the space.
        With at most 64 moves, the legal ones of a position are a bit mask: counting its lower bits is faster than a
        search.
        """
        most = int(move.max()) + 1
        if most > 64:
            key = self.source * np.int64(most) + move
            return np.searchsorted(key, source * np.int64(most) + moved).astype(np.int32)
        bit = np.uint64(1) << move.astype(np.uint64)
        running = np.flatnonzero(np.diff(self.first_edge))
        legal = np.zeros(len(self.position), np.uint64)
        legal[running] = np.bitwise_or.reduceat(bit, self.first_edge[running])
        below = (np.uint64(1) << moved.astype(np.uint64)) - np.uint64(1)
        return self.first_edge[source] + np.bitwise_count(legal[source] & below)

    @cached_property
    def position_class(self) -> Int32:
        """The symmetry class of each position, 0 upwards, shape (n,)."""
        return _numbered(self.images.min(axis=0))

    @cached_property
    def edge_class(self) -> Int32:
        """The symmetry class of each edge, 0 upwards, shape (m,)."""
        return _numbered(self.first_twin)

    def twins(self, position: Position) -> list[Position]:
        """The distinct images of `position` under the symmetries, itself first."""
        return list(dict.fromkeys(self.game.transform(position, symmetry) for symmetry in self.game.symmetries))


def _numbered(representative: Int32) -> Int32:
    return np.unique(representative, return_inverse=True)[1].astype(np.int32)


def _require_at_most(most: int, count: int, game: Game) -> None:
    if count > most:
        raise TooLarge(f"{game.title} has more than {most:,} positions: too many to number them all")


def _explore(game: Game) -> tuple[dict[Position, Outcome | None], list[list[tuple[Move, int]]]]:
    """Every reachable position in breadth-first order with its outcome, and the (move, target) pairs of each."""
    outcome: dict[Position, Outcome | None] = {game.start: game.outcome(game.start)}
    number = {game.start: 0}
    queue = [game.start]
    edges: list[list[tuple[Move, int]]] = []
    for position in queue:  # the loop also visits what it appends
        row = []
        for move, target, ending in game.successors(position):
            if target not in number:
                number[target] = len(queue)
                outcome[target] = ending
                queue.append(target)
                _require_at_most(LIMIT, len(queue), game)
            row.append((move, number[target]))
        edges.append(row)
    return outcome, edges


def _plies(source: Int32, target: Int32, count: int) -> Int64:
    """The most moves that lead from the start to each position, shape (n,); −1 where a cycle makes them endless.

    A position has its ply once all positions before it have theirs (A. B. Kahn, Communications of the ACM 5, 1962).
    """
    ply = np.full(count, -1, np.int64)
    missing = np.bincount(target, minlength=count)  # the edges into each position whose source has no ply yet
    ready = missing == 0
    number = 0
    while ready.any():
        ply[ready] = number
        after = target[ready[source]]
        missing -= np.bincount(after, minlength=count)
        ready = np.zeros(count, np.bool_)
        ready[after] = missing[after] == 0
        number += 1
    return ply


def _recurring(source: Int32, target: Int32, ply: Int64) -> int:
    """The number of a position that can come back.

    Every position without a ply has a predecessor without a ply, so walking back must reach some position twice.
    """
    endless = (ply < 0)[source] & (ply < 0)[target]
    before: dict[int, int] = dict(zip(target[endless].tolist(), source[endless].tolist(), strict=True))
    passed, position = set[int](), next(iter(before))
    while position not in passed:
        passed.add(position)
        position = before[position]
    return position


class SpaceStore(Protocol):
    """Where spaces that take long to build are kept, from one start of the program to the next."""

    def load(self, game: Game) -> Space | None:
        """The space of a game; `None` if it is not there whole."""

    def save(self, space: Space, stop: Stop) -> None:
        """Keep a space, if that is possible. Raises `Stopped` once `stop()` is true."""


@dataclass
class _Spaces:
    """The spaces of this process."""

    built: dict[Game, Space] = field(default_factory=dict)
    so_far: int | None = None
    """The number of positions found so far; `None` while no space is being built."""
    stops: int = 0
    """How often all building was stopped."""
    store: SpaceStore | None = None
    lock: Lock = field(default_factory=Lock)
    """Held by the thread that builds a space: two at once would need the memory of both."""


_SPACES: Final = _Spaces()


def keep_spaces_in(store: SpaceStore | None) -> None:
    """Keep spaces that take long to build in a store from now on; `None` for nowhere."""
    _SPACES.store = store


def positions_so_far() -> int | None:
    """The number of positions found so far while a space is being built, in any thread; `None` if none is."""
    return _SPACES.so_far


def stop_building() -> None:
    """Let every thread that builds a space, or waits for one, raise `Stopped` within 0.2 s: the program ends."""
    _SPACES.stops += 1


def space_of(game: Game) -> Space:
    """The space of a small game, built once for each game, or loaded from the store.

    Raises `TooLarge` for a game that is not numbered or has too many positions, `Endless` if a position can come back,
    and `Stopped` after `stop_building`.
    """
    space = _SPACES.built.get(game)
    if space is None:
        stops = _SPACES.stops

        def stop() -> bool:
            return stops != _SPACES.stops

        with _SPACES.lock:
            if stop():
                raise Stopped
            space = _SPACES.built.get(game) or _loaded_or_built(game, stop)
            _SPACES.built[game] = space
    return space


def _loaded_or_built(game: Game, stop: Stop) -> Space:
    store = _SPACES.store if game.is_large else None
    space = store.load(game) if store is not None else None
    if space is None:
        _SPACES.so_far = 0
        try:
            space = build_space(game, stop)
        finally:
            _SPACES.so_far = None
        if store is not None:
            store.save(space, stop)
    return space


def build_space(game: Game, stop: Stop = never) -> Space:
    """Build the space of a small game. Raises `TooLarge`, `Endless`, and `Stopped` once `stop()` is true."""
    if not game.numbered:
        raise TooLarge(f"{game.title} is too large for exact results, for perfect play and for learners to remember")
    return _space_by_ply(game, stop) if game.grows else _space_by_move(game)


class _Reached(NamedTuple):
    """What some positions of a ply lead to: e edges, to u distinct positions."""

    distinct: Int64
    """The packed positions after the edges, ascending, shape (u,)."""
    edge: Int32
    """The index in `distinct` of the position after each edge, shape (e,)."""
    outcome: Int8
    """The `Outcome` after each edge, or `RUNNING`, shape (e,)."""


def _space_by_ply(game: Game, stop: Stop) -> Space:
    """The space of a game that grows: each ply has the distinct positions after all moves of the ply before.

    A ply is expanded in parts, and all arrays grow in place, so that building takes little more memory than the space.
    Raises `TooLarge`, `Stopped`.
    """
    layer, ended = np.array([game.start], np.int64), np.array([RUNNING], np.int8)
    position, outcome, ply, first = layer.copy(), ended.copy(), np.zeros(1, np.int8), 0
    degree, source, move, target = (np.empty(0, np.int32) for _ in range(4))
    while (running := np.flatnonzero(ended == RUNNING)).size:
        parts = list[_Reached]()
        _append(degree, np.zeros(len(layer), np.int32))
        for rows in np.array_split(running, 1 + len(running) // PART):
            if stop():
                raise Stopped
            left, moves, after, outcomes = game.successors_all(layer[rows])
            degree[first + rows] = np.bincount(left, minlength=len(rows))
            _append(source, rows[left] + first)
            _append(move, moves)
            distinct, index = np.unique(after, return_inverse=True)
            parts.append(_Reached(distinct, index.astype(np.int32), outcomes))
        first += len(layer)
        layer = _merged([part.distinct for part in parts])
        ended = np.empty(len(layer), np.int8)
        for part in parts:
            if stop():
                raise Stopped
            row = np.searchsorted(layer, part.distinct)[part.edge]
            ended[row] = part.outcome
            _append(target, row + first)
        _append(position, layer)
        _append(outcome, ended)
        _append(ply, np.full(len(layer), ply[-1] + 1, np.int8))
        _require_at_most(LARGEST, len(position), game)
        if _SPACES.so_far is not None:
            _SPACES.so_far = len(position)
    _append(degree, np.zeros(len(layer), np.int32))
    return Space(
        game=game,
        position=position,
        ply=ply,
        side=ply & 1 ^ np.int8(game.side(game.start)),
        outcome=outcome,
        first_edge=np.append(np.int32(0), np.cumsum(degree, dtype=np.int32)),
        source=source,
        move=move,
        target=target,
    )


def _append(array: NDArray[Any], more: NDArray[Any]) -> None:
    """Append to an array in place, which nothing else may refer to. The system moves no large array for that."""
    before = len(array)
    array.resize(before + len(more), refcheck=False)
    array[before:] = more


def _merged(parts: list[Int64]) -> Int64:
    """The distinct numbers of all parts, ascending. The table of `np.unique` would take more time and memory."""
    numbers = np.concatenate(parts)
    numbers.sort()
    distinct: Int64 = numbers[np.append(True, numbers[1:] != numbers[:-1])]
    return distinct


def _space_by_move(game: Game) -> Space:
    """The space of any game, built move by move. Raises `TooLarge`, `Endless`."""
    found, found_edges = _explore(game)
    if not found_edges[0]:
        raise ValueError(f"{game.title} has no moves in its first position, {game.to_text(game.start)}")
    queue = list(found)
    rows = [(source, move, target) for source, row in enumerate(found_edges) for move, target in row]
    source, move, target = (column.astype(np.int32) for column in np.array(rows, np.int64).T)
    position = np.array(queue, np.int64)
    ply = _plies(source, target, len(queue))
    if ply.min() < 0:
        where = game.to_text(queue[_recurring(source, target, ply)])
        raise Endless(f"{game.title} need not end: play can come back to {where}")
    order = np.lexsort((position, ply))
    rank = np.empty(len(queue), np.int32)
    rank[order] = np.arange(len(queue), dtype=np.int32)
    edge_order = np.lexsort((move, rank[source]))
    source = rank[source][edge_order]
    ended = [RUNNING if outcome is None else outcome for outcome in found.values()]
    return Space(
        game=game,
        position=position[order],
        ply=ply[order].astype(np.int8),
        side=np.array([game.side(queue[row]) for row in order.tolist()], np.int8),
        outcome=np.array(ended, np.int8)[order],
        first_edge=np.searchsorted(source, np.arange(len(queue) + 1)).astype(np.int32),
        source=source,
        move=move[edge_order],
        target=rank[target][edge_order],
    )
