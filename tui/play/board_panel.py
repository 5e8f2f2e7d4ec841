"""The panel of the board: the board, the moves, and in its frame the side to move and who is ahead."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from engine.analysis.rating import RatedMove, best_of, is_open, rate_in_steps
from engine.game import Game, Position
from engine.spaces import positions_so_far
from engine.stop import Stop
from lab.advice.advice import bar_text
from lab.board.table import Table
from lab.text.numbers import short_count
from lab.text.sanitise import plain
from tui.play.board_sentences import moves_text, status_text
from tui.play.news import board_titles
from tui.shell.background import Background
from tui.shell.parts import CORNERS, FRAME, LiveText, entitle, fitting_text, text_with_keys
from tui.widgets.board import BoardView
from tui.widgets.board_shape import board_size, largest_cell
from tui.widgets.palette import palette_of, theme_colour
from tui.widgets.xray_notes import xray_text

WIDTH_SHARES: Final = (0.46, 0.58)
"""The smallest and the largest share of the width of the screen that the board takes."""
WIDTH_SHARES_ABREAST: Final = (0.25, 0.5)
"""The same where the panels beside the board stand side by side."""
GOOD_CELL: Final = (13, 7)
"""The columns and lines of a square that are enough: beyond them, the wall has more rows."""
LINES_BELOW: Final = 2
"""The lines below the board: the moves, and air."""
AIR: Final = 2
"""The columns left free beside the board."""
SEPARATOR: Final = " · "
LEAST_ROOM: Final = 12
"""The columns for the moves before the panel has a size."""


def with_marks(widget: Widget, words: str, game: Game) -> Content:
    """Return words of a frame in which the marks of the sides look as on the board; names of keys stay as they are."""
    if "`" in words:
        return text_with_keys(plain(words))
    return Content.from_rich_text(palette_of(widget).draw_marks(Text(plain(words)), game))


def evaluations(game: Game, position: Position, stop: Stop) -> Iterator[tuple[RatedMove | None, bool]]:
    """Yield the best move of a position as far as it is known, and whether a better answer is being computed."""
    for rated in rate_in_steps(game, position, stop):
        best = best_of(rated)[0] if rated else None
        yield best, is_open(game, rated)


class BoardPanel(Vertical, Background):
    """Shows the game of a table, and who is ahead in it, computed in the background: in a large game it is a search."""

    _judged: tuple[Game, Position] | None = None
    """The position whose evaluation is shown or being computed."""
    _best: tuple[RatedMove | None, bool] | None = None
    """Its best move, none once the game is over, and whether a better answer is being computed; `None` if not known."""
    refused = ""
    """The reason why the square that was picked last cannot be played; empty if it can."""

    def __init__(self, table: Table, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, classes="panel")
        self.table = table

    def compose(self) -> ComposeResult:
        yield BoardView(self.table.game, id="board", animates=True)
        yield LiveText(id="moves")

    @staticmethod
    def good_height(game: Game) -> int:
        """Return how many lines a board of a good size needs, with its frame and the moves."""
        return board_size(game, *GOOD_CELL).height + FRAME + LINES_BELOW

    def fit(self, screen: Size, lines: int, *, abreast: bool) -> None:
        """Be as wide as a board of `lines` lines needs, within shares of the width of the screen.

        `abreast` is whether the panels beside the board stand side by side.
        """
        game = self.table.game
        shares = WIDTH_SHARES_ABREAST if abreast else WIDTH_SHARES
        min_width, max_width = (round(share * screen.width) for share in shares)
        cell = largest_cell(game, Size(max_width - 2 * FRAME, lines - FRAME))
        wanted = board_size(game, *cell).width + 2 * FRAME + AIR
        width = min(max(wanted, min_width), max_width)
        self.styles.width = width
        room = Size(width - 2 * FRAME, lines - FRAME)
        self.set_class(board_size(game, *largest_cell(game, room)).height == room.height, "-full")

    def draw(self, *, ahead: bool) -> None:
        """Draw the board, and who is `ahead` if that is chosen."""
        session, board = self.table.session, self.query_one(BoardView)
        game, match = session.game, session.match
        board.show(game, match.position)
        board.last = game.board.squares(match.positions[-2], match.moves[-1]) if match.moves else ()
        board.show_row([seat is None for seat in session.seats])
        picked = len(board.chosen)
        moves = session.moves_by_squares() if self.table.can_move else {}
        board.open_squares = frozenset(squares[picked] for squares in moves if squares[:picked] == board.chosen)
        board.pointing = match.outcome is None
        board.show_xray(self.table.advice.lens)
        judged = (game, match.position) if ahead else None
        if judged != self._judged:
            self._judged, self._best = judged, None
            if judged is not None:
                self.run_in_steps("bar", partial(evaluations, *judged), partial(self._show_evaluation, judged))
        self.draw_frame()

    def _show_evaluation(self, judged: object, best: tuple[RatedMove | None, bool]) -> None:
        """Show an evaluation, unless another position is on the board by now."""
        if judged == self._judged:
            self._best = best
            self.draw_frame()

    def _bar(self, room: int) -> Text:
        """Return who is ahead in at most `room` columns, if there is so much room; empty if it is not shown."""
        if self._judged is None or self._best is None:
            return Text()
        (game, position), (best, looking) = self._judged, self._best
        styles = theme_colour(self, "role-first"), theme_colour(self, "role-second")
        return palette_of(self).draw_marks(bar_text(game, position, best, room, styles, looking=looking), game)

    @on(BoardView.LookingChanged)
    def draw_frame(self) -> None:
        """Draw what surrounds the board: the game, the side to move, the moves, and the legend of the X-ray."""
        session, board = self.table.session, self.query_one(BoardView)
        room = max(LEAST_ROOM, self.size.width - FRAME)
        is_awaiting = self.table.awaited is not None
        is_running = session.match.outcome is None
        xray = xray_text(
            session.game,
            self.table.advice.lens,
            room,
            board.texts.values(),
            answered=board.answer.answered,
            looking=board.is_looking,
            bare=board.is_bare and is_running,
        )
        state = self._status(chosen=bool(board.chosen))
        if is_running and (self.refused or xray):
            state = self.refused or xray
        self.set_class(bool(self.refused) or not is_running, "-told")
        title = fitting_text(self, *board_titles(session, awaiting=is_awaiting))
        room_beside = self.outer_size.width - CORNERS - cell_len(state) - len(SEPARATOR)
        bar = self._bar(room_beside)
        content = with_marks(self, state, session.game)
        if bar and bar.cell_len <= room_beside:
            content = Content.assemble(Content.from_rich_text(bar), SEPARATOR, content)
        elif bar and not self.refused:
            content = Content.from_rich_text(self._bar(self.outer_size.width - CORNERS))
        entitle(self, with_marks(self, title, session.game), content)
        self.query_one("#moves", LiveText).set_text("" if is_awaiting else moves_text(session, room))

    def _status(self, *, chosen: bool) -> str:
        table = self.table
        if table.loading:
            count = positions_so_far()
            return "Loading …" if count is None else f"Preparing the game: {short_count(count)} positions …"
        if table.paused and table.session.player is not None and table.match.outcome is None:
            return "paused · `Space` goes on"
        activity = "is learning" if table.is_learning else "is thinking"
        return status_text(table.session, activity, self.query_one(BoardView).digit_count, chosen=chosen)
