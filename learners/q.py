"""Q-learning and SARSA: what each move is worth.

Q-learning is by C. Watkins, "Learning from delayed rewards" (1989), SARSA by Rummery and Niranjan (1994); both are in
Sutton and Barto, "Reinforcement Learning" (2018), sections 6.4 and 6.5. In a game of two sides, the best reply of the
opponent takes the place of the best next action, as in minimax-Q (Littman 1994). With a trace it is Q(lambda) by
Watkins.

exact       never loses after training, with any seed tried: it begins with random moves, and explores less and less
openspiel   the example of OpenSpiel (Lanctot and others, 2019): tic_tac_toe_qlearner.py with the defaults of its agent
sarsa       SARSA with the numbers of Sutton and Barto's example 6.5
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from engine.game import Game
from engine.result_caches import cached_with_spaces
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

OPENSPIEL: Final[Mapping[str, Setting]] = {
    **PUBLISHED_SETTINGS,
    "explore": "0.2",
    "explore_end": "0.2",
    "ties": "random",
    "toward": "best",
}
PRESETS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "exact": {**EXACT_SETTINGS, "toward": "best"},
    "openspiel": OPENSPIEL,
    "sarsa": {**PUBLISHED_SETTINGS, "explore": "0.1", "explore_end": "0.1", "rate": "0.5", "toward": "chosen"},
}


class QLearner(ValueLearner):
    spec = LearnerSpec(
        name="q",
        title="Q-learner",
        summary="learns what each move is worth from the worth of the best reply",
        presets=PRESETS,
        preset_rounds={"exact": 50_000, "openspiel": 50_000},
        settings={
            **SETTINGS,
            "toward": OneOf(
                ("best", "chosen"),
                "the next value is that of the best move, or of the move made (SARSA)",
                title="learns from",
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
            "openspiel": "the example of OpenSpiel, with the defaults of its agent",
            "sarsa": "SARSA with the numbers of Sutton and Barto's example 6.5",
        },
    )

    @classmethod
    @cached_with_spaces()
    def slots_for(cls, game: Game, *, merge: bool) -> Slots:
        """Return the slots as in `ValueLearner`: a value for each move."""
        cell = shared_cell(game, merge=merge)
        return slots_of(cell, cell)
