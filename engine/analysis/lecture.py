"""The two examples of the lecture on minimax and alpha-beta, as data.

Its drawings have two misprints. The second row of the first root is drawn `O--` where it must be `X--`, since X moves.
The second example draws one leaf twice: below the second move, the leaves are `OX-/XOO/XOX` and `OXO/XO-/XOX`, both
worth 0. Where the order of moves matters, the lecture draws them in ascending order.
"""

from dataclasses import dataclass
from typing import Final

from engine.game import Game
from engine.games.tictactoe import TICTACTOE
from engine.search import Order
from engine.search_result import Algorithm


@dataclass(frozen=True)
class Example:
    title: str
    game: Game
    position: str
    algorithm: Algorithm
    depth: int | None
    order: Order
    words: str


EXAMPLES: Final = (
    Example(
        "The lecture's tree, to its ends",
        TICTACTOE,
        "XOO/X../OX. X",
        Algorithm.MINIMAX,
        None,
        "ascending",
        "X to move wins with b2; after c2 or c1 O wins with b2. Values rise from the leaves to the root.",
    ),
    Example(
        "The lecture's tree, two plies deep",
        TICTACTOE,
        "OX./.O./XOX X",
        Algorithm.ALPHABETA,
        2,
        "ascending",
        "With the second move X already has 0, and the first reply limits the third to 0: the sixth leaf is skipped.",
    ),
)
