"""A matchbox machine's games: draw a bead, play it, and let the result of the game move beads (Michie 1961, 1963).

The words and the tables are explained in `learners.menace.kernel_tables`.
"""

import numpy as np

from learners.core.compiling import compiled
from learners.core.kernel_generator import step
from learners.core.kernel_tables import Counts, Table
from learners.menace.kernel_tables import BOX, OVER, RESIGN, MenaceTables, Rules, Walk

PLIES, RESIGNED, REFILLED, GAINED = 3, 4, 5, 6
"""The places of `tally` after those of the outcomes."""
BOWL, ROW, STATE = 0, 1, 2
"""The columns of `node`."""


@compiled
def refill(bowl: int, tables: MenaceTables) -> None:
    """Give an empty box the beads that it began with, and count the refill."""
    for place in range(bowl, bowl + tables.width):
        tables.bowls[place] = tables.begun[place]
    tables.tally[REFILLED] += 1


@compiled
def fullest(bowl: int, width: int, draw: int, bowls: Table) -> int:
    """Return the place with the most beads; the draw decides among several."""
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
def teach(plies: int, ended: int, rules: Rules, tables: MenaceTables) -> None:
    """Move beads after the game in `tables.path`, of `plies` moves, that ended with the `Outcome` of this number."""
    bowls, times, tally, drawn, reward = tables.bowls, tables.times, tables.tally, tables.path.drawn, rules.reward
    end = np.uint64(len(times))
    least, most, keep, again = rules.least, rules.most, rules.keep != 0, rules.refill != 0
    last_only = rules.last_only != 0
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
        bowl = np.uint64(tables.path.opened[ply])
        if again and bowls[bowl] == 0:
            refill(int(bowl), tables)
        before = int(bowls[place])
        after = min(max(before + (rewards[1] if ply & 1 else rewards[0]), least), most)
        if keep and after <= 0 and bowls[bowl] == before:
            after = before
        bowls[place] = after
        bowls[bowl] += after - before


@compiled
def play_games(games: int, walk: Walk, rules: Rules, tables: MenaceTables, generator: Counts) -> int:
    """Play and learn from `games` games; return the plies of the last, whose places stay in `tables.path`.

    Changes `tables`, and `generator`, the two words of its state, in place. Each turn takes one draw u: from a
    bowl with n beads, bead number floor(u × n); of t fullest moves, number floor(u × t). An empty box that resigns
    takes none.
    """
    node, target, bowls, tally = walk.node, walk.target, tables.bowls, tables.tally
    opened, drawn = tables.path.opened, tables.path.drawn
    low, high = int(generator[0]), int(generator[1])
    by_fullness = rules.fullest != 0
    resigned, moves, plies = 0, 0, 0
    for _ in range(games):
        position = np.uint64(0)  # unsigned, as is `place`: an index that cannot be negative is faster
        plies = 0
        state = int(node[0, STATE])
        while state < OVER:
            bowl = np.uint64(node[position, BOWL])
            beads = int(bowls[bowl])
            if beads == 0:
                if rules.refill == 0:
                    state = OVER + 1 - (plies & 1)
                    resigned += 1
                    break
                refill(int(bowl), tables)
                beads = int(bowls[bowl])
            draw, low, high = step(low, high)
            if by_fullness and state == BOX:
                place = np.uint64(fullest(int(bowl), tables.width, draw, bowls))
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
        teach(plies, state - OVER, rules, tables)
    tally[PLIES] += moves
    tally[RESIGNED] += resigned
    generator[0], generator[1] = low, high
    return plies
