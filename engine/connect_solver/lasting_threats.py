"""Threats that cannot be played yet: the even and odd threats that decide games with gravity.

A side that needs one more square, where nobody can play yet, waits until the other side must play below it. On a board
with an even number of rows, the first side gets there in odd rows and the second side in even rows, counted from the
bottom (V. Allis, A Knowledge-based Approach of Connect-Four, 1988, chapter 3). More generally, the side that makes the
last move of the game gets each square with an even number of squares above it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine.connect_solver.games import Shape, WordBoard, require_shape
from engine.game import Game, Position, Side


@dataclass(frozen=True)
class LastingThreat:
    """A square that completes a line of a side, and that cannot be played yet."""

    square: int
    side: Side
    is_odd: bool
    """Whether the row of the square is odd, counted from 1 at the bottom."""
    counts: bool
    """Whether the side gets the square if the other side runs out of moves elsewhere."""


def lasting_threats(game: Game, position: Position) -> tuple[LastingThreat, ...]:
    """Return the lasting threats of both sides, by square. Raises `BadText` for a game without a solver."""
    shape = require_shape(game)
    own, taken = shape.words(position)
    side, board = game.side(position), WordBoard(shape)
    later = board.full & ~taken & ~board.possible_squares(taken)
    last_mover = Side(1 - shape.size % 2)
    all_threats = [
        LastingThreat(
            square,
            owner,
            is_odd=(shape.rows - square // shape.columns) % 2 == 1,
            counts=(square // shape.columns % 2 == 0) == (owner is last_mover),
        )
        for owner, pieces in ((side, own), (side.other, taken ^ own))
        for square in squares_of(shape, board.winning_squares(pieces) & later)
    ]
    return tuple(sorted(all_threats, key=lambda each: (each.square, each.side)))


def squares_of(shape: Shape, word: int) -> Iterator[int]:
    """Yield the squares of a word, as the game numbers them."""
    for square in range(shape.size):
        if word & shape.word(1 << square):
            yield square


def deciding_threats(game: Game, position: Position) -> tuple[LastingThreat, ...]:
    """Return the lasting threats by which the side that is not to move wins, whatever the side to move does.

    That side answers every move in the same column, until the other side must play below its threat; no line is in the
    way. Empty if this does not prove a win.
    """
    from engine.connect_solver.board_kernel import quiet_squares
    from engine.connect_solver.bounds_kernel import bound_by_pairs  # imports numba

    shape = require_shape(game)
    own, taken = shape.words(position)
    board, possible = WordBoard(shape), WordBoard(shape).possible_squares(taken)
    threats = board.winning_squares(taken ^ own) & board.full & ~taken
    if game.outcome(position) is not None or (threats | board.winning_squares(own)) & possible:
        return ()
    lengths = shape.lengths
    lead = quiet_squares(lengths)
    choices = [(0, board.full)]  # the columns whose pairs are shifted, and where a threat may decide
    if shape.pieces_left(position) % 2 == 1:
        choices = [(column, column) for column in board.columns]
    for shifted, region in choices:
        aims = threats & ~(lead ^ shifted) & ~possible & region
        if aims and bound_by_pairs(lengths, own, taken, possible, threats, shifted, 0) < 0:
            squares = set(squares_of(shape, aims))
            follower = game.side(position).other
            return tuple(
                each for each in lasting_threats(game, position) if each.square in squares and each.side is follower
            )
    return ()
