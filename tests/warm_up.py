"""Compiles the kernels into their cache, once for all workers of a test run."""

from engine.games import GAMES
from learners import LEARNERS, parse_player
from learners.race.measures import judge_policy

for kind in LEARNERS:
    learner = kind(GAMES[0], next(iter(kind.spec.presets)), seed=1)
    learner.train(2)
    judge_policy(learner.space, learner.policy())

parse_player("uct:1", GAMES[0]).thoughts(GAMES[0].start)
