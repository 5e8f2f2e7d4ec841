"""Self-play of an n-tuple network, and TD(lambda) after each move.

M. Thill, P. Koch and W. Konen, "Reinforcement Learning with N-tuples on the Game Connect-4" (PPSN 2012); with traces,
M. Thill, S. Bagheri, P. Koch and W. Konen, "Temporal Difference Learning with Eligibility Traces for the Game Connect
Four" (CIG 2014). After a move, the value of the position before is moved towards that of the new one. Nothing is
learned from a move made to explore, unless it ends the game.

`learners.ntuple.kernel_tables` explains the words.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import mover, step
from learners.core.kernel_tables import DRAWN, NOT_OVER, PLIES, Bytes, Counts
from learners.ntuple.kernel_tables import (
    CURVE_SHIFT,
    FADED,
    FINER_BITS,
    MAX_WEIGHT,
    ONE,
    ROW_WINS,
    SCALE,
    Learning,
    Net,
    PatternPath,
)
from learners.uct.kernel import count_bits, has_row, open_squares, square_of
from learners.uct.kernel_tables import PlayoutRules


@compiled
def scale(number: int, part: int) -> int:
    """Return `number` × `part` / `SCALE`, rounded."""
    return number * part + SCALE // 2 >> 31


@compiled
def product(value: int, other: int) -> int:
    """Return the product of two values, each in parts of `ONE`."""
    return value * other >> 30


@compiled
def to_weights(value: int) -> int:
    return value + (1 << FINER_BITS - 1) >> FINER_BITS


@compiled
def squash(total: int, curve: Counts) -> int:
    """Return the value of a position, given the sum of its weights."""
    size = abs(total)
    place = size >> CURVE_SHIFT
    if place >= len(curve) - 1:
        value = int(curve[-1])
    else:
        low = int(curve[place])
        value = low + ((int(curve[place + 1]) - low) * (size & (1 << CURVE_SHIFT) - 1) >> CURVE_SHIFT)
    return value if total >= 0 else -value


@compiled
def value_at(ply: int, net: Net, path: PatternPath) -> int:
    """Return the value of the position after this many plies of the game."""
    base, total, index = mover(ply) * (len(net.weights) // 2), 0, path.patterns[ply]
    for view in range(len(index)):
        total += int(net.weights[np.uint64(base + int(index[view]))])
    return squash(total, net.curve)


@compiled
def game_result(ply: int, own: int, enemy: int, board: PlayoutRules) -> int:
    """Return how the move after `ply` plies ended the game, or `NOT_OVER`; `own` are the pieces of its side."""
    if has_row(own, board):
        return mover(ply) if board.completed == ROW_WINS else 1 - mover(ply)
    return DRAWN if own | enemy == board.full else NOT_OVER


@compiled
def value_of_end(outcome: int) -> int:
    return 0 if outcome == DRAWN else ONE if outcome == 0 else -ONE


@compiled
def value_after(ply: int, square: int, net: Net, path: PatternPath) -> int:
    """Return the value of the position after a piece is placed on a square, if that does not end the game."""
    unit = int(net.unit[square])
    code = int(path.code[unit])
    new = 2 * code + mover(ply)
    base, total, index = (1 - mover(ply)) * (len(net.weights) // 2), 0, path.patterns[ply]
    added, removed = net.part[unit, new], net.part[unit, code]
    for view in range(len(index)):
        total += int(net.weights[np.uint64(base + int(index[view]) + int(added[view]) - int(removed[view]))])
    return squash(total, net.curve)


@compiled
def place_piece(ply: int, square: int, net: Net, path: PatternPath) -> None:
    """Add the position after the next piece to the path."""
    unit = int(net.unit[square])
    code = int(path.code[unit])
    new = 2 * code + mover(ply)
    path.code[unit] = new
    path.square[ply] = square
    index, after, added, removed = path.patterns[ply], path.patterns[ply + 1], net.part[unit, new], net.part[unit, code]
    for view in range(len(index)):
        after[view] = index[view] + added[view] - removed[view]


@compiled
def random_move(  # noqa: PLR0913, PLR0917  a draw, and a position
    draw: int, explore: int, ply: int, own: int, enemy: int, board: PlayoutRules
) -> tuple[int, int, int]:
    """Return the move that a draw below `explore` chooses, and where it leads, as three numbers.

    These are the mask of the move; the value of the end, 0 if the game goes on; and how it ends, or `NOT_OVER`.
    """
    open_mask = open_squares(own | enemy, board)
    for _ in range(draw * count_bits(open_mask) // explore):
        open_mask &= open_mask - 1
    move = open_mask & -open_mask
    outcome = game_result(ply, own | move, enemy, board)
    return move, 0 if outcome == NOT_OVER else value_of_end(outcome), outcome


@compiled
def best_move(  # noqa: PLR0913, PLR0917  a position, and what it is worth
    ply: int, own: int, enemy: int, board: PlayoutRules, net: Net, path: PatternPath
) -> tuple[int, int, int]:
    """Return the first of the best moves, as a mask; the value of the position after it; how it ends, or `NOT_OVER`."""
    open_mask = open_squares(own | enemy, board)
    best, move, target, outcome = -2 * ONE, 0, 0, NOT_OVER
    while open_mask != 0:
        bit = open_mask & -open_mask
        open_mask ^= bit
        end_reached = game_result(ply, own | bit, enemy, board)
        value = value_after(ply, square_of(bit), net, path) if end_reached == NOT_OVER else value_of_end(end_reached)
        worth = value if mover(ply) == 0 else -value
        if worth > best:
            best, move, target, outcome = worth, bit, value, end_reached
    return move, target, outcome


@compiled
def learn(  # noqa: PLR0913, PLR0917  a ply, its traces and what to learn
    ply: int, since: int, target: int, rate: int, rules: Learning, net: Net, path: PatternPath
) -> None:
    """Move the value of the position after `ply` plies towards `target`, and those of earlier ones by their traces.

    The first position with a trace is the one after `since` plies. Each side to move has its own weights, so a pattern
    can occur again, and renew its trace, only two or more plies later.
    """
    half, gap = len(net.weights) // 2, target - int(path.value[ply])
    trace = SCALE
    for before in range(ply, since - 1, -1):
        if trace < FADED:
            break
        amount = to_weights(scale(scale(product(gap, int(path.slope[before])), rate), trace))
        renewed = rules.replacing != 0 and before + 2 <= ply
        base, index, later = mover(before) * half, path.patterns[before], path.patterns[min(before + 2, ply)]
        for view in range(len(index)):
            if renewed and index[view] == later[view]:
                continue
            place = np.uint64(base + int(index[view]))
            net.weights[place] = min(MAX_WEIGHT, max(-MAX_WEIGHT, int(net.weights[place]) + amount))
        trace = scale(trace, rules.trace)


@compiled
def store_value(ply: int, net: Net, path: PatternPath) -> None:
    """Store the value of the position after `ply` plies, and its slope, in the path."""
    value = value_at(ply, net, path)
    path.value[ply] = value
    path.slope[ply] = ONE - product(value, value)


@compiled
def play_games(  # noqa: PLR0913, PLR0917  one parameter a table
    games: int, rules: Learning, board: PlayoutRules, net: Net, path: PatternPath, tally: Counts, generator: Counts
) -> int:
    """Play `games` games and learn from each; return the plies of the last, whose squares stay in `path.square`.

    Changes `net.weights`, `path`, `tally`, which has the games by outcome and then the plies, and `generator`. Each
    turn takes one draw u, 0 ≤ u < 1. If u is below e, the probability to explore, the move is number floor(u × n / e)
    of n; else it is the first of the best moves.
    """
    low, high = int(generator[0]), int(generator[1])
    played = int(tally[0] + tally[1] + tally[2])
    plies, moves = 0, 0
    for game in range(games):
        done = min(played + game, rules.change_games)
        explore, rate = rules.explore_end, rules.rate_end
        if rules.change_games > 0:
            explore = rules.explore + (rules.explore_end - rules.explore) * done // rules.change_games
            rate = rules.rate + (rules.rate_end - rules.rate) * done // rules.change_games
        path.code[:] = 1
        path.patterns[0] = net.start
        own, enemy, plies, since, outcome = 0, 0, 0, 0, NOT_OVER
        store_value(0, net, path)
        while outcome == NOT_OVER:
            draw, low, high = step(low, high)
            explores = draw < explore
            if explores:
                move, target, outcome = random_move(draw, explore, plies, own, enemy, board)
            else:
                move, target, outcome = best_move(plies, own, enemy, board, net, path)
            if outcome != NOT_OVER or not explores:
                learn(plies, since, target, rate, rules, net, path)
            place_piece(plies, square_of(move), net, path)
            own, enemy, plies = enemy, own | move, plies + 1
            if outcome == NOT_OVER:
                store_value(plies, net, path)
                if explores and rules.resetting != 0:
                    since = plies
        tally[outcome] += 1
        moves += plies
    tally[PLIES] += moves
    generator[0], generator[1] = low, high
    return plies


@compiled
def values_of(first: Counts, second: Counts, side: Bytes, net: Net, values: Counts) -> None:
    """Write the value of each of n positions that are not over to `values`, shape (n,).

    `first` has the pieces of the first side in each position, `second` those of the second, `side` the side to move.
    """
    half, views = len(net.weights) // 2, len(net.start)
    index = np.zeros(views, np.int32)
    for number in range(len(first)):
        index[:] = net.start
        for unit in range(len(net.square)):
            code = 1
            for height in range(net.square.shape[1]):
                square = int(net.square[unit, height])
                if int(first[number]) >> square & 1:
                    code = 2 * code
                elif int(second[number]) >> square & 1:
                    code = 2 * code + 1
                else:
                    break
            if code > 1:
                for view in range(views):
                    index[view] += net.part[unit, code, view] - net.part[unit, 1, view]
        base, total = int(side[number]) * half, 0
        for view in range(views):
            total += int(net.weights[np.uint64(base + int(index[view]))])
        values[number] = squash(total, net.curve)
