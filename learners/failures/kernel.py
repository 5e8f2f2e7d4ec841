"""Failure-based learning: the game loop and the two rules that record a failure (Riechel 2007, section 2).

candidate  a move that may be picked: one that is not recorded, or any move if all are recorded
excluded   a move that is not a candidate
dead       a position is dead if every move is recorded

The other words and the tables are explained in `learners.failures.kernel_tables`.
"""

from typing import Final

import numpy as np

from engine.compiling.compiler import compiled
from learners.core.kernel_games import end_with, mover, note, outcome_of, step
from learners.core.kernel_order import depth_first
from learners.core.kernel_tables import DRAWN, DRAWS, PLIES, Counts, SpaceTables, Table, Watched
from learners.failures.kernel_tables import DEAD, EXCLUDED, EXCLUDED_BITS, Database, FailureRules, FailureTables

AVOIDED: Final = 4
ENTRIES: Final = 5
"""The indices in `tally` after `PLIES`."""
FIRST_WINS: Final = 0


@compiled
def candidates_of(word: int) -> int:
    return word & DEAD - 1


@compiled
def excluded_of(word: int) -> int:
    return word >> EXCLUDED_BITS


@compiled
def is_dead(word: int) -> bool:
    """Return whether all moves of a position are recorded; for words joined by `|`, those of any of the positions."""
    return word & DEAD != 0


@compiled
def word_of(candidates: int, excluded: int) -> int:
    """Return the word of a position with these numbers of moves. Without a candidate, all moves become candidates."""
    return candidates + excluded * EXCLUDED if candidates > 0 else excluded + DEAD


@compiled
def fill_walk(space: SpaceTables, order: Table, reached: Table, tables: FailureTables) -> None:
    """Fill in `walk` and `edge` from the memory, position by position in `order`. `reached` is a buffer, shape (n,)."""
    memory, walk, edge_of = tables.database.memory, tables.walk, tables.edge
    for position in range(len(reached)):
        reached[position] = end_with(space.outcome[position])
    free = 0
    for position in order:
        reached[position] = free
        free += 1 + space.first_edge[position + 1] - space.first_edge[position]
    for position in order:
        first, end = int(space.first_edge[position]), int(space.first_edge[position + 1])
        row = head = int(reached[position])
        for recorded in range(2):
            for edge in range(first, end):
                if (memory[edge] != 0) == (recorded != 0):
                    row += 1
                    walk[row], edge_of[row] = reached[space.target[edge]], edge
            if recorded == 0:
                candidates = row - head
        walk[head] = word_of(candidates, end - first - candidates)


def tables_of(space: SpaceTables, database: Database) -> FailureTables:
    """Return the tables of a database, which is shared, not copied."""
    positions = np.arange(len(space.outcome), dtype=np.int32)
    order = depth_first(space, len(database.path.edge), positions)
    rows = len(order) + len(space.target)
    tables = FailureTables(database, np.empty(rows, np.int32), np.empty(rows, np.int32))
    fill_walk(space, order, positions, tables)
    return tables


@compiled
def record(ply: int, tables: FailureTables) -> None:
    """Record the move of this ply of the path, unless it is recorded already.

    Its row moves behind those of the candidates. If no candidate is left, all moves become candidates, ascending.
    """
    (memory, tally, path), walk, edge = tables.database, tables.walk, tables.edge
    head, row = int(path.head[ply]), int(path.row[ply])
    word = int(walk[head])
    candidates, last = candidates_of(word), head + candidates_of(word)
    if row < 0 or row > last or is_dead(word):
        return
    tally[ENTRIES] += 1
    memory[edge[row]] = tally[ENTRIES]
    path.row[ply] = -1
    target, edge_number = walk[row], edge[row]
    for each in range(row, last):
        walk[each], edge[each] = walk[each + 1], edge[each + 1]
    walk[last], edge[last] = target, edge_number
    word = word_of(candidates - 1, excluded_of(word) + 1)
    if is_dead(word):
        for end in range(head + 2, head + 1 + candidates_of(word)):
            each, target, edge_number = end, walk[end], edge[end]
            while each > head + 1 and edge[each - 1] > edge_number:
                walk[each], edge[each] = walk[each - 1], edge[each - 1]
                each -= 1
            walk[each], edge[each] = target, edge_number
    walk[head] = word


@compiled
def learn_game(plies: int, ended: int, walk_back: int, tables: FailureTables) -> None:
    """Apply both rules to the game in the path, which has `plies` moves and ended with the `Outcome` `ended`.

    The rules are applied after the game, turn by turn. A turn records only moves of earlier positions, and no position
    comes back, so the same games would be played if each failure were recorded during the game.
    """
    walk, head = tables.walk, tables.database.path.head
    # Rule 2: if a side is to move in a dead position, its previous move is recorded.
    for ply in range(2, plies):
        earlier = ply - 2
        while earlier >= 0 and is_dead(walk[head[earlier + 2]]):
            record(earlier, tables)
            if walk_back == 0:
                break
            earlier -= 2
    # Rule 1: the loser's last move is recorded.
    if ended != DRAWN:
        last = plies - 1
        if mover(last) == ended:
            last -= 1
        if last >= 0:
            record(last, tables)


