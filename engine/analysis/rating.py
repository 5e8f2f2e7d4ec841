"""The value of each move of a position under best play.

It is exact in a numbered game, and in a game that has a solver as soon as the solver has found it; else a limited
search finds what it can.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Final

from engine.connect_solver.games import Shape, require_shape, shape_of
from engine.game import Game, Move, Position, Side
from engine.search import Search
from engine.search_result import Algorithm, SearchResult
from engine.solve import WIN_SCORE, scores
from engine.spaces import space_of
from engine.stop import Stop, never

if TYPE_CHECKING:
    from engine.connect_solver.solver import Solved

HORIZON: Final = 6
"""The search depth, in plies, where values are not exact."""
PATIENCE: Final = 2.0
"""The seconds that a person waits for exact values where something is to be decided, such as a hint."""
THREADS: Final = 2
"""The threads of a solver."""
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


def has_exact_values(game: Game) -> bool:
    """Return whether the values of all positions can be found: by a space, or by a solver."""
    return game.numbered or shape_of(game) is not None


def rate_moves(game: Game, position: Position, stop: Stop = never, seconds: float = PATIENCE) -> tuple[RatedMove, ...]:
    """Return every legal move with its value, in ascending order of the moves; empty where the game is over.

    Where a solver has not found the value of a move after so many seconds, the limited search says what it can.

    Raises `KeyError` for a position of a numbered game that play cannot reach, and `Stopped` soon after `stop` returns
    `True`.
    """
    if game.outcome(position) is not None:
        return ()
    if game.numbered:
        return _exact(game, position)
    solved = {} if shape_of(game) is None else _solved(game, position, stop, seconds)
    if len(solved) < len(game.moves(position)):
        solved = {each.move: each for each in _searched(game, position, stop)} | solved
    return tuple(solved[move] for move in sorted(solved))


STEPS: Final = 0.1, PATIENCE, inf
"""The seconds after which `rate_in_steps` has a first answer, a better one, and all exact values."""


def rate_in_steps(game: Game, position: Position, stop: Stop = never) -> Iterator[tuple[RatedMove, ...]]:
    """Yield what `rate_moves` returns: soon what can be found soon, then better answers until every value is exact.

    Raises as `rate_moves` does.
    """
    for seconds in STEPS:
        rated = rate_moves(game, position, stop, seconds)
        yield rated
        if not is_open(game, rated):
            return


def is_open(game: Game, rated: Iterable[RatedMove]) -> bool:
    """Return whether the solver of the game is yet to find the value of a move."""
    return has_exact_values(game) and any(each.value is None for each in rated)


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


def _solved(game: Game, position: Position, stop: Stop, seconds: float) -> dict[Move, RatedMove]:
    """Return the moves whose values a solver finds in so many seconds."""
    from engine.connect_solver.solver import solver_of  # imports numba

    solver, end = solver_of(game), monotonic() + seconds
    found = solver.analyse(position, threads=THREADS, stop=stop, late=lambda: monotonic() > end)
    return {each.move: each for each in rated_by_solver(solver.shape, position, found)}


def prove_best(game: Game, position: Position, stop: Stop = never) -> RatedMove:
    """Return one of the best moves, in a game that has a solver, however long that takes. Raises `Stopped`."""
    from engine.connect_solver.solver import solver_of  # imports numba

    move, score = solver_of(game).best(position, threads=THREADS, stop=stop)
    left = require_shape(game).pieces_left(position)
    return RatedMove(move, (score > 0) - (score < 0), plies_of_score(score, left))


def keeps_value(game: Game, position: Position, move: Move, stop: Stop = never) -> bool:
    """Return whether a move keeps the value of a position, in a game that has a solver. Raises `Stopped`."""
    from engine.connect_solver.solver import solver_of  # imports numba

    solver = solver_of(game)
    value = solver.solve(position, weak=True, stop=stop).score
    return value == -1 or value == -solver.solve(game.play(position, move), weak=True, stop=stop).score


def rated_by_solver(shape: Shape, position: Position, found: "Mapping[Move, Solved]") -> list[RatedMove]:
    """Return the moves with what a solver has found."""
    left = shape.pieces_left(position)
    return [
        RatedMove(move, (each.score > 0) - (each.score < 0), plies_of_score(each.score, left))
        for move, each in found.items()
    ]


def plies_of_score(score: int, left: int) -> int:
    """Return the plies until the game is over, of a score of a solver with so many squares left; 0 for a draw."""
    if score > 0:
        return 2 * ((left + 1) // 2 + 1 - score) - 1
    return 2 * (left // 2 + 1 + score) if score else 0


@cache
def _searcher(game: Game) -> Search:
    """Return the search of a game. All callers share it, and so its tables."""
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
    """Return the moves with the largest merit."""
    most = max(rated_move.merit for rated_move in rated)
    return tuple(rated_move for rated_move in rated if rated_move.merit == most)
