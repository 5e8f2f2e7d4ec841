"""The drawing of one square of a board: its piece, bead, stone, digit or note, and the signs in its corners."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rich.segment import Segment
from rich.style import Style

from engine.game import Game, Piece
from tui.widgets.board_shape import DISCS, STONE, USUAL_LEAST, mark_lines
from tui.widgets.palette import BEAD

TICKS: Final = {(True, False): "┌┐", (False, True): "└┘"}
"""The corners of the square under the cursor, in a line of it: by whether that is its first line, and its last."""
TICKS_FROM: Final = 3
"""The minimum height of a square with corners; in a lower one, brackets mark the cursor."""
LAST_MOVE: Final = "•"
"""The sign for the last move, in a corner of its square."""
CORNERS_FROM: Final = 3
"""The minimum width of a square with signs in its corners."""
ENGRAVED_DIGIT: Final = re.compile(r"(?<=[█▀])(\d)")
"""The digit on a stone."""
TAKEN_STONE: Final = "·"
"""The sign for a stone that was taken."""


@dataclass(frozen=True)
class BoardSquare:
    """What one square shows."""

    piece: Piece | None
    grounds: tuple[str, ...] = ()
    """The names of the backgrounds that apply, such as `cursor` and `last`."""
    bead: Style | None = None
    """The style of a bead that is about to become the piece, if there is one."""
    note: tuple[str, Style] | None = None
    """The X-ray text and its style."""
    digit: str = ""
    """The key that picks the square, or the number of the move that made the mark."""
    is_numbered: bool = False
    """Whether moves are numbered, and this one has a number."""
    was_taken: bool = False
    """Whether a stone lay here at the start of the game."""


@dataclass(frozen=True)
class SquareDrawing:
    """Draws the squares of a board in one size, line by line."""

    game: Game
    width: int
    height: int
    style: Callable[..., Style]
    """Returns the style of a part of the board on backgrounds, all given by their names."""
    solid: bool
    """Whether marks have whole blocks only, for a terminal without half blocks."""
    lost: bool
    """Whether a completed row is bad news."""
    low: bool
    """Whether pieces leave their last line to notes, even those without one: all of a kind look alike."""

    def segments(self, square: BoardSquare, line: int) -> list[Segment]:
        """Return a line of a square, with signs of the cursor and of the last move where the square is empty."""
        text, style = self._content(square, line)
        left, middle, right = text[:1], text[1:-1], text[-1:]
        if not middle:
            return [Segment(text, style)]
        has_note = square.note is not None and line == self.height - 1
        # beside a note, the ends have no shade, so that the shades of neighbours are apart
        blank_style = self.style("hint", *square.grounds) if has_note else style
        ends = [Segment(end, blank_style if end == " " else style) for end in (left, right)]
        if len(text) >= CORNERS_FROM:
            ticks = self._ticks(square, line)
            if ticks and left == right == " ":
                ends = [Segment(tick, self.style("tick", *square.grounds)) for tick in ticks]
            if "last" in square.grounds and line == 0 and right == " ":
                ends[1] = Segment(LAST_MOVE, self.style("hint", *square.grounds))
        parts = ENGRAVED_DIGIT.split(middle) if self.game.board.heaps else [middle]
        inside = [Segment(part, style + Style(reverse=True) if nth % 2 else style) for nth, part in enumerate(parts)]
        return [ends[0], *inside, ends[1]]

    def _ticks(self, square: BoardSquare, line: int) -> str:
        """Return the two signs at the ends of a line of the square under the cursor; empty if there are none."""
        if "cursor" not in square.grounds:
            return ""
        if square.note is not None and len(square.note[0]) > self.width - len("[]"):
            return ""  # the note covers some of them
        if square.piece is not None and not square.digit and self.height <= TICKS_FROM:
            return ""  # they would look like parts of the mark
        if self.height < TICKS_FROM:
            return "[]" if self._is_middle(line) else ""
        return TICKS.get((line == 0, line == self.height - 1), "")

    def _is_middle(self, line: int) -> bool:
        return line == self.height // 2

    def _content(self, square: BoardSquare, line: int) -> tuple[str, Style]:
        """Return what a line of a square shows, and its style."""
        hint_style = self.style("hint", *square.grounds)
        if square.bead is not None:
            return (BEAD if self._is_middle(line) else "").center(self.width), square.bead + hint_style
        if square.note is not None and line == self.height - 1:
            text, style = square.note
            mark = square.piece.mark if square.piece is not None and self.height == 1 else ""
            return f"{mark}{text}".center(self.width), style
        if square.piece is not None:
            return self._piece_line(square, square.piece, line), self._piece_style(square, square.piece)
        sign = square.digit or (TAKEN_STONE if square.was_taken else "")
        if not self._is_middle(line):
            sign = ""
        return sign.center(self.width), self.style("digit", *square.grounds) if square.digit else hint_style

    def _piece_line(self, square: BoardSquare, piece: Piece, line: int) -> str:
        """Return a line of a piece, with its digit: on a stone, or in a corner that a mark leaves empty."""
        digit = square.digit
        if square.is_numbered and self.height == 1:
            return f"{piece.mark}{digit}".center(self.width)
        mark_height = self.height - 1 if self.low else self.height
        if line == mark_height:
            return " " * self.width
        text = mark_lines(self._mark(piece), self.width, mark_height, solid=self.solid)[line]
        if digit and self.game.board.heaps and self.height > 1:
            if line == mark_height // 2:
                middle = self.width // 2
                text = text[:middle] + digit + text[middle + 1 :]
        elif digit and line == 0 and self.width > USUAL_LEAST[0] and text[: len(digit)].isspace():
            text = digit + text[len(digit) :]
        return text

    def _mark(self, piece: Piece) -> str:
        """Return the mark that a piece is drawn as: the discs of the two sides differ by shape too."""
        if self.game.board.heaps:
            return STONE
        return DISCS[bool(piece.side)] if self.game.board.discs else piece.mark

    def _piece_style(self, square: BoardSquare, piece: Piece) -> Style:
        if "row" in square.grounds and self.game.board.discs and self.height < TICKS_FROM:  # it covers its ground
            name = "bad" if self.lost else "good"
        elif piece.side is None:
            name = "plain"
        else:
            name = "second" if piece.side else "first"
        return self.style(name, *square.grounds)
