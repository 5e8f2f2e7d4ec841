"""What follows the end of a game at the board: it is stored, saves learn from it, and the next opponent is proposed."""

from collections.abc import Callable
from typing import Final

from engine.match import Match, Record
from engine.stop import Stop
from lab.board import events
from lab.board.library_work import Learned, learn, store, withdraw
from lab.board.own_level import find_next_opponent
from lab.board.session import BoardGame, Session
from lab.board.teaching import Lesson, is_beginner
from learners.core.learner import PERSON
from saves.library.library import Library

STORING: Final = "storing"
WITHDRAWING: Final = "withdrawing"
LEARNING: Final = "learning"
PROPOSING: Final = "climbing"


class Aftermath:
    def __init__(
        self,
        library: Library,
        in_training: Callable[[str], bool],
        at_board: Callable[[], BoardGame],
        go_on: Callable[[], events.Steps],
    ) -> None:
        """Make it for a table: `at_board` returns its game, `go_on` what follows once machines may move again.

        `in_training` tells whether a save, given by its label, is being trained.
        """
        self.library = library
        self._in_training, self._at_board, self._go_on = in_training, at_board, go_on
        self.is_learning = False
        """Whether saves are learning from the last game; the next move of a machine waits for that."""
        self._learned_match: Match | None = None
        """The game that saves have learned from, or are learning from."""
        self._lessons: tuple[Lesson, ...] = ()

    def was_learned(self, match: Match) -> bool:
        """Return whether saves have learned from a game, or are learning from it."""
        return match is self._learned_match

    def lessons(self, match: Match) -> tuple[Lesson, ...]:
        """Return what saves have learned from a game."""
        return self._lessons if self.was_learned(match) else ()

    def begin(self, session: Session, record: Record, *, learning: bool) -> events.Steps:
        """Store the game that has ended if a person played; then saves learn from it if they are `learning`."""
        current = session.current
        self._lessons = ()
        if current.practice:
            return []
        then: events.Steps = []
        if learning and session.pupils:
            self._learned_match, self.is_learning = session.match, True
            then = [self._learning_task(session, record)]
        return [self._storing_task(session, record, then)] if session.has_person else then

    def _storing_task(self, session: Session, record: Record, then: events.Steps) -> events.Task:
        library, current = self.library, session.current

        def use(stored: int | str) -> events.Steps:
            if isinstance(stored, str):
                return [events.GameNotStored(stored), *then]
            if current.record is not record:  # its end was taken back meanwhile, and another may have been stored
                return [self._withdrawing_task(stored), *then]
            current.number = stored
            return [events.GameStored(), *(then or self._propose_next_opponent(session, record))]

        return events.make_task(STORING, lambda _stop: store(library, record), use, failed=lambda: then)

    def withdraw(self, current: BoardGame) -> events.Steps:
        """Take a game whose end was taken back out of the library, if it is stored."""
        number, current.number = current.number, None
        return [] if number is None else [self._withdrawing_task(number)]

    def _withdrawing_task(self, number: int) -> events.Task:
        library = self.library
        return events.make_task(WITHDRAWING, lambda _stop: withdraw(library, number), lambda event: [event])

    def _learning_task(self, session: Session, record: Record) -> events.Task:
        library, labels = self.library, [pupil.label for pupil in session.pupils]
        training = {label for label in labels if self._in_training(label)}

        def use(learned: Learned) -> events.Steps:
            self._lessons = tuple(event.lesson for event in learned if isinstance(event, events.SaveLearned))
            for lesson in self._lessons:
                session.replace_player(lesson.learner)
            return [*learned, *self._stop_learning(), *self._propose_next_opponent(session, record)]

        return events.make_task(
            LEARNING, lambda _stop: learn(library, record, labels, training), use, failed=self._stop_learning
        )

    def _stop_learning(self) -> events.Steps:
        self.is_learning = False
        return self._go_on()

    def _propose_next_opponent(self, session: Session, record: Record) -> events.Steps:
        """Propose the next opponent after a person has beaten a machine that knows more than a beginner."""
        winner, library, current = record.outcome.winner, self.library, self._at_board()
        if winner is None or record.players[winner] != PERSON or record.players[winner.other] == PERSON:
            return []
        label = record.players[winner.other]
        if any(seat is not None and seat.label == label and is_beginner(seat) for seat in session.seats):
            return []

        def find(stop: Stop) -> events.Event:
            return find_next_opponent(library, session.game, label, stop)

        def use(event: events.Event) -> events.Steps:
            return [event] if self._at_board() is current else []  # another game may have begun meanwhile

        return [events.make_task(PROPOSING, find, use)]
