"""Nim: take any number of stones from one heap.

nim:3,4,5            heaps of three, four and five stones; whoever takes the last stone wins
nim:3,4,5+misere     whoever takes the last stone loses

Each row of the board is a heap, and its stones stand at the left. A move is the square of the leftmost stone that is
taken: the stones to its right go as well. After C. L. Bouton, "Nim, a game with a complete mathematical theory"
(Annals of Mathematics 3, 1901).
"""

import re
from functools import cache
from itertools import permutations
from math import prod
from typing import Final

from engine.game import BadText, Family, Move, Outcome, Piece, Position, Side
from engine.grid import Grid, squares_of
from engine.grid_game import GridGame

MAX_HEAPS: Final = 6
"""The maximum number of heaps. Every order of equal heaps is a symmetry, so six equal heaps have 720."""
MAX_STONES: Final = 9
MAX_NUMBERED: Final = 100_000
"""A game with at most this many positions has a `Space`, if its positions fit in 64 bits."""
PARAMETERS: Final = re.compile(r"(\d{1,3}(?:,\d{1,3})*)(\+misere)?")


class Nim(GridGame):
    """One game of the family. The first mask of a position has all stones: they belong to nobody."""

    marks = ("A", "B")
    has_draws = False
    how_to_move = "Point at a stone: it is taken, with all stones to its right."

    def __init__(self, heaps: tuple[int, ...], *, misere: bool) -> None:
        self.heaps, self.misere = heaps, misere
        self.grid = Grid(len(heaps), max(heaps))
        self.longest = sum(heaps)
        self.numbered = 2 * prod(heap + 1 for heap in heaps) <= MAX_NUMBERED and 2 * self.grid.size < 63
        listed = ",".join(map(str, heaps))
        self.name, self.title = f"nim:{listed}", f"Nim {listed}"
        if misere:
            self.name, self.title = f"{self.name}+misere", f"Misère {self.title}"
        self.summary = f"Take stones from one heap; whoever takes the last one {'loses' if misere else 'wins'}."
        super().__init__()
        self.board.pieces, self.board.discs, self.board.heaps = (Piece("O", None),), True, True
        self.start = self.pack(self._stones(heaps), 0, Side.FIRST)
        orders = [
            order
            for order in permutations(range(len(heaps)))
            if all(heaps[row] == heaps[goal] for row, goal in enumerate(order))
        ]
        columns = self.grid.columns
        self.symmetries = tuple(tuple(row * columns + i for row in order for i in range(columns)) for order in orders)

    def _stones(self, heaps: tuple[int, ...]) -> int:
        return sum(((1 << heap) - 1) << row * self.grid.columns for row, heap in enumerate(heaps))

    def outcome(self, position: Position) -> Outcome | None:
        if position & self.full:
            return None
        last_mover = self.side(position).other
        return Outcome.won_by(last_mover.other if self.misere else last_mover)

    def moves(self, position: Position) -> tuple[Move, ...]:
        return tuple(squares_of(position & self.full))

    def move_label(self, position: Position, move: Move) -> str:
        taken = (position ^ self.after(position, move)) & self.full
        return f"{taken.bit_count()} of {len(self.heaps) - move // self.grid.columns}"

    def move_words(self, position: Position, move: Move) -> str:
        return self.move_label(position, move).replace("of", "of heap")

    def after(self, position: Position, move: Move) -> Position:
        end = (move // self.grid.columns + 1) * self.grid.columns
        return position & ~((1 << end) - (1 << move)) ^ 1 << 2 * self.size

    def fault(self, first: int, second: int, side: Side, plies: int) -> str | None:
        columns = self.grid.columns
        heaps_left = tuple((first >> row * columns & (1 << columns) - 1).bit_count() for row in range(len(self.heaps)))
        if first != self._stones(heaps_left):
            return "the stones of a heap stand at the left of its row, without a gap"
        taken = [heap - stones for heap, stones in zip(self.heaps, heaps_left, strict=True)]
        if min(taken) < 0:
            return f"no heap may have more stones than in {self.to_text(self.start)}"
        fewest_moves, most_moves = sum(stones > 0 for stones in taken), sum(taken)
        if fewest_moves == most_moves and most_moves % 2 != side:
            return f"{self.mark(side)} cannot be to move: each stone that is gone took a move"
        return None


_nim = cache(Nim)  # one instance of each game, so that its space is computed once


def _parse(text: str) -> Nim:
    match = PARAMETERS.fullmatch(text)
    if not match:
        raise BadText("it takes the number of stones in each heap")
    heaps = tuple(map(int, match[1].split(",")))
    if len(heaps) > MAX_HEAPS or not all(1 <= heap <= MAX_STONES for heap in heaps):
        raise BadText(f"there are 1 to {MAX_HEAPS} heaps of 1 to {MAX_STONES} stones")
    return _nim(heaps, misere=bool(match[2]))


NIM: Final = Family("nim", "HEAP,HEAP,…", ("nim:3,4,5",), _parse)
