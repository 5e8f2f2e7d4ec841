"""Build the whole game tree of tic-tac-toe with anytree; print the seconds and megabytes that this takes.

Run with the interpreter of the peers' environment. The parents of the nodes are computed beforehand, and not timed.
"""

from pathlib import Path
from time import perf_counter

import pyspiel
from anytree import Node


def list_nodes(state: pyspiel.State, move: int, parent: int, found: list[tuple[int, int]]) -> None:
    """Append the move and the number of the parent of every node, the root first."""
    found.append((move, parent))
    number = len(found) - 1
    for action in state.legal_actions():
        list_nodes(state.child(action), action, number, found)


def megabytes() -> float:
    """Return the memory that the process has in use, in megabytes.

    `getrusage` would not do: the peak that it returns includes that of the process which started this one.
    """
    resident = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(resident.split()[1]) / 1024


if __name__ == "__main__":
    plan: list[tuple[int, int]] = []
    list_nodes(pyspiel.load_game("tic_tac_toe").new_initial_state(), -1, -1, plan)
    before, begun = megabytes(), perf_counter()
    nodes: list[Node] = []
    for move, parent in plan:
        nodes.append(Node(move, parent=nodes[parent] if nodes else None))
    print(perf_counter() - begun, megabytes() - before)
