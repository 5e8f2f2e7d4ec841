"""Misère tic-tac-toe: whoever completes three in a row loses."""

from engine.game import Outcome
from engine.games.tictactoe import TicTacToe


class Misere(TicTacToe):
    name = "misere"
    title = "Misère tic-tac-toe"
    summary = "Whoever completes three in a row loses."
    ends = (Outcome.SECOND_WINS, Outcome.FIRST_WINS)
