"""Hexapawn on three by three, after Martin Gardner (Scientific American, March 1962).

Each side has three pawns on its own edge; the first side's stand at the bottom and move up. A pawn steps straight
ahead onto an empty square or takes diagonally ahead. A side wins by reaching the far edge, by taking every enemy pawn,
or when the enemy is to move and cannot.

    move  from × 9 + to
"""

from typing import Final

from engine.game import Heuristic, Move, Outcome, Position, Side
from engine.grid import Grid, Symmetry, squares_of
from engine.grid_game import GridBoard, GridGame

FAR_EDGE: Final = (0b000_000_111, 0b111_000_000)
"""The mask of the row that each side has to reach."""
AHEAD: Final = (-3, 3)
"""The step straight ahead of each side, in squares."""


class PawnBoard(GridBoard):
    """A board on which a person points at a pawn, and then at the square that it goes to."""

    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        """The square of the pawn, and the square that it goes to."""
        return divmod(move, 9)


class Hexapawn(GridGame):
    """Hexapawn on three by three. The second side can always win."""

    name = "hexapawn"
    title = "Hexapawn"
    summary = "Reach the far edge, take every pawn, or leave the enemy no move."
    how_to_move = "A pawn steps one square straight ahead, or takes one square diagonally ahead."
    marks = ("W", "B")
    longest = 7
    has_draws = False
    grid = Grid(3, 3)

    def __init__(self) -> None:
        """Start with three pawns on each edge, with the left-right mirror as the only symmetry."""
        super().__init__()
        self.board = PawnBoard(self.grid, self.marks)
        self.start = self.pack(FAR_EDGE[Side.SECOND], FAR_EDGE[Side.FIRST], Side.FIRST)
        self.symmetries = (*self.symmetries, self.grid.mirror)
        self.heuristic = Heuristic("moves that the pawns of {0} could make, less those of {1}", self._more_steps)

    def outcome(self, position: Position) -> Outcome | None:
        """Who won, or `None`. A side without a move has lost."""
        enemy = self.side(position).other
        if self.masks(position)[enemy] & FAR_EDGE[enemy] or not self.steps(position):
            return Outcome.won_by(enemy)
        return None

    def moves(self, position: Position) -> tuple[Move, ...]:
        """The pawn moves in ascending order, while the game runs."""
        return () if self.outcome(position) is not None else tuple(self.steps(position))

    def steps(self, position: Position) -> list[Move]:
        """The pawn moves of the side to move in ascending order, whether or not the game is over."""
        side = self.side(position)
        own, enemy = self.masks(position)[side], self.masks(position)[side.other]
        found = []
        for square in squares_of(own & ~FAR_EDGE[side]):
            ahead, column = square + AHEAD[side], square % 3
            targets = [ahead] if not (own | enemy) >> ahead & 1 else []
            targets += [ahead - 1] if column > 0 and enemy >> ahead - 1 & 1 else []
            targets += [ahead + 1] if column < 2 and enemy >> ahead + 1 & 1 else []
            found += [square * 9 + target for target in sorted(targets)]
        return found

    def _more_steps(self, position: Position) -> int:
        """The number of pawn moves of the first side minus that of the second, as if each were to move."""
        first, second = self.masks(position)
        steps = [len(self.steps(self.pack(first, second, side))) for side in Side]
        return steps[Side.FIRST] - steps[Side.SECOND]

    def after(self, position: Position, move: Move) -> Position:
        """The position after a legal pawn move."""
        side = self.side(position)
        masks = list(self.masks(position))
        source, target = divmod(move, 9)
        masks[side] ^= 1 << source | 1 << target
        masks[side.other] &= ~(1 << target)
        return self.pack(masks[0], masks[1], side.other)

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        """The move with both of its squares seen through `symmetry`."""
        source, target = divmod(move, 9)
        return symmetry[source] * 9 + symmetry[target]

    def move_name(self, move: Move) -> str:
        """The names of both squares, such as `a1a2`."""
        source, target = divmod(move, 9)
        return self.grid.names[source] + self.grid.names[target]

    def is_move_name(self, text: str) -> bool:
        """Whether `text` names two squares."""
        return text[:2] in self.grid.names and text[2:] in self.grid.names

    def fault(self, first: int, second: int, side: Side) -> str | None:
        """Why play cannot lead to such a board, or `None` if it can."""
        if first.bit_count() > 3 or second.bit_count() > 3:
            return "a side has more than three pawns"
        if self.masks(self.pack(first, second, side))[side] & FAR_EDGE[side]:
            return f"{self.mark(side)} cannot be to move: it has reached the far edge"
        return super().fault(first, second, side)
