"""The solver of a game: one for boards with gravity, another for m,n,k-games without it.

Importing this module imports numba.
"""

from functools import cache

from engine.connect_solver.book import book_of
from engine.connect_solver.games import WORD_BITS, shape_of
from engine.connect_solver.solver import TABLE_MEGABYTES, Solver
from engine.game import BadText, Game
from engine.row_solver.games import SQUARES, rows_of
from engine.row_solver.solver import RowSolver

AnySolver = Solver | RowSolver
"""Finds exact scores of the positions of one game, for the side to move: 0 is a draw, a loss is negative."""


def solver_for(game: Game, megabytes: int | None = None, *, with_book: bool = True) -> AnySolver:
    """Return a new solver with a table of at most `megabytes`. Raises `BadText` if there is no solver for the game."""
    size = TABLE_MEGABYTES if megabytes is None else megabytes
    if shape_of(game) is not None:
        return Solver(game, size, book=book_of(game) if with_book else None)
    rows = rows_of(game)
    if rows is not None:
        return RowSolver(rows, size)
    raise BadText(
        f"no solver knows {game.title} (noughts search and noughts tree do): it must be Connect Four, "
        f"mnk:C,R,K+gravity with C × (R + 1) at most {WORD_BITS}, or mnk:C,R,K with at most {SQUARES} squares"
    )


@cache
def solver_of(game: Game) -> AnySolver:
    """Return the solver of a game, which all callers share with its table. Raises `BadText` if there is none."""
    return solver_for(game)
