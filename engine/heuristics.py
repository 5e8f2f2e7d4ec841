"""What a position looks like before its end is known: one whole number, as the first side sees it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.game import Game, Position, Side
from engine.games.connectfour import ConnectFour
from engine.games.grid import GridGame
from engine.games.hexapawn import Hexapawn
from engine.games.misere import Misere
from engine.games.tictactoe import TicTacToe

Estimate = Callable[[Position], int]
LONGER: Final = 4
"""How many times as much a line counts for one piece more."""


@dataclass(frozen=True)
class Heuristic:
    words: str
    """What it counts, with `{0}` and `{1}` for the marks of the sides."""
    estimate: Estimate

    def told(self, game: Game) -> str:
        return self.words.format(*game.marks)


def open_lines(game: GridGame, sign: int = 1) -> Estimate:
    """The lines that one side alone stands on, with two pieces or more, less those that the other does.

    On three squares that is the heuristic of the lecture on minimax: two pieces and an empty square count 1. On longer
    lines two pieces count 1 and each piece more `LONGER` times as much: a choice of this program.
    """
    lines, size, full = game.grid.lines(game.in_a_row), game.size, game.full
    worth = [0, 0, *(sign * LONGER**more for more in range(game.in_a_row - 2)), 0]

    def estimate(position: Position) -> int:
        first, second = position & full, position >> size & full
        total = 0
        for line in lines:
            own, others = first & line, second & line
            if own:
                if not others:
                    total += worth[own.bit_count()]
            elif others:
                total -= worth[others.bit_count()]
        return total

    return estimate


def pawn_moves(game: Hexapawn) -> Estimate:
    """The moves that the first side's pawns could make, less those of the second's, whoever is to move."""

    def estimate(position: Position) -> int:
        first, second = game.masks(position)
        ready = [len(game.steps(game.pack(first, second, side))) for side in Side]
        return ready[Side.FIRST] - ready[Side.SECOND]

    return estimate


TWO_OPEN: Final = "lines with two {0} and an empty square, less those of {1}"
HEURISTICS: Final[Mapping[str, Heuristic]] = {
    TicTacToe.name: Heuristic(TWO_OPEN, open_lines(TicTacToe())),
    Misere.name: Heuristic("lines with two {1} and an empty square, less those of {0}", open_lines(Misere(), -1)),
    ConnectFour.name: Heuristic(
        f"open lines: with two {{0}} 1 point, with three {LONGER}, less those of {{1}}", open_lines(ConnectFour())
    ),
    Hexapawn.name: Heuristic("moves that the pawns of {0} could make, less those of {1}", pawn_moves(Hexapawn())),
}
"""The heuristic of each game, by its name."""
BLIND: Final = Heuristic("nothing: every position that is not over looks even", lambda _: 0)


def heuristic_of(game: Game) -> Heuristic:
    """The heuristic of a game; one that sees nothing where there is none."""
    return HEURISTICS.get(game.name, BLIND)
