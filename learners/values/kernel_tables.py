"""The tables of the kernel for learned values.

slot  what has a value of its own: a move, or the position after it; the moves that share it share its slot
worth  the value of a slot for the side that makes the move, in parts of `WIN + LOSS`, from `LOSS` to `WIN`
row    one slot that can be chosen in a position
"""

from typing import Final, NamedTuple

from learners.core.kernel_tables import Bytes, Counts, Table

LOSS: Final = 1
"""What a loss is worth; 0 in a memory stands for a slot of which nothing is known."""
DRAW: Final = 2**29
WIN: Final = 2**30 - LOSS
"""What a win is worth. What is worth v to one side is worth `WIN + LOSS` − v to the other."""
PART: Final = 2**31 - 1
"""Added before a division by 2^31, to round up. Settings from 0 to 1 are multiplied by 2^31, `explore` by 2^32."""

OWN: Final = 0
THEIRS: Final = 1
OVER: Final = 2
"""The state of a position: the learner moves, or its opponent; else `OVER` + outcome."""

BEST: Final = 0
CHOSEN: Final = 1
GREEDY: Final = 2
"""What a slot is moved towards: the best value of the next position; that of the move made there; or the same, but
only if that move has the best value."""


class Walk(NamedTuple):
    """Where the moves of n positions lead."""

    node: Table
    """For each position: its first row, the row after its last, its state; shape (n, 3)."""
    row: Table
    """For each row: its slot, the position that it leads to, its edge; shape (rows, 3)."""
    bound: Counts
    """For each row of an opponent's move: a draw below this chooses the row or an earlier one, shape (rows,)."""


class Rules(NamedTuple):
    """The settings as integers."""

    explore: int
    """The chance of any move at first, in parts of 2^32."""
    explore_end: int
    """The same at the end."""
    explore_games: int
    """Over how many games the chance changes from `explore` to `explore_end`."""
    rate: int
    """The part of the difference by which a value changes, in parts of 2^31."""
    average: int
    """1 to average the first values of a slot, until `rate` is the larger part."""
    trace: int
    """The weight of what comes after the next move, in parts of 2^31."""
    toward: int
    """`BEST`, `CHOSEN` or `GREEDY`."""
    ahead: int
    """How many plies later the move is whose value a slot is moved towards: 1 or 2."""


class Path(NamedTuple):
    """The moves of one game, shape (longest game,) each."""

    slot: Table
    """The slot of each move; below 0 for a move that is not learned from."""
    edge: Table
    """The edge of each move."""
    best: Table
    """The best value in the position before each move."""
    value: Table
    """The value of each slot before the game was learned from."""
    goal: Table
    """What each slot was moved towards; its value where it was left alone."""


class ValueTables(NamedTuple):
    """What the kernel changes while it learns."""

    worth: Table
    """The value of each slot, shape (slots,)."""
    known: Bytes
    """1 for a slot of which something was learned, shape (slots,)."""
    visits: Counts
    """How often the moves of each slot were made, shape (slots,)."""
    times: Counts
    """How often each move was made, at the edge that stands for it, shape (m,)."""
    cell: Table
    """The edge that stands for each edge, shape (m,)."""
    tally: Counts
    """Counts of all games: those that ended by each `Outcome`, then `PLIES`; shape (4,)."""
    path: Path
    """Room for the moves of one game."""
