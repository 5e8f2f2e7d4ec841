"""One game as it is played: moves made and taken back, and the finished game as an immutable record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from engine.game import Game, IllegalMove, Move, Outcome, Position, Side


@dataclass(frozen=True)
class Record:
    """A finished game. If its moves do not end it, a draw was agreed, or the side to move resigned."""

    game: Game
    players: tuple[str, str]
    moves: tuple[Move, ...]
    outcome: Outcome


@dataclass
class Match:
    """A game in progress: every position so far and the moves between them."""

    game: Game
    positions: list[Position] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    resigned: bool = False
    """Whether the side to move gave the game up."""
    agreed: bool = False
    """Whether both sides agreed to a draw."""

    def __post_init__(self) -> None:
        if not self.positions:
            self.positions.append(self.game.start)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def side(self) -> Side:
        """The side to move."""
        return self.game.side(self.position)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, also by resignation or agreement, or `None` while it runs."""
        if self.agreed:
            return Outcome.DRAW
        return Outcome.won_by(self.side.other) if self.resigned else self.game.outcome(self.position)

    def play(self, move: Move) -> None:
        """Make a move. Raises `IllegalMove`, also after a resignation or an agreed draw."""
        if self.resigned:
            raise IllegalMove(f"{self.game.mark(self.side)} has resigned in {self.game.to_text(self.position)}")
        if self.agreed:
            raise IllegalMove(f"a draw was agreed in {self.game.to_text(self.position)}")
        self.positions.append(self.game.play(self.position, move))
        self.moves.append(move)

    def resign(self) -> None:
        """Resign for the side to move. Raises `IllegalMove` after the end of the game."""
        if self.outcome is not None:
            raise IllegalMove(f"the game is over in {self.game.to_text(self.position)}: nobody can resign")
        self.resigned = True

    def agree(self) -> None:
        """End the game as an agreed draw. Raises `IllegalMove` after its end, and in a game that has no draws."""
        where = self.game.to_text(self.position)
        if not self.game.has_draws:
            raise IllegalMove(f"{self.game.title} has no draws: none can be agreed in {where}")
        if self.outcome is not None:
            raise IllegalMove(f"the game is over in {where}: no draw can be agreed")
        self.agreed = True

    def take_back(self, moves: int = 1) -> None:
        """Undo the last moves, at most as many as there are, and a resignation or an agreed draw."""
        self.resigned = self.agreed = False
        for _ in range(min(moves, len(self.moves))):
            self.positions.pop()
            self.moves.pop()

    def until(self, moves: int) -> "Match":
        """Return a copy of the game as it was after this many moves."""
        return Match(self.game, self.positions[: moves + 1], self.moves[:moves])

    def record(self, players: tuple[str, str]) -> Record:
        """Return the finished game. Raises `ValueError` while it runs."""
        if self.outcome is None:
            raise ValueError(f"the game is not over in {self.game.to_text(self.position)}")
        return Record(self.game, players, tuple(self.moves), self.outcome)


Chooser = Callable[[Position], Move | None]
"""Returns a side's move in a position, or `None` to resign."""


def play_match(game: Game, choose: tuple[Chooser, Chooser]) -> Match:
    match = Match(game)
    while match.outcome is None:
        move = choose[match.side](match.position)
        if move is None:
            match.resign()
        else:
            match.play(move)
    return match


def replay_record(record: Record) -> Match:
    """Return the match of a record. Raises `IllegalMove`, and `ValueError` if the moves cannot lead to the outcome."""
    match = Match(record.game)
    for move in record.moves:
        match.play(move)
    if match.outcome is None:
        if record.outcome is Outcome.DRAW:
            match.agree()
        else:
            match.resign()
    if match.outcome is not record.outcome:
        raise ValueError(f"{record} is not a game of {record.game.name}")
    return match


def parse_moves(game: Game, names: Iterable[str]) -> tuple[Move, ...]:
    """Return the moves of a game, given by name, from its start. Raises `BadText`, `IllegalMove`."""
    position, moves = game.start, list[Move]()
    for name in names:
        moves.append(game.parse_move(position, name))
        position = game.play(position, moves[-1])
    return tuple(moves)
