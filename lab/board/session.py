"""A session at the board: one game after another between two players, with take-back, reasons and a score.

A review is a copy of a game, with what was known about its players.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple

from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.match import Match, Record, replay_record
from engine.notation import game_text, parse_game_text
from lab.board.seating import Sides
from lab.board.teaching import Lesson, is_pupil
from lab.text.sanitise import plain
from learners.core.learner import PERSON, Learner
from learners.core.player import MAX_REASON, Player, Thought


class Undoable(StrEnum):
    DRAW = "the draw"
    RESIGNATION = "the resignation"
    MOVE = "the move"
    NEW_GAME = "the new game"


@dataclass
class BoardGame:
    match: Match
    reasons: list[str] = field(default_factory=list)
    """Why each move was played; empty for a person's move."""
    thoughts: list[Thought | None] = field(default_factory=list)
    """What the machine that moved knew about each move; `None` for a person's move and for a resignation."""
    record: Record | None = None
    """The finished game, until its last move is taken back."""
    number: int | None = None
    """The number of the game in the library, once it is stored."""
    practice: bool = False
    """Whether the game began in the middle of another or from a position: then it does not count and is not stored."""
    began: int = 0
    """The number of moves before the practice began."""
    aim: int | None = None
    """The result that the side to move first in a retry is to hold: 1 a win, 0 a draw; `None` if it is no retry."""
    outdated: bool = False
    """Whether a machine at the board was trained after the game had begun."""

    @property
    def falls_short(self) -> bool:
        """Whether the game is a retry that has ended with less than its aim."""
        outcome = self.match.outcome
        if outcome is None or self.aim is None or len(self.match.moves) < self.began:  # the retry was taken back
            return False
        side = self.match.game.side(self.match.positions[self.began])
        return _result(outcome, side) < self.aim


def _result(outcome: Outcome, side: Side) -> int:
    """Return 1 if this side has won, −1 if the other one has, 0 for a draw."""
    if outcome.winner is None:
        return 0
    return 1 if outcome.winner is side else -1


Seats = tuple[Player | None, Player | None]
"""The players of the first and the second side; `None` is a person."""


Earlier = tuple[BoardGame, Seats, list[int], int, bool]
"""A session before a new game: its game, seats, points and draws, and whether a game was counted."""


