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
from tui.widgets.palette import Palette, palette_of
from tui.widgets.tiles import FRAMED, BoxForm, box_height, boxes_per_row, boxes_text

LARGE_FORMS: Final = tuple(replace(FRAMED, square=(2 * lines + 1, lines), leading=1) for lines in range(6, 2, -1))
"""The forms that games with discs lack, since discs would touch in them."""
FORMS: Final = (
    *LARGE_FORMS,
    replace(FRAMED, square=(5, 2), leading=1),
    replace(FRAMED, gap=3, leading=1),
    replace(FRAMED, gap=2, leading=1),
    replace(FRAMED, gap=2),
    FRAMED,
    replace(FRAMED, gap=0),
)
"""The forms of the boards, the largest first. Only boards with many columns have the last one."""
WIDE_FROM: Final = 7
"""From this number of columns on, the squares may stand without a gap."""
ENOUGH_BOARDS: Final = 4
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
    boxes = []
    labels = game.move_labels(match.positions[0], match.moves)
    for ply, (position, label) in enumerate(zip(match.positions[1:], labels, strict=False), 1):
        boxes.append(replace(board_box(game, position, f"{ply}. {label}"), lit=ply == at))
    form = _form_for(match, boxes, room)
    capacity = count_fitting(boxes, width, height, form)
    if capacity < least:
        return Text()
    first = max(0, min(len(boxes) - capacity, at - 1))
    if boxes and match.outcome is None:  # boards for the moves to come, as far as the game may go on
        blank = tuple(each if each.text == WALL else Square(SquareKind.SIGN, " ") for each in boxes[0].squares)
        plies = range(len(boxes) + 1, len(blank) + 1)
        boxes += [replace(boxes[0], squares=blank, caption=f"{ply}.", lit=False) for ply in plies]
    text = boxes_text(boxes[first : first + capacity], width, palette, form)
    if not text:
        return text
    free_lines = height - text.plain.count("\n") - 1
    return Text("\n" * max(0, free_lines // 2)).append_text(text)


def _form_for(match: Match, boxes: Sequence[Matchbox], room: tuple[int, int]) -> BoxForm:
    """Return the largest form in which all boards of a game fit into the columns and lines of `room`.

    If they fit in no form, it is the largest with room for `ENOUGH_BOARDS`.
    """
    (width, height), board = room, match.game.board
    forms = FORMS
    if board.columns < WIDE_FROM:
        forms = forms[:-1]
    if board.discs:
        forms = forms[len(LARGE_FORMS) :]
    count = len(boxes)
    if match.outcome is None:  # about as many moves as squares
        count = max(count, len(board.cells(match.game.start)))
    if count_fitting(boxes, width, height, forms[-1]) < count:
        count = ENOUGH_BOARDS
    form = next((each for each in forms if count_fitting(boxes, width, height, each) >= count), forms[-1])
    capacity, tight = count_fitting(boxes, width, height, form), replace(form, leading=0)
    if capacity < len(boxes) and count_fitting(boxes, width, height, tight) >= 2 * capacity:
        return tight  # rather than half of the room empty
    return form


def count_fitting(boxes: Sequence[Matchbox], width: int, height: int, form: BoxForm) -> int:
    """Return how many boards fit."""
    rows = height // max((box_height(box, form) for box in boxes), default=1)
    return rows * boxes_per_row(boxes, width, form)


class GameBoards(Static):
    """Shows the last positions of a game in the room that it has."""

    DEFAULT_CSS = "GameBoards { width: 100%; height: 1fr; text-wrap: nowrap; }"
    _shown: tuple[Match, int] | None = None
    _above = Text()
    _is_example = False

    def show(self, match: Match, at: int, above: Text | None = None) -> None:
        """Show a game as far as it has been played, the board after move `at` lit, below the lines `above`.

        Lines that stood in a widget of their own would lay out the screen with each move.
        """
        self._shown, self._above, self._is_example = (match, at), above or Text(), False
        self._draw()

    def show_example(self, game: Game) -> None:
        """Show a random game, dim."""
        match = random_game(game)
        self._shown, self._above, self._is_example = (match, len(match.moves)), Text("A random game:"), True
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._shown is None:
            return
        width, height = self.size
        above = list(self._above.split(allow_blank=True)) if self._above else []
        least = 2 if self._is_example else 1  # one board is no example of a game
        boards = boards_text(*self._shown, (width, height - len(above)), palette_of(self), least=least)
        text = Text("\n").join([*above, boards])
        if self._is_example and not boards:
            text = Text()
        if self._is_example:
            text.stylize("dim")
        self.update(text, layout=False)
