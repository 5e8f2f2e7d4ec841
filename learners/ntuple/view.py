"""How screens show an n-tuple network: a card for each tuple and side to move, with its strongest patterns on boards.

A weight is positive if its pattern is good for the first side. The number of a card is that of its tuple, times two,
plus the side to move.
"""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.game import Position, Side
from engine.grid_game import GridGame
from learners.core.snapshot import Memory
from learners.core.view import Card, MemoryView, MemoryWords, ShownLearner
from learners.ntuple.kernel_tables import WEIGHT
from learners.ntuple.network import CLOSED, FIRST, OPEN, SECOND, Network

MAX_PATTERNS: Final = 12
"""The maximum number of patterns of a tuple that a card explains."""
SIGNS: Final = {OPEN: "+", CLOSED: "-"}
"""What is drawn on an empty square of a pattern."""


def worth_text(worth: float) -> str:
    """Return a worth from −1 to 1 as a share of a win, in at most 4 characters: `0.43`."""
    return f"{(1 + worth) / 2:.2f}"


def weight_text(number: int) -> str:
    """Return a weight in a few characters: `+.43`."""
    return f"{number / WEIGHT:+.2f}".replace("0.", ".", 1).replace("-", "−")


class ShownNetwork(ShownLearner, Protocol):
    network: Network

    @property
    def placement_game(self) -> GridGame:
        """The game as a `GridGame` in which moves only place pieces."""


class NetworkView(MemoryView[ShownNetwork]):
    """Shows a network; a card is a tuple with one side to move."""

    words = MemoryWords(
        noun="tuple",
        newest="Tuples with the largest weights",
        none="No tuple",
        legend={"+": "empty, can be filled next", "-": "empty"},
        growth_title="Weights learned",
    )

    def cards(self) -> NDArray[np.int32]:
        """Return the cards as in `MemoryView`: first come those in which the first side moves."""
        count = 2 * len(self.learner.network.tuples)
        return np.array([*range(0, count, 2), *range(1, count, 2)], np.int32)

    def _weights(self, edge: int) -> Memory:
        network, (number, side) = self.learner.network, divmod(edge, 2)
        first, end = network.offsets[number], network.offsets[number + 1]
        weights: Memory = self.learner.memory[side * network.patterns :][first:end]
        return weights

    def strongest_patterns(self, edge: int, count: int = MAX_PATTERNS) -> list[tuple[int, int]]:
        """Return the patterns of a card with the largest absolute weights, each with its weight, in that order."""
        weights = self._weights(edge)
        count = min(count, len(weights))
        size = np.abs(weights.astype(np.int64))
        largest = np.argpartition(-size, count - 1)[:count]
        ordered = largest[np.lexsort((largest, -size[largest]))]
        first = self.learner.network.offsets[edge // 2]
        return [(first + pattern, int(weights[pattern])) for pattern in ordered.tolist() if weights[pattern]]

    def side_of(self, edge: int) -> Side:
        return Side(edge % 2)

    def card(self, edge: int) -> Card:
        """Return the card as in `MemoryView`: the strongest pattern of the tuple on its board."""
        strongest = self.strongest_patterns(edge, 1)
        if not strongest:
            return self._board(edge, self.learner.network.offsets[edge // 2], f"{edge // 2 + 1}")
        index, weight = strongest[0]
        return self._board(edge, index, f"{edge // 2 + 1}  {weight_text(weight)}")

    def parts(self, edge: int) -> tuple[Card, ...]:
        """Return the boards as in `MemoryView`: the strongest patterns of the tuple, each with its weight."""
        return tuple(self._board(edge, index, weight_text(weight)) for index, weight in self.strongest_patterns(edge))

    def _board(self, edge: int, index: int, caption: str) -> Card:
        pattern = self.learner.network.pattern(index)
        return Card(
            position=self._position(pattern, Side(edge % 2)),
            thoughts=(),
            caption=caption,
            group=f"{self.game.mark(Side(edge % 2))} to move",
            signs={square: SIGNS[state] for square, state in pattern.items() if state in SIGNS},
        )

    def _position(self, pattern: dict[int, int], side: Side) -> Position:
        """Return the pieces of a pattern as a position to be drawn, which play cannot always reach."""
        first, second = (
            sum(1 << square for square, state in pattern.items() if state == piece) for piece in (FIRST, SECOND)
        )
        return self.learner.placement_game.pack(first, second, side)

    def explain(self, edge: int) -> tuple[str, ...]:
        network, (number, side) = self.learner.network, divmod(edge, 2)
        mark, other = self.game.marks
        squares = " ".join(self.learner.placement_game.grid.name(each) for each in network.tuples[number])
        count = int(np.count_nonzero(self._weights(edge)))
        return (
            f"The squares {squares}, with {self.game.mark(Side(side))} to move.",
            f"{count:,} of {len(self._weights(edge)):,} patterns have a weight.",
            f"The strongest are good for {mark} if above 0, and for {other} if below.",
        )

    def newest(self, count: int) -> list[int]:
        """Return the cards with the largest weights: since each game changes weights of every tuple, none is newest."""
        cards = self.cards().tolist()
        return sorted(cards, key=lambda edge: -int(np.abs(self._weights(edge).astype(np.int64)).max()))[:count]
