"""A board that is played at: players take their seats, machines think, games are kept and learned from."""

from contextlib import suppress
from dataclasses import replace
from threading import Lock

from textual import work
from textual.worker import get_current_worker

from engine.game import BadText, Position
from engine.match import Match, Record
from engine.space import TooLarge
from engine.stop import Stopped
from lab.board.session import HUMAN, Seating, Session, Sitting, chosen_seating, machine_for, seating_for
from lab.board.teaching import Lesson, teach, why_nobody_learns
from lab.tour.screen_view import ScreenView
from lab.training.training_job import TrainingJob
from lab.words.board_game import seat_name
from learners.core.player import Player
from learners.players.searchers import until
from saves.errors import LibraryError
from saves.library.library import SAVE
from tui.play.lessons_view import Lessons
from tui.shell.screen import LabScreen

THINKING = 0.35
"""Seconds that a machine takes over a move, so that the eye can follow."""
WATCHING = 0.7
"""The same where two machines play."""


class SittingScreen(LabScreen):
    """The half of Play that lets a session go on. A subclass draws it."""

    session: Session
    paused = False
    loading = False
    """Whether the players are still to come."""
    learning = False
    """Whether the saves at the board learn from each game."""
    learned_from: Match | None = None
    """The last game that they learn from, or have learned from."""
    taught = True
    """Whether they have."""
    left: tuple[Session, bool] | None = None
    """The session, and whether it taught, that was left to play on from a game of other players."""
    keeping: Lock
    """Held while a game is kept, or taken out again."""
    lessons: tuple[Lesson, ...] = ()
    """What that game has taught them."""

    def draw(self) -> None:
        """Bring every part up to the position."""
        raise NotImplementedError

    def screen_view(self) -> ScreenView:
        return replace(super().screen_view(), session=self.session)

    def open_up(self) -> None:
        super().open_up()
        self.keeping = Lock()
        self.session = Session(self.lab.game, (None, None), self.lab.random)
        usual = replace(seating_for(self.lab.game, *self.lab.seats), learning=self.lab.learning)
        self.seat((chosen_seating(self.lab.choice) if self.lab.recalls_seats else None) or usual)

    def seat(self, seating: Seating, match: Match | None = None) -> None:
        """Put these players at the board, once they are loaded, and begin; with `match` from there, as practice."""
        self.loading = True
        self.draw()
        self.load_seats(seating, match)

    @work(thread=True, exclusive=True, group="seats", exit_on_error=False)
    def load_seats(self, seating: Seating, match: Match | None) -> None:
        seats: list[Player | None] = []
        for label in (seating.first, seating.second):
            try:
                seats.append(None if label == HUMAN else self.lab.library.player(label, seating.game))
            except (BadText, LibraryError, TooLarge) as error:
                self.app.call_from_thread(self.lab.warn, f"{error}. A person takes the seat.")
                seats.append(None)
        if not get_current_worker().is_cancelled:  # another list was asked for since
            session = Session(seating.game, (seats[0], seats[1]), self.lab.random, seating.sides, seating.length)
            if match is not None:
                session.begin_at(match)
            self.app.call_from_thread(self.begin, session, seating.learning)

    def begin(self, session: Session, learning: bool) -> None:  # noqa: FBT001
        self.lab.game = session.game
        self.session = session
        self.learning = learning and bool(session.pupils)
        self.query_one(Lessons).begin(session.pupils if self.learning else ())
        self.loading = False
        self.tell_strangers()
        self.restart()

    def tell_strangers(self) -> None:
        """Say of a machine that sits where it knows nothing that it does."""
        for learner, side in self.session.strangers:
            own, here = self.session.game.mark(side.other), self.session.game.mark(side)
            self.lab.warn(f"{seat_name(learner)} plays {own} only: as {here} it moves at random. s swaps sides.")

    def restart(self) -> None:
        """Go on from a board that has changed otherwise than by a move."""
        self.advance()

    def advance(self) -> None:
        """Draw the position and, if a machine is to move, let it think."""
        self.draw()
        session = self.session
        player, match, position = session.player, session.match, session.match.position
        if match.outcome is None and player is not None and not self.paused and self.taught:
            pause = THINKING if session.has_person else WATCHING
            self.set_timer(pause, lambda: self.think(player, match, position))

    def is_now(self, match: Match, position: Position) -> bool:
        """Whether that position still stands on the board: no position comes back in a game."""
        return self.session.match is match and match.position == position and match.outcome is None

    @work(thread=True, exclusive=True, group="thinking", exit_on_error=False)
    def think(self, player: Player, match: Match, position: Position) -> None:
        worker = get_current_worker()

        def waited_for() -> bool:
            return self.is_now(match, position) and not self.paused

        thinker = until(player, lambda: worker.is_cancelled or not waited_for())
        with suppress(Stopped):
            if waited_for():
                choice = thinker.choose(position, self.session.random)
                chances = {thought.move: thought.chance for thought in thinker.thoughts(position)}
                chance = None if choice.move is None else chances[choice.move]
                self.app.call_from_thread(self.machine_chose, match, position, choice.move, choice.reason, chance)

    def machine_chose(
        self, match: Match, position: Position, move: int | None, reason: str, chance: float | None
    ) -> None:
        if self.is_now(match, position) and not self.paused:
            self.play(move, reason, chance)

    def play(self, move: int | None, reason: str = "", chance: float | None = None) -> None:
        self.session.play(move, reason, chance)
        self.played()

    def played(self) -> None:
        """Keep and learn from a game that has ended; else it goes on."""
        session = self.session
        if session.match.outcome is not None:
            self.lessons = ()
            if not session.sitting.practice:
                self.finish(session, session.match.record(session.labels))
        self.advance()

    def finish(self, session: Session, record: Record) -> None:
        if session.has_person:
            self.keep_game(session.sitting, record)
        if self.learning:
            self.learned_from, self.taught = session.match, False
            self.learn(session, record, self.lab.job)

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
                    self.app.call_from_thread(self.lab.warn, f"{seat_name(pupil)} has not learned: {error}")
        finally:
            self.app.call_from_thread(self.learned, session, lessons)

    def learned(self, session: Session, lessons: list[Lesson]) -> None:
        self.taught, self.lessons = True, tuple(lessons)
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
    def keep_game(self, sitting: Sitting, record: Record) -> None:
        """Keep a finished game, unless its end has been taken back by now."""
        try:
            with self.keeping:
                if sitting.match.outcome is not None:
                    sitting.kept = self.lab.library.keep_game(record)
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, f"This game is not kept. {error}")

    @work(thread=True, exit_on_error=False)
    def withdraw_game(self, sitting: Sitting) -> None:
        """Keep a game no longer that goes on again."""
        try:
            with self.keeping:
                if sitting.kept is not None:
                    self.lab.library.withdraw_game(sitting.kept)
                    sitting.kept = None
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, f"The game that you took back is still listed. {error}")

    def action_new_game(self) -> None:
        self.session.new_game()
        self.restart()

    def action_take_back(self) -> None:
        if self.session.match is self.learned_from:
            self.lab.warn("This game is learned, and stays so: n begins a new one.")
            return
        sitting, over = self.session.sitting, self.session.match.outcome is not None
        if self.session.take_back():
            if over and self.session.sitting is sitting:
                self.withdraw_game(sitting)
            self.restart()
        elif self.left is not None:
            (self.session, self.learning), self.left = self.left, None
            self.query_one(Lessons).begin(self.session.pupils if self.learning else ())
            self.restart()

    def action_swap(self) -> None:
        self.session.swap()
        self.tell_strangers()
        self.restart()

    def action_pause(self) -> None:
        self.paused = not self.paused
        self.advance()

    def practise(self, match: Match, labels: tuple[str, str]) -> None:
        """Go on from a moment of another game, between the players that are written so."""
        if match.game is self.session.game and labels == self.session.labels:
            self.session.begin_at(match)
            self.restart()
        else:
            if match.game is not self.session.game and labels == self.session.labels:  # which cannot play it
                first, second = (HUMAN if label == HUMAN else machine_for(match.game) for label in labels)
                labels = first, second
            self.left = self.session, self.learning
            self.seat(Seating(match.game, *labels), match)
