"""The scores of all positions of a small board with gravity by plain search: no bound, no order, no table but a dict.

square    column × rows + row, from the left and from the bottom
key       the mask of the pieces of the side to move, and that of all pieces << columns × rows
"""


def lines_through(columns: int, rows: int, length: int) -> dict[int, list[int]]:
    """For each square the masks of the lines that contain it."""
    through: dict[int, list[int]] = {square: [] for square in range(columns * rows)}
    for column in range(columns):
        for row in range(rows):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                places = [(column + right * step, row + up * step) for step in range(length)]
                if all(0 <= x < columns and 0 <= y < rows for x, y in places):
                    squares = [x * rows + y for x, y in places]
                    for square in squares:
                        through[square].append(sum(1 << each for each in squares))
    return through


class Drops:
    """Plain search on one board; `score` remembers what it has found."""

    def __init__(self, columns: int, rows: int, length: int) -> None:
        self.columns, self.rows, self.size = columns, rows, columns * rows
        self.through = lines_through(columns, rows, length)
        self.found: dict[int, int] = {}

    def landing(self, taken: int, column: int) -> int | None:
        """The square where a piece falls to."""
        squares = range(column * self.rows, (column + 1) * self.rows)
        return next((square for square in squares if not taken >> square & 1), None)

    def score(self, own: int, taken: int) -> int:
        """1 + the pieces that the winner has left, negative if the side to move loses, 0 for a draw."""
        key = own | taken << self.size
        if key not in self.found:
            played = taken.bit_count()
            left_after_move = (self.size - played + 1) // 2 - 1  # of the side to move
            best = -self.size if played < self.size else 0
            for column in range(self.columns):
                square = self.landing(taken, column)
                if square is not None:
                    mine = own | 1 << square
                    won = any(mine & line == line for line in self.through[square])
                    best = max(best, 1 + left_after_move if won else -self.score(taken ^ own, taken | 1 << square))
            self.found[key] = best
        return self.found[key]
