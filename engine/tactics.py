"""What a person sees in a position: a win at once, a threat, a fork, a row; told by the rules of any game alone.

A *threat* is a move by which the other side would win at once if it were to move now. A *fork* is a move after which
its side threatens to win in two ways or more, and cannot be beaten at once.
"""

from engine.game import Game, Move, Position


def wins(game: Game, position: Position) -> tuple[Move, ...]:
    """The moves by which the side to move wins at once, ascending."""
    side = game.side(position)
    return tuple(
        move for move, _, outcome in game.successors(position) if outcome is not None and outcome.winner is side
    )


def threats(game: Game, position: Position) -> tuple[Move, ...]:
    """The threats of the side that is not to move, ascending; none where a game knows of no passing."""
    passed = game.passed(position)
    if passed is None or game.outcome(position) is not None or game.outcome(passed) is not None:
        return ()
    return wins(game, passed)


def forks(game: Game, position: Position) -> tuple[Move, ...]:
    """The moves that make a fork, ascending."""
    return tuple(
        move
        for move, reached, outcome in game.successors(position)
        if outcome is None and len(threats(game, reached)) > 1 and not wins(game, reached)
    )


def row_of(game: Game, position: Position, move: Move) -> tuple[int, ...]:
    """The squares of the row that a move completes, the first if there are several; none if it completes no row."""
    found = game.board.completed(game.play(position, move))
    return found[0] if found else ()
