"""Misère tic-tac-toe: whoever completes three in a row loses."""

from engine.game import Outcome, Position
from engine.tictactoe import TicTacToe


class Misere(TicTacToe):
    name = "misere"
    title = "Misère tic-tac-toe"
    summary = "Whoever completes three in a row loses."

    def outcome(self, position: Position) -> Outcome | None:
        outcome = super().outcome(position)
        if outcome is None or outcome.winner is None:
            return outcome
        return Outcome.won_by(outcome.winner.other)
