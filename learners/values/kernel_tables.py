"""The tables of the kernel for learned values.

slot   what has a value of its own: a move, or the position after a move; several moves can share a slot
worth  the value of a slot for the side that makes the move, in parts of `WIN + LOSS`, from `LOSS` to `WIN`
row    one slot that can be chosen in a position
reply  the value of a slot's position for the side that moves there, as `worth` is for the side that moved to it. Only
       `OWN_TABLE` has it: elsewhere it is `WIN + LOSS` − worth
walk   the table of where moves lead: for each position that is not over a head, and then its rows. So a ply reads from
       one place only. The order of positions keeps those of one game close together: see `kernel_order`
"""

from typing import Final, NamedTuple

from learners.core.kernel_tables import Bytes, Counts, SpaceTables, Table

LOSS: Final = 1
"""The worth of a loss; 0 in a memory stands for a slot of which nothing is known."""
DRAW: Final = 2**29
WIN: Final = 2**30 - LOSS
"""The worth of a win. If something is worth v to one side, it is worth `WIN + LOSS` − v to the other."""
SCALE: Final = 2**31
"""Settings from 0 to 1 are multiplied by this; the chance to explore, by 2^32."""

REPLY_UNIT: Final = 2**30
"""A number of the memory is the worth of a slot + `REPLY_UNIT` × its reply, if it has one."""

ROWS, STATE = 0, 1
"""The columns of a head in `Walk.walk`: how many rows follow it; `OWN` or `THEIRS`."""
SLOT, TARGET = 0, 1
"""The columns of a row: its slot; the index of its target's head, or how the game ends there: see `kernel_games`."""
OWN: Final = 0
THEIRS: Final = 1
"""The state of a position: the learner moves, or its opponent."""
WORTH, SEEN = 0, 1
"""The columns of `ValueTables.value`: the worth of a slot, which is the setting `start` until something is learned of
it; and `ONCE` × the number of times that its moves were made, + `KNOWN` if something was learned of it."""
KNOWN: Final = 1
ONCE: Final = 2
MAX_SEEN: Final = 2**31 - 3
"""The limit of `SEEN`: a larger number no longer changes."""
BEST: Final = 0
CHOSEN: Final = 1
GREEDY: Final = 2
"""The goal that the value of a slot is moved towards: `BEST`, the best value in a later position, see
`ValueRules.ahead`; `CHOSEN`, the value of the move made there; `GREEDY`, the same, but nothing is learned unless that
move is the best."""


REPLY: Final = 1
TURN: Final = 2
OWN_TABLE: Final = 3
"""How many plies later the goal of a slot is taken: `REPLY`, at the other side's next move; `TURN`, at the same side's.
`OWN_TABLE`: each side values all positions, and the goal of each is the same side's value of the next one."""


class WalkPlan(NamedTuple):
    """What a walk is made from: n positions, m edges."""

    space: SpaceTables
    slot: Table
    """The slot of each edge, shape (m,)."""
    theirs: Bytes
    """1 for the positions in which the opponent moves, shape (n,)."""
    bound: Counts
    """A draw below this chooses the opponent's move or an earlier one, shape (m,); empty in self-play."""


class Walk(NamedTuple):
    """The graph of a game as one array: for each position a head, followed by a row for each move; w in all."""

    walk: Table
    """Heads and rows, shape (w, 2); the head of the start comes first."""
    edge: Table
    """The edge of each row, shape (w,)."""
    bound: Counts
    """For each row of an opponent's move: a draw below this takes this row or one before, shape (w,); empty in
    self-play."""


class ValueRules(NamedTuple):
    """The settings as integers."""

    explore: int
    """The probability of a random move in the first game, in parts of 2^32."""
    explore_end: int
    """The probability of a random move after `explore_games` games, in parts of 2^32."""
    explore_games: int
    """Over how many games the probability changes from `explore` to `explore_end`."""
    rate: int
    """The part of the difference by which a value changes, in parts of 2^31."""
    average: int
    """1 to average the goals of a slot: when its moves were made n times, the value changes by 1/n of the difference,
    as long as that is more than `rate`."""
    trace: int
    """How far a goal is moved from the later value towards the goal of that value, in parts of 2^31."""
    toward: int
    """`BEST`, `CHOSEN` or `GREEDY`."""
    ahead: int
    """`REPLY`, `TURN` or `OWN_TABLE`."""
    ties: int
    """1 to play any of the best moves in training, 0 to play the first of them."""


class ValuePath(NamedTuple):
    """The moves of one game, shape (longest game,) each."""

    slot: Table
    """The slot of each move; below 0 for a move that is not learned from."""
    row: Table
    """The row of each move, as an index of `ValueTables.times`."""
    best: Table
    """The best value in the position before each move; with `OWN_TABLE` more than any if that move explored."""
    value: Table
    """The value of each slot before the game was learned from."""
    goal: Table
    """The goal towards which each slot was moved; its own value if nothing was learned."""


class ValueTables(NamedTuple):
    """What the kernel changes while it learns."""

    value: Table
    """The value of each slot, and how often it was seen, shape (slots, 2)."""
    reply: Table
    """The reply of each slot, shape (slots,); empty without `OWN_TABLE`."""
    times: Table
    """How often each row was chosen since these counts were last added to `Learner.times`, shape (w,)."""
    tally: Counts
    """Counts of all games: those that ended by each `Outcome`, then `PLIES` and `LEARNED`; shape (5,)."""
    path: ValuePath
    """A buffer for the moves of one game."""
