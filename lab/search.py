"""The words for game trees and searches that the screens and the commands share."""

from typing import Final

from engine.game import Game, Side
from engine.search_result import Algorithm
from engine.trees.tree import Node, Reduction
from lab.memory.matchbox import Matchbox, board_box

ALGORITHMS: Final = {Algorithm.MINIMAX: "Minimax", Algorithm.ALPHABETA: "Alpha-beta"}
REDUCTIONS: Final = {
    Reduction.NONE: "every move",
    Reduction.FIRST_MOVE: "symmetric first moves count as one",
    Reduction.SYMMETRY: "symmetric moves count as one",
}
"""The ways to leave out symmetric moves from a tree."""


def best_play_text(game: Game, value: int) -> str:
    """Return how a game ends if both sides play best: `X wins`, `a draw`. `value` is its value for the first side."""
    if value == 0:
        return "a draw"
    return f"{game.mark(Side.FIRST if value > 0 else Side.SECOND)} wins"


def ending_text(node: Node) -> str:
    """Return how a game ends after a node if both sides play best: `X wins`, `draw`."""
    return best_play_text(node.tree.played, node.value).removeprefix("a ")


def reached_box(node: Node, *, ends: bool = True) -> Matchbox:
    """Return a small board of a node below the root, with its last move, and if it `ends` how a game ends after it."""
    game = node.tree.played
    name = game.move_labels(game.start, node.path)[-1]
    return board_box(game, node.position, f"{name} {ending_text(node)}" if ends else name)
