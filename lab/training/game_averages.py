"""The games of a training on average: their length, and the share that was resigned."""

from collections.abc import Mapping
from typing import Final

from lab.text.numbers import percent_text

RESIGNED: Final = "resigned"
"""The key of the statistic for resigned games, which some learners have."""


def averages_per_game(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, float]:
    """The mean plies per game of a run, and the share of resigned games if the learner counts them.

    A rate in games per second depends on both. `before` and `after` are the statistics at the start and end of the run.
    """
    games = max(1, after["games"] - before["games"])
    found = {"plies_per_game": round((after["plies"] - before["plies"]) / games, 4)}
    if RESIGNED in after:
        found["resigned_share"] = round((after[RESIGNED] - before[RESIGNED]) / games, 6)
    return found


def averages_text(averages: Mapping[str, float]) -> str:
    """The result of `averages_per_game` in words."""
    plies = f"{averages['plies_per_game']:.2f} plies per game"
    return f"{plies}, {percent_text(averages['resigned_share'])} resigned" if "resigned_share" in averages else plies
