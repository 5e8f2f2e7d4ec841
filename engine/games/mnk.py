"""The m,n,k-games: pieces on m columns of n rows, and k in a row ends the game.

mnk:4,3,3               four columns, three rows, three in a row wins
mnk:3,3,3+misere        whoever completes a row loses
mnk:3,3,3+wild          each move places either piece, and whoever completes a row wins
mnk:4,4,4+gravity       a piece falls to the lowest empty square of its column

The number of columns comes first, as in 7×6 for the board of Connect Four.
"""

import csv
import re
from collections.abc import Collection, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from engine.game import (
    BadText,
    Family,
    Heuristic,
    Outcome,
    Piece,
    Position,
    SpaceSize,
    Successor,
    SuccessorsOfMany,
    quoted,
)
from engine.grid import Grid, squares_of
from engine.row_game import LINE_FACTOR, WORDS, RowGame, open_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_SIZE: Final = 9
MAX_AT_ONCE: Final = 250_000
"""A space with at most this many positions is built in a fraction of a second. Larger ones are in `SIZES`."""
SIZES: Final = "mnk_sizes.csv"
"""The games of the family that have a `Space`, as far as `Mnk.most_positions` does not tell: each game without
`+misere`, which changes no position, and the numbers of positions and edges of its space. `make mnk-sizes` recounts
those with at most a million positions by `bench/mnk_sizes.py`, which also prints the whole file anew."""
PARAMETERS: Final = re.compile(r"(\d{1,3}),(\d{1,3}),(\d{1,3})((?:\+[a-z]+)*)")
OPTIONS: Final = ("misere", "wild", "gravity")
"""The options of the family, in the order in which names list them."""


