"""Play: a board, two players, and the views of a machine at the board."""

from asyncio import to_thread
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import on, work
from textual.events import Key
from textual.widget import Widget

from engine.game import Move, Position
from engine.match import Match
from lab.advice.xray import OFF
from lab.board import events
from lab.board.event_sentences import event_sentences, no_square_text, refusal_text
from lab.board.first_game import tour_seating
from lab.board.seating import Seating
from lab.board.session import GameReview, PlayOn, Session, Undoable
from lab.board.table import Table
from lab.board.teaching import snapshot_to_train
from lab.training.training_job import TrainingJob
from learners.core.save_ref import SaveRef, short_label
from tui.play.advice_text import AdviceText
from tui.play.board_panel import BoardPanel
from tui.play.keys import BINDINGS, COMMANDS, HELP
from tui.play.panels import MemoryWall
from tui.play.picking import pick
from tui.play.remembered import recall, remember
from tui.play.steps import StepRunner
from tui.play.table_view import TableView
from tui.play.views import ExactResultsView, MachineBox
from tui.shell.files import Export
from tui.shell.guards import Debounce
from tui.shell.requests import DebriefGame, ListGames, ShowYourself, TrainOn
from tui.shell.screen import LabScreen
from tui.shell.tour import TourBar
from tui.shell.tour_stages import ScreenView
from tui.widgets.board import BoardView
from tui.widgets.board_cursor import squares_of_move

if TYPE_CHECKING:
    from lab.pictures.drawing import Picture

LOADING_INTERVAL: Final = 0.25
"""Seconds between two updates while machines are loaded."""
TRAINING_ROUNDS: Final = 1000
"""How many games a save at the board plays without the person."""
RESIGNING_TIME: Final = 6.0
"""Seconds in which a second key press confirms a resignation."""
ON: Final = "on"
POSITION_CHANGES: Final = events.Seated, events.GameStarted, events.PracticeStarted, events.TakenBack
"""The events after which the squares picked so far no longer count."""


def command(change: Callable[[Table], events.Steps]) -> Callable[["PlayScreen"], None]:
    """Return an action that applies a command to the table."""
    return lambda screen: screen.carry_out(change(screen.table))


