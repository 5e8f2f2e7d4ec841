"""Which cards of a memory to show, and which of them a game opened. Plain functions on a learner, without an app."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.game import Position, Side
from learners.core.learner import Learner
from learners.core.player import Thought


@dataclass(frozen=True)
class Filter:
    """Which cards to show; `None` leaves a property open."""

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


def select(learner: Learner, wanted: Filter) -> list[int]:
    """The edges of the cards that a filter lets through, in their order."""
    space, cards = learner.space, learner.view.cards()
    rows = space.source[cards]
    shown = np.ones(len(cards), bool)
    if wanted.side is not None:
        shown &= space.side[rows] == wanted.side
    if wanted.pieces is not None:
        shown &= space.pieces[rows] == wanted.pieces
    if wanted.position is not None:
        twins = [space.number[twin] for twin in space.twins(wanted.position) if twin in space.number]
        shown &= np.isin(rows, twins)
    return [int(edge) for edge in cards[shown]]


def cells_of(learner: Learner, position: Position, thoughts: Iterable[Thought]) -> dict[int, int]:
    """Where the numbers of some moves of a position stand in the memory: the cell of each move."""
    edges = {int(learner.space.move[edge]): edge for edge in learner.space.edges(position)}
    return {thought.move: int(learner.cell[edges[thought.move]]) for thought in thoughts}


def last_game_cells(learner: Learner) -> frozenset[int]:
    """The cells of the moves of the game learned from last; of a game that was resigned, all where it ended too."""
    space, position = learner.space, learner.game.start
    edges = []
    for move in learner.last_game:
        edges.append(space.edge(position, move))
        position = learner.game.play(position, move)
    if learner.stats()["games"] and learner.game.outcome(position) is None:
        edges += space.edges(position)
    return frozenset(learner.cell[edges].tolist())


def merges(learner: Learner) -> bool:
    """Whether symmetric positions share their numbers."""
    return not np.array_equal(learner.cell, np.arange(len(learner.cell)))


def shared_card(learner: Learner, position: Position) -> int | None:
    """The edge of the card that a position shares with its twins, in a learner that merges; `None` without one."""
    space, cards = learner.space, learner.view.cards()
    cell = int(learner.cell[space.edges(position)[0]])
    found = cards[space.source[cards] == space.source[cell]]
    return int(found[0]) if len(found) else None


def group_starts(learner: Learner, edges: list[int]) -> Iterator[tuple[int, str]]:
    """The first card of each run of cards that have their heading in common.

    Cards of a group stand together, so that thousands need not be made to know where groups begin.
    """

    def groups(low: int, high: int, first: str, last: str) -> Iterator[tuple[int, str]]:
        if first == last or high - low == 1:
            if first != last:
                yield high, last
            return
        middle = (low + high) // 2
        between = learner.view.card(edges[middle]).group
        yield from groups(low, middle, first, between)
        yield from groups(middle, high, between, last)

    if edges:
        first, last = learner.view.card(edges[0]).group, learner.view.card(edges[-1]).group
        yield 0, first
        yield from groups(0, len(edges) - 1, first, last)
