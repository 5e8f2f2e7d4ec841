"""Run tasks on tic-tac-toe with OpenSpiel. Reads lines `WHAT TIMES`, answers each with the seconds that it takes.

Run with the interpreter of the peers' environment. The tasks:

rollouts   random games in C++. From Python the fastest way there is: one simulation of `MCTSBot`, whose evaluator plays
           all the random games from the start in C++; converting the game to a cached tree first is slower.
qlearner   self-play of two of OpenSpiel's tabular Q-learners, in Python, as its own examples train them
traverse   count the nodes of the whole game tree, a recursion in Python over the states in C++
solve      solve all positions by OpenSpiel's `MinimaxSolver`
alphabeta  search the empty board by OpenSpiel's alpha-beta in Python
uct        one search of TIMES playouts from the empty board by `MCTSBot`, in C++, with its solver
uct-four   the same in Connect Four
"""

import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter

import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import minimax, minimax_solver
from peer_qlearner import GAME, new_agents, train

NODES = 549_946
RANDOM_RETURN = 0.2968
"""The mean return of the first player if both play at random."""

environment = rl_environment.Environment(GAME)
agents = new_agents(environment)


def rollouts(games: int) -> float:
    game = pyspiel.load_game(GAME)
    state = game.new_initial_state()
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(games, 1), uct_c=2.0, max_simulations=1, max_memory_mb=10, solve=False,
        seed=1, verbose=False,
    )  # fmt: skip
    start = perf_counter()
    root = bot.mcts_search(state)
    seconds = perf_counter() - start
    if abs(root.total_reward - RANDOM_RETURN) > 4 / games**0.5:
        sys.exit(f"these were no {games} random games: their mean return is {root.total_reward}")
    return seconds


def qlearner(games: int) -> float:
    start = perf_counter()
    train(environment, agents, games)
    return perf_counter() - start


def count(state: pyspiel.State) -> int:
    return 1 + sum(count(state.child(action)) for action in state.legal_actions())


def traverse(times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        if count(pyspiel.load_game(GAME).new_initial_state()) != NODES:
            sys.exit("this is not the whole tree")
    return perf_counter() - start


def solve(times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        minimax_solver.MinimaxSolver(GAME).solve()
    return perf_counter() - start


def alphabeta(times: int) -> float:
    start = perf_counter()
    for _ in range(times):
        value, _ = minimax.alpha_beta_search(pyspiel.load_game(GAME))
        if value != 0:
            sys.exit(f"the game is a draw, not {value}")
    return perf_counter() - start


def uct(game_name: str, playouts: int) -> float:
    game = pyspiel.load_game(game_name)
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), uct_c=2**0.5, max_simulations=playouts, max_memory_mb=1000,
        solve=True, seed=1, verbose=False,
    )  # fmt: skip
    start = perf_counter()
    root = bot.mcts_search(game.new_initial_state())
    seconds = perf_counter() - start
    if root.explore_count != playouts:
        sys.exit(f"these were {root.explore_count} playouts, not {playouts}")
    return seconds


PLAYS: dict[str, Callable[[int], float]] = {
    "rollouts": rollouts,
    "qlearner": qlearner,
    "traverse": traverse,
    "solve": solve,
    "alphabeta": alphabeta,
    "uct": partial(uct, GAME),
    "uct-four": partial(uct, "connect_four"),
}

if __name__ == "__main__":
    for line in sys.stdin:
        what, games = line.split()
        print(PLAYS[what](int(games)), flush=True)
