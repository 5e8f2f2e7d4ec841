"""Builds the space of a game: move by move, or ply by ply where the game `grows`."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import MAX_PLIES, Game, Move, Outcome, Position
from engine.space import RUNNING, Endless, Int8, Int32, Int64, Space, TooLarge
from engine.stop import Stop, Stopped, never

MAX_BY_MOVE: Final = 200_000
"""The maximum number of positions of a space that is built move by move."""
MAX_BY_PLY: Final = 12_000_000
"""The maximum number of positions of a space that is built ply by ply, as in a game that `grows`."""
EXPANDED_AT_ONCE: Final = 2**16
"""The maximum number of positions of a ply that are expanded at once."""

Report = Callable[[int], object]
"""Takes the number of positions found so far."""


def build_space(game: Game, stop: Stop = never, report: Report = lambda _: None) -> Space:
    """Build the space of a small game. Raises `TooLarge`, `Endless`, and `Stopped` once `stop()` is true.

    `report` is called after each ply of a game that `grows`.
    """
    if not game.numbered:
        raise TooLarge(f"{game.title} is too large for exact results: its positions cannot all be listed")
    return _space_by_ply(game, stop, report) if game.grows else space_by_move(game)


def _require_at_most(limit: int, count: int, game: Game) -> None:
    if count > limit:
        raise TooLarge(f"{game.title} has more than {limit:,} positions: too many to number them all")


def _require_short(plies: int, game: Game) -> None:
    if plies > MAX_PLIES:
        raise TooLarge(f"{game.title} can last more than {MAX_PLIES:,} moves: too long for exact results")


def _explore(game: Game) -> tuple[dict[Position, Outcome | None], list[list[tuple[Move, int]]]]:
    """Return every reachable position in breadth-first order with its outcome, and the (move, target) pairs of each."""
    outcome: dict[Position, Outcome | None] = {game.start: game.outcome(game.start)}
    number = {game.start: 0}
    queue = [game.start]
    edges: list[list[tuple[Move, int]]] = []
    for position in queue:  # the list grows in the loop
        row = []
        for move, target, ending in game.successors(position):
            if target not in number:
                number[target] = len(queue)
                outcome[target] = ending
                queue.append(target)
                _require_at_most(MAX_BY_MOVE, len(queue), game)
            row.append((move, number[target]))
        edges.append(row)
    return outcome, edges


def _plies(source: Int32, target: Int32, count: int) -> Int64:
    """Return the largest number of moves from the start to each position, shape (n,); −1 in and after a cycle.

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


def _position_in_cycle(source: Int32, target: Int32, ply: Int64) -> int:
    """Return the number of a position that can come back.

    Every position without a ply has a predecessor without a ply, so walking back must reach some position twice.
    """
    endless = (ply < 0)[source] & (ply < 0)[target]
    before: dict[int, int] = dict(zip(target[endless].tolist(), source[endless].tolist(), strict=True))
    passed, position = set[int](), next(iter(before))
    while position not in passed:
        passed.add(position)
        position = before[position]
    return position


class _Reached(NamedTuple):
    """The edges and targets from some positions of a ply: e edges, to u distinct positions."""

    distinct: Int64
    """The packed positions after the edges, ascending, shape (u,)."""
    edge: Int32
    """The index in `distinct` of the position after each edge, shape (e,)."""
    outcome: Int8
    """The `Outcome` after each edge, or `RUNNING`, shape (e,)."""


