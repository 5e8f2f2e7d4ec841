"""Games in which pieces are placed in turn and stay, until a row ends the game or the board is full."""

from typing import Final

from engine.game import Side
from engine.grid_game import GridGame

WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
"""The numbers from 2 in words."""


class RowGame(GridGame):
    """A game in which each move places a piece that stays, and `in_a_row` pieces of one kind in a row end it."""

    @property
    def row(self) -> str:
        return f"{WORDS[self.in_a_row - 2]} in a row"

    def implied_side(self, first: int, second: int) -> Side | None:
        return Side((first | second).bit_count() % 2) if self.chooses_piece else self.side_of_turn(first, second)

    def fault_of_turn(self, first: int, second: int, side: Side) -> str | None:
        if not self.chooses_piece:
            return super().fault_of_turn(first, second, side)
        count = (first | second).bit_count()
        return None if side == count % 2 else f"{self.mark(side)} cannot be to move after {count} moves"

    def fault(self, first: int, second: int, side: Side, plies: int) -> str | None:
        if fault := self.fault_of_turn(first, second, side):
            return fault
        taken = first | second
        if self.falls and taken & (self.full & ~taken) >> self.grid.columns:
            return "a piece hangs in the air"
        rows = [[line for line in self.lines if mask & line == line] for mask in (first, second)]
        if all(rows):
            return f"both {'pieces' if self.chooses_piece else 'sides'} have {self.row}"
        if rows[side] and not self.chooses_piece:
            return f"the game went on after {self.row}"
        common = self.full
        for line in rows[0] + rows[1]:
            common &= line
        if not common:
            return "no single move completes all the rows"
        possible = not self.falls or self.leads_to(self.pack(first, second, side))
        return None if possible else "no play from the start leads to it"
