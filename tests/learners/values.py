"""Helpers for tests that compare learners of values with the naive one."""

from collections.abc import Callable

import numpy as np

from engine.evaluate import scoreboard
from learners.values.kernel_tables import REPLY_UNIT
from learners.values.learner import ValueLearner
from tests.oracles.menace import perfect_moves
from tests.oracles.rules import RULES
from tests.oracles.values import NaiveValues


def assert_same_games(learner: ValueLearner, naive: NaiveValues, games: int) -> None:
    """Both play the same games, and have the same values during and after them."""
    for number in range(games):
        moves = naive.play_game()
        learner.train(1)
        assert [learner.game.move_name(move) for move in learner.last_game] == moves
        if number % 200 == 0 or number == games - 1:
            assert_same_values(learner, naive)
    assert learner.generator.tolist() == [naive.generator.first, naive.generator.second]


def assert_same_values(learner: ValueLearner, naive: NaiveValues) -> None:
    """Each move that was made has the same value and count in both, and no other move has one."""
    space, game = learner.space, learner.game
    for text, name in naive.made:
        position = game.from_text(text)
        cell = learner.cell[space.edge(position, game.parse_move(position, name))]
        key = naive.name(text, name)
        assert learner.memory[cell] == naive.values.get(key, 0) + REPLY_UNIT * naive.replies.get(key, 0)
        assert learner.times[cell] == naive.times.get(naive.turn(text, name), 0)
    assert learner.times.sum() == sum(naive.times.values())
    assert learner.stats()["values"] == len(naive.values)
    assert learner.stats()["games"] == naive.games


def opponent_of(game: str, opponent: str) -> Callable[[str], list[str]] | None:
    """The moves that the naive learner's opponent picks from; `None` for self-play."""
    others = {"random": RULES[game].moves, "perfect": lambda position: perfect_moves(game, position)}
    return others.get(opponent)


def most_losses(learner: ValueLearner) -> float:
    """The share of games lost to its best responder, as its worse side."""
    return max(side.against["best_responder"].loss for side in scoreboard(learner.space, learner.policy()).values())


def shared(learner: ValueLearner) -> int:
    """The maximum number of values."""
    return len(np.unique(learner.slots.of_edge))
