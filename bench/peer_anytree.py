"""Keeps every node of tic-tac-toe's game tree with anytree; prints the seconds and the megabytes that it took.

Run with the interpreter of the peers' own environment. Which node hangs where is found beforehand and not timed.
"""

import resource
from time import perf_counter

import pyspiel
from anytree import Node


def list_nodes(state: pyspiel.State, move: int, parent: int, found: list[tuple[int, int]]) -> None:
    """Add the move and the parent's number of every node, the root first."""
    found.append((move, parent))
    number = len(found) - 1
    for action in state.legal_actions():
        list_nodes(state.child(action), action, number, found)


def megabytes() -> float:
    """The most memory that the process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    plan: list[tuple[int, int]] = []
    list_nodes(pyspiel.load_game("tic_tac_toe").new_initial_state(), -1, -1, plan)
    before, begun = megabytes(), perf_counter()
    nodes: list[Node] = []
    for move, parent in plan:
        nodes.append(Node(move, parent=nodes[parent] if nodes else None))
    print(perf_counter() - begun, megabytes() - before)
