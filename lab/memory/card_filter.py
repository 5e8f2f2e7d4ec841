"""Select cards of a memory by side, pieces, position or last game; group them; and order them by use."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import reach_probabilities, uniform_policy
from engine.game import Position, Side
from learners.core.learner import Learner
from learners.core.player import Thought
from learners.core.view import Card


@dataclass(frozen=True)
class Filter:
    """A filter for cards. `None` accepts every value."""

    side: Side | None = None
    pieces: int | None = None
    position: Position | None = None
    """The position of the cards, or one symmetric to it."""

    def next_side(self) -> "Filter":
        """Return the same filter with the next side, in the order: both, first, second."""
        following = {None: Side.FIRST, Side.FIRST: Side.SECOND, Side.SECOND: None}
        return replace(self, side=following[self.side])

    def next_pieces(self, step: int, most: int) -> "Filter":
        """Return the same filter with `step` (1 or -1) more pieces, in the order: any number, 0, 1 … `most`."""
        now = -1 if self.pieces is None else self.pieces
        following = (now + 1 + step) % (most + 2) - 1
        return replace(self, pieces=None if following < 0 else following)


def select(learner: Learner, wanted: Filter) -> list[int]:
    """Return the edges of the cards that pass a filter, by ply, then in the learner's order.

    The cards of parameters do not show positions: they are filtered by side only.
    """
    cards = learner.view.cards()
    if learner.spec.parameters:
        return [card for card in cards.tolist() if wanted.side in (None, learner.view.side_of(card))]
    space = learner.space
    rows = space.source[cards]
    shown = np.ones(len(cards), bool)
    if wanted.side is not None:
        shown &= space.side[rows] == wanted.side
    if wanted.pieces is not None:
        shown &= space.pieces[rows] == wanted.pieces
    if wanted.position is not None:
        twins = space.rows(np.array(space.twins(wanted.position)))
        shown &= np.isin(rows, twins)
    chosen = cards[shown]
    by_ply = np.argsort(space.ply[rows[shown]], kind="stable")
    return [int(edge) for edge in chosen[by_ply]]


def cells_of(learner: Learner, position: Position, thoughts: Iterable[Thought]) -> dict[int, int]:
    """Return the cell of each move in `thoughts`: the index of its number in the memory."""
    edges = {int(learner.space.move[edge]): edge for edge in learner.space.edges(position)}
    return {thought.move: int(learner.cell[edges[thought.move]]) for thought in thoughts}


def last_game_cells(
    learner: Learner, gains: Sequence[int] = (), sides: Collection[Side] | None = None
) -> dict[int, int]:
    """Return the cells of its moves in the last game, each with what it gained by `gains`, one number for each move.

    Its moves are those of `sides`, by default of those that it plays in training against its opponent.
    If a side resigned, the cells of all moves in the last position are among them. Empty for a memory of parameters,
    which belong to no move, and for a save, which does not keep its last game.
    """
    if learner.spec.parameters or not learner.last_game:
        return {}
    game, space, position, gained = learner.game, learner.space, learner.game.start, dict[int, int]()
    own_sides = learner.training_sides if sides is None else sides
    for move, gain in zip_longest(learner.last_game, gains, fillvalue=0):
        if game.side(position) in own_sides:
            cell = int(learner.cell[space.edge(position, move)])
            gained[cell] = gained.get(cell, 0) + gain
        position = game.play(position, move)
    if game.outcome(position) is None:  # a side resigned
        gained |= {int(learner.cell[edge]): 0 for edge in space.edges(position)}
    return gained


def merges_twins(learner: Learner) -> bool:
    """Return whether symmetric positions share their numbers, and so their cards."""
    return not learner.spec.parameters and not np.array_equal(learner.cell, np.arange(len(learner.cell)))


def shared_card(learner: Learner, position: Position) -> int | None:
    """Return the edge of the card that a position shares with the symmetric ones; `None` if there is no card."""
    space, cards = learner.space, learner.view.cards()
    edges = space.edges(position)
    if not edges:  # the game is over
        return None
    shared = cards[space.source[cards] == space.source[learner.cell[edges[0]]]]
    return int(shared[0]) if len(shared) else None


def group_starts(learner: Learner, edges: list[int]) -> Iterator[tuple[int, str]]:
    """Yield the index and heading of the first card of each group.

    The cards of a group are next to each other, so a binary search finds the groups without making thousands of cards.
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


def position_uses(learner: Learner) -> NDArray[np.float64]:
    """Return how often the learner decides in each position against random play, summed over its sides, shape (n,)."""
    space, policy = learner.space, learner.policy()
    uses: NDArray[np.float64] = np.zeros(len(space.position))
    for side in learner.trained_sides:
        as_side = np.where(space.side[space.source] == side, policy, uniform_policy(space))
        uses += np.where(space.side == side, reach_probabilities(space, as_side), 0.0)
    return uses


def class_uses(learner: Learner) -> NDArray[np.float64]:
    """Return for each position how often the learner decides in it or in any symmetric position, shape (n,)."""
    space = learner.space
    total = np.bincount(space.position_class, position_uses(learner), len(space.position)).astype(np.float64).round(12)
    return np.asarray(total[space.position_class], np.float64)


def sort_by_use(learner: Learner, edges: Sequence[int]) -> list[int]:
    """Return these edges of cards, the most used cards first. The cards of parameters keep their order."""
    if learner.spec.parameters or not edges:
        return list(edges)
    rows, uses = learner.space.source[list(edges)], class_uses(learner)
    order = np.lexsort((rows, -uses[rows]))
    return [edges[nth] for nth in order]


def used_positions(learner: Learner, count: int) -> list[Position]:
    """Return the `count` positions in which the learner decides most often; of symmetric ones only the first."""
    space, uses = learner.space, class_uses(learner)
    running = np.flatnonzero(np.diff(space.first_edge))
    with_numbers = np.flatnonzero(np.bincount(space.source[learner.cell[space.first_edge[running]]]))
    _, first_of_class = np.unique(space.position_class[with_numbers], return_index=True)
    rows = with_numbers[first_of_class]
    order = np.lexsort((rows, -uses[rows]))
    return [int(space.position[row]) for row in rows[order][:count] if uses[row] > 0]


def position_card(learner: Learner, position: Position) -> Card:
    """Return all that is known of a position as a card, on which moves that share a number appear once."""
    thoughts = learner.thoughts(position)
    if merges_twins(learner):
        cells = cells_of(learner, position, thoughts)
        by_cell = {cells[thought.move]: thought for thought in reversed(thoughts)}
        thoughts = tuple(sorted(by_cell.values(), key=lambda thought: thought.move))
    return Card(position, thoughts, "")
