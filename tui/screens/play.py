"""Play: a board, two seats, and the memory of the machine in one of them."""

from collections.abc import Iterable
from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from engine.game import BadText, Game, Position
from engine.grid import Grid
from engine.match import Match, Record
from engine.search import Stopped
from engine.space import TooLarge
from learners.player import Choice, Player
from learners.searchers import until
from saves.errors import LibraryError
from saves.library import SAVE
from tui.jobs import TrainingJob
from tui.lessons import Lesson, teach, why_nobody_learns
from tui.screens.lab import LabScreen
from tui.screens.players import PlayersDialog
from tui.session import HUMAN, Seating, Session, seating_for
from tui.telling import moves_text, reason_text, seat_name, seats_text, status_text
from tui.widgets.board import Board
from tui.widgets.fares_view import FaresView
from tui.widgets.lessons import Lessons
from tui.widgets.memory_view import MemoryView
from tui.widgets.panel import Panel

THINKING = 0.35
"""Seconds that a machine takes over a move, so that the eye can follow."""
WATCHING = 0.7
"""The same where two machines play."""


class PlayScreen(LabScreen):
    mode = "play"
    home = "#board"
    HELP = """\
# Play

Pick a square by its digit, with the arrows and Enter, or with the mouse. In hexapawn pick a pawn, then where it goes.

On the right you see who plays, why the machine made its last move, and what it holds of the position on the board:
each move with how likely it would play it. Below that stands how it fares against whom, exactly, over all games
that can be played: where that is out of sight, Tab goes there, and the arrows scroll.

With **i** a save of your own learns while it plays: after each game you are told what that changed in its memory, and
it is kept. The curve tells how it has grown since then. What it has learned is not taken back.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_game", "New game"),
        Binding("u", "take_back", "Take back"),
        Binding("s", "swap", "Swap sides"),
        Binding("o", "players", "Opponent"),
        Binding("i", "learn", "Learn"),
        Binding("w", "pause", "Pause", show=False),
        *(Binding(str(digit), f"pick({digit - 1})", show=False, system=True) for digit in range(1, 10)),
    ]

    session: Session
    paused = False
    loading = False
    """Whether the players are still to come."""
    refused = ""
    """The square that was picked last, where no move leads."""
    learning = False
    """Whether the saves at the board learn from each game."""
    learned_from: Match | None = None
    """The last game that they learn from, or have learned from."""
    taught = True
    """Whether they have."""

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with Vertical(id="play-left"):
                yield Static("", id="status", markup=False)
                yield Board(self.lab.game, id="board")
                yield Static("", id="moves", markup=False)
            with Panel(id="play-right"):
                yield Static("", id="seats", markup=False)
                yield Static("", id="reason", markup=False)
                yield Lessons(id="lessons")
                yield MemoryView()
                yield FaresView(id="fares-view")

    def open_up(self) -> None:
        super().open_up()
        self.session = Session(self.lab.game, (None, None), self.lab.random)
        self.seat(seating_for(self.lab.game, *self.lab.seats), learning=self.lab.learning)

    def seat(self, seating: Seating, *, learning: bool = False) -> None:
        """Put these players at the board, once they are loaded, and begin."""
        self.loading = True
        self.draw()
        self.load_seats(seating, learning=learning)

    @work(thread=True, exclusive=True, group="seats", exit_on_error=False)
    def load_seats(self, seating: Seating, *, learning: bool) -> None:
        seats: list[Player | None] = []
        for label in (seating.first, seating.second):
            try:
                seats.append(None if label == HUMAN else self.lab.library.player(label, seating.game))
            except (BadText, LibraryError, TooLarge) as error:
                self.app.call_from_thread(self.lab.warn, f"{error}. A person takes the seat.")
                seats.append(None)
        if not get_current_worker().is_cancelled:  # others were asked for since
            self.app.call_from_thread(self.begin, seating.game, (seats[0], seats[1]), learning)

    def begin(self, game: Game, seats: tuple[Player | None, Player | None], learning: bool) -> None:  # noqa: FBT001
        self.lab.game = game
        self.session = Session(game, seats, self.lab.random)
        self.learning = learning and bool(self.session.pupils)
        self.query_one(Lessons).begin(self.session.pupils if self.learning else ())
        self.loading = False
        self.tell_strangers()
        self._restart()

    def tell_strangers(self) -> None:
        """Say of a machine that sits where it knows nothing that it does."""
        for learner, side in self.session.strangers:
            own, here = self.session.game.mark(side.other), self.session.game.mark(side)
            self.lab.warn(f"{seat_name(learner)} plays {own} only: as {here} it moves at random. s swaps sides.")

    def advance(self) -> None:
        """Draw the position and, if a machine is to move, let it think."""
        self.draw()
        session = self.session
        player, match, position = session.player, session.match, session.match.position
        if match.outcome is None and player is not None and not self.paused and self.taught:
            pause = THINKING if session.has_person else WATCHING
            self.set_timer(pause, lambda: self.think(player, match, position))

    def _is_now(self, match: Match, position: Position) -> bool:
        """Whether that position still stands on the board: no position comes back in a game."""
        now = self.session.match is match and match.position == position and match.outcome is None
        return now and not self.paused

    @work(thread=True, exclusive=True, group="thinking", exit_on_error=False)
    def think(self, player: Player, match: Match, position: Position) -> None:
        worker = get_current_worker()
        thinker = until(player, lambda: worker.is_cancelled or not self._is_now(match, position))
        with suppress(Stopped):
            if self._is_now(match, position):
                choice = thinker.choose(position, self.session.random)
                self.app.call_from_thread(self.machine_chose, match, position, choice)

    def machine_chose(self, match: Match, position: Position, choice: Choice) -> None:
        if self._is_now(match, position):
            self.play(choice.move, choice.reason)

    def play(self, move: int | None, reason: str = "") -> None:
        session = self.session
        outcome = session.play(move, reason)
        if outcome is not None and session.has_person:
            self.keep_game(session.match.record(session.labels))
        if outcome is not None and self.learning:
            self.learned_from, self.taught = session.match, False
            self.learn(session, session.match.record(session.labels), self.lab.job)
        self.advance()

    @work(thread=True, exit_on_error=False)
    def learn(self, session: Session, record: Record, job: TrainingJob | None) -> None:
        """Let the saves at the board learn from a game; the next one waits for that."""
        lessons = []
        try:
            for pupil in session.pupils:
                if job is not None and job.running and SAVE + job.name == pupil.label:
                    self.app.call_from_thread(self.lab.warn, f"{job.name} is in training, and learns nothing here.")
                    continue
                try:
                    lessons.append(teach(self.lab.library, record, pupil.label))
                except (BadText, LibraryError, TooLarge) as error:
                    self.app.call_from_thread(self.lab.warn, f"{seat_name(pupil)} has not learned. {error}")
        finally:
            self.app.call_from_thread(self.learned, session, lessons)

    def learned(self, session: Session, lessons: list[Lesson]) -> None:
        self.taught = True
        for lesson in lessons:
            session.renew(lesson.learner)
        if session is self.session:
            self.query_one(Lessons).tell(lessons)
        self.advance()

    def action_learn(self) -> None:
        """Let the saves at the board learn from now on, or no longer."""
        pupils = self.session.pupils
        if not pupils:
            self.lab.warn(why_nobody_learns(self.session.seats))
            return
        self.learning = not self.learning
        self.query_one(Lessons).begin(pupils if self.learning else ())
        self.draw()

    @work(thread=True, exit_on_error=False)
    def keep_game(self, record: Record) -> None:
        try:
            self.lab.library.keep_game(record)
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, f"This game is not kept. {error}")

    def action_pick(self, square: int) -> None:  # by a digit, wherever the keys go
        self.query_one(Board).action_pick_square(square)

    def on_board_picked(self, message: Board.Picked) -> None:
        session, board = self.session, self.query_one(Board)
        self.refused = ""
        if session.match.outcome is not None:
            if message.entered:  # a digit may be meant for the game that has just ended
                self.action_new_game()
            return
        if session.player is not None or self.loading:
            return
        moves = session.moves_with_squares()
        square = session.game.pointed(session.match.position, message.square)
        for chosen in ((*board.chosen, square), (square,)):
            if chosen in moves:
                board.chosen = ()
                self.play(moves[chosen])
                return
            if chosen != board.chosen and any(squares[: len(chosen)] == chosen for squares in moves):
                board.chosen = chosen
                self.draw()
                return
        board.chosen = ()
        self.refused = Grid(session.game.rows, session.game.columns).name(message.square)
        self.draw()

    def action_new_game(self) -> None:
        self.session.new_game()
        self._restart()

    def action_take_back(self) -> None:
        if self.session.match is self.learned_from:
            self.lab.warn("This game is learned, and stays so: n begins a new one.")
        elif self.session.take_back():
            self._restart()

    def action_swap(self) -> None:
        self.session.swap()
        self.tell_strangers()
        self._restart()

    def action_pause(self) -> None:
        self.paused = not self.paused
        self.advance()

    def resized(self) -> None:
        super().resized()
        self.draw()

    def _restart(self) -> None:
        self.refused = ""
        self.query_one(Board).chosen = ()
        self.advance()

    @work
    async def action_players(self) -> None:
        seating = Seating(self.session.game, *self.session.labels)
        chosen = await self.app.push_screen_wait(PlayersDialog(seating))
        if chosen is not None:
            self.seat(chosen)

    def draw(self) -> None:
        """Bring every part up to the position."""
        session, board = self.session, self.query_one(Board)
        game, match = session.game, session.match
        board.show(game, match.position)
        board.last = game.squares(match.positions[-2], match.moves[-1]) if match.moves else ()
        reach = len(board.chosen)
        board.open_squares = (
            frozenset(squares[reach] for squares in session.moves_with_squares() if squares[:reach] == board.chosen)
            if session.player is None and not self.loading
            else frozenset()
        )
        self.query_one("#status", Static).update(self._status())
        self.query_one("#seats", Static).update(seats_text(session))
        self.query_one("#reason", Static).update(reason_text(session))
        moves = self.query_one("#moves", Static)
        moves.update(moves_text(session, max(12, moves.size.width)))
        side = match.side if session.player is not None else match.side.other
        watched = session.seats[side]
        turns = zip(match.positions, match.moves, strict=False)
        played = [turn for turn in turns if session.seats[game.side(turn[0])] is watched]
        self.query_one(MemoryView).show(watched, match.position, seat_name(watched), played[-1] if played else None)
        self.query_one(FaresView).show(watched, side)

    def _status(self) -> Text:
        if self.loading:
            return Text("Loading …", "dim")
        does = "is held" if self.paused else "is thinking" if self.taught else "is learning"
        return status_text(self.session, does, self.refused, chosen=bool(self.query_one(Board).chosen))
