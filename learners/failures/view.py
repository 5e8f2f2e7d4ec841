"""How screens show a database of failures: one card for each failure, in the order of recording."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Position
from learners.core.player import Depiction, Thought
from learners.core.snapshot import Memory
from learners.core.view import Card, Change, MemoryView, MemoryWords, ShownLearner

FAILURE: Final = "!"
OPEN: Final = "·"
"""The symbols of recorded and of open moves."""


class FailuresView(MemoryView[ShownLearner]):
    """Shows a database of failures; a card is identified by the edge of its failure."""

    words = MemoryWords(
        noun="failure",
        newest="Newest failures",
        none="No failure recorded yet",
        drawing="╱: a move that lost",
        legend={FAILURE: "failure, not played again", OPEN: "open"},
        growth_title="Failures",
        numbering="numbered in the order of recording",
    )

    def cards(self) -> NDArray[np.int32]:
        edges = np.flatnonzero(self.learner.memory).astype(np.int32)
        return edges[np.argsort(self.learner.memory[edges])]

    def card(self, edge: int) -> Card:
        """Return the card of a failure, with all earlier failures in its position; the latest one is brightest."""
        number = int(self.learner.memory[edge])
        position, _ = self.position_and_move(edge)
        recorded = {int(self.space.move[each]): int(self.learner.memory[each]) for each in self.space.edges(position)}
        thoughts = tuple(
            Thought(
                move, 0.0, FAILURE, f"failure {each:,}", excluded=True, drawing=Depiction.STRUCK, level=each / number
            )
            for move, each in recorded.items()
            if 0 < each <= number
        )
        return Card(position, thoughts, f"{number:,}")

    def newest(self, count: int) -> list[int]:
        memory = self.learner.memory
        count = min(count, int(np.count_nonzero(memory)))
        last = np.argpartition(memory, -count)[len(memory) - count :]
        return [int(edge) for edge in last[np.argsort(memory[last])][::-1]]

    def describe(self, change: Change) -> str:
        position, move = self.position_and_move(change.edge)
        return f"failure {change.after:,}: {self._move_text(position, move)} in {self.game.to_text(position)}"

    def title(self, card: Card) -> str:
        own = max(card.thoughts, key=lambda thought: thought.level or 0.0)
        return f"{own.words}: {self._move_text(card.position, own.move)}"

    def _move_text(self, position: Position, move: int) -> str:
        return f"{self.game.mark(self.game.side(position))} {self.game.move_name(move)}"

    def details(self, position: Position) -> tuple[str, ...]:
        """Explain a position in which every move is recorded (section 2.2)."""
        if not all(self.learner.memory[edge] for edge in self.space.edges(position)):
            return ()
        return ("Every move here is a recorded failure: it plays any of them, and has recorded the move before.",)

    def shown_numbers(self, numbers: Memory) -> Memory:
        """Return 1 for a recorded failure, 0 for an open move."""
        recorded: Memory = (numbers != 0).astype(np.int64)
        return recorded

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        return {"recorded": stats["entries"]}
