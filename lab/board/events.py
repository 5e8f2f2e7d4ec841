"""What happens in a game at the board, as values; `lab.board.event_sentences` puts them into words.

A command at the board is followed by events, and by tasks: work that takes time, such as a machine's move, a hint, or a
write to the library.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from engine.analysis.debrief import Turn
from engine.game import Game, Move, Side
from engine.match import Record
from engine.stop import Stop, never
from lab.advice.advice import Hint
from lab.board.teaching import Lesson


class Event:
    """What happened at the board."""


@dataclass(frozen=True)
class Seated(Event):
    """The players took their seats at the board, or changed sides."""

    game: Game
    labels: tuple[str, str]
    """The labels of both players, first side first."""
    misplaced: tuple[tuple[str, Side], ...] = ()
    """The learners on a side that they do not play, each with that side: they move at random there."""


@dataclass(frozen=True)
class SeatFilled(Event):
    """A player could not be loaded; another one took its seat."""

    reason: str
    label: str


@dataclass(frozen=True)
class GameStarted(Event):
    """A new game began."""


@dataclass(frozen=True)
class PracticeStarted(Event):
    """A game began in the middle of another one, or from a position: it does not count and is not stored."""


@dataclass(frozen=True)
class MovePlayed(Event):
    side: Side
    label: str
    move: Move | None
    """The move; `None` if the side resigned."""
    reason: str = ""
    """Why the machine made the move; empty for a person."""
    chance: float | None = None
    """The probability with which the machine played the move."""


@dataclass(frozen=True)
class TakenBack(Event):
    """Moves, an ending, or the beginning of a game were taken back."""


@dataclass(frozen=True)
class DrawOffered(Event):
    """A person offered a draw to another person."""

    side: Side


@dataclass(frozen=True)
class DrawRefused(Event):
    """A machine declined a draw."""

    label: str


@dataclass(frozen=True)
class DrawAgreed(Event):
    """Both sides agreed to a draw."""


@dataclass(frozen=True)
class GameEnded(Event):
    record: Record
    practice: bool


@dataclass(frozen=True)
class GameStored(Event):
    """A finished game was stored in the library."""


@dataclass(frozen=True)
class OpponentBeaten(Event):
    """A person has beaten a machine, and the ladder proposes the next one."""

    label: str
    proposed: str
    """The label of the next opponent; empty if no stronger one is left."""
    level: str
    unbeatable: bool = False
    """Whether the next opponent never loses, as either side."""


@dataclass(frozen=True)
class GameNotStored(Event):
    reason: str


@dataclass(frozen=True)
class GameWithdrawn(Event):
    """A stored game was removed from the library, since its last move was taken back."""


@dataclass(frozen=True)
class GameNotWithdrawn(Event):
    """A stored game should have been removed from the library, since its last move was taken back, but could not be."""

    reason: str


@dataclass(frozen=True)
class SaveLearned(Event):
    lesson: Lesson


@dataclass(frozen=True)
class SaveNotLearned(Event):
    label: str
    reason: str


@dataclass(frozen=True)
class LearningSwitched(Event):
    on: bool
    labels: tuple[str, ...]


@dataclass(frozen=True)
class CheckSwitched(Event):
    on: bool


@dataclass(frozen=True)
class MoveHeldBack(Event):
    """The blunder check held a move back. Repeating the move plays it."""

    turn: Turn


@dataclass(frozen=True)
class HintGiven(Event):
    """A hint was given: first what to look for, then the move."""

    hint: Hint
    step: int
    """The step of the hint: 1 says what to look for, 2 names the move."""


class Obstacle(StrEnum):
    """A reason why a command cannot be carried out now."""

    LOADING = "loading"
    NOT_YOUR_TURN = "not your turn"
    GAME_OVER = "game over"
    NO_DRAWS = "no draws"
    DRAW_TOO_EARLY = "draw too early"
    LEARNED = "learned"
    """Saves have learned from the game: it cannot be taken back."""
    NOTHING_TO_TAKE_BACK = "nothing to take back"
    NOBODY_LEARNS = "nobody learns"


@dataclass(frozen=True)
class Refused(Event):
    """A command of a person cannot be carried out now."""

    obstacle: Obstacle


Result = TypeVar("Result")


@dataclass(frozen=True)
class Task:
    """Work that blocks. The front end runs it, in the same thread or in another.

    `work` blocks, and may run in any thread: it does not touch the table. It returns a function that changes the table.
    That function does not block, and must be called in the thread of the table.
    """

    name: str
    """The kind of work: a constant of the module that makes the task."""
    work: Callable[[Stop], "Finish"]
    """The work, which returns how to change the table. Raises `Stopped` soon after its `Stop` returns true."""
    is_wanted: Callable[[], bool]
    """Whether the result is still wanted; may be called from any thread."""
    failed: "Finish"
    """Changes the table instead if `work` raised anything but `Stopped`; must be called in the thread of the table."""

    def run(self) -> "Sequence[Step]":
        """Do the work and change the table in this thread; return the steps that follow. Raises what `work` raises."""
        try:
            finish = self.work(never)
        except Exception:
            self.failed()
            raise
        return finish()


Step = Event | Task
"""What follows a command: something that happened, or work to be done."""
Steps = list[Step]
Finish = Callable[[], Sequence[Step]]


def make_task(
    name: str,
    find: Callable[[Stop], Result],
    use: Callable[[Result], Sequence[Step]],
    is_wanted: Callable[[], bool] = lambda: True,
    failed: Finish = lambda: (),
) -> Task:
    """Return a task whose work is `find`, which may block; `use` then gets the result, if it is still wanted."""

    def work(stop: Stop) -> Finish:
        result = find(stop)
        return lambda: use(result) if is_wanted() else ()

    return Task(name, work, is_wanted, failed)
