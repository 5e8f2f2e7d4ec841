"""The findings of a sweep so far, over two of its columns: a heat map, the best cell, and the curve of each cell.

The points of a cell can race, and one of its machines can be trained again.

cell   the machines with the same values in these two columns, named by the two values
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from math import isnan
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText
from engine.games import parse_game
from lab.race.race_text import ShownMeasure
from lab.sweep.pictures import HeatMap, medians, natural_key
from lab.training.setup import Setup
from learners import parse_learner
from learners.core.settings import SettingKind
from learners.race.entrants import MAX_ENTRANTS, Entrant, FindOpponent, parse_entrant
from learners.race.measures import band
from learners.race.race import MAX_MACHINES
from learners.sweep import analysis
from learners.sweep.layout import ROUNDS, SEED, WHO, Layout
from learners.sweep.point import Point, setting_text
from saves.sweeps.table import SweepTable

Cell = tuple[str, str]
"""The values of the two columns in a cell: of the one that runs across, then of the one that runs down."""
Axes = tuple[str, str]
"""The keys of the columns that run across and down."""


def axis_settings(learner: str, axes: Sequence[str]) -> dict[str, SettingKind]:
    """Return which of the axes are settings of a learner, by key. Raises `BadText` if there is no such learner."""
    settings = parse_learner(learner).spec.settings
    return {axis: settings[axis] for axis in axes if axis in settings}


@dataclass(frozen=True, eq=False)
class Findings:
    shown: ShownMeasure
    machines: analysis.Machines
    """The finished machines; the seed is one of the key columns."""
    heat: HeatMap
    """The medians after the last mark; empty while there are none."""
    best: Cell | None
    """The cell with the best median; `None` while there are no medians."""

    @property
    def axes(self) -> Axes:
        """The columns of the heat map."""
        return self.heat.across[0], self.heat.down[0]

    @cached_property
    def mark(self) -> int:
        """The last mark; 0 before any machine is finished."""
        return max(self.machines.marks, default=0)

    @cached_property
    def noun(self) -> str:
        """The noun for a round, if all learners use the same one; otherwise `round`."""
        names = self.machines.values["learner"]
        with suppress(BadText):  # a file may name a learner that this version does not have
            nouns = {parse_learner(name).spec.round_noun for name in names}
            return nouns.pop() if len(nouns) == 1 else "round"
        return "round"

    @cached_property
    def axis_settings(self) -> dict[str, SettingKind]:
        names = [*dict.fromkeys(self.machines.values["learner"])]
        with suppress(BadText):
            return axis_settings(names[0], self.axes) if len(names) == 1 else {}
        return {}

    def axis_title(self, number: int) -> str:
        """Return the title of an axis: a few words if the key is a known setting, otherwise the key."""
        axis = self.axes[number]
        if axis not in self.axis_settings:
            return axis
        return self.axis_settings[axis].title or axis

    def _is_in(self, cell: Cell) -> NDArray[np.bool_]:
        """Return for each row of the machines whether it belongs to a cell."""
        is_in = np.ones(len(self.machines.share), np.bool_)
        for axis, value in zip(self.axes, cell, strict=True):
            values = self.machines.values[axis]
            is_in &= self.machines.keys[axis] == (values.index(value) if value in values else -1)
        return is_in

    def curve(self, cell: Cell) -> list[tuple[int, analysis.Group]]:
        """Return the group of a cell's machines at each mark, ascending; empty if the cell has no machines."""
        is_in_cell = self._is_in(cell)
        groups = []
        for mark in self.machines.marks:
            shares = self.machines.share[is_in_cell & (self.machines.rounds == mark)]
            if not len(shares):
                continue
            low, median, high = band(shares[:, np.newaxis])[:, 0].tolist()
            if not isnan(median):
                groups.append((mark, analysis.Group(cell, len(shares), low, median, high)))
        return groups

    def seeds(self, cell: Cell) -> list[tuple[Mapping[str, str], int, float]]:
        """Return the machines of a cell, best first: values of the key columns, seed, and share after the last mark."""
        rows = np.flatnonzero(self._is_in(cell) & (self.machines.rounds == self.mark))
        sign = 1 if self.shown.measure.lower_is_better else -1
        order = sorted(rows.tolist(), key=lambda row: sign * float(np.nan_to_num(self.machines.share[row], nan=sign)))
        machines: list[tuple[Mapping[str, str], int, float]] = []
        for row in order:
            keys = {key: self.machines.values[key][codes[row]] for key, codes in self.machines.keys.items()}
            seed = int(keys.pop(SEED))
            machines.append((keys, seed, float(self.machines.share[row])))
        return machines

    def points(self, cell: Cell) -> list[Mapping[str, str]]:
        """Return the values of the key columns of each point in a cell, the one with the best machine first."""
        points: list[Mapping[str, str]] = []
        for keys, _, _ in self.seeds(cell):
            if keys not in points:
                points.append(keys)
        return points


def find(machines: analysis.Machines, shown: ShownMeasure, axes: Axes, grid: Mapping[str, Sequence[str]]) -> Findings:
    """Return the findings over two columns, whose values `grid` has, also those of which no machine is finished."""
    values = {axis: grid.get(axis) or sorted(machines.values[axis], key=natural_key) for axis in axes}
    last = machines.at(max(machines.marks, default=0))
    heat = medians(last, axes, shown.title, values, lower_is_better=shown.measure.lower_is_better)
    return Findings(shown, machines, heat, next(iter(heat.shares), None))


