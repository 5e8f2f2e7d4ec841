"""Bounds on the score of a position, from a strategy that one side can follow to the end without a search.

The strategy is Allis's claimeven, put together for the whole board (V. Allis, A Knowledge-based Approach of
Connect-Four, 1988, chapters 3 and 6): the follower answers each move in the same column. So of every two squares, from
the top of the column down, the leader gets the lower and the follower the upper one. In a column with an odd number of
empty squares the lowest is left over. There is an even number of such columns, and when the leader takes the lowest
square of one, the follower takes that of another. If the leader completes no line in this way, it does not win. If it
completes none with the squares that it reaches in the next few moves, it does not win with these.

If a square that the follower gets completes a line of pieces that the follower has, the leader must fill everything
else and then play below that square: it loses.

If the leader must win within a few moves, the follower may pair a column from the bottom as well: the leader does not
get to its last square.

A threat of the follower to a square that the leader would get shifts the pairs of its column: the column ends two
squares below it, and is paired from there. This is the odd threat of the first side.
"""

from engine.compiling.compiler import compiled
from engine.connect_solver.board_kernel import (
    Lengths,
    all_squares,
    bottom_row,
    count,
    has_line,
    quiet_squares,
    with_squares_above,
)

NO_BOUND = 99
"""More than any score."""
SOON_MOVES = 4
"""The number of moves in which the leader reaches nearly every square."""


@compiled
def has_line_by_exchange(shape: Lengths, sure: int, odd: int) -> bool:
    """Return whether the leader completes a line however the follower pairs the lowest squares of columns.

    The leader gets the squares `sure`, and one of each pair of the squares `odd`. The follower chooses the pairs. If
    `odd` has more than four squares, the leader is taken to get all of them.
    """
    if has_line(shape, sure):
        return True
    if odd == 0 or not has_line(shape, sure | odd):
        return False
    a = odd & -odd
    rest = odd ^ a
    b = rest & -rest
    rest ^= b
    if rest == 0:
        return has_line(shape, sure | a) or has_line(shape, sure | b)
    c = rest & -rest
    d = rest ^ c
    if d & (d - 1):
        return True
    ab, ac, ad = has_line(shape, sure | a | b), has_line(shape, sure | a | c), has_line(shape, sure | a | d)
    bc, bd, cd = has_line(shape, sure | b | c), has_line(shape, sure | b | d), has_line(shape, sure | c | d)
    return (ac or ad or bc or bd) and (ab or ad or bc or cd) and (ab or ac or bd or cd)


@compiled
def bound_by_pairs(  # noqa: PLR0913, PLR0917  numbers only, so that they stay in registers
    shape: Lengths, own: int, taken: int, possible: int, threats: int, shifted: int, target: int
) -> int:
    """Return an upper bound on the score of the side to move if the other side follows, or `NO_BOUND`.

    `possible` are the squares that can be played, `threats` those that complete a line of the follower. `shifted` are
    the squares of the columns where a threat shifts the pairs. A bound is only computed if it would be below `target`.
    """
    board = all_squares(shape)
    lead = quiet_squares(shape) ^ shifted
    empty = board & ~taken
    # `aims` are the threats to squares that the follower gets: from there upward, nobody plays until the leader must
    aims = threats & empty & ~lead & ~possible
    blocked = with_squares_above(shape, aims)
    odd = possible & ~lead & ~blocked
    if count(odd) & 1:
        return NO_BOUND
    bound = -(count((blocked | (blocked >> 1)) & board) // 2)
    if bound >= target and (bound != 0 or target != 0):
        return NO_BOUND
    led = empty & lead & ~blocked
    if target > 1:
        moves = (count(empty) + 1 - 2 * target) // 2 + 1
        if moves < SOON_MOVES:  # can the leader win in so few moves? Only the squares that it can reach by then count
            reach = possible
            for _ in range(2 * moves - 2):
                reach |= reach << 1
            led &= reach
            bound = target - 1
    if has_line_by_exchange(shape, own | led, odd):
        return NO_BOUND
    if bound == target:  # a draw at best: does the follower complete a line in the end?
        followed = empty & ~lead & ~odd & ~blocked
        return bound - 1 if has_line(shape, (taken ^ own) | followed) else NO_BOUND
    return bound


@compiled
def squares_two_up(shape: Lengths, mask: int) -> int:
    """Return the squares two above those of a mask."""
    board = all_squares(shape)
    return ((mask << 1 & board) << 1) & board


@compiled
def holds_by_answers_above(shape: Lengths, own: int, possible: int, moves: int) -> bool:
    """Return whether the leader does not win in `moves` moves, this one included, if each is answered right above it.

    In a column with an odd number of empty squares, the leader could take the last one. If that is too soon, the column
    is paired from the top instead.
    """
    board = all_squares(shape)
    low_rows = max(0, len(shape[1]) + 2 - 2 * moves)
    odd = possible & ~quiet_squares(shape) & ~(bottom_row(shape) * ((1 << low_rows) - 1))
    if count(odd) & 1:
        return False
    led = possible ^ odd
    later = squares_two_up(shape, led) | (odd << 1 & board)
    for _ in range(moves - 1):
        led |= later
        later = squares_two_up(shape, later)
    return not has_line_by_exchange(shape, own | led, odd)


@compiled
def bound_by_following(  # noqa: PLR0913, PLR0917  as above
    shape: Lengths, own: int, taken: int, possible: int, threats: int, target: int
) -> int:
    """Return an upper bound on the score of the side to move below `target`, or `NO_BOUND`.

    The side to move cannot win at once, and the other side has no threat that must be answered at once.
    """
    columns, rows = len(shape[0]), len(shape[1])
    lead = quiet_squares(shape)
    if target > 1:
        moves = (columns * rows - count(taken) + 1 - 2 * target) // 2 + 1
        if moves < SOON_MOVES and holds_by_answers_above(shape, own, possible, moves):
            return target - 1
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
