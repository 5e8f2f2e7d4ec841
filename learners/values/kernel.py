"""The games of a learner of values: it plays the best move or, to explore, any move, and learns after each game.

The words and the tables are explained in `learners.values.kernel_tables`.
"""

import numpy as np

from learners.core.compiling import compiled
from learners.core.kernel_generator import step
from learners.core.kernel_tables import Counts
from learners.values.kernel_tables import (
    BEST,
    CHOSEN,
    DRAW,
    LOSS,
    MAX_SEEN,
    ROWS,
    SCALE,
    SEEN,
    SLOT,
    STATE,
    TARGET,
    THEIRS,
    WIN,
    WORTH,
    ValueRules,
    ValueTables,
    Walk,
)

PLIES, LEARNED = 3, 4
"""The indices in `tally` after those of the outcomes."""


@compiled
def part_of(gap: int, part: int) -> int:
    """Return `gap` × `part` / `SCALE`, rounded away from 0, so that a value reaches its goal in the end."""
    return gap * part + SCALE - 1 >> 31 if gap >= 0 else -(-gap * part + SCALE - 1 >> 31)


@compiled
def teach(plies: int, ended: int, rules: ValueRules, tables: ValueTables) -> None:
    """Learn from the game in `tables.path`, of `plies` moves, that ended with the `Outcome` of this number.

    Goes through the game backwards. A goal follows from the values that later slots had before the game and, with a
    `trace`, from their goals. With a `trace` of 0 this is the same as learning after each move, since no slot occurs
    twice in a game.
    """
    value_of, times, path = tables.value, tables.times, tables.path
    slots, rows, bests, values, goals = path.slot, path.row, path.best, path.value, path.goal
    for ply in range(plies - 1, -1, -1):
        if slots[ply] < 0:
            continue
        slot = np.uint64(slots[ply])  # unsigned: an index that cannot be negative is faster
        times[np.uint64(rows[ply])] += 1
        value, seen = int(value_of[slot, WORTH]), int(value_of[slot, SEEN])
        if seen <= MAX_SEEN:
            seen += 2
        later = ply + rules.ahead
        goal = value
        learns = True
        if later >= plies:
            goal = DRAW if ended == 2 else WIN if ended == ply & 1 else LOSS
        else:
            after, best = int(values[later]), int(bests[later])
            if after == best or rules.toward == CHOSEN:
                goal = after + ((int(goals[later]) - after) * rules.trace >> 31)
            elif rules.toward == BEST:
                goal = best
            else:
                learns = False
            if rules.ahead == 1 and learns:
                goal = WIN + LOSS - goal
        values[ply], goals[ply] = value, goal
        if learns:
            tables.tally[LEARNED] += 1 - (seen & 1)
            seen |= 1
            part = rules.rate
            if rules.average != 0:
                part = max(part, SCALE // (seen >> 1))
            value_of[slot, WORTH] = value + part_of(goal - value, part)
        value_of[slot, SEEN] = seen


@compiled
def play_games(games: int, walk: Walk, rules: ValueRules, tables: ValueTables, generator: Counts) -> int:
    """Play `games` games and learn from each; return the plies of the last, whose moves stay in `tables.path`.

    Changes `tables`, and `generator`, the two words of its state, in place. Each turn takes one draw u, 0 ≤ u < 1. If u
    is below e, the probability to explore, the learner's move is number floor(u × n / e) of n; else it is the first of
    the best moves.
    """
    heads, bound, value_of, tally, path = walk.walk, walk.bound, tables.value, tables.tally, tables.path
    slots, rows, bests = path.slot, path.row, path.best
    low, high = int(generator[0]), int(generator[1])
    both = rules.ahead == 1
    explore = rules.explore_end
    played = int(tally[0] + tally[1] + tally[2])
    moves, plies = 0, 0
    for game in range(games):
        if played + game <= rules.explore_games:
            change = (rules.explore_end - rules.explore) * (played + game) // max(1, rules.explore_games)
            explore = rules.explore + change if rules.explore_games > 0 else rules.explore_end
        reached, plies = 0, 0
        while reached >= 0:
            head = np.uint64(reached)
            first, state = reached + 1, int(heads[head, STATE])
            end = first + int(heads[head, ROWS])
            chosen, best = first, 0
            for each in range(first, end):
                value = int(value_of[np.uint64(heads[np.uint64(each), SLOT]), WORTH])
                if value > best:
                    chosen, best = each, value
            draw, low, high = step(low, high)
            if state == THEIRS:
                chosen = first
                while chosen < end and draw >= bound[chosen]:
                    chosen += 1
                if chosen == end:
                    reached = -2 + (plies & 1)
                    break
            elif draw < explore:
                chosen = first + draw * (end - first) // explore
            made = np.uint64(chosen)
            slots[plies] = heads[made, SLOT] if both or state != THEIRS else -1
            rows[plies] = chosen
            bests[plies] = best
            plies += 1
            reached = int(heads[made, TARGET])
        tally[-1 - reached] += 1
        moves += plies
        teach(plies, -1 - reached, rules, tables)
    tally[PLIES] += moves
    generator[0], generator[1] = low, high
    return plies
