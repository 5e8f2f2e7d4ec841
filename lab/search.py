"""The words for game trees and searches that the screens and the commands share."""

from typing import Final

from engine.game import Game
from engine.search_result import Algorithm
from engine.trees.tree import Reduction

ALGORITHMS: Final = {Algorithm.MINIMAX: "Minimax", Algorithm.ALPHABETA: "Alpha-beta"}
"""The names of the algorithms."""
REDUCTIONS: Final = {
    Reduction.NONE: "every move",
    Reduction.FIRST_MOVE: "symmetric first moves count as one",
    Reduction.SYMMETRY: "symmetric moves count as one",
}
"""Which of the symmetric moves a tree has."""


def best_play(game: Game, value: int) -> str:
    """Return how a game ends if both sides play best: `X wins`, `a draw`. `value` is its value for the first side."""
    return f"{game.marks[value < 0]} wins" if value else "a draw"
