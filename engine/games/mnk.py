"""The m,n,k-games: pieces on m columns of n rows, and k in a row ends the game.

mnk:4,3,3               four columns, three rows, three in a row wins
mnk:3,3,3+misere        whoever completes a row loses
mnk:4,4,4+gravity       a piece falls to the lowest empty square of its column

The number of columns comes first, as the width does where the size of a board is written, as in Connect Four, 7×6.
"""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Final

from engine.game import (
    BLIND,
    BadText,
    Family,
    Heuristic,
    Move,
    Outcome,
    Position,
    Side,
    Successor,
    SuccessorsOfMany,
    quoted,
)
from engine.grid import Grid, squares_of
from engine.grid_game import LONGER, FallingBoard, GridGame, open_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGEST: Final = 9
"""The most columns and rows."""
MOST_NUMBERED: Final = 6_000_000
"""A game has a `Space` if `Mnk.most_positions` is not more."""
PARAMETERS: Final = re.compile(r"(\d{1,3}),(\d{1,3}),(\d{1,3})((?:\+[a-z]+)*)")
OPTIONS: Final = ("misere", "gravity")
"""The options of the family, in the order in which names list them."""
WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
"""The numbers from 2."""


class Mnk(GridGame):
    """One game of the family."""

    grows = True

    def __init__(self, columns: int, rows: int, k: int, *, misere: bool, gravity: bool) -> None:
        """Start on an empty board."""
        self.grid = Grid(rows, columns)
        self.size, self.full, self.longest = self.grid.size, (1 << self.grid.size) - 1, self.grid.size
        self.in_a_row, self.gravity = k, gravity
        self.lines = self.grid.lines(k)
        self._through = tuple(tuple(line for line in self.lines if line >> each & 1) for each in range(self.size))
        self._floor = self.full >> (rows - 1) * columns << (rows - 1) * columns if gravity else self.full
        self.numbered = self.most_positions <= MOST_NUMBERED
        self.ends = (Outcome.FIRST_WINS, Outcome.SECOND_WINS)
        if misere:
            self.ends = (Outcome.SECOND_WINS, Outcome.FIRST_WINS)
        options = "".join(f"+{each}" for each, on in zip(OPTIONS, (misere, gravity), strict=True) if on)
        row, how = f"{WORDS[k - 2]} in a row", f"{', misère' if misere else ''}{', gravity' if gravity else ''}"
        self.name = f"mnk:{columns},{rows},{k}{options}"
        self.title = f"{columns}×{rows}, {row}{how}"
        self.summary = f"{row.capitalize()} {'loses' if misere else 'wins'}."
        self.how_to_move = "A piece falls to the lowest empty square of its column." if gravity else ""
        super().__init__()
        self.symmetries = self.grid.symmetries
        if gravity:
            self.symmetries = tuple(dict.fromkeys((self.symmetries[0], self.grid.mirror)))
            self.board = FallingBoard(self.grid, self.marks, k)
        ahead, behind = ("{1}", "{0}") if misere else ("{0}", "{1}")
        points = [f"with {WORDS[more]} {LONGER**more}" for more in range(k - 2)]
        words = f"points for rows with {ahead} and empty squares only ({', '.join(points)}), less those with {behind}"
        self.heuristic = Heuristic(words, open_lines(self, sign=-1 if misere else 1)) if points else BLIND

    @cached_property
    def most_positions(self) -> int:
        """The number of boards that fill up in turn, whether or not a row is complete: no fewer than the positions."""
        if self.gravity:
            heights = [1]
            for _ in range(self.grid.columns):
                wider = [0] * (len(heights) + self.grid.rows)
                for (pieces, ways), more in product(enumerate(heights), range(self.grid.rows + 1)):
                    wider[pieces + more] += ways
                heights = wider
        else:
            heights = [comb(self.size, pieces) for pieces in range(self.size + 1)]
        return sum(ways * comb(pieces, pieces // 2) for pieces, ways in enumerate(heights))

    def outcome(self, position: Position) -> Outcome | None:
        """Who has won, a draw on a full board, or `None`."""
        first, second = self.masks(position)
        for side, mask in ((Side.FIRST, first), (Side.SECOND, second)):
            if any(mask & line == line for line in self.lines):
                return self.ends[side]
        return Outcome.DRAW if first | second == self.full else None

    def _open(self, taken: int) -> int:
        """The mask of the squares that can be played."""
        return self.full & ~taken & (taken >> self.grid.columns | self._floor)

    def moves(self, position: Position) -> tuple[Move, ...]:
        """The squares that can be played in ascending order, while the game runs."""
        if self.outcome(position) is not None:
            return ()
        return tuple(squares_of(self._open((position | position >> self.size) & self.full)))

    def successors(self, position: Position) -> Sequence[Successor]:
        """Every square that can be played in ascending order, with the position after it and its outcome."""
        if self.outcome(position) is not None:
            return ()
        turn, taken = position >> 2 * self.size, (position | position >> self.size) & self.full
        shift, won, passed = turn * self.size, self.ends[turn], position ^ 1 << 2 * self.size
        other = Outcome.DRAW if taken.bit_count() + 1 == self.size else None
        found: list[Successor] = []
        for square in squares_of(self._open(taken)):
            own = position >> shift | 1 << square
            row = any(own & line == line for line in self._through[square])
            found.append((square, passed | 1 << square + shift, won if row else other))
        return found

    def successors_all(self, positions: "NDArray[np.int64]") -> SuccessorsOfMany:
        """The successors of many running positions."""
        import numpy as np

        taken = positions | positions >> self.size
        playable = ~taken & (taken >> self.grid.columns & self.full >> self.grid.columns | self._floor)
        legal = np.empty((len(positions), self.size), np.bool_)
        for square in range(self.size):
            legal[:, square] = playable >> square & 1
        source, move = (each.astype(np.int64, copy=False) for each in np.nonzero(legal))
        turn = positions >> 2 * self.size
        passed, shift = positions ^ 1 << 2 * self.size, turn * self.size
        after = passed[source] | 1 << move + shift[source]
        own = (positions >> shift & self.full)[source] | 1 << move
        row = np.zeros(len(own), np.bool_)
        for line in self.lines:
            row |= own & line == line
        outcome = np.where((taken[source] & self.full | 1 << move) == self.full, np.int8(Outcome.DRAW), np.int8(-1))
        outcome[row] = np.array(self.ends, np.int8)[turn[source[row]]]
        return SuccessorsOfMany(source, move, after, outcome)

    def implied_side(self, first: int, second: int) -> Side | None:
        """The side to move: the pieces determine it."""
        return self.side_of_turn(first, second)

    def fault(self, first: int, second: int, side: Side) -> str | None:
        """Why play cannot lead to such a board, or `None` if it can."""
        if fault := self.fault_of_turn(first, second, side):
            return fault
        taken, row = first | second, f"{WORDS[self.in_a_row - 2]} in a row"
        if taken & ~(taken >> self.grid.columns | self._floor):
            return "a piece hangs in the air"
        rows = [[line for line in self.lines if mask & line == line] for mask in (first, second)]
        if all(rows):
            return f"both sides have {row}"
        if rows[side]:
            return f"the game went on after {row}"
        common = self.full
        for line in rows[side.other]:
            common &= line
        if not common:
            return f"no single move completes all the rows of {self.mark(side.other)}"
        possible = not self.gravity or self.leads_to(self.pack(first, second, side))
        return None if possible else "no play from the start leads to it"


@cache
def _mnk(columns: int, rows: int, k: int, *, misere: bool, gravity: bool) -> Mnk:
    """The one instance of each game, so that its space is computed once."""
    return Mnk(columns, rows, k, misere=misere, gravity=gravity)


def _parse(text: str) -> Mnk:
    """Read what follows `mnk:` in a name. Raises `BadText`."""
    read = PARAMETERS.fullmatch(text)
    if not read:
        raise BadText("it takes columns, rows, and how many in a row")
    columns, rows, k = map(int, read.groups()[:3])
    options = read[4].split("+")[1:]
    for option in options:
        if option not in OPTIONS or options.count(option) > 1:
            raise BadText(f"{quoted('+' + option)} is not one of +{', +'.join(OPTIONS)}, each at most once")
    if not 1 <= columns <= LARGEST or not 1 <= rows <= LARGEST:
        raise BadText(f"a board has 1 to {LARGEST} columns and rows")
    if not 2 <= k <= max(columns, rows):
        raise BadText(f"a row of {k} is not from 2 to {max(columns, rows)}, the longer side of the board")
    return _mnk(columns, rows, k, misere="misere" in options, gravity="gravity" in options)


MNK: Final = Family("mnk", "COLUMNS,ROWS,K", ("mnk:4,3,3", "mnk:4,4,4+gravity"), _parse)
"""The family, for the list `FAMILIES`."""
