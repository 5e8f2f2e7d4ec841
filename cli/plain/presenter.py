"""Shows a game at the board in lines of text."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from cli.shared.board_text import board_lines
from engine.game import Game, Move, Position
from engine.match import Match
from engine.plural import listed, signed_text
from lab.board.event_sentences import Commands, effect_text, event_sentences, lesson_lines
from lab.board.events import Event, GameEnded, MovePlayed, SaveLearned, Seated, Step, Task
from lab.board.opponents import Levels
from lab.board.table import Table
from lab.board.teaching import Lesson
from lab.review.finished_games import amount_text, player_text, short_names
from lab.text.sanitise import plain
from learners.core.learner import PERSON

DIGITS: Final = "123456789"


def how_to_write_moves(game: Game) -> str:
    digits, move = _digits(game), game.moves(game.start)[0]
    if _has_columns_as_moves(game):
        return f"Write a move as its column: a letter from {digits[0]} to {digits[-1]}, or its number."
    if not digits:
        return f"Write a move as {game.move_name(move)}."
    in_digits = _spellings(game, game.start, move, DIGITS)[0]
    return f"Write a move as {game.move_name(move)}, or as {in_digits} (the squares counted in reading order)."


def name_of_move(game: Game, position: Position, line: str) -> str:
    """Return the name of the move whose squares a line gives; return any other line without spaces and dashes."""
    line = re.sub(r"[\s-]", "", line) or line
    if game.is_move_name(line):
        return line
    names_by_digit = dict(zip(DIGITS, _digits(game), strict=False))
    if not _has_columns_as_moves(game):
        names_of_squares = [DIGITS, game.board.grid.names] if names_by_digit else [game.board.grid.names]
        for names in names_of_squares:
            for move in game.moves(position):
                if line in _spellings(game, position, move, names):
                    return game.move_name(move)
    name = "".join(names_by_digit.get(letter, letter) for letter in line)
    return name if game.is_move_name(name) or len(line) == 1 else line


def _spellings(game: Game, position: Position, move: Move, names: Sequence[str]) -> list[str]:
    """Return every way to write a move, without spaces: by its squares in each order and its option, and in words."""
    option = game.board.option(position, move).lower()
    by_squares = ["".join(names[square] for square in way) + option for way in game.board.ways(position, move)]
    texts = game.move_label(position, move), game.move_words(position, move)
    return [*by_squares, *(re.sub(r"\s", "", text) for text in texts)]


def _digits(game: Game) -> Sequence[str]:
    """Return the moves or squares for which the digits from 1 stand; empty on a board with more than nine squares."""
    names = game.board.grid.names
    if _has_columns_as_moves(game):
        return [name[0] for name in names[: game.board.columns]]
    return names if len(names) < 10 else ()


def _has_columns_as_moves(game: Game) -> bool:
    return game.is_move_name(game.board.grid.names[0][0])


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
    """Puts each event of a table into lines of text, and runs its tasks. `say` is called with each line."""

    def __init__(self, table: Table, say: Callable[[str], None]) -> None:
        self.table = table
        self.say = say
        self.in_words = False
        """Whether boards are described in words instead of drawn."""
        self.levels: Levels = {}
        self._introduced: Game | None = None
        self._shown: object = None
        """The positions of the match when its board was last shown; the same board is not shown twice in a row."""

    def carry_out(self, steps: Iterable[Step]) -> None:
        queue = deque(steps)
        while queue:
            step = queue.popleft()
            if isinstance(step, Task):
                queue.extendleft(reversed(step.run()))
            else:
                self.show(step)

    def practise(self, match: Match) -> None:
        """Play on from a position with the players at the board."""
        self.carry_out(self.table.practise(match, self.table.session.labels))

    def show(self, event: Event) -> None:
        match event:
            case Seated():
                self._introduce(event)
            case MovePlayed() if event.label != PERSON:
                action = "resigns" if event.move is None else f"plays {self.table.game.move_name(event.move)}"
                self.say(f"{self.table.game.mark(event.side)} {action} ({plain(event.reason)}).")
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
        """Introduce the players; if the game has changed, also say what it is about and how its moves are written."""
        game, last_game = event.game, self._introduced
        if game is not last_game:
            self.say(" ".join(filter(None, (f"{game.title}.", game.summary, game.how_to_move))))
        players = zip(game.marks, self.player_names, strict=True)
        self.say(f"{', '.join(f'{mark} is {who}' for mark, who in players)}.")
        self._say_sentences(event)
        if game is not last_game and self.table.session.has_person:
            self.say(f"{how_to_write_moves(game)}{' Or: help' if last_game is None else ''}")
        self._introduced = game

    def _show_lesson(self, lesson: Lesson) -> None:
        self.say(
            f"{player_text(lesson.learner.label, PERSON)} has learned from this game. {effect_text(lesson.effect)}"
        )
        lines = lesson_lines(lesson.words)
        if lesson.words:
            lines.append(f"{lesson.learner.view.words.growth_title}: {signed_text(lesson.gained)}")
        for line in lines:
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
        session = self.table.session
        players = zip(self.player_names, session.game.marks, session.points, strict=True)
        points = ", ".join(f"{who} ({mark}) {count}" for who, mark, count in players)
        title = "Score"
        if session.series_over:
            title = f"The series of {amount_text(session.length)} is over"
        elif session.length:
            title = f"Score after {session.games} of {amount_text(session.length)}"
        return f"{title}: {points}, draws {session.draws}"

    def show_board(self) -> None:
        match = self.table.match
        self.say_board(self.table.game, match.position)
        self._shown = list(match.positions)

    def say_board(self, game: Game, position: Position) -> None:
        """Say which pieces stand where, or draw the board."""
        if self.in_words:
            self.say(pieces_text(game, position))
            return
        for line in board_lines(game, position):
            self.say(line)

    def show_new_board(self) -> None:
        """Show the board if it has changed since it was shown last."""
        if self._shown != self.table.match.positions:
            self.show_board()


def pieces_text(game: Game, position: Position) -> str:
    """Return a board in words, as in `X on a3 and b2. O on c1.`"""
    names, cells = game.board.grid.names, game.board.cells(position)
    sentences = []
    for piece in game.board.pieces:
        squares = [name for name, cell in zip(names, cells, strict=True) if cell == piece]
        if squares:
            sentences.append(f"{piece.mark} on {listed(squares, 'and')}.")
    return " ".join(sentences) or "The board is empty."
