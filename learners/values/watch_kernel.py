"""Plays the games of a training once more, one by one, and notes which of them change a number of the memory.

The games are those of `play_games`: what is learned stays written once.
"""

from engine.compiling.compiler import compiled
from learners.core.kernel_tables import Counts, Watched
from learners.values.kernel import play_games
from learners.values.kernel_tables import KNOWN, REPLY_UNIT, SEEN, WORTH, ValueRules, ValueTables, Walk


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
    for game in range(games):
        plies = play_games(1, walk, rules, tables, generator)
        after = number_of(slot, tables)
        if after != number:
            watched.game[noted], watched.after[noted], watched.plies[noted] = game + 1, after, plies
            for ply in range(plies):
                watched.path[noted, ply] = tables.path.row[ply]
            noted, number = noted + 1, after
            if noted == len(watched.game):
                return game + 1, noted
    return games, noted
