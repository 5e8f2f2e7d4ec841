"""The games of a learner of values: it plays the best move or, to explore, any move, and learns after each game.

The words and the tables are explained in `learners.values.kernel_tables`.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import mover, note, outcome_of, resigned_after, step
from learners.core.kernel_tables import DRAWN, DRAWS, PLIES, Counts, Table, Watched
from learners.values.kernel_tables import (
    BEST,
    CHOSEN,
    DRAW,
    KNOWN,
    LOSS,
    MAX_SEEN,
    ONCE,
    OWN_TABLE,
    REPLY,
    REPLY_UNIT,
    ROWS,
    SCALE,
    SEEN,
    SLOT,
    STATE,
    TARGET,
    THEIRS,
    TURN,
    WIN,
    WORTH,
    ValueRules,
    ValueTables,
    Walk,
)

LEARNED = 4
"""The index in `tally` after `PLIES`."""


@compiled
def part_of(gap: int, part: int) -> int:
    """Return `gap` × `part` / `SCALE`, rounded to the nearest integer, and a half away from 0."""
    return gap * part + SCALE // 2 >> 31 if gap >= 0 else -(-gap * part + SCALE // 2 >> 31)


@compiled
def part_for(seen: int, rules: ValueRules) -> int:
    """Return the step of a value seen this many times: the part of the difference by which it changes."""
    return max(rules.rate, SCALE // (seen // ONCE)) if rules.average != 0 else rules.rate


@compiled
def count_seen(slot: int, row: int, tables: ValueTables) -> int:
    """Count a move, and return the new `SEEN` of its slot."""
    tables.times[np.uint64(row)] += 1
    seen = int(tables.value[np.uint64(slot), SEEN])
    return seen + ONCE if seen <= MAX_SEEN else seen


@compiled
def interpolate(value: int, goal: int, part: int) -> int:
    """Return the value that lies at this part, in parts of `SCALE`, of the way from `value` to `goal`."""
    return value + ((goal - value) * part >> 31)


@compiled
def result_for(ply: int, outcome: int) -> int:
    """Return the value of a game that ended with the `Outcome` `ended`, for the side that made move `ply`."""
    return DRAW if outcome == DRAWN else WIN if outcome == mover(ply) else LOSS


@compiled
def teach_own_tables(plies: int, outcome: int, rules: ValueRules, tables: ValueTables) -> None:
    """Do what `teach` does, for `OWN_TABLE`.

    A side moves its value of each position of the game towards its value of the next one: after its own move, towards
    that after the reply; after the reply, towards that after its own next move. With a `trace` as large as `rate`,
    each value follows those that this game has just changed.
    """
    value_of, replies, path = tables.value, tables.reply, tables.path
    worth, goal, reply, reply_goal = 0, 0, 0, 0
    for ply in range(plies - 1, -1, -1):
        slot = np.uint64(path.slot[ply])
        seen = count_seen(path.slot[ply], path.row[ply], tables)
        part = part_for(seen, rules)
        next_goal = interpolate(worth, goal, rules.trace)
        learns = worth == path.best[np.uint64(ply + 1)] or rules.toward == CHOSEN if ply + 1 < plies else True
        goal = interpolate(reply, reply_goal, rules.trace)
        worth, reply = int(value_of[slot, WORTH]), int(replies[slot])
        if ply + 1 == plies:
            goal = result_for(ply, outcome)
            next_goal = WIN + LOSS - goal
        reply_goal = next_goal if learns else reply
        tables.tally[LEARNED] += KNOWN - (seen & KNOWN)
        value_of[slot, WORTH], value_of[slot, SEEN] = worth + part_of(goal - worth, part), seen | KNOWN
        replies[slot] = reply + part_of(reply_goal - reply, part)


@compiled
def teach(plies: int, outcome: int, rules: ValueRules, tables: ValueTables) -> None:
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
            seen += ONCE
        later = ply + rules.ahead
        goal = value
        learns = True
        if later >= plies:
            goal = result_for(ply, outcome)
        else:
            after, best = int(values[later]), int(bests[later])
            if after == best or rules.toward == CHOSEN:
                goal = interpolate(after, int(goals[later]), rules.trace)
            elif rules.toward == BEST:
                goal = best
            else:
                learns = False
            if rules.ahead == REPLY and learns:
                goal = WIN + LOSS - goal
        values[ply], goals[ply] = value, goal
        if learns:
            tables.tally[LEARNED] += KNOWN - (seen & KNOWN)
            seen |= KNOWN
            value_of[slot, WORTH] = value + part_of(goal - value, part_for(seen, rules))
        value_of[slot, SEEN] = seen


@compiled
def tied_row(draw: tuple[int, int], first: int, end: int, heads: Table, value_of: Table) -> int:
    """Return one of the rows up to `end` that are worth as much as `first`: number floor(u × t) of all t.

    The draw u is a fraction, given as its numerator and its denominator.
    """
    best, ties = value_of[heads[first, SLOT], WORTH], 0
    for each in range(first, end):
        ties += value_of[heads[each, SLOT], WORTH] == best
    ties_left, chosen = draw[0] * ties // draw[1], first
    while value_of[heads[chosen, SLOT], WORTH] != best or ties_left > 0:
        ties_left -= value_of[heads[chosen, SLOT], WORTH] == best
        chosen += 1
    return chosen


@compiled
def play_games(  # noqa: C901, PLR0912  further calls would slow down the inner loop
    games: int, walk: Walk, rules: ValueRules, tables: ValueTables, generator: Counts
) -> int:
    """Play `games` games and learn from each; return the plies of the last, whose moves stay in `tables.path`.

    Changes `tables`, and `generator`, the two words of its state, in place. Each turn takes one draw u, 0 ≤ u < 1. If u
    is below e, the probability to explore, the learner's move is number floor(u × n / e) of n; else it is the first of
    the best moves or, of t such moves, number floor(u' × t), where u' = (u − e) / (1 − e).
    """
    heads, bound, value_of, tally, path = walk.walk, walk.bound, tables.value, tables.tally, tables.path
    slots, rows, bests = path.slot, path.row, path.best
    low, high = int(generator[0]), int(generator[1])
    both, own_tables = rules.ahead != TURN, rules.ahead == OWN_TABLE
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
                    reached = resigned_after(plies)
                    break
            elif draw < explore:
                chosen = first + draw * (end - first) // explore
                if own_tables:
                    best = WIN + 1  # so no value is as good: the move counts as explored, however good it is
            elif rules.ties != 0:
                chosen = tied_row((draw - explore, DRAWS - explore), chosen, end, heads, value_of)
            move = np.uint64(chosen)
            slots[plies] = heads[move, SLOT] if both or state != THEIRS else -1
            rows[plies] = chosen
            bests[plies] = best
            plies += 1
            reached = int(heads[move, TARGET])
        outcome = outcome_of(reached)
        tally[outcome] += 1
        moves += plies
        if own_tables:
            teach_own_tables(plies, outcome, rules, tables)
        else:
            teach(plies, outcome, rules, tables)
    tally[PLIES] += moves
    generator[0], generator[1] = low, high
    return plies


@compiled
def number_of(slot: int, tables: ValueTables) -> int:
    """Return the number that the memory has for a slot, as `layout_kernel.copy_values` does."""
    if not tables.value[slot, SEEN] & KNOWN:
        return 0
    reply = int(tables.reply[slot]) if len(tables.reply) > 0 else 0
    return int(tables.value[slot, WORTH]) + REPLY_UNIT * reply


@compiled
def watch(  # noqa: PLR0913, PLR0917  what `play_games` takes, and two more
    games: int, slot: int, walk: Walk, rules: ValueRules, tables: ValueTables, generator: Counts, watched: Watched
) -> tuple[int, int]:
    """Play `games` games one by one, and note those that change the number of a slot.

    Return how many were played, and how many noted. It stops when there is no more room in `watched`.
    """
    noted, number = 0, number_of(slot, tables)
    for game in range(1, games + 1):
        plies = play_games(1, walk, rules, tables, generator)
        after = number_of(slot, tables)
        if after != number:
            noted, number = note(game, after, plies, tables.path.row, noted, watched), after
            if noted == len(watched.game):
                return game, noted
    return games, noted
