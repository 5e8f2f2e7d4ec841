"""Shows a game at the board in lines of text."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from cli.plain.board_in_words import pieces_text
from cli.plain.move_writing import how_to_write_moves
from cli.shared.board_text import board
from engine.game import Game
from engine.match import Match
from lab.board.event_sentences import Commands, effect_text, event_sentences, gained_text, lesson_lines
from lab.board.events import Event, GameEnded, MovePlayed, SaveLearned, Seated, Step, Task
from lab.board.opponents import Levels
from lab.board.table import Table
from lab.board.teaching import Lesson
from lab.review.finished_games import amount_text, player_text, short_names
from lab.text.sanitise import plain
from learners.core.learner import PERSON

COMMANDS: Final = Commands(
    enter="Write",
    pick="Write",
    new="new",
    debrief="debrief",
    swap="swap",
    hint="hint",
    draw="draw",
    against="against {label} to play against it",
    choose_pupil="write against save:NAME",
)


class Presenter:
    """Says each event of a table in lines of text, and runs its tasks. `say` is called with each line."""

    def __init__(self, table: Table, say: Callable[[str], None]) -> None:
        self.table = table
        self.say = say
        self.in_words = False
        """Whether boards are described in words instead of drawn."""
        self.levels: Levels = {}
        """The levels of players computed so far."""
        self._introduced: Game | None = None
        """The game that was introduced last."""
        self._shown: object = None
        """The positions of the match when its board was last shown; the same board is not shown twice in a row."""

    def carry_out(self, steps: Iterable[Step]) -> None:
        """Show the events and run the tasks, in order."""
        waiting = deque(steps)
        while waiting:
            step = waiting.popleft()
            if isinstance(step, Task):
                waiting.extendleft(reversed(step.run()))
            else:
                self.show(step)

    def practise(self, match: Match) -> None:
        """Play on from a position with the players at the board."""
        self.carry_out(self.table.practise(match, self.table.session.labels))

    def show(self, event: Event) -> None:
        """Say what happened."""
        match event:
            case Seated():
                self._introduce(event)
            case MovePlayed() if event.label != PERSON:
                what = "resigns" if event.move is None else f"plays {self.table.game.move_name(event.move)}"
                self.say(f"{self.table.game.mark(event.side)} {what} ({plain(event.reason)}).")
            case GameEnded():
                from lab.review.debrief import match_ending_text  # imports rich

                self.say(match_ending_text(self.table.match, short_names(event.record.players)))
            case SaveLearned():
                self._show_lesson(event.lesson)
            case _:
                self._say_sentences(event)

    def _say_sentences(self, event: Event) -> None:
        sentences = event_sentences(event, self.table.session, COMMANDS)
        if sentences:
            self.say(" ".join(sentences))

    def _introduce(self, event: Seated) -> None:
        """Say who plays; if the game has changed, also what it is about and how its moves are written."""
        game, known = event.game, self._introduced
        if game is not known:
            self.say(" ".join(filter(None, (f"{game.title}.", game.summary, game.how_to_move))))
        players = zip(game.marks, self.player_names, strict=True)
        self.say(f"{', '.join(f'{mark} is {who}' for mark, who in players)}.")
        self._say_sentences(event)
        if game is not known and self.table.session.has_person:
            self.say(f"{how_to_write_moves(game)}{' Or: help' if known is None else ''}")
        self._introduced = game

    def _show_lesson(self, lesson: Lesson) -> None:
        self.say(
            f"{player_text(lesson.learner.label, PERSON)} has learned from this game. {effect_text(lesson.effect)}"
        )
        for line in [*lesson_lines(lesson.words), *([gained_text(lesson)] if lesson.words else [])]:
            self.say(f"  {plain(line)}")

    @property
    def player_names(self) -> tuple[str, str]:
        """The names of the players: for a machine its label, for a person `you` or `a person`."""
        session = self.table.session
        names = zip(session.seats, short_names(session.labels), strict=True)
        first, second = (name if seat is None else plain(seat.label) for seat, name in names)
        return first, second

    @property
    def score(self) -> str:
        """The score, and how far the series is."""
        session = self.table.session
        players = zip(self.player_names, session.game.marks, session.points, strict=True)
        won = ", ".join(f"{who} ({mark}) {points}" for who, mark, points in players)
        title = "Score"
        if session.series_over:
            title = f"The series of {amount_text(session.length)} is over"
        elif session.length:
            title = f"Score after {session.games} of {amount_text(session.length)}"
        return f"{title}: {won}, draws {session.draws}"

    def show_board(self) -> None:
        """Show the board, drawn or in words."""
        game, match = self.table.game, self.table.match
        for line in [pieces_text(game, match.position)] if self.in_words else board(game, match.position):
            self.say(line)
        self._shown = list(match.positions)

    def show_new_board(self) -> None:
        """Show the board if it has changed since it was shown last."""
        if self._shown != self.table.match.positions:
            self.show_board()