@dataclass
class Session:
    """Two players who play one game after another, with a score that stays with the players when they swap sides."""

    game: Game
    seats: Seats
    random: Random
    """The generator from which machines and the choice of sides draw."""
    sides: Sides = Sides.FIXED
    length: int = 0
    """The number of games in a series; 0 for no end."""
    current: BoardGame = field(init=False)
    points: list[int] = field(default_factory=lambda: [0, 0])
    """The games won by the player of each side."""
    draws: int = 0
    results: list[int] = field(default_factory=list)
    """The result of each counted game: 1 if a person has won, −1 if a machine has, 0 for a draw."""
    counted: bool = False
    """Whether a game has been counted since the sides were last chosen."""
    _before: Earlier | None = None

    def __post_init__(self) -> None:
        self.current = BoardGame(Match(self.game))
        self._choose_sides(first=True)

    @property
    def match(self) -> Match:
        return self.current.match

    @property
    def games(self) -> int:
        return sum(self.points) + self.draws

    @property
    def series_over(self) -> bool:
        return self.length > 0 and self.games >= self.length

    def is_now(self, match: Match, position: Position) -> bool:
        """Return whether that position, which no game reaches twice, is on the board, and the game goes on."""
        return self.match is match and match.position == position and match.outcome is None

    @property
    def player(self) -> Player | None:
        return self.seats[self.match.side]

    @property
    def labels(self) -> tuple[str, str]:
        first, second = (PERSON if seat is None else seat.label for seat in self.seats)
        return first, second

    @property
    def has_person(self) -> bool:
        return None in self.seats

    @property
    def draw_is_early(self) -> bool:
        """Whether no draw can be offered yet: each side has to move first, unless the game began in the middle."""
        return len(self.match.moves) < len(Side) and not self.current.practice

    @property
    def pupils(self) -> list[Learner]:
        """The saves at the board that can learn from its games, each once."""
        pupils = [seat for side, seat in zip(Side, self.seats, strict=True) if is_pupil(seat) and side in seat.sides]
        return list({pupil.label: pupil for pupil in pupils}.values())

    @property
    def misplaced(self) -> list[tuple[Player, Side]]:
        """Each player on a side that it does not play, with that side: it moves at random there."""
        seats = zip(self.seats, Side, strict=True)
        return [(seat, side) for seat, side in seats if seat is not None and side not in seat.sides]

    def new_game(self) -> None:
        """Begin another game; after the last game of a series, another series."""
        counted = self.counted
        self._begin()
        if counted:
            self._choose_sides()

    def swap(self) -> None:
        """Let the players change sides, and begin a new game; after the last game of a series, another series."""
        self._begin()
        self._exchange()

    def begin_at(self, match: Match, aim: int | None = None, *, first: bool = False) -> None:
        """Play on from a position, as practice.

        `aim` is the result that a retry is to hold: 1 a win, 0 a draw. The new game can be taken back to return to the
        game before it, unless it is the `first` of the session.
        """
        began = len(match.moves)
        self._put_aside(BoardGame(match, [""] * began, [None] * began, practice=True, began=began, aim=aim))
        if first:
            self._before = None

    def restore_score(self, text: str) -> None:
        """Restore the score of an earlier session from its `score_text`; any other text changes nothing.

        So does the score of a series that is over.
        """
        score = SCORE_PATTERN.fullmatch(text)
        if score is None:
            return
        first, second, draws = int(score[1]), int(score[2]), int(score[3])
        if 0 < self.length <= first + second + draws:
            return
        self.points, self.draws = [first, second], draws
        results = {sign: result for result, sign in RESULT_SIGNS.items()}
        self.results = [results[sign] for sign in score[4]]

    def restart(self) -> None:
        """Put the pieces back to the start of a game in which no person has moved."""
        self.current = BoardGame(Match(self.game))

    def _begin(self) -> None:
        self._put_aside(BoardGame(Match(self.game)))
        self.counted = False
        if self.series_over:
            self.points, self.draws = [0, 0], 0

    def _put_aside(self, game: BoardGame) -> None:
        self._before = self.current, self.seats, [*self.points], self.draws, self.counted
        self.current = game

    def _choose_sides(self, *, first: bool = False) -> None:
        if (self.sides is Sides.ALTERNATE and not first) or (self.sides is Sides.RANDOM and self.random.random() < 0.5):
            self._exchange()

    def _exchange(self) -> None:
        self.seats = (self.seats[Side.SECOND], self.seats[Side.FIRST])
        self.points.reverse()

    def play(self, move: Move | None, reason: str = "", thought: Thought | None = None) -> Outcome | None:
        """Make a move, or resign with `None`; the end of a game counts in the score. Raises `IllegalMove`."""
        if move is None:
            self.match.resign()
        else:
            self.match.play(move)
        return self._note_move(reason, thought)

    def agree(self) -> Outcome | None:
        """Agree to a draw. Raises `IllegalMove`."""
        self.match.agree()
        return self._note_move()

    def _note_move(self, reason: str = "", thought: Thought | None = None) -> Outcome | None:
        current, outcome = self.current, self.match.outcome
        current.reasons.append(reason)
        current.thoughts.append(thought)
        if outcome is not None:
            current.record = self.match.record(self.labels)
            self._count(outcome)
        return outcome

    @property
    def undoable(self) -> Undoable | None:
        """What `take_back` would undo; `None` if there is nothing to undo."""
        match = self.match
        if match.agreed:
            return Undoable.DRAW
        if match.resigned and self.player is None:
            return Undoable.RESIGNATION
        if match.moves and (not self.has_person or self.person_has_moved):
            return Undoable.MOVE
        return None if self._before is None else Undoable.NEW_GAME

    @property
    def person_has_moved(self) -> bool:
        return bool(self._person_plies())

    def _person_plies(self) -> list[int]:
        match = self.match
        return [ply for ply in range(len(match.moves)) if self.seats[self.game.side(match.positions[ply])] is None]

    def take_back(self) -> bool:
        """Undo to a person's last decision, one move of two machines, or else the new game; return if it did."""
        match, undoable = self.match, self.undoable
        if undoable in (Undoable.NEW_GAME, None):
            return self._restore_game()
        moves = 0
        if undoable is Undoable.MOVE:
            moves = len(match.moves) - self._person_plies()[-1] if self.has_person else 1
        if match.outcome is not None:
            self._uncount(match.outcome)
        match.take_back(moves)
        current = self.current
        current.record = None
        del current.reasons[len(match.moves) :], current.thoughts[len(match.moves) :]
        return True

    def _restore_game(self) -> bool:
        if self._before is None:
            return False
        self.current, self.seats, self.points, self.draws, self.counted = self._before
        self._before = None
        return True

    def replace_player(self, player: Player) -> None:
        """Replace the player at the board that has the same label, such as a save by itself after it has learned."""
        first, second = (player if seat is not None and seat.label == player.label else seat for seat in self.seats)
        self.seats = first, second

    def _count(self, outcome: Outcome) -> None:
        """Count a game that has ended, unless it is practice."""
        if self.current.practice:
            return
        self.counted = True
        winner = outcome.winner
        if winner is None:
            self.draws += 1
            self.results.append(0)
        else:
            self.points[winner] += 1
            self.results.append(1 if self.seats[winner] is None else -1)

    def _uncount(self, outcome: Outcome) -> None:
        """Take a game out of the score, since its end is taken back."""
        if self.current.practice:
            return
        self.counted = False
        if self.results:
            self.results.pop()
        if outcome.winner is None:
            self.draws -= 1
        else:
            self.points[outcome.winner] -= 1

    def moves_by_squares(self) -> dict[tuple[int, ...], list[Move]]:
        """Return the legal moves by the squares that a person picks to make them, in their order."""
        position = self.match.position
        moves: dict[tuple[int, ...], list[Move]] = {}
        for move in self.game.moves(position):
            for squares in self.game.board.ways(position, move):
                moves.setdefault(squares, []).append(move)
        return moves


