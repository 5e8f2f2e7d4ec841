"""Two small games as a newcomer would write them: their moves cover two squares, or share a square."""

from typing import Final

from engine.game import Move, Outcome, Piece, Position, Side
from engine.grid import Grid, Symmetry, squares_of
from engine.grid_game import GridBoard, GridGame


class DominoBoard(GridBoard):
    any_order = True

    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        return divmod(move, self.grid.size)


class Dominoes(GridGame):
    """Cram on two rows of three: a domino covers two adjacent empty squares; whoever cannot move loses."""

    name = "dominoes"
    title = "Dominoes"
    summary = "Place dominoes in turn; whoever cannot move loses."
    how_to_move = "A domino covers two empty squares beside each other."
    grid = Grid(2, 3)
    marks = ("A", "B")
    has_draws = False
    grows = True
    longest = 3
    pairs = tuple(6 * one + other for one, other in ((0, 1), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (4, 5)))
    """The moves in ascending order: each is the smaller square times 6, plus the larger one."""

    def __init__(self) -> None:
        super().__init__()
        self.board = DominoBoard(self)
        self.board.pieces = (Piece("#", None),)
        self.symmetries = self.grid.symmetries

    def _fitting(self, position: Position) -> tuple[Move, ...]:
        return tuple(move for move in self.pairs if not any(position >> each & 1 for each in divmod(move, 6)))

    def outcome(self, position: Position) -> Outcome | None:
        return None if self._fitting(position) else Outcome.won_by(self.side(position).other)

    def moves(self, position: Position) -> tuple[Move, ...]:
        return self._fitting(position)

    def after(self, position: Position, move: Move) -> Position:
        one, other = divmod(move, 6)
        return self.pass_turn(position | 1 << one | 1 << other)

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        one, other = sorted(symmetry[square] for square in divmod(move, 6))
        return one * 6 + other

    def move_name(self, move: Move) -> str:
        return "".join(self.grid.names[square] for square in divmod(move, 6))

    def is_move_name(self, text: str) -> bool:
        return text in map(self.move_name, self.pairs)


class PinBoard(GridBoard):
    def option(self, position: Position, move: Move) -> str:
        return "12"[move // self.grid.size]


class Pins(GridGame):
    """Kayles with four pins: a move takes a pin, or two side by side, and points at the left one."""

    name = "pins"
    title = "Pins"
    summary = "Knock down pins; whoever takes the last one wins."
    how_to_move = "A ball knocks down one pin, or two side by side: point at the left one."
    grid = Grid(1, 4)
    marks = ("A", "B")
    has_draws = False

    def __init__(self) -> None:
        super().__init__()
        self.board = PinBoard(self)
        self.board.pieces = (Piece("I", None),)
        self.start = self.pack(self.full, 0, Side.FIRST)
        self.symmetries = self.grid.symmetries

    def outcome(self, position: Position) -> Outcome | None:
        return None if position & self.full else Outcome.won_by(self.side(position).other)

    def moves(self, position: Position) -> tuple[Move, ...]:
        pins = position & self.full
        return (*squares_of(pins), *squares_of((pins & pins >> 1) << self.size))

    def after(self, position: Position, move: Move) -> Position:
        two, pin = divmod(move, self.size)
        return self.pass_turn(position & ~((3 if two else 1) << pin))

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        two, pin = divmod(move, self.size)
        return two * self.size + min(symmetry[pin + each] for each in range(two + 1))

    def move_name(self, move: Move) -> str:
        two, pin = divmod(move, self.size)
        return "".join(self.grid.names[pin : pin + two + 1])

    def is_move_name(self, text: str) -> bool:
        return text in map(self.move_name, range(2 * self.size - 1))


DOMINOES: Final = Dominoes()
PINS: Final = Pins()
NOT_LISTED: Final = (DOMINOES, PINS)
"""Games that the program does not know."""
