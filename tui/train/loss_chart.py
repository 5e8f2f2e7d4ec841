"""The chart of a training: the share of games that a learner loses, exactly, to whom, over its rounds."""

from collections.abc import Mapping
from typing import Final

from engine.game import Side
from lab.training.exact_history import Exact
from lab.words.numbers import percent_text
from tui.widgets.line_chart import Points, Series

OPPONENTS: Final = {
    "perfect": ("perfect play", "perfect", "p"),
    "random": ("random play", "random", "r"),
    "best_responder": ("one who knows it by heart", "by heart", "b"),
}
"""By key of the exact results: the words at a curve's end, fewer words for little room, and the curve's letter."""
ROOMY: Final = 72
"""The columns from which on the words at the curves' ends are whole."""
EARLIER: Final = "earlier"


def loss_points(known: Mapping[int, Exact], side: Side, opponent: str) -> Points:
    """The share of games lost to an opponent as one side after each number of rounds that is known, from 1."""
    key = side.name.lower()
    return [(rounds, exact[key].against[opponent].loss) for rounds, exact in known.items() if rounds and key in exact]


def loss_series(
    known: Mapping[int, Exact],
    side: Side,
    colours: Mapping[str, str],
    width: int,
    ghost: Mapping[int, Exact] | None = None,
) -> list[Series]:
    """A curve for each opponent, labelled with its last value; behind them, dim, the curves of an earlier training.

    `colours` holds a style by key of the exact results. `width` is the number of columns of the chart.
    """
    found = []
    for opponent, (words, few, letter) in OPPONENTS.items():
        points = loss_points(known, side, opponent)
        name = words if width >= ROOMY else few
        label = f"{name} {percent_text(points[-1][1])}" if points else name
        found.append(Series(label, points, colours[opponent], letter))
    for opponent, (words, few, letter) in OPPONENTS.items() if ghost else ():
        points = loss_points(ghost, side, opponent) if ghost else []
        name = words if width >= ROOMY else few
        label = f"{EARLIER}: {name} {percent_text(points[-1][1])}" if points else ""
        found.append(Series("" if known and max(known) else label, points, colours[opponent], letter, dim=True))
    return found
