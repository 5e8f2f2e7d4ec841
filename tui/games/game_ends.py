"""The last positions of listed games as boards, in a panel of the Games screen."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from textual.app import ComposeResult

from engine.match import Record, replayed
from lab.memory.matchbox import Matchbox, board_box
from lab.review.finished_games import record_ending_text
from learners.core.learner import PERSON
from tui.shell.parts import LiveText, SizedPanel
from tui.widgets.game_boards import FORMS, room_for
from tui.widgets.tiles import FRAMED, lines_of, palette_of

MOST_ENDS: Final = 100
"""The maximum number of games whose last positions are drawn."""


class GameEnds(SizedPanel):
    """Shows how games ended, as many as fit, the selected one lit. A click on one runs `look_at` of the screen."""

    _records: Mapping[int, Record] = {}
    _at = 0

    def compose(self) -> ComposeResult:
        boards = LiveText(id="games-boards")
        boards.auto_links = False  # a board that can be clicked keeps its colours
        yield boards

    def show(self, records: Mapping[int, Record], at: int) -> None:
        """Draw games of one kind, by their places in the list; the one at place `at` is selected."""
        self._records, self._at = records, at
        if self.display:
            self.draw()

    def draw(self) -> None:
        """Draw the games for the present size, in the largest form in which all fit."""
        width, height = self.content_size
        boxes = [replace(end_box(record), lit=at == self._at) for at, record in self._records.items()]
        form = next((each for each in FORMS[1:] if room_for(boxes, width, height, each) >= len(boxes)), FRAMED)
        room = max(1, room_for(boxes, width, height, form))
        first = sum(at < self._at for at in self._records) // room * room
        links = [f"screen.look_at({at})" for at in self._records]
        shown = slice(first, first + room)
        drawn = lines_of(boxes[shown], width, palette_of(self), form, links[shown])
        self.query_one("#games-boards", LiveText).set_text(drawn)


@lru_cache(MOST_ENDS)
def end_box(record: Record) -> Matchbox:
    """Return the last position of a game, the completed rows lit, above how the game ended."""
    game, position = record.game, replayed(record).position
    box = board_box(game, position, record_ending_text(record).split()[-1])
    won, winner = {square for row in game.board.completed(position) for square in row}, record.outcome.winner
    is_good = winner is None or record.players[winner] == PERSON or PERSON not in record.players
    squares = (replace(each, row=is_good) if at in won else each for at, each in enumerate(box.squares))
    return replace(box, squares=tuple(squares))
