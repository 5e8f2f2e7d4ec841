"""The unit of work of a sweep: some machines of one point, trained and judged at their marks.

A batch goes to a worker, in another process or on another machine, and its rows come back as compressed text. They
depend only on the batch: not on the worker, nor on how the seeds of a point are divided into batches.
"""

import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from math import isnan
from platform import node
from time import perf_counter
from typing import Final

import numpy as np

from engine.game import Side
from engine.stop import never
from learners import parse_learner
from learners.core.learner import BOTH, Learner
from learners.core.player import Player
from learners.race.measures import EXACT, Floats, judging_of
from learners.sweep.layout import COUNTS, SIDES, Layout, cell, result_columns
from learners.sweep.point import Point, opponent_of, setting_text
from learners.sweep.program import OtherProgram, program

DIGITS: Final = 12
"""Decimal places of chances, as in the JSON of `evaluate`. They hide the rounding errors of different processors."""
COMPRESSION: Final = 1
"""The level of zlib. Rows become five times smaller, in less than a hundredth of the time of the training."""
MAX_LINES: Final = 20_000
"""The maximum number of rows of a batch with more than one machine."""
MAX_TEXT: Final = 2**26
"""The size limit of the lines of a batch, in bytes: three times what `MAX_LINES` usually take."""


@dataclass(frozen=True)
class Batch:
    number: int
    """The number of the point."""
    point: Point
    seeds: range
    marks: tuple[int, ...]
    """The numbers of rounds at which to judge, ascending."""
    layout: Layout
    program: str = field(default_factory=program)


@dataclass(frozen=True)
class Rows:
    number: int
    """The number of the point."""
    seeds: range
    packed: bytes
    """The lines of the table, by seed and mark, compressed."""
    seconds: float
    """The time that training and judging took."""

    @property
    def text(self) -> str:
        return unpack(self.packed)


def unpack(packed: bytes) -> str:
    """Return the decompressed lines. Raises `zlib.error`, `ValueError`."""
    decompressor = zlib.decompressobj()
    text = decompressor.decompress(packed, MAX_TEXT)
    if not decompressor.eof:
        raise ValueError(f"the lines are cut off, or longer than {MAX_TEXT:,} bytes")
    return text.decode()


@lru_cache(maxsize=16)
def _prepare_opponent(point: Point) -> Player | None:
    """Return the opponent of a point, after compiling its kernels or loading them from their cache."""
    opponent = opponent_of(point)
    machine = point.machine(0, opponent)
    machine.train(0)
    judging = judging_of(point.game)
    if judging is EXACT:
        judging.judge(machine, machine.policy, never)
    return opponent


def run_batch(batch: Batch) -> Rows:
    """Train the machines of a batch; judge each at its marks. Raises `OtherProgram` for a batch of another program."""
    if batch.program != program():
        raise OtherProgram(f"the worker on {node()} runs {program()}, but the sweep is one of {batch.program}")
    opponent = _prepare_opponent(batch.point)
    start, judging = perf_counter(), judging_of(batch.point.game)
    lines = _Lines(batch.point, batch.layout)
    for seed in batch.seeds:
        machine, trained_sides = batch.point.machine(seed, opponent), tuple[Side, ...]()
        for mark in batch.marks:
            missing_rounds = mark - machine.rounds
            if missing_rounds > 0 and not machine.perfect:
                machine.train(missing_rounds)
            if len(trained_sides) < len(machine.training_sides):
                trained_sides = machine.trained_sides
            lines.add(machine, mark, judging.judge(machine, machine.policy, never), trained_sides)
    text = "".join(lines.texts).encode()
    if len(text) > MAX_TEXT:
        raise ValueError(f"{len(lines.texts):,} rows take {len(text):,} bytes, more than {MAX_TEXT:,}")
    packed = zlib.compress(text, COMPRESSION)
    return Rows(batch.number, batch.seeds, packed, perf_counter() - start)


class _Lines:
    """Writes the rows of the machines of a point, as lines of CSV."""

    def __init__(self, point: Point, layout: Layout) -> None:
        settings, judging = point.all_settings, judging_of(point.game)
        self.texts: list[str] = []
        self._who = "".join(f"{cell(text)}," for text in point.who)
        self._settings = "".join(f"{cell(settings.get(key))}," for key in layout.settings)
        self._statistics = tuple(layout.statistics)
        self._results = [list(result_columns(judging, side)) for side in SIDES]
        self._counts = COUNTS if judging is EXACT else ()
        self._json_stats = parse_learner(point.learner).spec.json_stats

    def add(self, machine: Learner, mark: int, judged: Floats, trained_sides: Collection[Side]) -> None:
        """Add the row of a machine at a mark; `trained_sides` are those that training has taught it."""
        stats = self._json_stats(machine.stats())
        rounded: list[list[float]] = (np.round(judged, DIGITS) + 0.0).tolist()
        cells = [f"{self._who}{machine.seed},{self._settings}{mark}"]
        cells += [setting_text(stats[key]) if key in stats else "" for key in self._statistics]
        for side, results in zip(BOTH, rounded, strict=True):
            for column in self._counts:
                results[column] = int(results[column])
            cells += ["" if isnan(results[column]) else repr(results[column]) for column in self._results[side]]
            cells.append("false" if side in trained_sides else "true")
        self.texts.append(",".join(cells) + "\n")
