"""A person at the board: one match after another between two seats, with take-back, reasons and a running score."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final

from engine.game import Game, Move, Outcome, Position, Side
from engine.games import parse_game
from engine.match import Match
from engine.search import USUAL_DEPTH
from lab.board.teaching import learns
from learners.core.learner import PERSON, Learner
from learners.core.player import Choice, Player
from saves import gallery
from saves.library.library import SAVE

HUMAN: Final = PERSON


def machine_for(game: Game) -> str:
    """Whom a newcomer meets: somebody of the gallery, else the perfect player, in a large game one that looks ahead."""
    if game.name in gallery.GREETERS:
        return SAVE + gallery.GREETERS[game.name]
    return "perfect" if game.numbered else f"alphabeta:{USUAL_DEPTH}"


class Sides(StrEnum):
    """Who moves first from one game to the next."""

    FIXED = "fixed"
    ALTERNATE = "alternate"
    RANDOM = "random"


@dataclass(frozen=True)
class Seating:
    """A game and the written players of its two sides."""

    game: Game
    first: str
    second: str
    sides: Sides = Sides.FIXED
    length: int = 0
    """How many games make a series; 0 for no end."""
    learning: bool = False
    """Whether the saves among the players learn from the games."""


def seating_for(game: Game, first: str | None = None, second: str | None = None) -> Seating:
    """Who plays: a side left open is a person's, and a machine's where the other is a person's already."""
    machine = machine_for(game)
    if first is None and second is None:
        return Seating(game, HUMAN, machine)
    if first is None:
        first = machine if second == HUMAN else HUMAN
    if second is None:
        second = machine if first == HUMAN else HUMAN
    return Seating(game, first, second)


def seating_choices(seating: Seating) -> dict[str, str]:
    """A seating as choices that can be remembered."""
    return {
        "game": seating.game.name,
        "first": seating.first,
        "second": seating.second,
        "sides": seating.sides.value,
        "series": str(seating.length),
    }


def chosen_seating(choice: Callable[[str, str], str]) -> Seating | None:
    """The seating that was remembered; `None` where there is none, or none that can be understood."""
    first, second, series = choice("first", ""), choice("second", ""), choice("series", "")
    try:
        game, sides = parse_game(choice("game", "")), Sides(choice("sides", ""))
    except ValueError:
        return None
    if not (first and second and re.fullmatch("[0-9]{1,3}", series)):
        return None
    return Seating(game, first, second, sides, int(series))


@dataclass
class Sitting:
    """One game at the board, and what was said of its moves."""

    match: Match
    reasons: list[str] = field(default_factory=list)
    """Why each move was played; empty for a person's."""
    chances: list[float | None] = field(default_factory=list)
    """How likely each move was, as the mind of its machine told it; `None` for a person's."""
    kept: int | None = None
    """The number under which it is kept, once it has ended."""
    practice: bool = False
    """Whether it began in the midst of another game or from a position: it counts in no score, and is not kept."""