def _space_by_ply(game: Game, stop: Stop, report: Report) -> Space:
    """Return the space of a game that grows: each ply has the distinct positions after all moves of the ply before.

    A ply is expanded in parts, and all arrays grow in place, so that building takes little more memory than the space.
    Raises `TooLarge`, `Stopped`.
    """
    layer, ended = np.array([game.start], np.int64), np.array([RUNNING], np.int8)
    position, outcome, ply, first = layer.copy(), ended.copy(), np.zeros(1, np.int16), 0
    degree, source, move, target = (np.empty(0, np.int32) for _ in range(4))
    while True:
        running = np.flatnonzero(ended == RUNNING)
        if not running.size:
            break
        _require_short(int(ply[-1]) + 1, game)
        parts = list[_Reached]()
        _append(degree, np.zeros(len(layer), np.int32))
        for rows in np.array_split(running, 1 + len(running) // EXPANDED_AT_ONCE):
            if stop():
                raise Stopped
            index, moves, after, outcomes = game.successors_all(layer[rows])
            degree[first + rows] = np.bincount(index, minlength=len(rows))
            _append(source, rows[index] + first)
            _append(move, moves)
            distinct, number = np.unique(after, return_inverse=True)
            parts.append(_Reached(distinct, number.astype(np.int32), outcomes))
        first += len(layer)
        layer = _merge_numbers([part.distinct for part in parts])
        ended = np.empty(len(layer), np.int8)
        for part in parts:
            if stop():
                raise Stopped
            row = np.searchsorted(layer, part.distinct)[part.edge]
            ended[row] = part.outcome
            _append(target, row + first)
        _append(position, layer)
        _append(outcome, ended)
        _append(ply, np.full(len(layer), ply[-1] + 1, np.int16))
        _require_at_most(MAX_BY_PLY, len(position), game)
        report(len(position))
    _append(degree, np.zeros(len(layer), np.int32))
    return Space(
        game=game,
        position=position,
        ply=ply,
        side=(ply & 1).astype(np.int8) ^ np.int8(game.side(game.start)),
        outcome=outcome,
        first_edge=np.append(np.int32(0), np.cumsum(degree, dtype=np.int32)),
        source=source,
        move=move,
        target=target,
    )


def _append(array: NDArray[Any], more: NDArray[Any]) -> None:
    """Append to an array in place; nothing else may refer to it. The system grows a large array without copying it."""
    before = len(array)
    array.resize(before + len(more), refcheck=False)
    array[before:] = more


def _merge_numbers(parts: list[Int64]) -> Int64:
    """Return the distinct numbers of all parts, ascending, with less time and memory than `np.unique` takes."""
    numbers = np.concatenate(parts)
    numbers.sort()
    distinct: Int64 = numbers[np.append(True, numbers[1:] != numbers[:-1])]
    return distinct


def space_by_move(game: Game) -> Space:
    """Return the space of any game, built move by move. Raises `TooLarge`, `Endless`."""
    outcomes, edges = _explore(game)
    if not edges[0]:
        raise ValueError(f"{game.title} has no moves in its first position, {game.to_text(game.start)}")
    queue = list(outcomes)
    rows = [(source, move, target) for source, row in enumerate(edges) for move, target in row]
    source, move, target = (column.astype(np.int32) for column in np.array(rows, np.int64).T)
    position = np.array(queue, np.int64)
    ply = _plies(source, target, len(queue))
    if ply.min() < 0:
        where = game.to_text(queue[_position_in_cycle(source, target, ply)])
        raise Endless(f"{game.title} can go on for ever: play can come back to {where}")
    _require_short(int(ply.max()), game)
    order = np.lexsort((position, ply))
    rank = np.empty(len(queue), np.int32)
    rank[order] = np.arange(len(queue), dtype=np.int32)
    edge_order = np.lexsort((move, rank[source]))
    source = rank[source][edge_order]
    codes = [RUNNING if outcome is None else outcome for outcome in outcomes.values()]
    return Space(
        game=game,
        position=position[order],
        ply=ply[order].astype(np.int16),
        side=np.array([game.side(queue[row]) for row in order.tolist()], np.int8),
        outcome=np.array(codes, np.int8)[order],
        first_edge=np.searchsorted(source, np.arange(len(queue) + 1)).astype(np.int32),
        source=source,
        move=move[edge_order],
        target=rank[target][edge_order],
    )
