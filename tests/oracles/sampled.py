"""Games sampled by policies, many at once: the frequency of each outcome, to compare with exact chances."""

import numpy as np

from engine.game import Outcome
from engine.space import RUNNING, Space


def sampled(space: Space, first: np.ndarray, second: np.ndarray, games: int, seed: int) -> dict[Outcome, int]:
    """The outcomes of some games. If a policy sums to less than 1, its side resigns with the remaining probability."""
    random = np.random.default_rng(seed)
    place, ended = np.zeros(games, np.int64), np.full(games, RUNNING)
    while (ended == RUNNING).any():
        going = np.flatnonzero(ended == RUNNING)
        at = place[going]
        policy = np.where(space.side[at] == 0, 0, 1)
        left = random.random(len(going))
        chosen = np.full(len(going), -1)
        for nth in range(int(np.diff(space.first_edge).max())):
            edge = space.first_edge[at] + nth
            there = edge < space.first_edge[at + 1]
            edge = np.where(there, edge, 0)
            chance = np.where(there, np.where(policy == 0, first[edge], second[edge]), 0.0)
            chosen = np.where((chosen < 0) & (left < chance), edge, chosen)
            left = left - chance
        resigned = chosen < 0
        ended[going[resigned]] = np.where(space.side[at[resigned]] == 0, Outcome.SECOND_WINS, Outcome.FIRST_WINS)
        place[going[~resigned]] = space.target[chosen[~resigned]]
        ended[going[~resigned]] = space.outcome[place[going[~resigned]]]
    return {outcome: int((ended == outcome).sum()) for outcome in Outcome}
