"""The tables of the kernel for n-tuple networks. All numbers are integers, so that every machine learns the same.

tuple    a fixed set of squares
pattern  what stands on the squares of a tuple; it has two weights, one for each side that may be to move
view     a tuple seen through a symmetry of the board; all views of a tuple share its weights
unit     squares that are described together: a column into which pieces fall, or else a single square
code     the pieces of a unit, as a binary number: 1 while it is empty; each piece of side s changes it to 2 × code + s
index    the place of a pattern among those of all tuples: the sum of one part for each unit

A value is what a position is worth to the first side: from −`ONE` for a loss to `ONE` for a win. A position that is not
over has the value tanh of the sum of the weights of its patterns.
"""

from typing import Final, NamedTuple

from learners.core.kernel_tables import Counts, Table

ONE: Final = 2**30
"""The value of a won game."""
WEIGHT: Final = 2**24
"""A weight of 1."""
FINER_BITS: Final = 6
"""The binary logarithm of how many times finer values are than weights."""
MAX_WEIGHT: Final = 2**30
"""The largest absolute weight, 64. A sum of them fits an integer of 64 bits."""
CURVE_SHIFT: Final = 13
"""`Net.curve` has an entry for every 2^13th sum of weights."""
LARGEST_SUM: Final = 8
"""Beyond this sum of weights the value hardly changes."""
SCALE: Final = 2**31
"""Settings from 0 to 1 are multiplied by this; the chance to explore, by 2^32."""
FADED: Final = SCALE // 64
"""A trace below this is forgotten."""

ROW_WINS: Final = 2
"""The value of `PlayoutRules.completed` in a game in which whoever completes a row wins."""


class Net(NamedTuple):
    """A network with v views of its tuples, on a board with u units of h squares each."""

    weights: Table
    """The weights of all patterns with the first side to move, then those with the second; shape (2 × patterns,)."""
    start: Table
    """The index of each view on the empty board, shape (v,)."""
    part: Table
    """The part of each unit and code in the index of each view, shape (u, 2^(h+1), v)."""
    square: Table
    """The squares of each unit, in the order in which they are filled, shape (u, h)."""
    unit: Table
    """The unit of each square."""
    curve: Counts
    """tanh from 0 to `LARGEST_SUM`, in steps of 2^CURVE_SHIFT / WEIGHT."""


class Learning(NamedTuple):
    """The settings as integers."""

    explore: int
    """The probability of a random move in the first game, in parts of 2^32."""
    explore_end: int
    rate: int
    """The learning rate of each weight in the first game, times `SCALE`."""
    rate_end: int
    change_games: int
    """After how many games `explore_end` and `rate_end` are reached."""
    trace: int
    """How much of a trace is left after another ply, times `SCALE`."""
    replacing: int
    """1 if a pattern that occurs again renews its trace, 0 if the traces add up."""
    resetting: int
    """1 if a move made to explore ends all traces."""


class PatternPath(NamedTuple):
    """The positions of one game, with room for the longest."""

    patterns: Table
    """The index of the pattern of each view in each position, shape (longest + 1, v)."""
    value: Counts
    """The value of each position, shape (longest + 1,)."""
    slope: Counts
    """How much the value changes with a weight: 1 − value², in parts of `ONE`; shape (longest + 1,)."""
    code: Counts
    """The present code of each unit, shape (u,)."""
    square: Table
    """The square of each piece in turn, shape (longest,)."""
