"""Matchboxes in pictures: the pieces of a position, and on each open square a bar for the move's share of the box."""

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from engine.game import Game, Position, Side
from lab.memory.matchbox import BARS, Matchbox, Square, SquareKind, card_box
from lab.pictures.drawing import STRUCK, WORTHS, Cell, Ink, circle, cross, rectangle, text
from learners.core.learner import Learner
from learners.core.player import Thought
from learners.core.view import Card

CELL: Final = 15
"""The side of a square on a card."""
PAD: Final = 6
"""The space between the frame of a card and its squares."""
CAPTION: Final = 16
"""The height of the line below a card."""
ROUNDED: Final = 5
SIDE: Final = 0.14
"""The space on either side of a bar, as a part of its square."""
FULL: Final = 0.84
"""The height of a bar for a share of 1, as a part of its square."""
MIN_LEVEL: Final = 0.06
"""The share for which the lowest bar is drawn, so that it can be seen."""
OUTLINED: Final = frozenset(("bead1", "bead4"))
"""White and black beads, which need an outline."""
SEPARATORS: Final = frozenset("|")
"""The marks of the squares that only divide a board."""
MOVE_COLUMNS: Final = ("position", "move", "chance", "number", "known")
CARD_COLUMNS: Final = ("card", *MOVE_COLUMNS)


def role_of(square: Square) -> str:
    """Return the role of the colour of a bar or a struck square; empty without height, and for another kind."""
    if square.kind is SquareKind.VALUE:
        return f"worth{1 + round(square.level * (WORTHS - 1))}"
    if square.kind is SquareKind.STRUCK:
        return f"struck{1 + round(square.level * (STRUCK - 1))}"
    if square.kind not in BARS or square.level <= 0:
        return ""
    return f"bead{square.hue}" if square.kind is SquareKind.BEAD else "share"


def box_size(box: Matchbox, cell: float = CELL) -> tuple[float, float]:
    """Return the width and the height of a matchbox, without its caption."""
    return box.columns * cell + 2 * PAD, box.rows * cell + 2 * PAD


def draw_box(ink: Ink, box: Matchbox, x: float, y: float, cell: float = CELL) -> None:
    width, height = box_size(box, cell)
    ink.frame("card", 1.2, rectangle(x, y, width, height, ROUNDED))
    for square, left, top, size in places(box, x + PAD, y + PAD, cell):
        draw_square(ink, square, left, top, size, discs=box.discs)
    if box.caption:
        ink.over.append(text(x + width / 2, y + height + 12, box.caption, "quiet", 10, "m"))


