"""The tables of the failure-based kernel: m edges, r positions that are not over.

walk  the table that a game reads: for each of these positions its head, and then a row for each of its moves. So a ply
      reads from one place only. The order of positions keeps those of one game close together: see `kernel_order`
head  the place of a position in `walk`, where its word stands
word  `EXCLUDED` × the number of excluded moves + `DEAD` if every move is recorded + the number of candidates
row   the head of the position that the move leads to, or how the game ends there: see `kernel_games`. The rows of a
      position begin with its candidates, ascending
"""

from typing import Final, NamedTuple

from learners.core.kernel_tables import Counts, Table

DEAD: Final = 2**15
EXCLUDED_BITS: Final = 16
EXCLUDED: Final = 2**EXCLUDED_BITS


class FailureRules(NamedTuple):
    """The settings as integers, 1 for true."""

    rounded: int
    walk_back: int


class WalkPath(NamedTuple):
    """The moves of one game, shape (longest game,) each."""

    head: Table
    """The head of each position, as an index of `walk`."""
    row: Table
    """The row of each move, as an index of `walk`; −1 once it is recorded."""
    edge: Table
    """The edge of each move, of the last game only."""


class Database(NamedTuple):
    """The memory and the statistics, which the kernel changes."""

    memory: Counts
    """For each edge, 0 if it is not recorded, otherwise k for the k-th recorded failure, shape (m,)."""
    tally: Counts
    """Counts of all games: those that ended by each `Outcome`, then `PLIES`, `AVOIDED`, `ENTRIES`; shape (6,)."""
    path: WalkPath
    """A buffer for the moves of one game."""


class FailureTables(NamedTuple):
    """The database, with the tables derived from it: the moves to pick from."""

    database: Database
    walk: Table
    """Heads and rows, shape (r + m,); the head of the first position comes first."""
    edge: Table
    """The edge of each row, at the same index; shape (r + m,)."""
