"""The tables of the failure-based kernel, m edges and n positions."""

from typing import NamedTuple

from learners.core.kernel_tables import Counts, Table


class FailureRules(NamedTuple):
    """The settings as integers, 1 for true."""

    rounded: int
    walk_back: int


class Database(NamedTuple):
    """The memory and the statistics, which the kernel changes."""

    memory: Counts
    """For each edge 0 while it is open, else k for the k-th failure that was recorded, shape (m,)."""
    tally: Counts
    """Counts of all games: those that ended by each `Outcome`, then `PLIES`, `AVOIDED`, `ENTRIES`; shape (6,)."""
    path: Table
    """The edges of one game, shape (longest game,)."""


class FailureTables(NamedTuple):
    """The database with what follows from it: the moves to pick from."""

    database: Database
    node: Table
    """For each position: first row of `options`, candidates, excluded moves, state; shape (n, 4)."""
    options: Table
    """Rows of (target, edge). The rows of a position begin with its candidates, ascending; shape (m, 2)."""
