"""The value of each move of a position under best play: exact in a numbered game, else found by a limited search."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.game import Game, Move, Position, Side
from engine.search import Search
from engine.search_result import Algorithm, SearchResult
from engine.solve import WIN_SCORE, scores
from engine.spaces import space_of
from engine.stop import Stop, never

HORIZON: Final = 6
"""The search depth, in plies, in games that are too large for a space."""
TABLE_LIMIT: Final = 50_000
"""The maximum number of entries of the search tables, about 20 MB: larger ones are hardly faster."""


@dataclass(frozen=True)
class RatedMove:
    """A move with its value under best play, for the side that makes it."""

    move: Move
    value: int | None
    """1 a win, 0 a draw, −1 a loss; `None` where the search cannot tell."""
    plies: int = 0
    """For a win or a loss, the number of plies until the game is over, this move included; otherwise 0."""
    estimate: int = 0
    """The heuristic estimate where `value` is `None`; otherwise 0."""

    @property
    def merit(self) -> tuple[int, int]:
        """A sort key, larger for better moves: quicker wins, then draws and estimates, then later losses."""
        return self.value or 0, self.estimate - (self.value or 0) * self.plies


def rate_moves(game: Game, position: Position, stop: Stop = never) -> tuple[RatedMove, ...]:
    """Every legal move with its value, in ascending order of the moves; empty where the game is over.

    Raises `KeyError` for a position of a numbered game that play cannot reach, and `Stopped` soon after `stop` returns
    `True`.
    """
    if game.outcome(position) is not None:
        return ()
    return _exact(game, position) if game.numbered else _searched(game, position, stop)


def _exact(game: Game, position: Position) -> tuple[RatedMove, ...]:
    space = space_of(game)
    edges = space.edges(position)
    sign = 1 if game.side(position) is Side.FIRST else -1
    rows = slice(edges.start, edges.stop)
    after = (scores(space)[space.target[rows]] * sign).tolist()
    return tuple(
        RatedMove(move, (score > 0) - (score < 0), WIN_SCORE - abs(score) + 1 if score else 0)
        for move, score in zip(space.move[rows].tolist(), after, strict=True)
    )


@cache
def _searcher(game: Game) -> Search:
    """The search of a game. All callers share it, and so its tables."""
    return Search(game, Algorithm.ALPHABETA, HORIZON, order="centre", every_move=True, table_limit=TABLE_LIMIT)


def _searched(game: Game, position: Position, stop: Stop) -> tuple[RatedMove, ...]:
    found = _searcher(game).result(position, stop)
    return tuple(sorted(_rated(found), key=lambda rated_move: rated_move.move))


def _rated(found: SearchResult) -> list[RatedMove]:
    sign = 1 if found.game.side(found.position) is Side.FIRST else -1
    rated = []
    for each in found.moves:
        value = each.value * sign
        if each.plies is not None:
            rated.append(RatedMove(each.move, 1 if value > 0 else -1, each.plies))
        else:
            rated.append(RatedMove(each.move, None, estimate=value) if each.estimated else RatedMove(each.move, 0))
    return rated


def best_of(rated: tuple[RatedMove, ...]) -> tuple[RatedMove, ...]:
    """The moves with the largest merit."""
    most = max(rated_move.merit for rated_move in rated)
    return tuple(rated_move for rated_move in rated if rated_move.merit == most)
