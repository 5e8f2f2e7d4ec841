"""Helpers for tests that compare learners with naive ones."""

from collections.abc import Callable
from functools import cache

import numpy as np

from engine.evaluate import scoreboard
from engine.space import Space
from learners.core.learner import Learner
from learners.menace.learner import Menace
from learners.values.kernel_tables import REPLY_UNIT
from learners.values.learner import ValueLearner
from tests.oracles.menace import NaiveMenace, moves_that_keep_the_value, perfect_moves
from tests.oracles.rules import RULES
from tests.oracles.values import NaiveValues

Naive = NaiveMenace | NaiveValues


def assert_same_games(learner: Learner, naive: Naive, games: int, assert_same: Callable) -> None:
    """Both play the same games, and know the same during and after them."""
    for number in range(games):
        moves = naive.play_game()
        learner.train(1)
        assert [learner.game.move_name(move) for move in learner.last_game] == moves
        if number % 100 == 0 or number == games - 1:
            assert_same(learner, naive)
    assert learner.generator.tolist() == [naive.generator.first, naive.generator.second]


@cache
def name_of(space: Space, cell: int) -> tuple[str, str]:
    """The box and the bead of a cell, as the naive machine names them."""
    return space.game.to_text(int(space.position[space.source[cell]])), space.game.move_name(int(space.move[cell]))


def written(learner: Menace, numbers: np.ndarray) -> dict[tuple[str, str], int]:
    """Numbers of the cells by box and bead, as the naive machine names them."""
    return {name_of(learner.space, cell): int(numbers[cell]) for cell in learner.boxes.cells.tolist()}


def cells_of(learner: Menace, text: str) -> list[int]:
    position = learner.game.from_text(text)
    return sorted({int(learner.boxes.cell[edge]) for edge in learner.space.edges(position)})


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
    others = {
        "random": RULES[game].moves,
        "perfect": lambda position: perfect_moves(game, position),
        "perfect:any": lambda position: moves_that_keep_the_value(game, position),
    }
    return others.get(opponent)


def most_losses(learner: ValueLearner) -> float:
    """The share of games lost to its best responder, as its worse side."""
    return max(side.against["best_responder"].loss for side in scoreboard(learner.space, learner.policy()).values())


def shared(learner: ValueLearner) -> int:
    """The maximum number of values."""
    return len(np.unique(learner.slots.of_edge))
