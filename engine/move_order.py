"""The order in which a search visits the moves of a position."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import dist
from typing import Final

from engine.game import BadText, Game, Move, Position, Successor

Order = str | tuple[Move, ...]
"""The name of an order, or moves that a search visits first, in this order, in each position where they are legal."""
OrderedSuccessors = Callable[[Position], Sequence[Successor]]
"""Returns the successors of a position in some order of their moves."""


def _descending(game: Game) -> OrderedSuccessors:
    return lambda position: game.successors(position)[::-1]


def _centre_first(game: Game) -> OrderedSuccessors:
    """Order moves by their last square: squares on more lines first, and among equals those nearer to the middle."""
    grid = game.board.grid
    lines = grid.lines(game.in_a_row) if game.in_a_row else ()
    middle = (grid.rows - 1) / 2, (grid.columns - 1) / 2
    rank = [
        (-sum(line >> square & 1 for line in lines), dist(divmod(square, grid.columns), middle))
        for square in range(grid.size)
    ]
    place = [sorted(set(rank)).index(each) for each in rank]
    squares = game.board.squares
    return lambda position: sorted(
        game.successors(position), key=lambda successor: place[squares(position, successor[0])[-1]]
    )


def _given_first(game: Game, given: tuple[Move, ...]) -> OrderedSuccessors:
    rank = {move: place for place, move in enumerate(given)}
    return lambda position: sorted(game.successors(position), key=lambda successor: rank.get(successor[0], len(rank)))


ORDERS: Final[Mapping[str, Callable[[Game], OrderedSuccessors]]] = {
    "ascending": lambda game: game.successors,
    "descending": _descending,
    "centre": _centre_first,
}
"""The named orders, the default first."""


def ordered_successors(game: Game, order: Order) -> OrderedSuccessors:
    return ORDERS[order](game) if isinstance(order, str) else _given_first(game, order)


def parse_order(text: str, game: Game, position: Position) -> Order:
    """Read an order: its name, or names of moves of the position, as in `b2 a1`. Raises `BadText`, `IllegalMove`."""
    if text in ORDERS:
        return text
    names = re.split(r"[\s,]+", text.strip())
    try:
        return tuple(dict.fromkeys(game.parse_move(position, name) for name in names))
    except BadText as error:
        raise BadText(f"{error}; or an order: {', '.join(ORDERS)}") from error
