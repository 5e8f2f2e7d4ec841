"""The speed of searching and counting the game tree of tic-tac-toe, compared with other libraries on one core.

    python bench/trees.py --peers .venv-bench/bin/python

Our measurements and those of the others alternate. Our counting and solving are timed after the space of the game was
built; the time to build it is a separate figure. OpenSpiel's times for the same work include loading its game.
"""

import sys
from collections.abc import Callable
from time import perf_counter

from run import Figure, Peer, compare

from engine.games import GAMES, parse_game
from engine.result_caches import clear_result_caches
from engine.search import Search
from engine.search_result import Algorithm
from engine.solve import values
from engine.space_building import build_space
from engine.spaces import space_of
from engine.trees.tree import Reduction, Tree, TreeRules
from learners.players.minimax import AlphaBeta
from learners.uct.search import Uct

NODES = 549_946
PLAYOUTS = 20_000
"""The playouts of a search: too few to prove that tic-tac-toe is a draw."""


def seconds(work: Callable[[], object], times: int = 1) -> float:
    start = perf_counter()
    for _ in range(times):
        work()
    return (perf_counter() - start) / times


def count_tree() -> None:
    if Tree(GAMES[0], TreeRules.CORRECT, Reduction.NONE).statistics().nodes != NODES:
        sys.exit("this is not the whole tree")


def solve() -> None:
    clear_result_caches()
    values(space_of(GAMES[0]))


def search() -> None:
    """Search the empty board by alpha-beta to the end, in the move order of player `alphabeta`, from an empty table."""
    if Search(GAMES[0], Algorithm.ALPHABETA, order=AlphaBeta.order).result(GAMES[0].start).value != 0:
        sys.exit("the game is a draw")


def playouts_per_second(name: str) -> float:
    game = parse_game(name)
    return Uct(game, PLAYOUTS).result(game.start).playouts_per_second


def measure_playouts(peer: Peer, rounds: int) -> list[Figure]:
    figures = []
    for name, task, min_rate, min_ratio in (
        ("tictactoe", "uct", 1_000_000, 1.5),
        ("connectfour", "uct-four", 300_000, 5),
    ):
        ours = Figure(f"UCT, {name}: ours", "/s", at_least=min_rate)
        theirs = Figure("  OpenSpiel: MCTSBot in C++", "/s")
        ratio = Figure("  how many times faster", "times", at_least=min_ratio)
        playouts_per_second(name)
        for _ in range(rounds):
            ours.rounds.append(playouts_per_second(name))
            theirs.rounds.append(PLAYOUTS / peer.seconds(task, PLAYOUTS))
            ratio.rounds.append(ours.rounds[-1] / theirs.rounds[-1])
        figures += [ours, theirs, ratio]
    return figures


def measure(python: str, rounds: int) -> list[Figure]:
    peer, figures = Peer(python), []
    for what, work, times, min_ratio in (
        ("traverse", count_tree, 20, 60),
        ("solve", solve, 50, 10),
        ("alphabeta", search, 5, 5),
    ):
        ours = Figure(f"{what}: ours", "ms")
        theirs = Figure("  OpenSpiel", "ms")
        ratio = Figure("  how many times faster", "times", at_least=min_ratio)
        work()
        for _ in range(rounds):
            ours.rounds.append(1000 * seconds(work, times))
            theirs.rounds.append(1000 * peer.seconds(what, 1))
            ratio.rounds.append(theirs.rounds[-1] / ours.rounds[-1])
        figures += [ours, theirs, ratio]
    figures += measure_playouts(peer, rounds)
    peer.close()
    space = Figure("the space, which all but the search need", "ms")
    for _ in range(rounds):
        space.rounds.append(1000 * seconds(lambda: build_space(GAMES[0])))
    return [*figures, space]


if __name__ == "__main__":
    sys.exit(compare("Compare the speed of search and tree with that of other libraries.", measure))