def grid_of(points: Sequence[Point], axes: Axes, *, sampled: bool) -> dict[str, Sequence[str]]:
    """Return the distinct values of each of the two columns, as they were written; if `sampled`, in natural order."""
    grid: dict[str, Sequence[str]] = {}
    for axis in axes:
        values = [*dict.fromkeys(_value(point, axis) for point in points)]
        grid[axis] = sorted(values, key=natural_key) if sampled else values
    return grid


def _value(point: Point, column: str) -> str:
    if column in WHO:
        return point.who[WHO.index(column)]
    settings = point.all_settings
    return setting_text(settings[column]) if column in settings else ""


class Gathering:
    """Reads the table of a sweep line by line, and finds what its lines so far show."""

    def __init__(self, layout: Layout, shown: ShownMeasure, texts: Iterable[str]) -> None:
        self.shown = shown
        columns = tuple(layout.columns)
        keys, wanted = _wanted_columns(columns, shown)
        self._pick = itemgetter(*map(columns.index, wanted))
        self._reader = analysis.MachinesReader(keys)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Add lines of the table. Raises `BadText`."""
        self._reader.add(map(self._pick, csv.reader(StringIO(text, newline=""))))

    def find(self, axes: Axes, grid: Mapping[str, Sequence[str]]) -> Findings:
        return find(self._reader.machines, self.shown, axes, grid)


def _wanted_columns(columns: Sequence[str], shown: ShownMeasure) -> tuple[list[str], list[str]]:
    """Return the key columns, and all columns to read. Raises `BadText` if `columns` are not those of a sweep."""
    keys = [*analysis.key_columns(columns), SEED]
    return keys, [*keys, ROUNDS, *analysis.needed_columns(shown.measure, shown.side, columns)]


def read_findings(path: Path, shown: ShownMeasure, axes: Axes | None, grid: Mapping[str, Sequence[str]]) -> Findings:
    """Return the findings of the table in a file, by default over the two columns that explain most of the variance.

    The sweep may be unfinished. Raises `LibraryError`, `BadText`.
    """
    table = SweepTable(path)
    keys, wanted = _wanted_columns(table.columns, shown)
    machines = analysis.read_machines(keys, table.rows(wanted))
    return find(machines, shown, axes or _usual_axes(machines), grid)


def _usual_axes(machines: analysis.Machines) -> Axes:
    """Return the two columns that explain most variance; those with one value come last, settings first among them."""
    explained = analysis.importance(machines.at(max(machines.marks, default=0)))
    unexplained = reversed([key for key in machines.keys if key not in explained])
    across, down = [key for key in (*explained, *unexplained) if key != SEED][:2]
    return across, down


def entrants_of(findings: Findings, cell: Cell, find_opponent: FindOpponent) -> tuple[Entrant, ...]:
    """Return the points of a cell as entrants of a race.

    If the cell has only one point, add the best point of the best cell. Raises `BadText`, and what `find_opponent`
    raises.
    """
    points = findings.points(cell)
    if len(points) == 1 and findings.best not in (None, cell):
        points += findings.points(findings.best)[:1]
    game, entrants = parse_game(points[0]["game"]), dict[str, Entrant]()
    for point in points[:MAX_ENTRANTS]:
        entrant = parse_entrant(entrant_text_of(point), game, find_opponent)
        entrants.setdefault(entrant.text, entrant)
    return tuple(entrants.values())


def race_seeds(findings: Findings, cell: Cell) -> range:
    """Return the seeds for a race of a cell, from its smallest to its largest, cut to as many as a race can have."""
    seeds = [seed for _, seed, _ in findings.seeds(cell)]
    return range(min(seeds), max(seeds) + 1)[:MAX_MACHINES]


def race_games(findings: Findings, cell: Cell) -> int | None:
    """Return the number of games for a race of a cell; `None` if the rounds of its learner are not games."""
    in_games = parse_learner(findings.points(cell)[0]["learner"]).spec.round_noun == "game"
    return findings.curve(cell)[-1][0] if in_games else None


def entrant_text_of(point: Mapping[str, str]) -> str:
    """Return a point as the text of an entrant; the point is given by the values of its key columns."""
    settings = "".join(f"+{key}={value}" for key, value in _settings(point).items())
    return f"{point['learner']}:{point['preset']}/{point['opponent']}{settings}"


def setup_of(point: Mapping[str, str], seed: int, rounds: int, name: str) -> Setup:
    """Return the training that makes a machine of a point again, to be saved under `name`. Raises `BadText`."""
    kind = parse_learner(point["learner"])
    settings = {key: kind.spec.parse_setting(key, value) for key, value in _settings(point).items()}
    return Setup(kind, parse_game(point["game"]), point["preset"], rounds, seed, name, point["opponent"], settings)


def _settings(point: Mapping[str, str]) -> dict[str, str]:
    """Return the settings among the key columns, except those that are empty, since the learner does not have them."""
    return {key: value for key, value in point.items() if key not in WHO and value}