class PlayScreen(LabScreen):
    """Shows the table: sends it the person's commands, and shows its events."""

    mode = "play"
    AUTO_FOCUS = "#board"
    HELP = HELP
    BINDINGS = BINDINGS

    table: Table
    runner: StepRunner
    advice: AdviceText
    proposed = ""
    """The label of the opponent proposed next, after a person has beaten one; empty if there is none."""
    _reloaded_from: TrainingJob | None = None
    """The training after which the save at the board was loaded again."""
    _is_seated_for_tour = False
    """Whether the machine that the tour is about is being seated."""

    def body(self) -> Iterable[Widget]:
        lab = self.lab
        self.table = Table(
            Session(lab.game, (None, None), lab.random),
            lab.library,
            checking=self.is_chosen("blunder check"),
            in_training=self.is_in_training,
        )
        self.advice = AdviceText()
        self.runner = StepRunner(self, self.table, self.show, self.draw)
        self.withdraw_later = Debounce(self, RESIGNING_TIME, self.withdraw_resignation)
        yield TableView(self.table)

    def set_up(self) -> None:
        super().set_up()
        lab = self.lab
        self.carry_out(self.table.seat(*recall(lab)))
        if lab.review is not None:
            self.review(lab.review)
        self.set_interval(LOADING_INTERVAL, self.show_loading)

    @property
    def session(self) -> Session:
        return self.table.session

    def show_loading(self) -> None:
        """Show the progress of loading the machines, which takes seconds in a large game."""
        if self.is_ready and self.table.loading:
            self.query_one(BoardPanel).draw_frame()

    def screen_view(self) -> ScreenView:
        return replace(super().screen_view(), session=self.session, keeps_game=self.table.keeps_game)

    def offered_keys(self) -> dict[str, str]:
        return {"tour(1)": "Tour"} if self.lab.tour.is_offered or self.lab.tour.was_left else {}

    def undo_target(self) -> str | None:
        undoable = self.table.undoable if self.is_ready else None
        if undoable is None:
            return None
        return "" if undoable is Undoable.MOVE else undoable.value  # words for a move would take room

    def ineffective_actions(self) -> set[str]:
        match = self.table.match
        if match.outcome is not None:
            return {"hint"}
        return set() if match.moves else {"debrief"}

    def impossible_actions(self) -> set[str]:
        actions = self.table.impossible | super().impossible_actions()
        if "switch_learning" in actions:
            actions |= {"learn", "train_on"}
        if self.session.seats == (None, None):
            actions |= {"figures"}
        return actions

    def is_chosen(self, key: str) -> bool:
        return self.lab.preference(key, OFF) == ON

    def is_in_training(self, label: str) -> bool:
        """Return whether a save, given by its label, is being trained."""
        job = self.lab.job
        return job is not None and job.running and SaveRef(job.name).label == label

    # Events.

    def carry_out(self, steps: Iterable[events.Step]) -> None:
        """Show the events of a table, start its tasks, and draw the screen."""
        self.runner.carry_out(steps)

    def show(self, event: events.Event) -> None:
        """Show the part of an event that `draw` does not show: advice, a message, a hint, or a lesson."""
        if isinstance(event, POSITION_CHANGES):
            self.refuse("")
            self.query_one(BoardView).chosen = ()
        sentences = event_sentences(event, self.session, COMMANDS)
        match event:
            case events.Seated():
                self.lab.game = event.game
                self.proposed = ""
            case events.OpponentBeaten() if not self.lab.tour.is_under_way:  # the tour says what comes next
                self.proposed = event.proposed
                self.advice.say(self.table.advice.state, *sentences)
            case events.HintGiven() if event.step == 2:
                match, move = self.session.match, event.hint.move
                self.query_one(BoardView).hinted = squares_of_move(match.game, match.position, move)
        self.advice.tell_event(event, sentences, self.table.advice.state)

    # Commands.

    def seat(self, seating: Seating) -> None:
        self.carry_out(self.table.seat(seating))

    def action_pick(self, square: int) -> None:  # a digit picks a square even if the board has no focus
        self.query_one(BoardView).action_pick_square(square)

    def refuse(self, reason: str) -> None:
        """Tell why a square cannot be played; nothing if it can."""
        self.query_one(BoardPanel).refused = reason

    def on_board_view_picked(self, message: BoardView.Picked) -> None:
        self.refuse("")
        if self.table.match.outcome is not None:
            if message.entered:  # a digit may have been meant for the game that has just ended
                self.carry_out(self.table.go_on())
        elif self.table.can_move:
            self.pick(message.square)

    def on_board_view_missed(self, message: BoardView.Missed) -> None:
        if self.table.can_move:
            self.refuse(no_square_text(self.session.game, message.digit, message.count))
            self.draw()

    def pick(self, picked: int) -> None:
        """Make the person's move to a square, or start a move of several squares there."""
        session, board = self.session, self.query_one(BoardView)
        square = session.game.board.pointed(session.match.position, picked)
        is_put_back = board.chosen == (square,)
        picking = pick(session.moves_by_squares(), board.chosen, square)
        board.chosen = picking.chosen
        if picking.moves:
            self.play_one_of(picking.moves)
            return
        if not picking.chosen and not is_put_back:
            self.refuse(refusal_text(session.game, session.match.position, picked))
        self.draw()

    def play_one_of(self, moves: Sequence[Move]) -> None:
        """Make the move to the picked squares; if there are several, ask which."""
        if len(moves) > 1:
            self.choose_move(self.table.match, self.table.match.position, moves)
        else:  # at once: a second pick right after must see the new position
            self.query_one(BoardView).focus()
            self.carry_out(self.table.play(moves[0]))

    @work
    async def choose_move(self, match: Match, position: Position, moves: Sequence[Move]) -> None:
        """Ask which of these moves to make in a position, and make it if the position has not changed meanwhile."""
        from tui.play.players_dialog import MoveDialog

        move = await self.ask(MoveDialog(match.game, position, moves))
        if move is not None and self.session.is_now(match, position) and self.table.can_move:
            self.carry_out(self.table.play(move))

    action_new_game = command(Table.new_game)
    action_take_back = command(Table.take_back)
    action_swap = command(Table.swap)
    action_pause = command(Table.pause)
    action_learn = command(Table.switch_learning)
    action_hint = command(Table.give_hint)
    action_offer_draw = command(Table.offer_draw)

    def action_check(self) -> None:
        self.carry_out(self.table.advice.switch_check())
        self.lab.set_preference("blunder check", ON if self.table.advice.checking else OFF)

    def action_resign(self) -> None:
        """Resign; a person to move must confirm it by the next key press, and soon."""
        if self.table.can_move and not self.advice.asks_to_resign:
            self.advice.ask_to_resign(self.table.advice.state)
            self.draw()
            self.withdraw_later()
        else:
            self.carry_out(self.table.resign())

    def withdraw_resignation(self) -> None:
        """No longer ask whether the person resigns."""
        if self.advice.asks_to_resign:
            self.advice.say(self.table.advice.state)
            self.draw()

    def action_xray(self) -> None:
        self.table.advice.turn_xray()
        self.refuse("")
        self.draw()

    def action_figures(self) -> None:
        """Show the exact results of the machine in place of its box, or the box again."""
        self.toggle_class("-figures")
        self.draw()

    def action_bar(self) -> None:
        """Show who is ahead; after the end of the game, the history of the number of the machine's last move."""
        if self.table.match.outcome is not None and self.query_one(MachineBox).ask_why(self.lab.library):
            return
        self.lab.set_preference("who is ahead", OFF if self.is_chosen("who is ahead") else ON)
        self.draw()

    @work
    async def action_players(self) -> None:
        from tui.play.players_dialog import PlayersDialog, read_opposition  # slow to import, and not needed to begin

        known = await to_thread(read_opposition, self.lab.library, self.session.game)
        chosen = await self.ask(PlayersDialog(self.table.seating, known, self.proposed))
        if chosen is not None:
            self.seat(chosen)
            self.lab.recalls_seats = True

    def action_train_on(self) -> None:
        """Let the save at the board play many games in Train, at once: against itself, or against a perfect player."""
        pupils = self.session.pupils
        if pupils:
            self.go(TrainOn(short_label(pupils[0].label), snapshot_to_train(pupils[0]), TRAINING_ROUNDS))
        else:
            self.carry_out(self.table.switch_learning())  # which says why nobody learns

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        self._reloaded_from = None
        self.show_changes()

    def show_changes(self) -> None:
        """Seat a save at the board in its present state, once its training has ended."""
        job = self.lab.job
        if not self.is_ready or job is None or job.running or job is self._reloaded_from:
            return
        self._reloaded_from = job
        if SaveRef(job.name).label in self.session.labels:
            self.carry_out(self.table.reload(SaveRef(job.name).label))

    def action_debrief(self) -> None:
        self.review(self.table.review())

    @work
    async def review(self, review: GameReview) -> None:
        """Open the debrief of a game, and play on from it if the user wants to."""
        self.play_on(await self.request(DebriefGame(review)))

    @work
    async def action_games(self) -> None:
        self.play_on(await self.request(ListGames()))

    @work
    async def action_yourself(self) -> None:
        self.play_on(await self.request(ShowYourself(self.session.game)))

    @work
    async def action_copy(self) -> None:
        from tui.widgets.copy_dialog import CopyDialog

        labels = self.session.labels
        match = await self.ask(CopyDialog(self.table.match))
        self.play_on(None if match is None else PlayOn(match, labels))

    def play_on(self, chosen: PlayOn | None) -> None:
        """Play on from a position that was chosen on another screen, if any."""
        if chosen is not None:
            self.carry_out(self.table.practise(*chosen))

    # Drawing.

    def adapt_to_size(self) -> None:
        super().adapt_to_size()
        self.call_after_refresh(self._draw_to_fit)

    def _draw_to_fit(self) -> None:
        """Draw again what depends on the new sizes of panels."""
        if self.is_ready:
            self.draw()

    @on(ExactResultsView.Found)
    def draw(self) -> None:
        """Draw the table; advice is dropped if the position has changed."""
        self.key_state = self.undo_target(), self.ineffective_actions()
        remember(self.lab, self.table)
        if self.advice.is_outdated(self.table.advice.state):
            self.advice.say(self.table.advice.state)
            self.query_one(BoardView).hinted = ()
        ahead = self.is_chosen("who is ahead")
        self.query_one(TableView).draw(self.advice.text, self.lab.tour, ahead=ahead)

    def action_leave_wall(self) -> None:
        self.query_one(BoardView).focus()

    def action_go_on(self) -> None:
        """Begin the next game, once this one is over; else give the focus back to the board."""
        self.query_one(BoardView).focus()
        if self.table.match.outcome is not None:
            self.carry_out(self.table.go_on())

    def on_key(self, event: Key) -> None:
        """Let any key end all motion, and any but its own the question whether the person resigns."""
        self.query_one(TableView).settle()
        if event.key != "F":
            self.withdraw_resignation()

    def current_export(self) -> Export | None:
        """Return the game so far, move by move."""
        match, labels = self.session.match, self.session.labels
        if not match.moves:
            return None
        so_far = replace(match, positions=[*match.positions], moves=[*match.moves])

        def draw() -> "Picture":
            from lab.pictures.game_pictures import match_picture  # slow to import, and needed only here

            return match_picture(so_far, labels, so_far.game.title, ())

        return Export("game", draw)

    def show_tour(self) -> None:
        bar = self.query(TourBar)
        before = sum(each.lines for each in bar)
        self._seat_for_tour()
        super().show_tour()
        if self.is_ready:
            self.query_one(MemoryWall).offer(self.lab.tour.offer)
            if sum(each.lines for each in bar) != before:
                self.draw()

    def _seat_for_tour(self) -> None:
        """Seat the machine that the tour is about, unless it sits there already."""
        tour = self.lab.tour
        if not tour.seats_pupil or not self.is_ready or self.app.screen is not self or self.table.loading:
            return
        seating = tour_seating(self.lab.library, self.session, learning=self.table.learning, fresh=not tour.index)
        if seating is None or self._is_seated_for_tour:  # once is enough, also if it cannot be loaded
            tour.seats_pupil = self._is_seated_for_tour = False
        else:
            self._is_seated_for_tour = True
            self.lab.recalls_seats = True
            self.carry_out(self.table.seat_for_now(seating))

    def action_tour(self, stages: int) -> None:
        """Go forward or back in the tour; where it introduces a machine, first seat that."""
        wanted = self.lab.tour.introduce(self.screen_view()) if stages > 0 else None
        if wanted is None:
            super().action_tour(stages)
        else:
            self.carry_out(self.table.seat_for_now(wanted))
