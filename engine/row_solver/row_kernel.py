"""Whether one side can win an m,n,k-game without gravity: a search for a yes or no, with a table, without recursion.

attacker  the side in question; the defender is the other one, and holds with a draw
mask      one bit a square, as the game numbers them; at most 62 squares
line      the mask of a row that wins. It is open to a side that may still complete it: the other has no piece there
weight    2 to the power of the attacker's pieces in a line that is open to it. With the defender to move, it holds if
          the weights sum up to less than 2 to the power of the length of a line, and with the attacker to move, to
          half of that (P. Erdős and J. Selfridge, On a combinatorial game, 1973)
entry     three words of the table: the attacker's pieces; the defender's pieces; and the binary logarithm of the nodes
          that it cost << 1 | whether the attacker wins. Who is to move follows from the numbers of pieces, since the
          table is for one side as the attacker
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiling.compiler import compiled

Words = NDArray[np.int64]

DEPTH, ATTACKER, DEFENDER, ATTACKS, RESULT, NODES = range(6)
"""The fields of the state: where the search goes on, whether the attacker is to move, the answer (-1 while it is open),
and the nodes so far."""
STATE_SIZE = 6
F_ATTACKER, F_DEFENDER, F_ATTACKS, F_KEY, F_OTHER, F_NODES, F_COUNT, F_NEXT, F_MOVES = range(9)
"""The fields of a frame. The moves follow, the best first, each as its score << 6 | its square."""
SLOTS = 2
"""The entries of a bucket."""
MIRRORED_PLIES = 12
"""Positions with fewer pieces share an entry with their mirror images and rotations."""
FACTOR = 0x1E3779B97F4A7C15


@compiled
def pieces_in(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def image_of(mask: int, symmetry: Words) -> int:
    """Return the image of a mask under a symmetry, which tells for each square where it goes."""
    image = 0
    for square in range(len(symmetry)):
        if mask >> square & 1:
            image |= 1 << symmetry[square]
    return image


@compiled
def place_of(table: Words, key: int, other: int) -> int:
    mixed = (key ^ (other * FACTOR)) * FACTOR
    mixed = (mixed ^ (mixed >> 29 & 0x7FFFFFFFF)) * FACTOR
    return (mixed >> 20 & (len(table) // SLOTS - 1)) * SLOTS


@compiled
def write_ordered_moves(  # noqa: PLR0913, PLR0917  numbers and arrays only
    lines: Words, through: Words, frames: Words, depth: int, attacker: int, defender: int, empty: int
) -> None:
    """Write the moves to a frame, those on the most advanced open lines first."""
    number = 0
    for square in range(len(through)):
        if empty >> square & 1:
            score = 0
            for at in range(through[square, 0]):
                line = lines[through[square, at + 1]]
                if line & defender == 0:
                    score += 2 << 2 * pieces_in(line & attacker)
                if line & attacker == 0:
                    score += 1 << 2 * pieces_in(line & defender)
            packed, place = score << 6 | square, number
            while place > 0 and frames[depth, F_MOVES + place - 1] < packed:
                frames[depth, F_MOVES + place] = frames[depth, F_MOVES + place - 1]
                place -= 1
            frames[depth, F_MOVES + place] = packed
            number += 1
    frames[depth, F_COUNT], frames[depth, F_NEXT] = number, 0


@compiled
def attack(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917  one loop
    lines: Words, through: Words, symmetries: Words, table: Words, state: Words, frames: Words, length: int, budget: int
) -> None:
    """Go on with a search for at most `budget` nodes, or until the result is known. Nobody has a line yet."""
    squares = len(through)
    board = (1 << squares) - 1
    depth, attacker, defender, attacks = state[DEPTH], state[ATTACKER], state[DEFENDER], state[ATTACKS]
    end = state[NODES] + budget
    while state[NODES] < end:
        state[NODES] += 1
        result = -1
        while True:  # follow forced moves
            empty = board & ~(attacker | defender)
            wins, threats, weight = 0, 0, 0
            for at in range(len(lines)):
                line = lines[at]
                if line & defender == 0:
                    taken = pieces_in(line & attacker)
                    weight += 1 << taken
                    if taken == length - 1:
                        wins |= line & empty
                elif line & attacker == 0 and pieces_in(line & defender) == length - 1:
                    threats |= line & empty
            if attacks:
                if wins:
                    result = 1
                elif 2 * weight < 1 << length or threats & (threats - 1):
                    result = 0
                elif threats:
                    attacker, attacks = attacker | threats, 0
                    continue
            elif threats or weight < 1 << length:
                result = 0
            elif wins & (wins - 1):
                result = 1
            elif wins:
                defender, attacks = defender | wins, 1
                continue
            break
        if result < 0:
            key, other = attacker, defender
            if pieces_in(attacker | defender) < MIRRORED_PLIES:
                for at in range(len(symmetries)):
                    image, beside = image_of(attacker, symmetries[at]), image_of(defender, symmetries[at])
                    if image < key or (image == key and beside < other):
                        key, other = image, beside
            place = place_of(table, key, other)
            for slot in range(place, place + SLOTS):
                if table[slot, 0] == key and table[slot, 1] == other and table[slot, 2]:
                    result = table[slot, 2] & 1
            if result < 0:
                write_ordered_moves(lines, through, frames, depth, attacker, defender, empty)
                frames[depth, F_ATTACKER], frames[depth, F_DEFENDER] = attacker, defender
                frames[depth, F_ATTACKS], frames[depth, F_NODES] = attacks, state[NODES]
                frames[depth, F_KEY], frames[depth, F_OTHER] = key, other
                depth += 1
        while result >= 0 and depth:  # hand the result to the positions that it decides
            last = depth - 1
            if result != frames[last, F_ATTACKS] and frames[last, F_NEXT] < frames[last, F_COUNT]:
                break
            key, other = frames[last, F_KEY], frames[last, F_OTHER]
            cost, effort = state[NODES] - frames[last, F_NODES], 0
            while cost > 0:
                cost >>= 1
                effort += 1
            slot = place_of(table, key, other)
            if table[slot, 2] > table[slot + 1, 2]:  # replace the one that cost less
                slot += 1
            table[slot, 0], table[slot, 1], table[slot, 2] = key, other, effort << 1 | result
            depth -= 1
        if depth == 0:
            state[RESULT] = result
            break
        last = depth - 1
        square = frames[last, F_MOVES + frames[last, F_NEXT]] & 63
        frames[last, F_NEXT] += 1
        attacker, defender, attacks = frames[last, F_ATTACKER], frames[last, F_DEFENDER], 1 - frames[last, F_ATTACKS]
        if attacks:
            defender |= 1 << square
        else:
            attacker |= 1 << square
    state[DEPTH], state[ATTACKER], state[DEFENDER], state[ATTACKS] = depth, attacker, defender, attacks
