"""Temporal differences: the worth of each position after a move, for the side that made the move.

The rules are those of tic-tac-toe in R. Sutton and A. Barto, "Reinforcement Learning" (1998, 2018), section 1.5. With a
trace this is TD(lambda) (Sutton 1988), whose trace ends at a move made to explore.

exact         never loses after training, with any seed tried: it begins with random moves, and explores less and less
sutton-barto  as in the book, except that a draw is worth half a win, which suits games against itself. The book gives
              no numbers: these are those of `zhang`
zhang         the best-known program for the book, by S. Zhang. Each side values all positions in a table of its own;
              after the game it goes through all of them in reverse, so that a value follows those just changed
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from engine.game import Game
from engine.result_caches import cached_with_spaces
from engine.spaces import space_of
from learners.core.settings import OneOf, Setting
from learners.core.spec import LearnerSpec
from learners.values.learner import (
    EXACT_SETTINGS,
    PUBLISHED_SETTINGS,
    SETTINGS,
    STATISTICS,
    Slots,
    ValueLearner,
    shared_cell,
    slots_of,
)

SUTTON_BARTO: Final[Mapping[str, Setting]] = {
    **PUBLISHED_SETTINGS,
    "explore": "0.01",
    "explore_end": "0.01",
    "endings": "given",
    "ties": "random",
    "toward": "greedy",
}
PRESETS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "exact": {**EXACT_SETTINGS, "toward": "greedy"},
    "sutton-barto": SUTTON_BARTO,
    "zhang": {**SUTTON_BARTO, "ahead": "own", "trace": SUTTON_BARTO["rate"]},
}


class TemporalDifferences(ValueLearner):
    spec = LearnerSpec(
        name="td",
        title="TD learner",
        summary="learns what each position is worth from the worth of the next one",
        presets=PRESETS,
        preset_rounds={"exact": 50_000},
        settings={
            **SETTINGS,
            "ahead": OneOf(
                ("reply", "turn", "own"),
                "the next value is that of the opponent's reply, reversed, or of the learner's own next turn; or each "
                "side has a table of its own, with the values of all positions",
                title="next value",
            ),
            "toward": OneOf(
                ("greedy", "chosen"),
                "a value is moved towards the next one only after a best move, or after any",
                title="learns after",
            ),
        },
        statistics=STATISTICS,
        counts_choices=True,
        explores=True,
    )
    shown = replace(
        ValueLearner.shown,
        preset_words={
            **ValueLearner.shown.preset_words,
            "sutton-barto": "as in the book of Sutton and Barto, except that a draw is worth half a win",
            "zhang": "S. Zhang's program for that book, which learns from a game backwards",
        },
    )

    @classmethod
    @cached_with_spaces()
    def slots_for(cls, game: Game, *, merge: bool) -> Slots:
        """Return the slots as in `ValueLearner`: a value for each position after a move."""
        space, cell = space_of(game), shared_cell(game, merge=merge)
        after = space.position_class[space.target] if merge else space.target
        return slots_of(cell, np.asarray(after, np.int32))
