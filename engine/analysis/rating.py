"""The value of each move of a position under best play.

The value is exact in a numbered game; in a game that has a solver, once the solver has found it. Otherwise a limited
search estimates it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import inf
from time import monotonic
from typing import Final

from engine.connect_solver.games import shape_of
from engine.game import Game, Move, Position, Side
from engine.row_solver.games import is_solved_soon
from engine.search import Search
from engine.search_result import Algorithm
from engine.solve import WIN_SCORE, scores
from engine.spaces import space_of
from engine.stop import Stop, never

HORIZON: Final = 6
"""The search depth, in plies, where values are not exact."""
SHORT_HORIZON: Final = 4
"""The search depth where pieces do not fall and a solver tells who wins: only how soon is left to find."""
UNREACHED_PLIES: Final = 1000
"""A number of plies that no game with a solver reaches."""
PATIENCE_SECONDS: Final = 2.0
"""The seconds that a person waits for exact values where something is to be decided, such as a hint."""
STEP_SECONDS: Final = (0.1, PATIENCE_SECONDS, inf)
"""The seconds after which `rate_in_steps` has a first answer, a better one, and all exact values."""
TABLE_LIMIT: Final = 50_000
"""The maximum number of entries of the search tables, about 20 MB: larger ones are hardly faster."""


@dataclass(frozen=True)
class RatedMove:
    """A move with its value under best play, for the side that makes it."""

    move: Move
    value: int | None
    """The value: 1 a win, 0 a draw, −1 a loss; `None` where the search cannot tell."""
    plies: int = 0
    """The plies until a win or a loss, this move included; 0 for a draw, and where only the winner is known."""
    estimate: int = 0
    """The heuristic estimate where `value` is `None`; otherwise 0."""

    @property
    def merit(self) -> tuple[int, int]:
        """A sort key, larger for better moves: quicker wins, then draws and estimates, then later losses."""
        return self.value or 0, self.estimate - (self.value or 0) * (self.plies or UNREACHED_PLIES)


def has_exact_values(game: Game) -> bool:
    return game.numbered or is_solved(game)


def is_solved(game: Game) -> bool:
    """Return whether a game is not numbered, but has a solver."""
    return not game.numbered and (shape_of(game) is not None or is_solved_soon(game))


def horizon_of(game: Game) -> int:
    return SHORT_HORIZON if not game.numbered and is_solved_soon(game) else HORIZON


def rate_moves(
    game: Game, position: Position, stop: Stop = never, seconds: float = PATIENCE_SECONDS
) -> tuple[RatedMove, ...]:
    """Return every legal move with its value, in ascending order of the moves; empty where the game is over.

    Where a solver has not found a value after `seconds`, the limited search estimates it; where it tells only who wins,
    that search adds how soon. Raises `KeyError` for a position of a numbered game that play cannot reach, and `Stopped`
    soon after `stop` returns `True`.
    """
    if game.outcome(position) is not None:
        return ()
    if game.numbered:
        return _rate_by_space(game, position)
    solved = rate_by_solver(game, position, stop, seconds) if is_solved(game) else {}
    lacks_plies = any(each.value and not each.plies for each in solved.values())
    if len(solved) == len(game.moves(position)) and not lacks_plies:
        return tuple(solved[move] for move in sorted(solved))
    return _complete_by_solver(solved, _rate_by_search(game, position, stop))


def rate_and_prove(game: Game, position: Position, stop: Stop, seconds: float) -> tuple[RatedMove, ...]:
    """Rate every legal move in a game that has a solver. One of the best has its exact value, however long that takes.

    The solver rates other moves as far as `seconds` allow. Raises `Stopped`.
    """
    deadline = monotonic() + seconds
    best = prove_best(game, position, stop)
    solved = {best.move: best} | rate_by_solver(game, position, stop, deadline - monotonic())
    if shape_of(game) is None:
        return _complete_by_solver(solved, _rate_by_search(game, position, stop))
    return tuple(solved.get(move, RatedMove(move, None)) for move in game.moves(position))


def _complete_by_solver(solved: Mapping[Move, RatedMove], searched: Iterable[RatedMove]) -> tuple[RatedMove, ...]:
    """Return the searched moves; the search has not seen the end of some, whose values come from the solver."""
    return tuple(each if each.plies else solved.get(each.move, each) for each in searched)


def rate_in_steps(game: Game, position: Position, stop: Stop = never) -> Iterator[tuple[RatedMove, ...]]:
    """Yield what `rate_moves` returns: first the values that are found soon, then better ones until all are exact.

    Raises the same errors as `rate_moves`.
    """
    for seconds in STEP_SECONDS:
        rated = rate_moves(game, position, stop, seconds)
        yield rated
        if not is_open(game, rated):
            return


def is_open(game: Game, rated: Iterable[RatedMove]) -> bool:
    """Return whether the game has a solver that has not yet found the value of some move."""
    return has_exact_values(game) and any(each.value is None for each in rated)


def _rate_by_space(game: Game, position: Position) -> tuple[RatedMove, ...]:
    space = space_of(game)
    edges = space.edges(position)
    sign = 1 if game.side(position) is Side.FIRST else -1
    rows = slice(edges.start, edges.stop)
    scores_after = (scores(space)[space.target[rows]] * sign).tolist()
    rated = []
    for move, score in zip(space.move[rows].tolist(), scores_after, strict=True):
        plies = WIN_SCORE - abs(score) + 1 if score else 0
        rated.append(RatedMove(move, _sign(score), plies))
    return tuple(rated)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def rate_by_solver(game: Game, position: Position, stop: Stop, seconds: float) -> dict[Move, RatedMove]:
    """Return the moves whose values the solver of a game finds within `seconds`. Raises `Stopped`."""
    from engine.analysis.solvers import solver_of  # imports numba

    deadline = monotonic() + seconds
    results = solver_of(game).analyse(position, stop=stop, is_late=lambda: monotonic() > deadline)
    return {move: rating_by_solver(game, position, move, each.score) for move, each in results.items()}


def prove_best(game: Game, position: Position, stop: Stop = never) -> RatedMove:
    """Return a best move, in a game that has a solver, however long that takes. Raises `Stopped`."""
    from engine.analysis.solvers import solver_of  # imports numba

    return rating_by_solver(game, position, *solver_of(game).find_best(position, stop=stop))


def keeps_value(game: Game, position: Position, move: Move, stop: Stop = never) -> bool:
    """Return whether a move keeps the value of a position, in a game that has a solver. Raises `Stopped`."""
    from engine.analysis.solvers import solver_of  # imports numba

    solver = solver_of(game)
    value = solver.solve(position, weak=True, stop=stop).score
    return value == -1 or value == -solver.solve(game.play(position, move), weak=True, stop=stop).score


def rating_by_solver(game: Game, position: Position, move: Move, score: int) -> RatedMove:
    shape = shape_of(game)
    plies = 0 if shape is None else plies_of_score(score, shape.pieces_left(position))
    return RatedMove(move, _sign(score), plies)


def plies_of_score(score: int, squares_left: int) -> int:
    """Return the plies until the end that a solver's score stands for, with `squares_left`; 0 for a draw."""
    if score > 0:
        return 2 * ((squares_left + 1) // 2 + 1 - score) - 1
    return 2 * (squares_left // 2 + 1 + score) if score else 0


@cache
def _searcher(game: Game) -> Search:
    """Return the search of a game, which all callers share with its tables."""
    return Search(game, Algorithm.ALPHABETA, horizon_of(game), order="centre", every_move=True, table_limit=TABLE_LIMIT)


def _rate_by_search(game: Game, position: Position, stop: Stop) -> tuple[RatedMove, ...]:
    result = _searcher(game).result(position, stop)
    sign = 1 if game.side(position) is Side.FIRST else -1
    rated = []
    for each in result.moves:
        value = each.value * sign
        if each.plies is not None:
            rated.append(RatedMove(each.move, 1 if value > 0 else -1, each.plies))
        elif each.estimated:
            rated.append(RatedMove(each.move, None, estimate=value))
        else:
            rated.append(RatedMove(each.move, 0))
    return tuple(sorted(rated, key=lambda rated_move: rated_move.move))


def best_of(rated: tuple[RatedMove, ...]) -> tuple[RatedMove, ...]:
    best_merit = max(rated_move.merit for rated_move in rated)
    return tuple(rated_move for rated_move in rated if rated_move.merit == best_merit)
