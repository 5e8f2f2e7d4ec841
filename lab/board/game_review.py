"""A game to be reviewed: its moves, who played, and what was known about the players."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engine.games import parse_game
from engine.match import Match, Record, replayed
from lab.board.session import Session
from lab.board.teaching import Lesson


class PlayOn(NamedTuple):
    """A position from which to play on."""

    match: Match
    """The game up to that position."""
    labels: tuple[str, str]
    """The labels of both players, first side first."""


@dataclass(frozen=True)
class GameReview:
    """A game to be reviewed."""

    match: Match
    labels: tuple[str, str]
    """The labels of both players, first side first."""
    chances: Sequence[float | None] = ()
    """The probability of each move, where its machine gave one at the time."""
    lessons: Sequence[Lesson] = ()
    """What saves learned from the game."""

    def chance(self, ply: int) -> float | None:
        """The probability of a move, if it is known."""
        return self.chances[ply] if ply < len(self.chances) else None


def review_of(session: Session, lessons: Sequence[Lesson] = ()) -> GameReview:
    """A copy of the game at the board, which later moves do not change."""
    match = session.match
    copied = replace(match, positions=list(match.positions), moves=list(match.moves))
    return GameReview(copied, session.labels, tuple(session.current.chances), tuple(lessons))


def review_of_record(record: Record) -> GameReview:
    """A stored game. Raises `BadText`, `IllegalMove`, `ValueError` if it breaks the rules."""
    return GameReview(replayed(parse_game(record.game), record), record.players)
