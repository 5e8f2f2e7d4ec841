"""A game as boards, one for each move."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Final

from rich.text import Text
from textual.widgets import Static

from engine.game import Game
from engine.match import Match
from lab.memory.matchbox import Matchbox, Square, SquareKind, board_box
from tui.widgets.board_shape import WALL
from tui.widgets.tiles import FRAMED, BoxForm, Palette, box_height, boxes_per_row, boxes_text, palette_of

LARGE: Final = tuple(replace(FRAMED, square=(2 * lines + 1, lines), leading=1) for lines in range(6, 2, -1))
"""The forms that games with discs lack, since discs would touch in them."""
FORMS: Final = (
    *LARGE,
    replace(FRAMED, square=(5, 2), leading=1),
    replace(FRAMED, gap=3, leading=1),
    replace(FRAMED, gap=2, leading=1),
    replace(FRAMED, gap=2),
    FRAMED,
    replace(FRAMED, gap=0),
)
"""The forms of the boards, the largest first. Only boards with many columns have the last one."""
WIDE: Final = 7
"""From this number of columns on, the squares may stand without a gap."""
ENOUGH: Final = 4
"""The number of boards for which there must be room in a form that is not the smallest, if not all have room in it."""


@lru_cache
def random_game(game: Game) -> Match:
    """Return a random game, always the same one, as an example of how pieces are played and how a game ends."""
    match, random = Match(game), Random(1)  # noqa: S311  a game
    while match.outcome is None:
        match.play(random.choice(list(game.moves(match.position))))
    return match


def boards_text(match: Match, at: int, room: tuple[int, int], palette: Palette, *, least: int = 1) -> Text:
    """Return the positions after the last moves as boards; the board after move `at` is lit.

    There are as many as fit into the columns and lines of `room`, if that is `least` or more. The first move is 1. If
    the board after move `at` would not be among them, the boards begin with it.
    """
    (width, height), game = room, match.game
    names = game.move_labels(match.positions[0], match.moves)
    after = enumerate(zip(match.positions[1:], names, strict=False), 1)
    boxes = [replace(board_box(game, position, f"{ply}. {name}"), lit=ply == at) for ply, (position, name) in after]
    forms = FORMS[len(LARGE) * game.board.discs : len(FORMS) - (game.board.columns < WIDE)]
    most = len(game.board.cells(game.start))  # about as many moves as squares
    count = len(boxes) if match.outcome is not None else max(len(boxes), most)
    wanted = count if room_for(boxes, width, height, forms[-1]) >= count else ENOUGH
    form = next((each for each in forms if room_for(boxes, width, height, each) >= wanted), forms[-1])
    tight, fitting = replace(form, leading=0), room_for(boxes, width, height, form)
    if fitting < len(boxes) and room_for(boxes, width, height, tight) >= 2 * fitting:
        form = tight  # rather than half of the room empty
    shown = room_for(boxes, width, height, form)
    if shown < least:
        return Text()
    first = max(0, min(len(boxes) - shown, at - 1))
    if boxes and match.outcome is None:  # boards for the moves to come, as far as the game may go on
        blank = tuple(each if each.text == WALL else Square(SquareKind.SIGN, " ") for each in boxes[0].squares)
        numbers = range(len(boxes) + 1, len(blank) + 1)
        boxes += [replace(boxes[0], squares=blank, caption=f"{ply}.", lit=False) for ply in numbers]
    text = boxes_text(boxes[first : first + shown], width, palette, form)
    left = height - text.plain.count("\n") - 1
    return Text("\n" * max(0, left // 2)).append_text(text) if text else text


def room_for(boxes: Sequence[Matchbox], width: int, height: int, form: BoxForm) -> int:
    """Return how many boards fit."""
    return height // max((box_height(box, form) for box in boxes), default=1) * boxes_per_row(boxes, width, form)


class GameBoards(Static):
    """Shows the last positions of a game in the room that it has."""

    DEFAULT_CSS = "GameBoards { width: 100%; height: 1fr; text-wrap: nowrap; }"
    _shown: tuple[Match, int] | None = None
    _above = Text()
    _dim = False

    def show(self, match: Match, at: int, above: Text | None = None, *, dim: bool = False) -> None:
        """Show a game as far as it has been played, the board after move `at` lit, below the lines `above`.

        Lines that stood in a widget of their own would lay out the screen with each move.
        """
        self._shown, self._above, self._dim = (match, at), above or Text(), dim
        self._draw()

    def show_example(self, game: Game) -> None:
        """Show a random game, dim."""
        match = random_game(game)
        self.show(match, len(match.moves), Text("A random game:"), dim=True)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._shown is not None:
            width, height = self.size
            above = list(self._above.split(allow_blank=True)) if self._above else []
            least = 1 + self._dim  # one board is no example of a game
            boards = boards_text(*self._shown, (width, height - len(above)), palette_of(self), least=least)
            text = Text("\n").join([*above, boards]) if boards or not self._dim else Text()
            if self._dim:
                text.stylize("dim")
            self.update(text, layout=False)
