"""A game that is gone through again: how it went, who played, and what was known of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.games import parse_game
from engine.match import Match, Record, replayed
from lab.board.session import Session
from lab.board.teaching import Lesson
from lab.words.columns import cut
from lab.words.finished_games import SHORT_NAME, players_text

Onward = tuple[Match, tuple[str, str]]
"""A moment of a game to play on from, and how the players of both sides are written."""


@dataclass(frozen=True)
class Story:
    """A game to go through."""

    match: Match
    labels: tuple[str, str]
    """How the players of both sides are written."""
    chances: Sequence[float | None] = ()
    """How likely each move was, where its machine told it at the time."""
    lessons: Sequence[Lesson] = ()
    """What was learned from it."""

    @property
    def names(self) -> tuple[str, str]:
        """The players' names for a person to read."""
        first, second = (cut(name, SHORT_NAME) for name in players_text(self.labels))
        return first, second

    def chance(self, ply: int) -> float | None:
        return self.chances[ply] if ply < len(self.chances) else None


def story_of(session: Session, lessons: Sequence[Lesson] = ()) -> Story:
    """The game at the board, as it is now."""
    match = session.match
    kept = replace(match, positions=list(match.positions), moves=list(match.moves))
    return Story(kept, session.labels, tuple(session.sitting.chances), tuple(lessons))


def story_of_record(record: Record) -> Story:
    """A game of the past. Raises `BadText`, `IllegalMove`, `ValueError` for one that cannot have been."""
    return Story(replayed(parse_game(record.game), record), record.players)
