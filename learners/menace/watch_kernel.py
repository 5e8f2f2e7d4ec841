"""Plays the games of a training once more, one by one, and notes which of them change a number of the memory.

The games are those of `play_games`: what is learned stays written once.
"""

from engine.compiling.compiler import compiled
from learners.core.kernel_tables import Counts, Watched
from learners.menace.kernel import play_games
from learners.menace.kernel_tables import MenaceRules, MenaceTables


@compiled
def watch(  # noqa: PLR0913, PLR0917  what `play_games` takes, and two more
    games: int, place: int, rules: MenaceRules, tables: MenaceTables, generator: Counts, watched: Watched
) -> tuple[int, int]:
    """Play `games` games one by one, and note those that change the number at a place of the arena.

    Return how many were played, and how many noted. It stops when there is no more room in `watched`.
    """
    noted, number = 0, int(tables.arena[place])
    for game in range(games):
        plies = play_games(1, rules, tables, generator)
        after = int(tables.arena[place])
        if after != number:
            watched.game[noted], watched.after[noted], watched.plies[noted] = game + 1, after, plies
            for ply in range(plies):
                watched.path[noted, ply] = tables.path.drawn[ply]
            noted, number = noted + 1, after
            if noted == len(watched.game):
                return game + 1, noted
    return games, noted
