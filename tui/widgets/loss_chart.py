"""The curves of a training: the exact share of games that the learner loses to each opponent, over the rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.game import Side
from lab.results.exact_results import ExactResults
from lab.results.score_lines import READER, TELLING
from lab.text.axes import Points
from lab.text.curves import Series
from lab.text.numbers import percent_text


@dataclass(frozen=True)
class Opponent:
    """How the chart names and draws the results against one opponent."""

    name: str
    short_name: str
    """The name in a narrow chart."""
    letter: str
    """The character of its curve on a terminal without colours."""
    colour: str
    """The name of a colour of the theme."""


OPPONENTS: Final = {
    "perfect": Opponent("perfect play", TELLING["perfect"], "p", "foreground"),
    "random": Opponent("random play", TELLING["random"], "r", "role-good"),
    "best_responder": Opponent(READER, READER, "R", "role-bad"),
}
"""The opponents by their keys in `ExactResults.against`."""
SHARE_WIDTH: Final = len("99.9 %")
"""The width of a share at the end of a curve, so that the plot keeps its width."""
FULL_NAMES_FROM: Final = 65
"""The minimum width of a chart, in columns, whose labels have full names."""


def loss_points(known: Mapping[int, ExactResults], side: Side, opponent: str) -> Points:
    """Return the share of games lost as `side` to an opponent, after each number of rounds in `known` from 1 on."""
    key = side.name.lower()
    return [(rounds, exact[key].against[opponent].loss) for rounds, exact in known.items() if rounds and key in exact]


def loss_series(
    known: Mapping[int, ExactResults], side: Side, colours: Mapping[str, str], columns: int, *, ghost: bool = False
) -> list[Series]:
    """Return a curve for each opponent, labelled with its last value; dim if `ghost`, for an earlier training.

    `colours` maps the name of each colour to a Rich style; `columns` is the width of the chart.
    """
    curves = []
    for key, opponent in OPPONENTS.items():
        points = loss_points(known, side, key)
        name = opponent.name if columns >= FULL_NAMES_FROM else opponent.short_name
        label = _curve_label(name, points)
        curves.append(Series(label, points, colours[opponent.colour], opponent.letter, dim=ghost))
    return curves


def branch_series(
    branches: Mapping[str, Mapping[int, ExactResults]], side: Side, opponent: str, styles: Mapping[str, str]
) -> list[Series]:
    """Return the curves of a training and of its branch: the losses as `side` to one opponent.

    `branches` has the results of both, by label; `styles` has their styles, by label.
    """
    curves = []
    for number, (label, known) in enumerate(branches.items(), 1):
        points = loss_points(known, side, opponent)
        curves.append(Series(_curve_label(label, points), points, styles[label], str(number)))
    return curves


def _curve_label(name: str, points: Points) -> str:
    """Return a name with the last share of its curve."""
    share = percent_text(points[-1][1]) if points else ""
    return f"{name} {share:<{SHARE_WIDTH}}"
