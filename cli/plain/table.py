"""A table at which games are played in lines of text: who sits there, what is said, kept and learned."""

from collections.abc import Callable
from dataclasses import dataclass

from cli.plain.spoken import one_line, pieces_text
from cli.shared.board_text import board
from engine.game import BadText, Game, Move, Position
from engine.match import Match, Record
from engine.space import TooLarge
from lab.board.advice import Hint
from lab.board.game_review import story_of
from lab.board.opponents import Levels
from lab.board.session import Session, Sitting
from lab.board.teaching import signed_text, teach, told
from lab.words.finished_games import amount_text
from lab.words.sanitise import plain
from learners.core.learner import Learner
from learners.core.player import Player
from saves.errors import LibraryError
from saves.library.library import Library


@dataclass
class Moment:
    """What was done about one position; gone when another one stands on the board."""

    match: Match
    position: Position
    hint: Hint | None = None
    held: Move | None = None
    """The move that the check holds back."""
    offered: bool = False
    """Whether a person has offered a draw to the other."""


class Table:
    """One session after another. `say` takes a line."""

    def __init__(
        self, session: Session, library: Library, say: Callable[[str], None], *, learning: bool = False
    ) -> None:
        self.session = session
        self.library = library
        self.say = say
        self.learning = learning
        """Whether the saves at the table learn from each game."""
        self.learned_from: Match | None = None
        """The last game that they have learned from."""
        self.checking = False
        """Whether moves that give something away are held back."""
        self.spoken = False
        """Whether boards are told in words."""
        self.levels: Levels = {}
        """How strong players are, as far as somebody has asked."""
        self._moment = Moment(session.match, session.match.position)
        self._shown: object = None
        """The moments of the game whose board was said last, so that no board is said twice in a row."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def moment(self) -> Moment:
        match = self.match
        if self._moment.match is not match or self._moment.position != match.position:
            self._moment = Moment(match, match.position)
        return self._moment

    @property
    def names(self) -> tuple[str, str]:
        """The players' names for a person to read."""
        return story_of(self.session).names

    @property
    def seated(self) -> tuple[str, str]:
        """Who sits there: machines as they are written, and people as they are spoken of."""
        seats = zip(self.session.seats, self.names, strict=True)
        first, second = (name if seat is None else plain(seat.label) for seat, name in seats)
        return first, second

    def sit(self, game: Game, seats: tuple[Player | None, Player | None]) -> None:
        """Let others play, or another game: the score begins anew."""
        session = self.session
        self.session = Session(game, seats, session.random, session.sides, session.length)
        self.tell_sides()

    def tell_sides(self) -> None:
        """Say who plays what, and of a machine that sits where it knows nothing that it does."""
        game = self.game
        seats = zip(game.marks, self.seated, strict=True)
        self.say(f"{', '.join(f'{mark} is {who}' for mark, who in seats)}.")
        for learner, side in self.session.strangers:
            own, here = game.mark(side.other), game.mark(side)
            self.say(f"{plain(learner.label)} plays {own} only: as {here} it moves at random. swap changes sides.")

    def let_machines_play(self) -> None:
        """Go on until a person is to move, or the game is over."""
        session = self.session
        while session.match.outcome is None and session.player is not None:
            mark, position = self.game.mark(session.match.side), session.match.position
            chances = {thought.move: thought.chance for thought in session.player.thoughts(position)}
            choice = session.choose()
            does = "resigns" if choice.move is None else f"plays {self.game.move_name(choice.move)}"
            self.say(f"{mark} {does} ({plain(choice.reason)}).")
            self.play(choice.move, choice.reason, None if choice.move is None else chances[choice.move])

    def play(self, move: Move | None, reason: str = "", chance: float | None = None) -> None:
        """Make a move, or resign."""
        self.session.play(move, reason, chance)
        self._played()

    def agree(self) -> None:
        """Both sides agree to a draw."""
        self.session.agree()
        self._played()

    def _played(self) -> None:
        """Tell how a game has ended, keep it and learn from it."""
        if self.match.outcome is None:
            return
        from lab.words.debrief import ending_text  # imports rich

        self.say(ending_text(self.match, self.names))
        if self.session.sitting.practice:
            return
        record = self.match.record(self.session.labels)
        if self.session.has_person:
            self._keep(record)
        if self.learning and self.session.pupils:
            self.learned_from = self.match
            for pupil in self.session.pupils:
                self._teach(pupil, record)

    def _keep(self, record: Record) -> None:
        try:
            self.session.sitting.kept = self.library.keep_game(record)
        except (LibraryError, OSError) as error:
            self.say(f"This game could not be kept: {one_line(error)}")

    def withdraw(self, sitting: Sitting) -> None:
        """Keep a game no longer that goes on again."""
        if sitting.kept is not None:
            try:
                self.library.withdraw_game(sitting.kept)
            except (LibraryError, OSError) as error:
                self.say(f"The game that you took back is still listed: {one_line(error)}")
            else:
                sitting.kept = None

    def _teach(self, pupil: Learner, record: Record) -> None:
        """Let a save learn from a game, and say what that changed."""
        try:
            lesson = teach(self.library, record, pupil.label)
        except (BadText, LibraryError, OSError, TooLarge) as error:
            self.say(f"{plain(pupil.label)} has not learned from this game: {one_line(error)}")
            return
        self.session.renew(lesson.learner)
        self.say(f"{plain(pupil.label)} has learned from this game:")
        title = lesson.learner.growth_title
        gained = [f"{title} {name}: {signed_text(count)}" for name, count in lesson.gained.items()]
        for line in [*told(lesson.words), *gained]:
            self.say(f"  {plain(line)}")

    @property
    def score(self) -> str:
        session = self.session
        seats = zip(self.seated, session.game.marks, session.points, strict=True)
        won = ", ".join(f"{who} ({mark}) {points}" for who, mark, points in seats)
        title = "Score"
        if session.series_over:
            title = f"The series of {amount_text(session.length)} is over"
        elif session.length:
            title = f"Score after {session.games} of {amount_text(session.length)}"
        return f"{title}: {won}, draws {session.draws}"

    def show_board(self) -> None:
        """The board, drawn or in words."""
        game, match = self.game, self.match
        for line in [pieces_text(game, match.position)] if self.spoken else board(game, match.position):
            self.say(line)
        self._shown = list(match.positions)

    def show_news(self) -> None:
        """The board, if it was not said last."""
        if self._shown != self.match.positions:
            self.show_board()
