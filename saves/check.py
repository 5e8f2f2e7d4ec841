"""Whether a snapshot can be one: asked of everything that comes from a file, and of everything before it is kept."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from engine import parse_game
from engine.game import BadText, quoted
from learners import parse_learner, revive
from learners.generator import WORD, seed_words
from learners.learner import COMMON_STATS, Learner, Snapshot

MOST_GAMES: Final = 10**12
"""The most games that a learner may have had: the marks of its history reach a little farther."""
LARGEST_COUNT: Final = 10**15
"""The largest statistic, in no danger of an overflow for many more games."""


def checked(snapshot: Snapshot) -> Snapshot:
    """The snapshot as its learner, revived, would make it. Raises `BadText`, `TooLarge`."""
    kind = parse_learner(snapshot.learner)
    game = parse_game(snapshot.game)
    _check_generator(snapshot.generator)
    _check_stats(kind, snapshot.stats)
    for stats in snapshot.history:
        _check_stats(kind, stats)
    games = [stats["games"] for stats in (*snapshot.history, snapshot.stats)]
    if any(later <= earlier for earlier, later in pairwise(games[:-1])) or games[-1] < max(games):
        raise BadText("the games of the history do not ascend to those of the statistics")
    if type(snapshot.seed) is not int:
        raise BadText(f"seed {quoted(str(snapshot.seed))} is no whole number")
    return revive(snapshot, game).snapshot()


def _check_generator(words: Sequence[int]) -> None:
    whole = all(type(word) is int and 0 <= word <= WORD for word in words)
    if not whole or len(words) != len(seed_words(0)) or not any(words):
        raise BadText(f"the generator is two words of 32 bits that are not both 0, not {quoted(str(list(words)))}")


def _check_stats(kind: type[Learner], stats: Mapping[str, int]) -> None:
    keys = (*COMMON_STATS, *kind.own_stats)
    if set(stats) != set(keys):
        odd = ", ".join(quoted(str(key)) for key in sorted(set(stats) ^ set(keys))[:3])
        raise BadText(f"the statistics of {kind.name} are {' '.join(keys)}; too many or missing: {odd}")
    for key, count in stats.items():
        limit = MOST_GAMES if key == "games" else LARGEST_COUNT
        if type(count) is not int or not 0 <= count <= limit:
            raise BadText(f"the statistic {key} is a count up to {limit:,}, not {quoted(str(count))}")
    ended = stats["first_wins"] + stats["second_wins"] + stats["draws"]
    if stats["games"] != ended:
        raise BadText(f"the statistics tell of {stats['games']:,} games, of which {ended:,} ended in some way")
