"""Plays the games of a training once more, one by one, and notes which of them change a number of the memory.

The games are those of `play_games`: what is learned stays written once.
"""

from engine.compiling.compiler import compiled
from learners.core.kernel_tables import Counts, Watched
from learners.failures.kernel import play_games
from learners.failures.kernel_tables import FailureRules, FailureTables


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
    noted, number = 0, int(tables.database.memory[edge])
    for game in range(games):
        plies = play_games(1, rules, bound, tables, generator)
        after = int(tables.database.memory[edge])
        if after != number:
            watched.game[noted], watched.after[noted], watched.plies[noted] = game + 1, after, plies
            for ply in range(plies):
                watched.path[noted, ply] = tables.database.path.edge[ply]
            noted, number = noted + 1, after
            if noted == len(watched.game):
                return game + 1, noted
    return games, noted
