"""Games in which pieces are placed in turn and stay, until a row ends the game or the board is full, and open lines."""

from typing import Final

from engine.game import Estimate, Position, Side
from engine.grid_game import GridGame

WORDS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
"""The numbers from 2 in words."""
LINE_FACTOR: Final = 4
"""An open line counts this many times as much for each piece beyond the second."""


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
        fault = self.fault_of_turn(first, second, side)
        if fault:
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
        is_unreachable = self.falls and not self.leads_to(self.pack(first, second, side))
        return "no play from the start leads to it" if is_unreachable else None


def open_lines(game: GridGame, sign: int = 1) -> Estimate:
    """Return the estimate that counts open lines: those of the first side minus those of the second, times `sign`.

    A line is open for a side that has two or more pieces on it while the opponent has none. On lines of three this is
    the heuristic of the lecture on minimax (see `engine.analysis.lecture`): two pieces and an empty square count 1. On
    longer lines, two pieces count 1, and each further piece multiplies that by `LINE_FACTOR`, a choice of this program.
    """
    lines, size, full = game.lines, game.size, game.full
    worth = [0, 0, *(sign * LINE_FACTOR**more for more in range(game.in_a_row - 2)), 0]

    def estimate(position: Position) -> int:
        first, second = position & full, position >> size & full
        total = 0
        for line in lines:
            own, enemy = first & line, second & line
            if own:
                if not enemy:
                    total += worth[own.bit_count()]
            elif enemy:
                total -= worth[enemy.bit_count()]
        return total

    return estimate