@dataclass
class Session:
    """Two seats, the first and the second side's; `None` is a person. When players swap, the score goes with them."""

    game: Game
    seats: tuple[Player | None, Player | None]
    random: Random
    sides: Sides = Sides.FIXED
    length: int = 0
    """How many games make a series; 0 for no end."""
    sitting: Sitting = field(init=False)
    points: list[int] = field(default_factory=lambda: [0, 0])
    """Games won by the players of the two seats."""
    draws: int = 0
    counted: bool = False
    """Whether a game has been counted since the sides were chosen, also where practice came after it."""
    _before: tuple[Sitting, tuple[Player | None, Player | None], list[int], int, bool] | None = None
    """The board as it was before the last new game: that can be undone."""

    def __post_init__(self) -> None:
        self.sitting = Sitting(Match(self.game))
        self._choose_sides(fresh=True)

    @property
    def match(self) -> Match:
        return self.sitting.match

    @property
    def reasons(self) -> list[str]:
        return self.sitting.reasons

    @property
    def games(self) -> int:
        """How many games of the series are over."""
        return sum(self.points) + self.draws

    @property
    def series_over(self) -> bool:
        return self.length > 0 and self.games >= self.length

    def new_game(self) -> None:
        """Begin another game; after the last one of a series, another series."""
        counted = self.counted
        self._begin()
        if counted:
            self._choose_sides()

    def begin_at(self, match: Match) -> None:
        """Go on from that moment of another game, as practice."""
        self._put_aside(Sitting(match, [""] * len(match.moves), [None] * len(match.moves), practice=True))

    def _begin(self) -> None:
        """Begin a game that counts, in another series if this one is over."""
        self._put_aside(Sitting(Match(self.game)))
        self.counted = False
        if self.series_over:
            self.points, self.draws = [0, 0], 0

    def _put_aside(self, sitting: Sitting) -> None:
        self._before = self.sitting, self.seats, list(self.points), self.draws, self.counted
        self.sitting = sitting

    def _choose_sides(self, *, fresh: bool = False) -> None:
        if (self.sides is Sides.ALTERNATE and not fresh) or (self.sides is Sides.RANDOM and self.random.random() < 0.5):
            self._exchange()

    def _exchange(self) -> None:
        self.seats = (self.seats[Side.SECOND], self.seats[Side.FIRST])
        self.points.reverse()

    @property
    def player(self) -> Player | None:
        """Who is to move."""
        return self.seats[self.match.side]

    @property
    def labels(self) -> tuple[str, str]:
        """How the players of the two seats are written."""
        first, second = (HUMAN if seat is None else seat.label for seat in self.seats)
        return first, second

    @property
    def has_person(self) -> bool:
        return None in self.seats

    @property
    def draw_is_early(self) -> bool:
        """Whether a draw cannot be offered yet: both sides move first, unless the game began in its midst."""
        return len(self.match.moves) < len(Side) and not self.sitting.practice

    @property
    def pupils(self) -> list[Learner]:
        """The saves at the board that can learn from its games, each once."""
        own = [seat for side, seat in zip(Side, self.seats, strict=True) if learns(seat) and side in seat.sides]
        return list({seat.label: seat for seat in own}.values())

    @property
    def strangers(self) -> list[tuple[Learner, Side]]:
        """The learners that sit where they know nothing and play at random."""
        seated = zip(self.seats, Side, strict=True)
        return [(seat, side) for seat, side in seated if isinstance(seat, Learner) and side not in seat.sides]

    def choose(self) -> Choice:
        """The move that the machine to move would play. Raises `ValueError` when a person is to move."""
        if self.player is None:
            raise ValueError("a person is to move")
        return self.player.choose(self.match.position, self.random)

    def play(self, move: Move | None, reason: str = "", chance: float | None = None) -> Outcome | None:
        """Make a move, or resign; at the end of a game the score counts. Raises `IllegalMove`."""
        if move is None:
            self.match.resign()
        else:
            self.match.play(move)
        return self._played(reason, chance)

    def agree(self) -> Outcome | None:
        """Both sides agree to a draw. Raises `IllegalMove`."""
        self.match.agree()
        return self._played()

    def _played(self, reason: str = "", chance: float | None = None) -> Outcome | None:
        self.sitting.reasons.append(reason)
        self.sitting.chances.append(chance)
        outcome = self.match.outcome
        if outcome is not None:
            self._count(outcome, 1)
        return outcome

    def take_back(self) -> bool:
        """Undo to a person's last decision, or one move where no person plays; whether anything was undone.

        Where this game has nothing to undo, that it was begun is undone.
        """
        match = self.match
        own = [ply for ply in range(len(match.moves)) if self.seats[self.game.side(match.positions[ply])] is None]
        if match.agreed or (match.resigned and self.player is None):
            moves = 0
        elif match.moves and not self.has_person:
            moves = 1
        elif own:
            moves = len(match.moves) - own[-1]
        else:
            return self._restore()
        if match.outcome is not None:
            self._count(match.outcome, -1)
        match.take_back(moves)
        del self.reasons[len(match.moves) :], self.sitting.chances[len(match.moves) :]
        return True

    def _restore(self) -> bool:
        if self._before is None:
            return False
        self.sitting, self.seats, self.points, self.draws, self.counted = self._before
        self._before = None
        return True

    def swap(self) -> None:
        """The players change sides and a new game begins; after the last one of a series, another series."""
        self._begin()
        self._exchange()

    def renew(self, player: Player) -> None:
        """Seat a player in the place of whoever is written alike, as after it has learned."""
        first, second = (player if seat is not None and seat.label == player.label else seat for seat in self.seats)
        self.seats = first, second

    def _count(self, outcome: Outcome, games: int) -> None:
        if self.sitting.practice:
            return
        self.counted = games > 0
        if outcome.winner is None:
            self.draws += games
        else:
            self.points[outcome.winner] += games

    def moves_with_squares(self) -> dict[tuple[int, ...], Move]:
        """The legal moves by the squares that a person points at to make them."""
        position: Position = self.match.position
        return {self.game.board.squares(position, move): move for move in self.game.moves(position)}
