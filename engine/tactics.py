"""Tactics of a position: immediate wins, threats, forks and rows, computed from the rules of any game.

A *threat* is a move by which the other side would win at once if it were its turn. A *fork* is a move that creates two
or more threats, and after which the opponent cannot win at once.
"""

from engine.game import Game, Move, Position


def wins(game: Game, position: Position) -> tuple[Move, ...]:
    """Return the moves by which the side to move wins at once, ascending."""
    side = game.side(position)
    return tuple(
        move for move, _, outcome in game.successors(position) if outcome is not None and outcome.winner is side
    )


def threats(game: Game, position: Position) -> tuple[Move, ...]:
    """Return the moves by which the opponent would win after a null move, ascending; none in a game without them."""
    after_pass = game.null_move(position)
    if after_pass is None or game.outcome(position) is not None or game.outcome(after_pass) is not None:
        return ()
    return wins(game, after_pass)


def forks(game: Game, position: Position) -> tuple[Move, ...]:
    return tuple(
        move
        for move, reached, outcome in game.successors(position)
        if outcome is None and len(threats(game, reached)) > 1 and not wins(game, reached)
    )


def row_of(game: Game, position: Position, move: Move) -> tuple[int, ...]:
    """Return the squares of the first row that a move completes; empty if it completes none."""
    rows = game.board.completed(game.play(position, move))
    return rows[0] if rows else ()
