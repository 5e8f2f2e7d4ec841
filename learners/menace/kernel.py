"""A matchbox machine's games: draw a bead, play it, and let the result of the game move beads (Michie 1961, 1963).

A bowl is a stretch of `width` numbers: how many beads lie in it, then the beads of each of its moves. The bowls of
boxes change; those of positions without a box (the opponent's, and where there is but one move) hold fixed weights.

bowls    all bowls, one after the other, shape (bowls × width,)
begun    the same as it was when nothing had been learned
times    how often each bead of a box was drawn; like `bowls`, but of the boxes alone, which come first
node     per position: (where its bowl begins, first row of target, state), shape (n, 3)
state    BOX or FIXED: what its bowl is; else OVER + outcome
target   per row: the position that a move leads to, or RESIGN; a position's rows lie in the order of its bowl
reward   by side and `Outcome`: what is added to the beads that the side drew, shape (2, 3)
rules    whole numbers, at the places FULLEST … MOST below
tally    counts of all games so far: those ended by each `Outcome`, then PLIES, RESIGNED, REFILLED,
         and from GAINED on what each side's games were worth to it
"""

import numpy as np
from numpy.typing import NDArray

from learners.core.compiling import compiled
from learners.core.kernel_generator import step
from learners.menace.tables import BOX, OVER, RESIGN

Table = NDArray[np.int32]
Counts = NDArray[np.int64]

FULLEST, REFILL, KEEP, LAST_ONLY, LEAST, MOST = 0, 1, 2, 3, 4, 5
"""Of `rules`: play the fullest move; refill an empty box; spare a box what would empty it; teach only the last box that
a side opened; the least and the most beads of one move."""
PLIES, RESIGNED, REFILLED, GAINED = 3, 4, 5, 6
"""Of `tally`."""
BOWL, ROW, STATE = 0, 1, 2
"""Of `node`."""


@compiled
def refill(bowl: int, width: int, bowls: Table, begun: Table) -> None:
    """Give an empty box the beads that it began with."""
    for place in range(bowl, bowl + width):
        bowls[place] = begun[place]


@compiled
def fullest(bowl: int, width: int, draw: int, bowls: Table) -> int:
    """Where the most beads lie; among equals the draw decides."""
    most, ties = 0, 0
    for place in range(bowl + 1, bowl + width):
        if bowls[place] > most:
            most, ties = bowls[place], 1
        elif bowls[place] == most:
            ties += 1
    nth = draw * ties >> 32
    place = bowl + 1
    while bowls[place] != most or nth > 0:
        nth -= bowls[place] == most
        place += 1
    return place


@compiled
def teach(
    plies: int,
    ended: int,
    width: int,
    opened: Counts,
    drawn: Counts,
    reward: Counts,
    rules: Counts,
    bowls: Table,
    begun: Table,
    times: Counts,
    tally: Counts,
) -> None:
    """Move beads after a game of `plies` moves that ended with the `Outcome` of that number.

    `opened` holds where the bowls begin and `drawn` the places of what was drawn, move by move; a place beyond `times`
    is of no box.
    """
    end = np.uint64(len(times))
    least, most, keep, again = rules[LEAST], rules[MOST], rules[KEEP] != 0, rules[REFILL] != 0
    last_only = rules[LAST_ONLY] != 0
    last = (-1, -1)
    if last_only:
        for ply in range(plies):
            if np.uint64(drawn[ply]) < end:
                last = (last[0], ply) if ply & 1 else (ply, last[1])
    rewards = (reward[0, ended], reward[1, ended])
    tally[GAINED] += rewards[0]
    tally[GAINED + 1] += rewards[1]
    for ply in range(plies):
        place = np.uint64(drawn[ply])
        if place >= end:
            continue
        times[place] += 1
        if last_only and ply != (last[1] if ply & 1 else last[0]):
            continue
        bowl = np.uint64(opened[ply])
        if again and bowls[bowl] == 0:
            refill(int(bowl), width, bowls, begun)
            tally[REFILLED] += 1
        before = int(bowls[place])
        after = min(max(before + (rewards[1] if ply & 1 else rewards[0]), least), most)
        if keep and after <= 0 and bowls[bowl] == before:
            after = before
        bowls[place] = after
        bowls[bowl] += after - before


@compiled
def play_games(
    games: int,
    width: int,
    node: Table,
    target: Table,
    reward: Counts,
    rules: Counts,
    bowls: Table,
    begun: Table,
    times: Counts,
    generator: Counts,
    tally: Counts,
    opened: Counts,
    drawn: Counts,
) -> int:
    """Play and learn from `games` games; returns the plies of the last, whose places are left in `drawn`.

    Changes `bowls`, `times`, `generator` (the two words of its state), `tally` and what follows it in place. Takes one
    draw a turn: of a bowl with n beads, bead number floor(u × n); of t fullest moves, number floor(u × t). An empty box
    takes none when it resigns.
    """
    low, high = int(generator[0]), int(generator[1])
    by_fullness = rules[FULLEST] != 0
    resigned, moves, plies = 0, 0, 0
    for _ in range(games):
        position = np.uint64(0)  # unsigned, as is `place`: what cannot be negative is found sooner
        plies = 0
        state = int(node[0, STATE])
        while state < OVER:
            bowl = np.uint64(node[position, BOWL])
            beads = int(bowls[bowl])
            if beads == 0:
                if rules[REFILL] == 0:
                    state = OVER + 1 - (plies & 1)
                    resigned += 1
                    break
                refill(int(bowl), width, bowls, begun)
                tally[REFILLED] += 1
                beads = int(bowls[bowl])
            draw, low, high = step(low, high)
            if by_fullness and state == BOX:
                place = np.uint64(fullest(int(bowl), width, draw, bowls))
            else:
                left = draw * beads >> 32
                place = bowl + np.uint64(1)
                count = int(bowls[place])
                while left >= count:
                    left -= count
                    place += np.uint64(1)
                    count = int(bowls[place])
            reached = int(target[np.uint64(node[position, ROW]) + place - bowl - np.uint64(1)])
            if reached == RESIGN:
                state = OVER + 1 - (plies & 1)
                resigned += 1
                break
            opened[plies] = np.int64(bowl)
            drawn[plies] = np.int64(place)
            plies += 1
            position = np.uint64(reached)
            state = int(node[position, STATE])
        tally[state - OVER] += 1
        moves += plies
        teach(plies, state - OVER, width, opened, drawn, reward, rules, bowls, begun, times, tally)
    tally[PLIES] += moves
    tally[RESIGNED] += resigned
    generator[0], generator[1] = low, high
    return plies
