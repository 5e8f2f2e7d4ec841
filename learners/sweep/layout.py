"""The columns of the table of a sweep: what a machine is, its rounds and statistics, and its results.

A row is a machine at a mark. The table is text in CSV. Workers write their rows in their final form, so the process
that gathers them only has to put them in order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.game import Side
from learners import parse_learner
from learners.core.settings import Rate, Setting
from learners.race.measures import EXACT, JUDGED, Judging, Measure, judging_of
from learners.sweep.point import Point, setting_text

WHO: Final = ("learner", "preset", "game", "opponent")
SEED: Final = "seed"
ROUNDS: Final = "rounds"
UNTRAINED: Final = "untrained"
MOVES_COLUMNS: Final = {"perfect": "perfect_moves", "losing": "losing_pairs"}
"""The names of the results about moves, by their names in `JUDGED`, where they differ."""


class ColumnType(StrEnum):
    TEXT = "text"
    WHOLE = "whole"
    NUMBER = "number"
    FLAG = "flag"


def result_column(side: str, opponent: str, chance: str) -> str:
    """Return the column of an exact result, named as in the JSON of `evaluate`: `first_random_loss`."""
    if opponent == "moves":
        return f"{side}_{MOVES_COLUMNS.get(chance, chance)}"
    return f"{side}_{opponent}_{chance}"


def result_columns(judging: Judging, side: str) -> dict[int, str]:
    """Return the columns of the results as a side, by the index of each number that a machine is judged by."""
    if judging is EXACT:
        return {number: result_column(side, *each) for number, each in enumerate(JUDGED)}
    return {each.column: sampled_column(side, each) for each in judging.measures}


def sampled_column(side: str, measure: Measure) -> str:
    """Return the column of a sampled result: `first_loss_random`."""
    return f"{side}_{measure.name.replace('-', '_').replace(':', '_')}"


SIDES: Final = tuple(side.name.lower() for side in Side)
COUNTS: Final = tuple(number for number, (_, chance) in enumerate(JUDGED) if chance in ("decisions", "losing"))
"""The exact results that are whole numbers."""


def results_of(judging: Judging) -> dict[str, ColumnType]:
    """Return the type of each result, by column."""
    counts = COUNTS if judging is EXACT else ()
    types: dict[str, ColumnType] = {}
    for side in SIDES:
        for number, column in result_columns(judging, side).items():
            types[column] = ColumnType.WHOLE if number in counts else ColumnType.NUMBER
        types[f"{side}_{UNTRAINED}"] = ColumnType.FLAG
    return types


RESULTS: Final = results_of(EXACT)


@dataclass(frozen=True)
class Layout:
    """The columns that depend on the sweep."""

    settings: Mapping[str, ColumnType]
    """The type of each setting that varies or was given, by key."""
    statistics: Mapping[str, ColumnType]
    results: Mapping[str, ColumnType]
    """The type of each result, by column."""

    def statistic_column(self, key: str) -> str:
        """Return the column of a statistic: its key, or `beads_statistic` if there is also a setting `beads`."""
        return f"{key}_statistic" if key in self.settings else key

    @property
    def columns(self) -> dict[str, ColumnType]:
        return {
            **dict.fromkeys(WHO, ColumnType.TEXT),
            SEED: ColumnType.WHOLE,
            **self.settings,
            ROUNDS: ColumnType.WHOLE,
            **{self.statistic_column(key): kind for key, kind in self.statistics.items()},
            **self.results,
        }

    @property
    def header(self) -> str:
        return ",".join(map(cell, self.columns)) + "\n"


def layout_of(points: Sequence[Point]) -> Layout:
    all_settings = [point.all_settings for point in points]
    given = {key for point in points for key, _ in point.settings}
    learners = list(dict.fromkeys(point.learner for point in points))
    specs = [parse_learner(name).spec for name in learners]
    rates = {key for spec in specs for key, kind in spec.settings.items() if isinstance(kind, Rate)}
    settings: dict[str, ColumnType] = {}
    for key in dict.fromkeys(key for spec in specs for key in spec.settings):
        values = [each[key] for each in all_settings if key in each]
        if key in given or len(set(values)) > 1:
            settings[key] = _column_type(values, is_rate=key in rates)
    statistics: dict[str, ColumnType] = {}
    for spec in specs:
        statistics |= dict.fromkeys(spec.stat_keys, ColumnType.WHOLE)
        for own in spec.statistics:
            if own.flag:
                statistics[own.key] = ColumnType.FLAG
            elif own.parts > 1:
                statistics[own.key] = ColumnType.NUMBER
    return Layout(settings, statistics, results_of(judging_of(points[0].game)))


def _column_type(values: Iterable[Setting], *, is_rate: bool) -> ColumnType:
    types = {type(value) for value in values}
    if types == {bool}:
        return ColumnType.FLAG
    if types == {int}:
        return ColumnType.WHOLE
    return ColumnType.NUMBER if is_rate else ColumnType.TEXT


def cell(value: object) -> str:
    """Return a value as a cell of CSV; empty for `None`."""
    if value is None:
        return ""
    text = setting_text(value)
    if not any(letter in text for letter in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'
