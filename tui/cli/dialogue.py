"""A game line by line, for pipes, screen readers and terminals that draw nothing: text in, text out."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from engine.game import BadText, IllegalMove, Outcome
from engine.grid import Grid
from engine.match import Record
from saves.errors import LibraryError
from tui.cli.text import board
from tui.columns import columns
from tui.figures import percent_text
from tui.lessons import Lesson, signed_text, told
from tui.safe import plain
from tui.session import Session

QUIT: Final = "quit"


class Dialogue:
    """One sitting at a board.

    `say` takes a line; `keep` takes every finished game in which a person played; with `teach` the saves at the board
    learn from each game.
    """

    def __init__(
        self,
        session: Session,
        say: Callable[[str], None],
        keep: Callable[[Record], None],
        teach: Callable[[Record, str], Lesson] | None = None,
    ) -> None:
        self.session = session
        self._say = say
        self._keep = keep
        self._teach = teach
        self._grid = Grid(session.game.rows, session.game.columns)
        self._counts_squares = self._grid.size < 10
        """Whether a digit can tell a square."""
        self._shown: object = None
        """The moments of the game whose board was said last, so that no board is said twice in a row."""
        self._words: dict[str, tuple[str, Callable[[], object]]] = {
            "help": ("this list", self._help),
            "board": ("the board again", self._show_board),
            "moves": ("the legal moves", self._tell_moves),
            "memory": ("what the machine holds of each move here", self._tell_memory),
            "back": ("take back, to your last decision", self._take_back),
            "new": ("a new game", session.new_game),
            "swap": ("change sides, and a new game", self._swap),
            QUIT: ("leave", lambda: None),
        }

    def hold(self, lines: Iterator[str]) -> None:
        """Play until the lines end or one says `quit`; where no person plays, one game."""
        self._greet()
        while True:
            self._let_machines_play()
            if not self.session.has_person:
                self._show_board()
                return
            self._ask()
            word = next(lines, QUIT).strip().lower()
            if word == QUIT:
                self._say(self._score())
                return
            self._answer(word)

    def _greet(self) -> None:
        game = self.session.game
        self._say(f"{game.title}. {game.summary}")
        self._tell_sides()
        if self.session.has_person:
            move = game.moves(game.start)[0]
            name = game.move_name(move)
            digits = "".join(str(square + 1) for square in game.squares(game.start, move))
            counted = f", or as {digits} (the squares counted in reading order)" if self._counts_squares else ""
            self._say(f"Write a move as {name}{counted}. Or: help")

    def _tell_sides(self) -> None:
        marks, labels = self.session.game.marks, self.session.labels
        self._say(f"{', '.join(f'{mark} is {plain(label)}' for mark, label in zip(marks, labels, strict=True))}.")

    def _let_machines_play(self) -> None:
        session = self.session
        while session.match.outcome is None and session.player is not None:
            mark = session.game.mark(session.match.side)
            choice = session.choose()
            does = "resigns" if choice.move is None else f"plays {session.game.move_name(choice.move)}"
            self._say(f"{mark} {does} ({plain(choice.reason)}).")
            self._play(choice.move, choice.reason)

    def _play(self, move: int | None, reason: str = "") -> None:
        outcome = self.session.play(move, reason)
        if outcome is None:
            return
        self._say(self._result(outcome))
        record = self.session.match.record(self.session.labels)
        if self.session.has_person:
            try:
                self._keep(record)
            except (LibraryError, OSError) as error:
                self._say(f"This game could not be kept: {one_line(error)}")
        if self._teach is not None:
            for pupil in self.session.pupils:
                self._learn(pupil.label, self._teach, record)

    def _learn(self, label: str, teach: Callable[[Record, str], Lesson], record: Record) -> None:
        """Let a save learn from a game, and say what that changed."""
        try:
            lesson = teach(record, label)
        except (BadText, LibraryError, OSError) as error:
            self._say(f"{plain(label)} has not learned from this game: {one_line(error)}")
            return
        self.session.renew(lesson.learner)
        self._say(f"{plain(label)} has learned from this game:")
        title = lesson.learner.growth_title
        gained = [f"{title} {name}: {signed_text(count)}" for name, count in lesson.gained.items()]
        for line in [*told(lesson.words), *gained]:
            self._say(f"  {plain(line)}")

    def _result(self, outcome: Outcome) -> str:
        if outcome.winner is None:
            return "A draw."
        return f"{self.session.game.mark(outcome.winner)} ({plain(self.session.labels[outcome.winner])}) wins."

    def _score(self) -> str:
        session = self.session
        seats = zip(session.labels, session.game.marks, session.points, strict=True)
        won = ", ".join(f"{plain(label)} ({mark}) {points}" for label, mark, points in seats)
        return f"Score: {won}, draws {session.draws}"

    def _ask(self) -> None:
        match = self.session.match
        if self._shown != match.positions:
            self._show_board()
        if match.outcome is None:
            self._say(f"{self.session.game.mark(match.side)}, your move:")
        else:
            self._say(f"{self._score()}. Now: new, swap, back or quit?")

    def _show_board(self) -> None:
        match = self.session.match
        for line in board(self.session.game, match.position):
            self._say(line)
        self._shown = list(match.positions)

    def _answer(self, word: str) -> None:
        if word in self._words:
            self._words[word][1]()
        elif word:
            self._try_move(word)

    def _help(self) -> None:
        for line in columns([(word, meaning) for word, (meaning, _) in self._words.items()], "<<"):
            self._say(f"  {line}")

    def _take_back(self) -> None:
        if self._teach is not None and self.session.match.outcome is not None and self.session.pupils:
            self._say("This game is learned, and stays so: new begins another one.")
        elif not self.session.take_back():
            self._say("There is no move of yours to take back.")

    def _swap(self) -> None:
        self.session.swap()
        self._tell_sides()

    def _tell_moves(self) -> None:
        game, position = self.session.game, self.session.match.position
        names = [game.move_name(move) for move in game.moves(position)]
        self._say(" ".join(names) or "None: the game is over.")

    def _tell_memory(self) -> None:
        game, match = self.session.game, self.session.match
        machines = {seat.label: seat for seat in self.session.seats if seat is not None}
        if not machines:
            self._say("No machine plays.")
        elif match.outcome is not None:
            self._say("The game is over: there is nothing to decide.")
        else:
            for machine in machines.values():
                mark = game.mark(match.side)
                self._say(f"What {plain(machine.label)} holds of {mark}'s moves, and how likely it would play each:")
                rows = [
                    (game.move_name(thought.move), thought.symbol, plain(thought.words), percent_text(thought.chance))
                    for thought in machine.thoughts(match.position)
                ]
                for line in columns(rows, "<<<>"):
                    self._say(f"  {line}")

    def _try_move(self, word: str) -> None:
        session = self.session
        try:
            move = session.game.parse_move(session.match.position, self._named(word))
        except (BadText, IllegalMove) as error:
            self._say(f"{plain(str(error), 400)} (or: help)")
        else:
            self._play(move)

    def _named(self, word: str) -> str:
        """A move written by digits, as the names of its squares; anything else as it is, but for spaces and dashes."""
        word = re.sub(r"[\s-]", "", word) or word
        names = self._grid.names
        if self._counts_squares and re.fullmatch("[1-9]+", word) and all(int(digit) <= len(names) for digit in word):
            return "".join(names[int(digit) - 1] for digit in word)
        return word


def one_line(error: Exception) -> str:
    return plain(" ".join(str(error).split()), 400)
