"""How a card is drawn: a little matchbox, as plain data. Screens draw it as text, pictures as shapes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.game import Game, Position, Side
from learners.core.player import Thought
from learners.core.view import Card
from learners.menace.matchboxes import COLOURS

BEADS: Final = (
    ("#f5f5f0", "#66665c"),  # white
    ("#c3a6ff", "#7446c0"),  # lilac
    ("#a3b4c2", "#54697a"),  # silver
    ("#7d7d7d", "#101010"),  # black
    ("#f2cf45", "#7a5c00"),  # gold
    ("#5fcf74", "#186e2e"),  # green
    ("#ff9a3c", "#b04600"),  # amber
    ("#ff6b62", "#c01b2e"),  # red
    ("#ff8fc8", "#b02a78"),  # pink
)
"""The colours of hues 1, 2 …, each on dark and on light grounds: a black bead must not be black on black."""
HUES: Final = dict(zip(COLOURS, BEADS, strict=True))


class SquareKind(StrEnum):
    NOTHING = "nothing"
    PIECE = "piece"
    SIGN = "sign"
    """A character that explains itself, such as one of a pattern."""
    BEAD = "bead"
    """A bar in the colour of a bead, as high as its share."""
    SHARE = "share"
    """A bar as high as a share that is not of beads: of a population, or of games."""
    VALUE = "value"
    """A bar on the scale from loss to win."""
    STRUCK = "struck"
    """A move that is ruled out; the later it was ruled out, the higher the level."""


BARS: Final = (SquareKind.BEAD, SquareKind.SHARE, SquareKind.VALUE)


@dataclass(frozen=True)
class Square:
    kind: SquareKind = SquareKind.NOTHING
    text: str = ""
    """The mark of a piece, a sign, or the letter of a bead."""
    side: Side | None = None
    """The side of a piece, if it belongs to one."""
    level: float = 0.0
    """From 0 to 1: the height of a bar, or how late a move was ruled out."""
    hue: int = 0
    """The number of the colour of a bead, from 1."""
    drawn: bool = False
    changed: bool = False
    row: bool | None = None
    """For a square of a completed row: whether it is not the row of a machine against a person."""


@dataclass(frozen=True)
class Matchbox:
    """A small board with what a memory knows on its squares."""

    columns: int
    squares: tuple[Square, ...]
    """Row by row from the top left."""
    caption: str = ""
    below: tuple[Square, ...] = ()
    """The moves in a line below the board, if several moves may share a square."""
    discs: bool = False
    lit: bool = False
    gained: int = 0
    """The number of beads that the box has just gained, or lost if below 0."""
    gained_hue: int = 0

    @property
    def rows(self) -> int:
        """The number of lines of the matchbox, without frame and caption."""
        return len(self.squares) // self.columns + bool(self.below)


def board_box(game: Game, position: Position, caption: str = "", on: Mapping[int, Square] | None = None) -> Matchbox:
    """Return a position as a matchbox; the squares in `on` replace those of the position."""
    placed = on or {}
    squares = tuple(
        placed.get(square) or (Square() if piece is None else Square(SquareKind.PIECE, piece.mark, piece.side))
        for square, piece in enumerate(game.board.cells(position))
    )
    return Matchbox(game.board.columns, squares, caption, discs=game.board.discs)


def card_box(
    game: Game, card: Card, *, drawn: Collection[int] = (), changed: Collection[int] = (), lit: bool = False
) -> Matchbox:
    """Return a card as a matchbox; `drawn` moves were played, the numbers of `changed` moves have just changed."""
    on = {square: Square(SquareKind.SIGN, sign) for square, sign in card.signs.items()}
    looks = {
        thought.move: square_of(thought, drawn=thought.move in drawn, changed=thought.move in changed)
        for thought in card.thoughts
    }
    below = tuple[Square, ...]()
    if has_beads_below(game, card.position, card.thoughts):
        below = tuple(looks.values())
    else:
        placed = placed_on_squares(game, card.position, card.thoughts)
        on |= {square: looks[thought.move] for square, thought in placed.items()}
    return replace(board_box(game, card.position, card.caption, on), below=below, lit=lit)


def closed_box(box: Matchbox) -> Matchbox:
    """Return a matchbox of which only the position is seen."""
    squares = tuple(square if square.kind is SquareKind.PIECE else Square() for square in box.squares)
    return replace(box, squares=squares, below=(Square(),) * len(box.below), gained=0)


def share_box(game: Game, position: Position, chances: Mapping[int, float], caption: str = "") -> Matchbox:
    """Return a position as a matchbox with a bar for each move's probability; moves to one square are added up."""
    on_square = dict[int, float]()
    for move, chance in chances.items():
        square = game.board.squares(position, move)[-1]
        on_square[square] = on_square.get(square, 0.0) + chance
    bars = {square: Square(SquareKind.SHARE, level=chance) for square, chance in on_square.items()}
    return board_box(game, position, caption, bars)


def square_of(thought: Thought, *, drawn: bool, changed: bool = False) -> Square:
    level = thought.chance if thought.level is None else thought.level
    kind = SquareKind.BEAD if thought.hue else SquareKind(thought.drawing.value)
    if kind is SquareKind.VALUE and thought.level is None:
        return Square(SquareKind.SIGN, "?", drawn=drawn, changed=changed)
    return Square(kind, thought.symbol[:1], None, level, thought.hue, drawn, changed)


def placed_on_squares(game: Game, position: Position, thoughts: Iterable[Thought]) -> dict[int, Thought]:
    """Return the thought to draw on each square that moves lead to; of several moves to a square, the likeliest counts.

    A captured piece stays visible, unless the move is ruled out.
    """
    cells = game.board.cells(position)
    placed: dict[int, Thought] = {}
    for thought in sorted(thoughts, key=lambda thought: thought.chance):
        *moved, square = game.board.squares(position, thought.move)
        if cells[square] is None or thought.excluded or not moved:
            placed[square] = thought
        else:
            placed.pop(square, None)
    return placed


def has_beads_below(game: Game, position: Position, thoughts: Sequence[Thought]) -> bool:
    """Return whether beads are drawn below the board, since moves with two squares or an option may share a square."""
    moves = [thought.move for thought in thoughts if thought.hue]
    board = game.board
    return any(len(board.squares(position, move)) > 1 or board.option(position, move) for move in moves)
