"""The tables of the matchbox kernel.

bowl   what a move is drawn from in a position: a box, or the fixed weights of an opponent's policy. A bowl is a stretch
       of `width` numbers: their sum, and then one number for each move. Boxes come first.
place  the index of one number among those of all bowls; bowl b begins at place b × width
"""

from typing import Final, NamedTuple

from learners.core.kernel_tables import Counts, Table

BOX: Final = 0
FIXED: Final = 1
OVER: Final = 2
"""The state of a position: its bowl is a box, or has fixed weights; else `OVER` + outcome."""
RESIGN: Final = -1
"""The target of a resignation."""


class Walk(NamedTuple):
    """Where the moves of n positions lead. A position has a row for each number of its bowl, in the same order."""

    node: Table
    """For each position: where its bowl begins, its first row of `target`, its state; shape (n, 3)."""
    target: Table
    """The position that each row leads to, or `RESIGN`, shape (rows,)."""


class Rules(NamedTuple):
    """The settings as integers, 1 for true, and the rewards."""

    reward: Counts
    """The beads to add to each move of a side, by side and `Outcome`, shape (2, 3)."""
    fullest: int
    """Play the move with the most beads, instead of drawing a bead."""
    refill: int
    """Refill an empty box."""
    keep: int
    """Take no beads that would leave a box empty."""
    last_only: int
    """Change only the last box that each side opened."""
    least: int
    """The fewest beads of one move."""
    most: int
    """The most beads of one move."""


class Path(NamedTuple):
    """The moves of one game, shape (longest game,) each."""

    opened: Counts
    """Where the bowl of each move begins."""
    drawn: Counts
    """The place that was drawn. A place beyond `times` belongs to no box."""


class MenaceTables(NamedTuple):
    """What the kernel changes while it learns."""

    width: int
    """The length of a bowl."""
    bowls: Table
    """The numbers of all bowls, shape (bowls × width,). Those with fixed weights never change."""
    begun: Table
    """The numbers of all bowls before anything was learned, same shape."""
    times: Counts
    """How often each bead was drawn, like `bowls`, but of the boxes only, which come first; shape (boxes × width,)."""
    tally: Counts
    """Counts of all games: those that ended by each `Outcome`, then `PLIES`, `RESIGNED`, `REFILLED`; from `GAINED` on
    the sum of the rewards of each side; shape (8,)."""
    path: Path
    """Room for the moves of one game."""
