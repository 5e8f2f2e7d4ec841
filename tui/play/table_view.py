"""A table: the board, and around it the last used box of a machine, the news, and the wall."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import DescendantBlur, DescendantFocus
from textual.message import Message

from engine.game import Move
from engine.match import Match
from lab.advice.xray import OFF
from lab.board.event_sentences import seat_name
from lab.board.opponent_strength import meter
from lab.board.table import Table
from lab.memory.card_filter import merges_twins, shared_card
from lab.text.sanitise import plain
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.save_ref import SAVE
from learners.players.levels import level_in
from tui.play.board_panel import BoardPanel, with_marks
from tui.play.board_sentences import move_list
from tui.play.news import introduction, is_lost_by_a_move, lost_by, news_text, score_text
from tui.play.outcome_boxes import outcome_boxes
from tui.play.panels import MemoryWall, ScoreCurve, Turn, last_turn, wall_lines
from tui.play.views import ExactResultsView, MachineBox, is_spoiler
from tui.shell.background import Background
from tui.shell.bars import ModeBar
from tui.shell.guards import is_closing
from tui.shell.parts import FRAME, LiveText, Panel, entitle, fitting_text, height_of
from tui.shell.tour import Tour, TourBar
from tui.widgets.board import BoardView
from tui.widgets.game_boards import GameBoards
from tui.widgets.palette import palette_of, theme_colour
from tui.widgets.wall import Wall, card_matchbox

LostGame = tuple[Match, tuple[Move, ...]]
"""A match, and its moves when it was lost."""
BARS_HEIGHT: Final = 2
"""The lines of the mode bar and of the key line."""
LOOKING_BACK: Final = "Looking for the move that decided it …"
AIR: Final = 1
"""The lines below the boards of the moves."""
BAR_FROM: Final = 80
"""The minimum width of a screen, in columns, that names the opponent in the bar of modes."""


class NewsPanel(Panel):
    """The panel of what has just happened, which says what fits into it. Posts `Resized` when its size changes."""

    class Resized(Message):
        """Posted when other panels have left it more room, or less."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


@dataclass(frozen=True)
class ShownTable:
    """What a table is drawn from, besides its own state."""

    machine: Player | None
    """The machine whose box is open."""
    last: Turn | None
    """What it last knew, and played."""
    folded: bool
    """Whether its box would give away who wins."""
    advice: str
    toured: bool


