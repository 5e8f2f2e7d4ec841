"""A machine that draws its own moves, and a teacher who replies: game by game, until nobody beats it."""

from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np

from engine.evaluate import Policy, best_replies, losing_game
from engine.game import Outcome, Side
from engine.match import Match
from engine.stop import Stop, Stopped, never
from learners.core.learner import PERSON, Learner
from learners.courses.course import Moves, teach_game

MOST_UNCHANGED: Final = 100
"""After so many games in a row that teach nothing, no game will: a machine may resign its first move for ever."""


class NeverTaught(Exception):
    """The machine can still lose, and learns nothing more."""


def games_with_luck(learner: Learner, side: Side, random: Random, stop: Stop = never) -> Iterator[Moves]:
    """Teach a learner until it never loses as `side`, and yield the moves of each game.

    It draws its moves by its policy. The teacher plays what makes the memory of this moment lose most often, drawn from
    all such moves; another teacher may be quicker. Raises `NeverTaught`, and `Stopped`.
    """
    learner.record_opponent(PERSON)
    space, lost, unchanged, outcome = learner.space, Outcome.won_by(side.other), 0, None
    while True:
        policy = learner.policy()
        if outcome is not lost and losing_game(space, side, policy) is None:
            return
        if stop():
            raise Stopped
        match = _drawn_match(learner, side, policy, best_replies(space, side, policy), random)
        unchanged = 0 if teach_game(learner, side, match) else unchanged + 1
        if unchanged == MOST_UNCHANGED:
            raise NeverTaught
        outcome = match.outcome
        yield tuple(match.moves)


def _drawn_match(learner: Learner, side: Side, policy: Policy, replies: Policy, random: Random) -> Match:
    """Return a match whose moves are drawn from the two policies; where that of the learner is empty, it resigns."""
    space, match = learner.space, Match(learner.game)
    while match.outcome is None:
        row = space.row(match.position)
        edges = slice(int(space.first_edge[row]), int(space.first_edge[row + 1]))
        chances = np.cumsum((policy if match.side is side else replies)[edges])
        if chances[-1] <= 0:
            match.resign()
            break
        drawn = int(np.searchsorted(chances, random.random() * chances[-1], "right"))
        match.play(int(space.move[edges.start + min(drawn, len(chances) - 1)]))
    return match