@compiled
def opponent_row(head: int, draw: int, bound: Counts, tables: FailureTables) -> int:
    """Return the row of the move that a draw chooses for the opponent; −1 if it resigns."""
    edge_of, word = tables.edge, int(tables.walk[head])
    end = head + 1 + candidates_of(word) + excluded_of(word)
    chosen = -1
    for row in range(head + 1, end):
        if draw < bound[edge_of[row]] and (chosen < 0 or edge_of[row] < edge_of[chosen]):
            chosen = row
    return chosen


@compiled
def own_row(head: int, draw: int, word: int, rounded: int) -> int:
    shifted = draw * (candidates_of(word) - rounded) + rounded * (DRAWS // 2)
    return head + 1 + (shifted >> 32)


@compiled
def play_opponent(
    rounded: int, bound: Counts, tables: FailureTables, low: int, high: int
) -> tuple[int, int, int, int, int, int]:
    """Play a game against an opponent that makes every second move.

    Returns its plies, the `Outcome` or place that it reached, the `or` of all words met, the number of moves avoided,
    and the two words of the generator.
    If the opponent, the second side, resigns, the game is learned from as a draw, and counted as won by the first.
    """
    walk, path, tally = tables.walk, tables.database.path, tables.database.tally
    plies = met = avoided = reached = 0
    while reached >= 0:
        word = int(walk[reached])
        met |= word
        draw, low, high = step(low, high)
        if mover(plies) == 0:
            avoided += excluded_of(word)
            row = own_row(reached, draw, word, rounded)
        else:
            row = opponent_row(reached, draw, bound, tables)
            if row < 0:  # the first side wins, but the last move is no failure: it is learned from as a draw
                reached = end_with(DRAWN)
                tally[FIRST_WINS] += 1
                tally[DRAWN] -= 1
                break
        path.head[plies], path.row[plies] = reached, row
        plies += 1
        reached = int(walk[row])
    return plies, reached, met, avoided, low, high


@compiled
def play_games(games: int, rules: FailureRules, bound: Counts, tables: FailureTables, generator: Counts) -> int:
    """Play `games` games and learn from each; return the plies of the last, whose edges stay in the path.

    Changes `tables`, and `generator`, the two words of its state, in place. Each turn takes one draw u, 0 ≤ u < 1, and
    plays candidate number floor(u × n) of n, or if `rounded`, number floor(u × (n − 1) + ½). `bound` is empty in
    self-play. Otherwise an opponent makes every second move: the first whose bound, of shape (m,), is above the draw.
    """
    database = tables.database
    walk, tally, path = tables.walk, database.tally, database.path
    heads, rows = path.head, path.row
    low, high = int(generator[0]), int(generator[1])
    rounded, opposed = rules.rounded, len(bound) > 0
    plies = 0
    for game in range(games):
        plies = 0
        avoided = 0
        met = 0
        reached = 0
        if opposed:
            plies, reached, met, avoided, low, high = play_opponent(rounded, bound, tables, low, high)
        else:
            while reached >= 0:
                head = np.uint64(reached)  # unsigned, as is `row`: an index that cannot be negative is a third faster
                word = int(walk[head])
                met |= word
                draw, low, high = step(low, high)
                avoided += excluded_of(word)
                row = np.uint64(own_row(reached, draw, word, rounded))
                heads[plies], rows[plies] = reached, row
                plies += 1
                reached = int(walk[row])
        ended = outcome_of(reached)
        tally[ended] += 1
        tally[PLIES] += plies
        tally[AVOIDED] += avoided
        if game == games - 1:
            for ply in range(plies):
                path.edge[ply] = tables.edge[rows[ply]]
        if is_dead(met) or ended != DRAWN:
            learn_game(plies, ended, rules.walk_back, tables)
    generator[0], generator[1] = low, high
    return plies


@compiled
def watch(  # noqa: PLR0913, PLR0917  what `play_games` takes, and two more
    games: int,
    edge: int,
    rules: FailureRules,
    bound: Counts,
    tables: FailureTables,
    generator: Counts,
    watched: Watched,
) -> tuple[int, int]:
    """Play `games` games one by one, and note those that change the number of an edge.

    Return how many were played, and how many noted. It stops when there is no more room in `watched`.
    """
    noted, edge_number = 0, int(tables.database.memory[edge])
    for game in range(1, games + 1):
        plies = play_games(1, rules, bound, tables, generator)
        after = int(tables.database.memory[edge])
        if after != edge_number:
            noted, edge_number = note(game, after, plies, tables.database.path.edge, noted, watched), after
            if noted == len(watched.game):
                return game, noted
    return games, noted
