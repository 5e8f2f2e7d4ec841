"""Bounds on the score of a position, from a strategy that one side can follow to the end without a search.

The strategy is Allis's claimeven, put together for the whole board (V. Allis, A Knowledge-based Approach of
Connect-Four, 1988, chapters 3 and 6): the follower answers each move in the same column. So of every two squares, from
the top of the column down, the leader gets the lower and the follower the upper one. In a column with an odd number of
empty squares the lowest is left over. There is an even number of such columns, and when the leader takes the lowest
square of one, the follower takes that of another. If the leader completes no line in this way, it does not win.

If a square that the follower gets completes a line of pieces that the follower has, the leader must fill everything
else and then play below that square: it loses.

A threat of the follower to a square that the leader would get shifts the pairs of its column: the column ends two
squares below it, and is paired from there. This is the odd threat of the first side.
"""

from engine.compiling.compiler import compiled
from engine.connect_solver.board_kernel import Lengths, all_squares, count, filled_up, has_line, quiet_squares

NO_BOUND = 99
"""More than any score."""


@compiled
def bound_by_pairs(  # noqa: PLR0913, PLR0917  numbers only, so that they stay in registers
    shape: Lengths, own: int, taken: int, possible: int, threats: int, shifted: int, target: int
) -> int:
    """Return an upper bound on the score of the side to move if the other side follows, or `NO_BOUND`.

    `possible` are the squares that can be played, `threats` those that complete a line of the follower. `shifted` are
    the squares of the columns where a threat shifts the pairs. A bound is only sought if it would be below `target`.
    """
    board = all_squares(shape)
    lead = quiet_squares(shape) ^ shifted
    empty = board & ~taken
    aims = threats & empty & ~lead & ~possible
    over = filled_up(shape, aims)
    odd = possible & ~lead & ~over
    if count(odd) & 1:
        return NO_BOUND
    bound = -(count((over | (over >> 1)) & board) // 2)
    if bound >= target:
        return NO_BOUND
    sure = own | (empty & lead & ~over)
    if has_line(shape, sure):
        return NO_BOUND
    if has_line(shape, sure | odd):
        if count(odd) != 2:
            return NO_BOUND
        one = odd & -odd
        if has_line(shape, sure | one) or has_line(shape, sure | (odd ^ one)):
            return NO_BOUND
    return bound


@compiled
def bound_by_following(  # noqa: PLR0913, PLR0917  as above
    shape: Lengths, own: int, taken: int, possible: int, threats: int, target: int
) -> int:
    """Return an upper bound on the score of the side to move below `target`, or `NO_BOUND`.

    The side to move cannot win at once, and the other side has no threat that must be answered at once.
    """
    columns, rows = len(shape[0]), len(shape[1])
    lead = quiet_squares(shape)
    if (columns * rows - count(taken)) & 1 == 0:
        return bound_by_pairs(shape, own, taken, possible, threats, 0, target)
    column = (1 << rows) - 1
    aims = threats & lead & ~taken & ~possible
    if aims:
        for number in range(columns):
            place = column << number * (rows + 1)
            if aims & place:
                bound = bound_by_pairs(shape, own, taken, possible, threats, place, target)
                if bound < NO_BOUND:
                    return bound
    return NO_BOUND
