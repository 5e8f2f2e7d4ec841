"""Games in which pieces go from one square to another."""

from engine.game import Move, Position
from engine.grid import Symmetry
from engine.grid_game import GridBoard, GridGame


class StepBoard(GridBoard):
    """A board on which a person points at a piece, and then at the square that it goes to, or places a piece."""

    def squares(self, position: Position, move: Move) -> tuple[int, ...]:
        """Return the square of the piece and the square that it goes to; one square where a piece is placed."""
        return tuple(dict.fromkeys(divmod(move, self.grid.size)))


class StepGame(GridGame):
    """A game in which a piece goes from one square to another, and takes a piece of the opponent that stands there.

    A move is the integer from × squares + to. A move that places a piece has the same square as `from` and as `to`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.board = StepBoard(self)

    def after(self, position: Position, move: Move) -> Position:
        source, target = divmod(move, self.size)
        own = self.size * self.side(position)
        others = position & ~(1 << source + own | 1 << target + self.size - own)
        return self.pass_turn(others | 1 << target + own)

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        source, target = divmod(move, self.size)
        return symmetry[source] * self.size + symmetry[target]

    def move_name(self, move: Move) -> str:
        """Return the names of both squares, such as `a1a2`, or of the square on which a piece is placed."""
        return "".join(self.grid.names[square] for square in self.board.squares(self.start, move))

    def move_words(self, position: Position, move: Move) -> str:
        return " to ".join(self.grid.names[square] for square in self.board.squares(position, move))

    def is_move_name(self, text: str) -> bool:
        """Return whether `text` names two squares; a game in which pieces are also placed must accept single ones."""
        return text[:2] in self.grid.names and text[2:] in self.grid.names
