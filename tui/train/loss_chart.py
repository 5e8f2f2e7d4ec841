"""The curves of a training: the share of games that a learner loses to each opponent, exactly, over its rounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.game import Side
from lab.training.exact_results import ExactResults
from lab.words.numbers import percent_text
from lab.words.opponent_names import IN_SENTENCES, TELLING
from tui.widgets.line_chart import Points, Series


@dataclass(frozen=True)
class Opponent:
    """An opponent of the exact results, as the chart names and draws it."""

    name: str
    short_name: str
    """For a chart with few columns."""
    letter: str
    """Draws its curve where there are no colours."""
    colour: str
    """A colour of the theme."""


OPPONENTS: Final = {
    key: Opponent(IN_SENTENCES[key], TELLING[key], letter, colour)
    for key, letter, colour in (
        ("perfect", "p", "foreground"),
        ("random", "r", "success"),
        ("best_responder", "b", "error"),
    )
}
"""By key of the exact results."""
FULL_NAMES: Final = 72
"""The number of columns from which the labels have full names."""


def loss_points(known: Mapping[int, ExactResults], side: Side, opponent: str) -> Points:
    """The share of games lost to an opponent as one side, after each known number of rounds from 1."""
    key = side.name.lower()
    return [(rounds, exact[key].against[opponent].loss) for rounds, exact in known.items() if rounds and key in exact]


def loss_series(
    known: Mapping[int, ExactResults], side: Side, colours: Mapping[str, str], columns: int, *, ghost: bool = False
) -> list[Series]:
    """A curve for each opponent, labelled with its last value; with `ghost` dim, as the curves of an earlier training.

    `colours` has the style of each colour of the theme; `columns` is the width of the chart.
    """
    found = []
    for key, opponent in OPPONENTS.items():
        points = loss_points(known, side, key)
        name = opponent.name if columns >= FULL_NAMES else opponent.short_name
        label = f"{name} {percent_text(points[-1][1])}" if points else ""
        found.append(Series(label, points, colours[opponent.colour], opponent.letter, dim=ghost))
    return found


def branch_series(
    branches: Mapping[str, Mapping[int, ExactResults]], side: Side, opponent: str, styles: Mapping[str, str]
) -> list[Series]:
    """A curve for each branch of a training, by its label: the losses to one opponent."""
    found = []
    for number, (label, known) in enumerate(branches.items(), 1):
        points = loss_points(known, side, opponent)
        text = f"{label} {percent_text(points[-1][1])}" if points else label
        found.append(Series(text, points, styles[label], str(number)))
    return found