KEPT_REASONS: Final = 8
"""How many reasons of an unfinished game are kept: about what a screen shows; the file of settings stays small."""


def unfinished_text(session: Session) -> str:
    """Return an unfinished game, to be resumed later; empty without such a game, and for practice.

    Its moves are in the first line, and the last reasons in a line each below, empty for a person's move.
    """
    match, current = session.match, session.current
    if not match.moves or match.outcome is not None or current.practice:
        return ""
    return "\n".join([game_text(match), *current.reasons[-KEPT_REASONS:]])


RESULT_SIGNS: Final = {1: "+", 0: "=", -1: "-"}
"""The results of games, and the signs in which they are stored."""
SCORE_PATTERN: Final = re.compile(r"(\d{1,9}) (\d{1,9}) (\d{1,9}) ([+=-]*)", re.ASCII)
"""The points of both sides, the draws, and the signs of the results."""


def score_text(session: Session) -> str:
    """Return the score and the results of the games as text, for `Session.restore_score`."""
    first, second = session.points
    return f"{first} {second} {session.draws} {''.join(RESULT_SIGNS[result] for result in session.results)}"


def read_unfinished(text: str, game: Game) -> BoardGame | None:
    """Read an unfinished game of this game from its `unfinished_text`; `None` if the text is not one."""
    moves, *reasons = text.split("\n")
    try:
        match = parse_game_text(moves, lambda name: game if name == game.name else None, game)
    except BadText:
        return None
    if match.game is not game or match.positions[0] != game.start or match.outcome is not None or not match.moves:
        return None
    count = len(match.moves)
    known_reasons = [plain(reason, MAX_REASON) for reason in reasons][-count:]
    unknown_reasons = [""] * (count - len(known_reasons))
    return BoardGame(match, unknown_reasons + known_reasons, [None] * count)


class PlayOn(NamedTuple):
    match: Match
    """The game up to that position."""
    labels: tuple[str, str]
    """The labels of both players, first side first."""
    aim: int | None = None
    """The result that the side to move is to hold: 1 a win, 0 a draw; `None` if the position is not a retry."""


@dataclass(frozen=True)
class GameReview:
    match: Match
    labels: tuple[str, str]
    """The labels of both players, first side first."""
    chances: Sequence[float | None] = ()
    """The probability of each move, where the machine that moved gave one."""
    lessons: Sequence[Lesson] = ()
    awaited: Callable[[], Sequence[Lesson] | None] | None = None
    """Returns the lessons of saves that were still learning, `None` until they are done; `None` if nobody was."""

    def chance(self, ply: int) -> float | None:
        """Return the probability of a move, if it is known."""
        return self.chances[ply] if ply < len(self.chances) else None


def review_of(session: Session) -> GameReview:
    """Return a copy of the game at the board for review, which later moves do not change."""
    match = session.match
    copied = replace(match, positions=list(match.positions), moves=list(match.moves))
    chances = tuple(None if each is None else each.chance for each in session.current.thoughts)
    return GameReview(copied, session.labels, chances)


def review_of_record(record: Record) -> GameReview:
    """Return a stored game for review. Raises `BadText`, `IllegalMove`, `ValueError` if it breaks the rules."""
    return GameReview(replay_record(record), record.players)
