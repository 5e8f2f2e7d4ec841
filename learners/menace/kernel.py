"""A matchbox machine's games: beads choose the moves, and results add or remove beads (Michie 1961, 1963).

The words and the tables are explained in `learners.menace.kernel_tables`.
"""

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import mover, note, outcome_of, pick, resigned_after, step
from learners.core.kernel_tables import PLIES, Counts, Table, Watched
from learners.menace.kernel_tables import (
    CHANGE,
    DRAWN,
    FIRST_BEADS,
    MOVE_COUNT,
    OPENED,
    RESIGN,
    SUM,
    MenaceRules,
    MenaceTables,
)
from learners.menace.layout_kernel import beads_place, drawn_place, number_at, target_place

RESIGNED, REFILLED, GAINED, BEADS = 4, 5, 6, 8
"""The indices in `tally` after `PLIES`."""


@compiled
def refill(bowl: int, tables: MenaceTables) -> None:
    """Put the initial beads into an empty box, and count the refill."""
    arena = tables.arena
    first_beads, moves = int(arena[bowl + FIRST_BEADS]), int(arena[bowl + MOVE_COUNT])
    for nth in range(moves):
        arena[beads_place(bowl, nth)] = first_beads
    arena[bowl + SUM] = first_beads * moves
    tables.tally[REFILLED] += 1
    tables.tally[BEADS] += first_beads * moves


@compiled
def fullest_move(bowl: int, draw: int, arena: Table) -> int:
    """Return the move with the most beads; the draw decides among several."""
    most, ties = 0, 0
    for nth in range(arena[bowl + MOVE_COUNT]):
        beads = int(arena[beads_place(bowl, nth)])
        if beads > most:
            most, ties = beads, 1
        elif beads == most:
            ties += 1
    ties_left = pick(draw, ties)
    nth = 0
    while arena[beads_place(bowl, nth)] != most or ties_left > 0:
        ties_left -= arena[beads_place(bowl, nth)] == most
        nth += 1
    return nth


@compiled
def draw_bead(bowl: int, draw: int, arena: Table) -> int:
    """Return the move whose bead a draw takes out of a bowl: of n beads, number floor(u × n)."""
    left, nth = pick(draw, number_at(arena, bowl + SUM)), 0
    beads = number_at(arena, beads_place(bowl, 0))
    while left >= beads:
        left -= beads
        nth += 1
        beads = number_at(arena, beads_place(bowl, nth))
    return nth


@compiled
def teach(plies: int, outcome: int, rules: MenaceRules, tables: MenaceTables) -> None:
    """Add or remove beads after the game in `tables.path`, of `plies` moves, that ended with this `Outcome`."""
    arena, tally, path = tables.arena, tables.tally, tables.path
    reward, least, most, keep, refills = rules.reward, rules.least, rules.most, rules.keep != 0, rules.refill != 0
    last_only = rules.last_only != 0
    last = (-1, -1)
    if last_only:
        for ply in range(plies):
            if path[OPENED, ply] >= 0:
                last = (last[0], ply) if mover(ply) else (ply, last[1])
    rewards = (reward[0, outcome], reward[1, outcome])
    tally[GAINED] += rewards[0]
    tally[GAINED + 1] += rewards[1]
    gained = 0
    for ply in range(plies):
        bowl, nth, side = int(path[OPENED, ply]), int(path[DRAWN, ply]), mover(ply)
        if bowl < 0:
            continue
        total, place = np.uint64(bowl + SUM), np.uint64(beads_place(bowl, nth))
        arena[np.uint64(drawn_place(bowl, nth))] += 1
        if last_only and ply != (last[1] if side else last[0]):
            continue
        if refills and arena[total] == 0:
            refill(bowl, tables)
        before = int(arena[place])
        after = min(max(before + (rewards[1] if side else rewards[0]), least), most)
        if keep and after <= 0 and arena[total] == before:
            after = before
        arena[place] = after
        arena[total] += after - before
        gained += after - before
    tally[BEADS] += gained


@compiled
def count_beads(plies: int, sign: int, tables: MenaceTables) -> None:
    """Add the beads of each move of the game in `tables.path`, times `sign`, to what that move gained.

    Called before and after `teach`, which would take a tenth more time if it noted the gains of every game itself.
    """
    path = tables.path
    for ply in range(plies):
        if path[OPENED, ply] >= 0:
            path[CHANGE, ply] += sign * number_at(tables.arena, beads_place(path[OPENED, ply], path[DRAWN, ply]))


@compiled
def play_games(games: int, rules: MenaceRules, tables: MenaceTables, generator: Counts) -> int:
    """Play `games` games and learn from each; return the plies of the last, whose moves stay in `tables.path`.

    Changes `tables`, and `generator`, the two words of its state, in place. Each turn takes one draw u, 0 ≤ u < 1: from
    a bowl with n beads, bead number floor(u × n); of t moves with the most beads, number floor(u × t). An empty box
    that resigns takes none.
    """
    arena, tally, path = tables.arena, tables.tally, tables.path
    low, high = int(generator[0]), int(generator[1])
    by_fullness = rules.fullest != 0
    resigned, moves, plies = 0, 0, 0
    for game in range(games):
        plies = 0
        reached = 0
        while reached >= 0:
            node, bowl = reached, number_at(arena, reached)
            is_box = number_at(arena, bowl + FIRST_BEADS) >= 0
            if number_at(arena, bowl + SUM) == 0:
                if rules.refill == 0:
                    reached = RESIGN
                    break
                refill(bowl, tables)
            draw, low, high = step(low, high)
            nth = fullest_move(bowl, draw, arena) if by_fullness and is_box else draw_bead(bowl, draw, arena)
            reached = number_at(arena, target_place(node, nth))
            if reached == RESIGN:
                break
            path[OPENED, plies] = bowl if is_box else -1
            path[DRAWN, plies] = nth
            plies += 1
        if reached == RESIGN:
            resigned += 1
            reached = resigned_after(plies)
        outcome = outcome_of(reached)
        tally[outcome] += 1
        moves += plies
        if game == games - 1:
            path[CHANGE] = 0
            count_beads(plies, -1, tables)
        teach(plies, outcome, rules, tables)
    count_beads(plies, 1, tables)
    tally[PLIES] += moves
    tally[RESIGNED] += resigned
    generator[0], generator[1] = low, high
    return plies


@compiled
def watch(  # noqa: PLR0913, PLR0917  what `play_games` takes, and two more
    games: int, place: int, rules: MenaceRules, tables: MenaceTables, generator: Counts, watched: Watched
) -> tuple[int, int]:
    """Play `games` games one by one, and note those that change the number at a place of the arena.

    Return how many were played, and how many noted. It stops when there is no more room in `watched`.
    """
    noted, number = 0, int(tables.arena[place])
    for game in range(1, games + 1):
        plies = play_games(1, rules, tables, generator)
        after = int(tables.arena[place])
        if after != number:
            noted, number = note(game, after, plies, tables.path[DRAWN], noted, watched), after
            if noted == len(watched.game):
                return game, noted
    return games, noted