def places(box: Matchbox, x: float, y: float, cell: float) -> list[tuple[Square, float, float, float]]:
    """Return each square of a matchbox with its x, y and side; then the same for the squares below the board."""
    on_board = [
        (square, x + nth % box.columns * cell, y + nth // box.columns * cell, cell)
        for nth, square in enumerate(box.squares)
    ]
    size = min(cell, box.columns * cell / max(1, len(box.below)))
    top = y + len(box.squares) // box.columns * cell + cell - size
    below = [(square, x + nth * size, top, size) for nth, square in enumerate(box.below)]
    return on_board + below


def draw_square(ink: Ink, square: Square, x: float, y: float, cell: float, *, discs: bool) -> None:  # noqa: PLR0913
    """Draw the content of a square, with the corner of the square at x, y."""
    role = role_of(square)
    if square.kind is SquareKind.NOTHING:
        ink.area("line", circle(x + cell / 2, y + cell / 2, cell / 16))
    elif square.kind is SquareKind.SIGN:
        _letter(ink, square.text, "quiet", x, y, cell)
    elif square.kind is SquareKind.PIECE:
        draw_piece(ink, square, x, y, cell, discs=discs)
    elif square.kind is SquareKind.STRUCK:
        ink.area(role, rectangle(x + cell * 0.1, y + cell * 0.1, cell * 0.8, cell * 0.8))
        ink.line("card", round(cell * 0.1, 1), cross(x + cell / 2, y + cell / 2, cell * 0.2))
    else:
        draw_slot(ink, x, y, cell)
        if role:
            bottom, height = bar_of(y, cell, square.level)
            path = rectangle(x + cell * SIDE, bottom - height, cell * (1 - 2 * SIDE), height)
            ink.area(role, path)
            if role in OUTLINED:
                ink.line("quiet", 0.5, path)


def draw_piece(ink: Ink, piece: Square, x: float, y: float, cell: float, *, discs: bool) -> None:  # noqa: PLR0913
    """Draw a piece in its square: a cross, a ring, a disc where pieces fall or lie in heaps, or else its letter."""
    if piece.text in SEPARATORS:
        return
    role = {None: "nobody", Side.FIRST: "first", Side.SECOND: "second"}[piece.side]
    middle = x + cell / 2, y + cell / 2
    if discs:
        ink.area(role, circle(*middle, cell * 0.38))
    elif piece.text == "X":
        ink.line(role, round(cell * 0.13, 1), cross(*middle, cell * 0.27))
    elif piece.text == "O":
        ink.line(role, round(cell * 0.13, 1), circle(*middle, cell * 0.29))
    else:
        _letter(ink, piece.text, role, x, y, cell)


def _letter(ink: Ink, mark: str, role: str, x: float, y: float, cell: float) -> None:  # noqa: PLR0913, PLR0917
    ink.over.append(text(x + cell / 2, y + cell * 0.78, mark, role, round(cell * 0.85, 1), "m b"))


def draw_slot(ink: Ink, x: float, y: float, cell: float) -> None:
    bottom, height = bar_of(y, cell, 1)
    ink.area("slot", rectangle(x + cell * SIDE, bottom - height, cell * (1 - 2 * SIDE), height))


def bar_of(y: float, cell: float, level: float) -> tuple[float, float]:
    """Return the bottom and the height of a bar in a square whose top is at y."""
    return y + cell * 0.92, cell * FULL * max(level, MIN_LEVEL)


def beads_of(game: Game, card: Card) -> dict[int, tuple[int, int]]:
    """Return the beads of a box by square, as hue and number; empty if it has none, or moves share a square."""
    if card_box(game, card).below or any(each.beads is None for each in card.thoughts):
        return {}
    squares = game.board.squares
    return {squares(card.position, each.move)[-1]: (each.hue, each.beads or 0) for each in card.thoughts}


def bead_places(cell: float) -> list[tuple[float, float, float]]:
    """Return the places of beads in a square, row by row: x and y from its corner, and the radius."""
    radius = cell / 22
    step = 2.6 * radius
    across, first = int(cell * 0.8 / step), cell * 0.12 + step / 2
    return [(first + step * column, first + step * row, radius) for row in range(across) for column in range(across)]


def draw_tray(ink: Ink, x: float, y: float, cell: float) -> None:
    ink.area("slot", rectangle(x + cell * 0.04, y + cell * 0.04, cell * 0.92, cell * 0.92, cell * 0.06))


def draw_beads(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
    ink: Ink, game: Game, beads: Mapping[int, tuple[int, int]], x: float, y: float, cell: float
) -> int:
    """Draw beads, given as hue and number by square; return how many beads each circle stands for."""
    spots = bead_places(cell)
    stands_for = max(1, ceil(max((count for _, count in beads.values()), default=0) / len(spots)))
    for square, (hue, count) in beads.items():
        left, top = x + square % game.board.columns * cell, y + square // game.board.columns * cell
        draw_tray(ink, left, top, cell)
        for across, down, radius in spots[: ceil(count / stands_for)]:
            place = circle(left + across, top + down, radius)
            ink.area(f"bead{hue}", place)
            if f"bead{hue}" in OUTLINED:
                ink.line("quiet", 0.5, place)
    return stands_for


def move_rows(learner: Learner, position: Position, thoughts: Sequence[Thought]) -> list[tuple[Cell, ...]]:
    """Return the rows of a CSV of moves in a position, with the exact number in memory; empty for parameters."""
    game = learner.game
    numbers = None if learner.spec.parameters else learner.view.shown_numbers(learner.memory)
    return [
        (
            game.to_text(position),
            game.move_name(each.move),
            f"{each.chance:.6g}",
            "" if numbers is None else int(numbers[learner.cell[learner.space.edge(position, each.move)]]),
            each.words,
        )
        for each in thoughts
    ]


def card_rows(learner: Learner, cards: Sequence[Card]) -> list[tuple[Cell, ...]]:
    """Return the rows of a CSV of cards, one for each move."""
    return [(card.caption, *row) for card in cards for row in move_rows(learner, card.position, card.thoughts)]


def draw_position(ink: Ink, box: Matchbox, x: float, y: float, cell: float) -> None:
    for square, left, top, size in places(box, x, y, cell):
        draw_square(ink, square, left, top, size, discs=box.discs)
