"""How screens show learned values: a card for each position, with the worth of each of its moves."""

from typing import Final

import numpy as np

from learners.core.snapshot import Memory
from learners.core.view import Change, MemoryView, MemoryWords, ShownLearner
from learners.values.kernel_tables import REPLY_UNIT, WIN

UNKNOWN: Final = "?"
"""The symbol of a move of which nothing is known."""


def worth_text(number: int) -> str:
    """Return the meaning of a number of the memory, in at most 4 characters: `0.43` of a win; 0 is unknown."""
    return f"{number % REPLY_UNIT / WIN:.2f}" if number else UNKNOWN


def worth_words(number: int) -> str:
    return f"worth {worth_text(number)}" if number else "unknown"


class ValuesView(MemoryView[ShownLearner]):
    words = MemoryWords(
        drawing="bar: its worth from loss to win, ◉: played",
        legend={"1.00": "a win", ".50": "a draw", ".00": "a loss", UNKNOWN: "unknown"},
        growth_title="Values learned",
    )

    def describe(self, change: Change) -> str:
        position, move = self.position_and_move(change.edge)
        where = f"{self.game.move_name(move)} in {self.game.to_text(position)}"
        if not change.before:
            return f"{where}: {worth_words(change.after)}"
        return f"{where}: {worth_text(change.before)} → {worth_text(change.after)}"

    def shown_numbers(self, numbers: Memory) -> Memory:
        """Return the worth that each number means, in per cent of a win."""
        shown: Memory = np.rint(100 * (numbers % REPLY_UNIT) / WIN).astype(np.int64)
        return shown
