"""One game as it is played: moves made and taken back, and the finished game as an immutable record."""

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.game import Game, Move, Outcome, Position, Side


@dataclass(frozen=True)
class Record:
    """A finished game."""

    game: str
    players: tuple[str, str]
    moves: tuple[Move, ...]
    outcome: Outcome


@dataclass
class Match:
    """A game in progress: every position so far and the moves between them."""

    game: Game
    positions: list[Position] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.positions:
            self.positions.append(self.game.start)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def side(self) -> Side:
        return self.game.side(self.position)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.position)

    def play(self, move: Move) -> None:
        """Make a move. Raises `IllegalMove`."""
        self.positions.append(self.game.play(self.position, move))
        self.moves.append(move)

    def take_back(self, moves: int = 1) -> None:
        """Undo the last moves, or as many as there are."""
        for _ in range(min(moves, len(self.moves))):
            self.positions.pop()
            self.moves.pop()

    def record(self, players: tuple[str, str]) -> Record:
        """The finished game. Raises `ValueError` while it runs."""
        if self.outcome is None:
            raise ValueError(f"the game is not over in {self.game.to_text(self.position)}")
        return Record(self.game.name, players, tuple(self.moves), self.outcome)


def play_match(game: Game, choose: tuple[Callable[[Position], Move], Callable[[Position], Move]]) -> Match:
    """Play a game to its end, each side's move chosen by its function."""
    match = Match(game)
    while match.outcome is None:
        match.play(choose[match.side](match.position))
    return match
