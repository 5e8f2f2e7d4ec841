"""The words for game trees and searches that the screens and the commands share."""

from collections.abc import Iterable
from typing import Final

from engine.game import Game, Side
from engine.search_result import Algorithm
from engine.trees.tree import Node, Reduction
from lab.memory.matchbox import Matchbox, board_box
from learners.players.plain import VERDICT

ALGORITHMS: Final = {Algorithm.MINIMAX: "Minimax", Algorithm.ALPHABETA: "Alpha-beta"}
REDUCTIONS: Final = {
    Reduction.NONE: "every move",
    Reduction.FIRST_MOVE: "symmetric first moves count as one",
    Reduction.SYMMETRY: "symmetric moves count as one",
}
"""The ways to leave out symmetric moves from a tree."""
ENDED: Final = {1: "won", 0: "drawn", -1: "lost"}


def best_play(game: Game, value: int) -> str:
    """Return how a game ends if both sides play best: `X wins`, `a draw`. `value` is its value for the first side."""
    return f"{game.marks[value < 0]} wins" if value else "a draw"


def mover(node: Node) -> Side:
    """Return the side that made the last move of a node; the node must not be the root."""
    return Side((len(node.path) - 1) % 2)


def verdict(node: Node) -> tuple[int, str]:
    """Return a node's value for the side that has just moved, at the root for the side to move, with a word for it."""
    value = -node.value if node.path and mover(node) is Side.SECOND else node.value
    return value, (VERDICT if node.outcome is None else ENDED)[value]


def reached_boxes(nodes: Iterable[Node]) -> list[Matchbox]:
    """Return small boards of the positions of nodes below the root, each with its last move and where that leads."""
    games = ((each, each.tree.played) for each in nodes)
    return [
        board_box(game, each.position, f"{game.move_name(each.path[-1])} {verdict(each)[1]}") for each, game in games
    ]
