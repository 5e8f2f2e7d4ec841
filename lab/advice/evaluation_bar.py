"""The evaluation bar: who is ahead in a position, as a line of blocks and in words."""

from math import tanh
from typing import Final

from rich.text import Text

from engine.game import Game, Outcome, Position, Side
from engine.rating import RatedMove
from lab.advice.advice import in_moves

ESTIMATE_SCALE: Final = 10
"""The estimate of the heuristic at which about three quarters of a side's half are filled."""


def share_of(game: Game, position: Position, best: RatedMove | None) -> float:
    """The first side's share of the bar, from 0 to 1; `best` is a best move, or `None` when the game is over."""
    if best is None:
        outcome = game.outcome(position)
        return {Outcome.FIRST_WINS: 1.0, Outcome.SECOND_WINS: 0.0}.get(outcome, 0.5) if outcome is not None else 0.5
    ahead = float(best.value) if best.value is not None else tanh(best.estimate / ESTIMATE_SCALE)
    return (1 + (ahead if game.side(position) is Side.FIRST else -ahead)) / 2


def ahead_text(game: Game, position: Position, best: RatedMove | None) -> str:
    """Who is ahead, in words: `draw`, `X wins in 3 moves`, `X looks ahead`."""
    if best is None:
        outcome = game.outcome(position)
        winner = None if outcome is None else outcome.winner
        return "draw" if winner is None else f"{game.mark(winner)} has won"
    side = game.side(position)
    ahead = best.value if best.value is not None else (best.estimate > 0) - (best.estimate < 0)
    if not ahead:
        return "draw" if best.value == 0 else "even"
    mark = game.mark(side if ahead > 0 else side.other)
    return f"{mark} wins {in_moves(best.plies)}" if best.value is not None else f"{mark} looks ahead"


def bar_text(game: Game, position: Position, best: RatedMove | None, width: int) -> Text:
    """The bar as one line: the first side's share from the left, then the words."""
    words = ahead_text(game, position, best)
    room = max(8, min(30, width - len(words) - 6))
    filled = round(share_of(game, position, best) * room)
    x, o = game.marks
    return Text.assemble(
        (f"{x} ", "bold"), "█" * filled, ("░" * (room - filled), "dim"), (f" {o}", "bold"), f"  {words}"
    )