class TableView(Vertical, Background):
    """Draws a table, and arranges its parts by the classes of the screen."""

    _shown: ShownTable | None = None
    """What the table was last drawn from."""
    _drawn: tuple[Match | None, int] = (None, 0)
    """The match and the number of its moves when it was last drawn."""
    _lost: LostGame | None = None
    """The game that a person has lost to a machine."""
    _decision_text = ""
    """The move that decided that game, or that it is being looked for."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    def compose(self) -> ComposeResult:
        with Horizontal(id="play-top"):
            yield BoardPanel(self.table, id="play-board")
            with Vertical(id="play-side"):
                yield MachineBox(id="play-box", classes="panel")
                with Panel(id="play-figures", classes="panel"):
                    yield ExactResultsView(id="exact-results")
                with Horizontal(id="play-low"):
                    with NewsPanel(id="play-news", classes="panel"):
                        yield LiveText(id="news")
                        yield GameBoards(id="game-boards")
                    yield ScoreCurve(id="play-curve", classes="panel")
        yield MemoryWall(id="play-wall", classes="panel")

    def draw(self, advice: str, tour: Tour, *, ahead: bool) -> None:
        """Draw all parts, and who is `ahead` if that is chosen."""
        table, session = self.table, self.table.session
        match = session.match
        side = match.side if session.player is not None else match.side.other
        watched = session.seats[side]
        results = self.query_one(ExactResultsView)
        known = None if watched is None else results.known(watched)
        last = last_turn(session, watched)
        has_box = isinstance(watched, Learner) or (last is not None and last[1] is not None)
        is_open = has_box and (table.advice.lens.kind != OFF or table.is_learning or watched in session.pupils)
        folded = watched is not None and not is_open and is_spoiler(watched, known)
        self._arrange(watched, folded=folded)
        self.query_one(BoardPanel).draw(ahead=ahead)
        self.query_one(MemoryWall).offer(tour.offer)
        results.show(watched, side)
        self.query_one(MemoryWall).show(session, watched, last, folded=folded)
        self._shown = ShownTable(watched, last, folded, advice, tour.is_under_way)
        if table.awaited is None:
            self._open_box()
        # a bead moves once its box is seen; the box stays closed until the results say that it gives nothing away
        waits = folded and known is None and isinstance(watched, Learner) and not match.game.board.discs
        if not waits:
            self._animate_move(watched)
        self._draw_news()
        self._draw_score()
        self._draw_opponent(watched)

    def _animate_move(self, watched: Player | None) -> None:
        """Let the piece of a move arrive that was made since the last call."""
        session = self.table.session
        match = session.match
        drawn_match, drawn_moves = self._drawn
        if len(match.moves) > (drawn_moves if match is drawn_match else 0):
            is_watched = session.seats[match.side.other] is watched
            self.query_one(BoardView).arrive(self.query_one(MachineBox).bead() if is_watched else None)
        self._drawn = match, len(match.moves)

    def _arrange(self, watched: Player | None, *, folded: bool) -> None:
        """Give the wall the lines that the board does not need; the tour bar takes its lines from the wall.

        Where no box is open, the moves are listed in its place. While a save is awaited, its box and wall are empty.
        """
        screen, awaited = self.screen, self.table.awaited
        shows_figures = screen.has_class("-figures")
        is_save = awaited is not None and any(label.startswith(SAVE) for label in (awaited.first, awaited.second))
        self.query_one("#play-box").display = (watched is not None or is_save) and not shows_figures
        figures = self.query_one("#play-figures")
        figures.display = shows_figures
        entitle(figures, "Its exact results", "`f` closes")
        screen.set_class(not shows_figures and not is_save and (watched is None or folded), "-listing")
        room, bar = screen.size.height - BARS_HEIGHT, screen.query_one(TourBar)
        rows, has_wall = self.table.game.board.rows, is_save
        if isinstance(watched, Learner):
            cards = watched.view.cards().tolist()
            if cards:
                rows, has_wall = card_matchbox(watched, cards[0]).rows, True
        lines = wall_lines(room, rows, BoardPanel.good_height(self.table.game)) if has_wall else 0
        screen.set_class(not lines, "-unwalled")
        top = room - max(lines, bar.lines)
        self.query_one("#play-top").styles.height = top if lines else "1fr"
        abreast = bool(lines) and screen.has_class("-vast") and not screen.has_class("-listing")
        screen.set_class(abreast, "-abreast")
        self.query_one(BoardPanel).fit(screen.size, top, abreast=abreast)
        self.query_one(MemoryWall).fit(lines - bar.lines, rows)

    def _open_box(self) -> None:
        """Open the box under the cursor of the wall if the wall has the focus, otherwise the last used box."""
        if self._shown is None:
            return
        watched, last, folded = self._shown.machine, self._shown.last, self._shown.folded
        table, box, edge = self.table, self.query_one(MachineBox), self.query_one(MemoryWall).looked_at
        if edge is not None and isinstance(watched, Learner) and not watched.spec.parameters:
            position = table.match.position
            present_card = shared_card(watched, position) if merges_twins(watched) else None
            is_present = edge == present_card or watched.view.card(edge).position == position
            box.look_at(watched, edge, closed=is_present and table.can_move and table.advice.lens.kind == OFF)
            return
        gained = None
        if table.was_learned and not table.is_learning:
            gained = {each.edge: each.after - each.before for lesson in table.lessons for each in lesson.changes}
        hidden = folded and table.match.outcome is not None  # then no move is left to be given away
        introduced = self._shown.toured or bool(introduction(table.session, narrow=False))
        box.show(watched, None if hidden else last, gained, folded=folded, introduced=introduced)

    @on(Wall.Moved)
    @on(DescendantFocus, "#wall")
    @on(DescendantBlur, "#wall")
    def look_at_wall(self) -> None:
        """Open the box that the wall points at; if it points at none, the last used box."""
        if not is_closing(self):
            self._open_box()

    def settle(self) -> None:
        """End all motion at once, and show its final state."""
        self.query_one(BoardView).motion.settle()
        self.query_one(MachineBox).settle()

    @on(NewsPanel.Resized)
    def fit_news(self) -> None:
        self._draw_news()

    def _find_decision(self) -> str:
        """Return by which move a person has lost to a machine, once that is found: this takes up to half a second."""
        session = self.table.session
        if not is_lost_by_a_move(session):
            return ""
        match = session.match
        lost = match, tuple(match.moves)
        if lost != self._lost:
            self._lost, self._decision_text = lost, LOOKING_BACK
            find = partial(lost_by, match.until(len(match.moves)))
            self.run_in_background("decided", find, self._show_decision, self._warn_of_decision)
        return self._decision_text

    def _warn_of_decision(self, error: str) -> None:
        self.warn(error)
        self._show_decision("")

    def _show_decision(self, text: str) -> None:
        self._decision_text = text
        self._draw_news()

    def _draw_news(self) -> None:
        """Show what has just happened."""
        if self._shown is None:
            return
        advice, toured = self._shown.advice, self._shown.toured
        session, table, listed = self.table.session, self.table, self.screen.has_class("-listing")
        lessons = table.lessons if table.was_learned and not table.is_learning else ()
        brief, narrow = not self.screen.has_class("-tall"), self.screen.has_class("-narrow")
        palette = palette_of(self)
        room = self.query_one("#play-news").scrollable_content_region.size
        text = news_text(
            session,
            lessons,
            advice,
            palette,
            told=not self._shown.folded,
            listed=listed,
            room=room,
            brief=brief,
            narrow=narrow,
            toured=toured,
            decided=self._find_decision() if listed else "",
        )
        if introduction(session, narrow=False) and session.match.outcome is None and not advice:
            learner, free_lines = session.pupils[0], room[1] - height_of(text.plain, room[0])
            turn = last_turn(session, learner)
            if turn is not None:
                text.append_text(outcome_boxes(learner, turn, (room[0], free_lines), palette))
        if table.awaited is not None:
            text = Text()
        elif session.pupils and session.match.outcome is not None and not (table.learning or session.current.practice):
            is_one = len(session.pupils) == 1
            text.append("\nIt does not learn: i lets it." if is_one else "\nThey do not learn: i lets them.", "dim")
        if table.is_learning:  # the first time, the learning is compiled for some seconds
            text.append("\nIt is learning from this game …", "dim")
        self.query_one("#news", LiveText).set_text(palette.draw_marks(text, session.game))
        self.query_one("#news").display = bool(text)
        self._list_moves(height_of(text.plain, room[0]))

    def _list_moves(self, above: int) -> None:
        """List the moves where no box is open, below `above` lines, and where there is room, draw each as a board."""
        session, boards = self.table.session, self.query_one(GameBoards)
        if not self.screen.has_class("-listing"):
            return
        match = session.match
        if not match.moves and match.outcome is None:
            boards.show_example(match.game)
            return
        width, height = self.query_one("#play-news").content_size
        free_lines, board_lines = height - above - AIR, match.game.board.rows + FRAME
        lines = free_lines - board_lines
        if match.outcome is None and lines > board_lines:  # so that the boards stay, however many moves are listed
            lines -= board_lines
        moves = palette_of(self).draw_marks(move_list(session, max(1, lines), width), session.game)
        if self.screen.has_class("-tall"):
            moves += Text("\n")
        boards.show(match, len(match.moves), moves)

    def _draw_opponent(self, watched: Player | None) -> None:
        """Show a machine that a person plays, and its level once that is known, in the bar of modes."""
        text = Text()
        if watched is not None and None in self.table.session.seats and self.screen.size.width >= BAR_FROM:
            results = self.query_one(ExactResultsView).known(watched)
            level = None if results is None else level_in(watched, results)
            text = Text(plain(seat_name(watched), 16))
            if level is not None:
                text.append(f" {meter(level)}", theme_colour(self, "role-good")).append(f" {level.name}")
        self.screen.query_one(ModeBar).set_idle_text(text)

    def _draw_score(self) -> None:
        """Show the score, and its curve where there is room."""
        session, is_awaiting = self.table.session, self.table.awaited is not None
        panel, brief = self.query_one("#play-news"), score_text(session, with_draws=False)
        score = fitting_text(panel, score_text(session), brief, brief.replace(" : ", ":"))
        entitle(panel, "What happened", "" if is_awaiting else with_marks(self, score, session.game))
        self.query_one(ScoreCurve).show(session, shown=self.screen.has_class("-vast", "-tall"), awaiting=is_awaiting)
