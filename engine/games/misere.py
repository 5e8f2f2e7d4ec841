"""Misère tic-tac-toe: whoever completes three in a row loses."""

from engine.game import Heuristic, Outcome
from engine.games.tictactoe import TicTacToe
from engine.row_game import open_lines


class Misere(TicTacToe):
    name = "misere"
    title = "Misère tic-tac-toe"
    summary = "Whoever completes three in a row loses."
    ends = (Outcome.SECOND_WINS, Outcome.FIRST_WINS)

    def __init__(self) -> None:
        super().__init__()
        words = "lines with two {1} and an empty square, less those of {0}"
        self.heuristic = Heuristic(words, open_lines(self, sign=-1))
