"""A person at the board: one match after another between two seats, with take-back, reasons and a running score."""

from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.game import Game, Move, Outcome, Position, Side
from engine.match import Match
from engine.search import USUAL_DEPTH
from learners.learner import PERSON, Learner
from learners.player import Choice, Player
from saves import gallery
from saves.library import SAVE
from tui.lessons import learns

HUMAN: Final = PERSON


def machine_for(game: Game) -> str:
    """Whom a newcomer meets: somebody of the gallery, else the perfect player, in a large game one that looks ahead."""
    if game.name in gallery.GREETERS:
        return SAVE + gallery.GREETERS[game.name]
    return "perfect" if game.numbered else f"alphabeta:{USUAL_DEPTH}"


@dataclass(frozen=True)
class Seating:
    """A game and the written players of its two sides."""

    game: Game
    first: str
    second: str


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


@dataclass
class Session:
    """Two seats, the first and the second side's; `None` is a person. When players swap, the score goes with them."""

    game: Game
    seats: tuple[Player | None, Player | None]
    random: Random
    match: Match = field(init=False)
    reasons: list[str] = field(init=False)
    """Why each move was played; empty for a person's."""
    points: list[int] = field(default_factory=lambda: [0, 0])
    """Games won by the players of the two seats."""
    draws: int = 0

    def __post_init__(self) -> None:
        self.new_game()

    def new_game(self) -> None:
        self.match = Match(self.game)
        self.reasons = []

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

    def play(self, move: Move | None, reason: str = "") -> Outcome | None:
        """Make a move, or resign; at the end of a game the score counts. Raises `IllegalMove`."""
        if move is None:
            self.match.resign()
        else:
            self.match.play(move)
        self.reasons.append(reason)
        outcome = self.match.outcome
        if outcome is not None:
            self._count(outcome, 1)
        return outcome

    def take_back(self) -> bool:
        """Undo to a person's last decision, or one move where no person plays; whether anything was undone."""
        match = self.match
        turns = [ply for ply in range(len(match.moves)) if self.seats[self.game.side(match.positions[ply])] is None]
        if not match.moves or (self.has_person and not turns):
            return False
        if match.outcome is not None:
            self._count(match.outcome, -1)
        match.take_back(len(match.moves) - turns[-1] if self.has_person else 1)
        del self.reasons[len(match.moves) :]
        return True

    def swap(self) -> None:
        """The players change sides and a new game begins."""
        self.seats = (self.seats[Side.SECOND], self.seats[Side.FIRST])
        self.points.reverse()
        self.new_game()

    def renew(self, player: Player) -> None:
        """Seat a player in the place of whoever is written alike, as after it has learned."""
        first, second = (player if seat is not None and seat.label == player.label else seat for seat in self.seats)
        self.seats = first, second

    def _count(self, outcome: Outcome, games: int) -> None:
        if outcome.winner is None:
            self.draws += games
        else:
            self.points[outcome.winner] += games

    def moves_with_squares(self) -> dict[tuple[int, ...], Move]:
        """The legal moves by the squares that a person points at to make them."""
        position: Position = self.match.position
        return {self.game.squares(position, move): move for move in self.game.moves(position)}
