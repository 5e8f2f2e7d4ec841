"""The running statistics of a training as a small table of text, for the room there is."""

from collections.abc import Mapping
from typing import Final

from engine.game import Game
from learners.learner import Learner
from tui.figures import count_text, percent_text, short_count

ENDED: Final = {"draws": "draws", "first_wins": "{0} wins", "second_wins": "{1} wins"}
"""What the three ways that games end are called; `{0}` and `{1}` are the marks of the sides."""
FULL: Final = 65
"""The columns of the table with full names and shares."""
MIDDLE: Final = 44
"""The columns of the table with short names and full counts; below that, counts are rounded."""


def stats_table(stats: Mapping[str, int], learner: type[Learner], game: Game, room: int) -> str:
    """Three lines: how games ended on the left, games and the learner's own statistics on the right."""
    games = max(1, stats["games"])
    left = [
        (name.format(*game.marks), stats[key], f"{percent_text(stats[key] / games):>8}") for key, name in ENDED.items()
    ]
    right = [("games", stats["games"]), *((name, stats[key]) for key, name in learner.own_stats.items())]
    if room >= FULL:
        lefts = [f"{name:<8}{count_text(count):>13}{share}" for name, count, share in left]
        rights = [f"{name:<17}{count_text(count):>15}" for name, count in right]
    elif room >= MIDDLE:
        lefts = [f"{name:<7}{count_text(count):>11}" for name, count, _ in left]
        rights = [f"{name.split()[-1]:<9}{count_text(count):>14}" for name, count in right]
    else:
        lefts = [f"{name:<7}{short_count(count):>6}" for name, count, _ in left]
        rights = [f"{name.split()[-1]:<9}{short_count(count):>7}" for name, count in right]
    return "\n".join(f"{one}   {other}" for one, other in zip(lefts, rights, strict=True))