class Mnk(RowGame):
    """One game of the family. A move is the square of the new piece; in a wild game, its place: see `GridGame`."""

    grows = True
    numbered = False  # until the number of positions is known

    def __init__(self, columns: int, rows: int, k: int, options: Collection[str] = ()) -> None:
        self.grid = Grid(rows, columns)
        misere, wild, gravity = (option in options for option in OPTIONS)
        self.in_a_row, self.falls, self.chooses_piece = k, gravity, wild
        # If k is 2, any two squares of a block of two by two are a row, and two of the pieces on it are the same.
        self.has_draws = k > 2 or 1 in {columns, rows}
        self.places_pieces = not wild
        if misere:
            self.ends = (Outcome.SECOND_WINS, Outcome.FIRST_WINS)
        ordered = [option for option in OPTIONS if option in options]
        variant = "".join(f", {option.replace('ere', 'ère')}" for option in ordered)
        self.name = f"mnk:{columns},{rows},{k}{''.join(f'+{option}' for option in ordered)}"
        self.title = f"{columns}×{rows}, {self.row}{variant}"
        self.summary = f"{self.row.capitalize()} {'loses' if misere else 'wins'}."
        sentences = []
        if wild:
            sentences.append("Each move places an X or an O.")
        if gravity:
            sentences.append("A piece falls to the lowest empty square.")
        self.how_to_move = " ".join(sentences)
        self.marks = ("A", "B") if wild else ("X", "O")
        super().__init__()
        self._through = tuple(tuple(line for line in self.lines if line >> each & 1) for each in range(self.size))
        self.symmetries = self.grid.symmetries
        if gravity:
            self.symmetries = tuple(dict.fromkeys((self.symmetries[0], self.grid.mirror)))
        if wild:
            self._make_wild()
        elif k > 2:
            self.heuristic = self._open_rows(misere=misere)
        self.numbered = self.most_positions <= MAX_AT_ONCE or self.space_size is not None

    def _open_rows(self, *, misere: bool) -> Heuristic:
        ahead, behind = ("{1}", "{0}") if misere else ("{0}", "{1}")
        points = [f"with {WORDS[more]} {LINE_FACTOR**more}" for more in range(self.in_a_row - 2)]
        words = f"points for rows with {ahead} and empty squares only ({', '.join(points)}), less those with {behind}"
        return Heuristic(words, open_lines(self, sign=-1 if misere else 1))

    def _make_wild(self) -> None:
        """Let each move place either piece; exchanging all pieces is a symmetry."""
        self.board.pieces = Piece("X", None), Piece("O", None)
        self.symmetries = tuple(
            tuple(square + shift for shift in shifts for square in symmetry)
            for shifts in ((0, self.size), (self.size, 0))
            for symmetry in self.symmetries
        )

    @cached_property
    def most_positions(self) -> int:
        """An upper bound on the number of positions: see `most_placed`."""
        return self.most_placed(self.start)

    def most_left(self, position: Position) -> int:
        """Return the bound of `GridGame`, which also holds for a wild game, since it places pieces, too."""
        return self.most_placed(position)

    @cached_property
    def space_size(self) -> SpaceSize | None:
        if self.most_positions <= MAX_AT_ONCE:
            return None
        options = f"{'+wild' if self.chooses_piece else ''}{'+gravity' if self.falls else ''}"
        return _sizes().get(f"{self.grid.columns},{self.grid.rows},{self.in_a_row}{options}")

    @property
    def is_large(self) -> bool:
        return self.space_size is not None and self.space_size.positions > MAX_AT_ONCE

    def outcome(self, position: Position) -> Outcome | None:
        first, second = self.masks(position)
        for line in self.lines:  # a loop takes half the time of any()
            if first & line == line or second & line == line:
                return self.ends[self.side(position).other]
        return Outcome.DRAW if first | second == self.full else None

    def successors(self, position: Position) -> Sequence[Successor]:
        if self.outcome(position) is not None:
            return ()
        turn = position >> 2 * self.size
        won, passed = self.ends[turn], position ^ 1 << 2 * self.size
        other = Outcome.DRAW if self.empty(position).bit_count() == 1 else None
        playable = squares_of(self.playable(position))
        masks = (0, 1) if self.chooses_piece else (turn,)
        successors: list[Successor] = []
        for mask in masks:
            pieces, shift = position >> mask * self.size, mask * self.size
            for square in playable:
                own, outcome = pieces | 1 << square, other
                for line in self._through[square]:
                    if own & line == line:
                        outcome = won
                        break
                move = square + shift if self.chooses_piece else square
                successors.append((move, passed | 1 << square + shift, outcome))
        return successors

    def successors_all(self, positions: "NDArray[np.int64]") -> SuccessorsOfMany:
        return self.placed_successors_all(positions)


@cache
def _sizes() -> dict[str, SpaceSize]:
    from importlib import resources  # slow to import

    text = resources.files("engine").joinpath("games", SIZES).read_text("utf-8")
    return {
        row["game"]: SpaceSize(int(row["positions"]), int(row["edges"])) for row in csv.DictReader(text.splitlines())
    }


_mnk = cache(Mnk)  # one instance of each game, so that its space is computed once


def _parse(text: str) -> Mnk:
    match = PARAMETERS.fullmatch(text)
    if not match:
        raise BadText("it takes columns, rows, and how many in a row")
    columns, rows, k = map(int, match.groups()[:3])
    options = match[4].split("+")[1:]
    for option in options:
        if option not in OPTIONS or options.count(option) > 1:
            raise BadText(f"{quoted('+' + option)} is not one of +{', +'.join(OPTIONS)}, each at most once")
    if not 1 <= columns <= MAX_SIZE or not 1 <= rows <= MAX_SIZE or columns * rows == 1:
        raise BadText(f"a board has 1 to {MAX_SIZE} columns and rows, and at least two squares")
    if not 2 <= k <= max(columns, rows):
        raise BadText(f"a row of {k} is not from 2 to {max(columns, rows)}, the longer side of the board")
    return _mnk(columns, rows, k, frozenset(options))


MNK: Final = Family("mnk", "COLUMNS,ROWS,K", ("mnk:4,3,3", "mnk:4,4,4+gravity"), _parse)
