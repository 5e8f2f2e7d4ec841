"""The results of a sweep: medians and bands of groups of machines, and the setting that matters most.

A measure is one of those of a race, for one side or as the mean of both. A side that was not trained does not count.
"""

from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText, Side, quoted
from learners.core.snapshot import MAX_LEARNER_ROUNDS
from learners.race.measures import JUDGED, LOSS_MEASURES, MEASURES, Floats, Measure, band
from learners.sweep.layout import RESULTS, ROUNDS, SEED, SIDES, UNTRAINED, WHO, result_column, sampled_column

Codes = NDArray[np.int64]
NAN: Final = float("nan")


def key_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that identify the point of a machine: `WHO`, and the settings. Raises `BadText`."""
    if tuple(columns[: len(WHO) + 1]) != (*WHO, SEED) or ROUNDS not in columns:
        raise BadText(f"its columns are not those of a sweep, which begin with {', '.join(WHO)}, {SEED}")
    is_sampled = sampled_column(SIDES[0], LOSS_MEASURES[0]) in columns
    missing = [column for column in RESULTS if column not in columns]
    if missing and not is_sampled:
        raise BadText(f"it has no column {quoted(missing[0])}")
    return *WHO, *columns[len(WHO) + 1 : columns.index(ROUNDS)]


def needed_columns(measure: Measure, side: Side | None, columns: Collection[str]) -> tuple[str, ...]:
    """Return the columns of a table from which a measure is computed.

    For each side, these are its share, and whether it is untrained. Raises `BadText` for a measure without columns.
    """
    needed = list[str]()
    sides = tuple(Side) if side is None else (side,)
    for each in sides:
        name = each.name.lower()
        share, untrained = sampled_column(name, measure), f"{name}_{UNTRAINED}"
        if measure in MEASURES:
            exact_share = result_column(name, *JUDGED[measure.column])
            if exact_share in columns:
                share = exact_share
        if share not in columns or untrained not in columns:
            raise BadText(f"it does not have the measure {quoted(measure.name)}: choose another")
        needed += [share, untrained]
    return tuple(needed)


@dataclass(frozen=True, eq=False)
class Machines:
    """A measure of the machines of a sweep, a row for each machine and mark: r rows."""

    keys: Mapping[str, Codes]
    """For each key column the number of its value in each row, shape (r,)."""
    values: Mapping[str, tuple[str, ...]]
    """For each key column its distinct values, in the order in which they first occur."""
    rounds: Codes
    """The mark, shape (r,)."""
    share: Floats
    """The measure, shape (r,); NaN where no side was trained."""
    sides: Codes
    """The number of sides that the measure is the mean of, shape (r,)."""

    @property
    def varying_keys(self) -> tuple[str, ...]:
        """The key columns with more than one value."""
        return tuple(key for key, values in self.values.items() if len(values) > 1)

    @property
    def comparable(self) -> bool:
        """Whether the measure is the mean of the same number of sides in every row, so that rows can be compared."""
        return len(np.unique(self.sides)) <= 1

    @property
    def marks(self) -> tuple[int, ...]:
        return tuple(np.unique(self.rounds).tolist())

    def at(self, mark: int) -> "Machines":
        """Return the rows of one mark."""
        rows = self.rounds == mark
        keys = {key: codes[rows] for key, codes in self.keys.items()}
        return Machines(keys, self.values, self.rounds[rows], self.share[rows], self.sides[rows])


class MachinesReader:
    """Gathers machines from rows that come in piece by piece."""

    def __init__(self, keys: Sequence[str]) -> None:
        """Expect rows with the cells of these key columns, `rounds`, and `needed_columns`."""
        self._keys = tuple(keys)
        self._numbered: list[dict[str, int]] = [{} for _ in keys]
        self._codes = [array("q") for _ in keys]
        self._rounds, self._share, self._sides = array("q"), array("d"), array("q")

    def add(self, rows: Iterable[Sequence[str]]) -> None:
        """Add some rows. Raises `BadText` for a cell that is not a number."""
        count = len(self._keys)
        for row in rows:
            for cell, seen, column in zip(row, self._numbered, self._codes, strict=False):
                column.append(seen.setdefault(cell, len(seen)))
            shares = list[float]()
            try:
                mark = int(row[count])
                for share, untrained in zip(row[count + 1 :: 2], row[count + 2 :: 2], strict=True):
                    if untrained != "true":
                        shares.append(float(share) if share else NAN)
            except ValueError as error:
                raise BadText(f"a cell of the table is not a number: {error}") from error
            if not (1 <= mark <= MAX_LEARNER_ROUNDS and all(each is NAN or 0 <= each <= 1 for each in shares)):
                raise BadText(f"a row of the table has {quoted(row[count])} rounds, or a share that is not from 0 to 1")
            self._rounds.append(mark)
            self._share.append(sum(shares) / len(shares) if shares else NAN)
            self._sides.append(len(shares))

    @property
    def machines(self) -> Machines:
        """All machines so far; rows that are added later do not change them."""
        return Machines(
            {key: np.array(column, np.int64) for key, column in zip(self._keys, self._codes, strict=True)},
            {key: tuple(seen) for key, seen in zip(self._keys, self._numbered, strict=True)},
            np.array(self._rounds, np.int64),
            np.array(self._share, np.float64),
            np.array(self._sides, np.int64),
        )


def read_machines(keys: Sequence[str], rows: Iterable[Sequence[str]]) -> Machines:
    """Return the machines of rows, as `MachinesReader` reads them. Raises `BadText`."""
    reader = MachinesReader(keys)
    reader.add(rows)
    return reader.machines


@dataclass(frozen=True)
class Group:
    values: tuple[str, ...]
    machines: int
    low: float
    median: float
    high: float


def groups(machines: Machines, by: Sequence[str], *, lower_is_better: bool) -> list[Group]:
    """Return the groups by some columns, best median first; those without any share last. Raises `BadText`."""
    for key in by:
        if key not in machines.keys:
            raise BadText(f"no column {quoted(key)} to group by; there are {', '.join(machines.keys)}")
    group = _number_rows([machines.keys[key] for key in by], len(machines.share))
    order = np.argsort(group, kind="stable")
    result = []
    for rows in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        if not len(rows):
            continue
        low, median, high = band(machines.share[rows][:, np.newaxis])[:, 0].tolist()
        values = tuple(machines.values[key][machines.keys[key][rows[0]]] for key in by)
        result.append(Group(values, len(rows), low, median, high))
    sign = 1 if lower_is_better else -1
    return sorted(result, key=lambda each: (np.isnan(each.median), sign * each.median))


def _number_rows(columns: Sequence[Codes], rows: int) -> Codes:
    """Return a number for each row: the same for rows with the same values in all columns, shape (rows,)."""
    number = np.zeros(rows, np.int64)
    for column in columns:
        values = int(column.max(initial=0)) + 1
        _, number = np.unique(number * values + column, return_inverse=True)
    return number


def variance_explained(machines: Machines, key: str) -> float:
    """Return the share of the variance between machines that the values of one column explain, from 0 to 1.

    This is a one-way decomposition: the sum of squares between the means of the values, divided by the total sum of
    squares. NaN if all machines have the same share.
    """
    known = ~np.isnan(machines.share)
    share, codes = machines.share[known], machines.keys[key][known]
    if not len(share):
        return NAN
    count = np.bincount(codes)
    mean = np.bincount(codes, share) / np.maximum(count, 1)
    total = float(((share - share.mean()) ** 2).sum())
    between = float((count * (mean - share.mean()) ** 2).sum())
    if total <= 1e-20 * len(share):
        return NAN
    return min(1.0, between / total)


def importance(machines: Machines) -> Mapping[str, float]:
    """Return the share of the variance that each varying column explains, the largest first."""
    shares = {key: variance_explained(machines, key) for key in machines.varying_keys}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))
