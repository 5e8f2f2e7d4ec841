"""Compiles the kernels into their cache, once for all workers of a test run; and the table of characters of `text`."""

from contextlib import suppress

from hypothesis import strategies as st

from engine.connect_solver.solver import Solver
from engine.games import GAMES, parse_game
from engine.stop import Stopped
from learners import LEARNERS, parse_player
from learners.race.measures import judge_policy

for kind in LEARNERS:
    learner = kind(GAMES[0], next(iter(kind.spec.presets)), seed=1)
    learner.train(2)
    judge_policy(learner.space, learner.policy())

parse_player("uct:1", GAMES[0]).thoughts(GAMES[0].start)

CONNECT_FOUR = parse_game("connectfour")
with suppress(Stopped):
    Solver(CONNECT_FOUR, megabytes=1).solve(CONNECT_FOUR.start, stop=lambda: True)

st.characters().validate()
