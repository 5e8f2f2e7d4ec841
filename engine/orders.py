"""In which order a search looks at the moves of a position."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from engine.game import BadText, Game, Move, Position

Order = str | tuple[Move, ...]
"""The name of an order, or moves that come before all others, in this order, wherever they can be played."""
Ordered = Callable[[Position], tuple[Move, ...]]
"""The legal moves of a position in some order."""


def _descending(game: Game) -> Ordered:
    return lambda position: game.moves(position)[::-1]


def _centre_first(game: Game) -> Ordered:
    """By the distance of the square where the move ends from the middle of the board; ascending among equals."""
    far = [
        (2 * row - game.rows + 1) ** 2 + (2 * column - game.columns + 1) ** 2
        for row in range(game.rows)
        for column in range(game.columns)
    ]
    return lambda position: tuple(sorted(game.moves(position), key=lambda move: far[game.squares(position, move)[-1]]))


def _given_first(game: Game, given: tuple[Move, ...]) -> Ordered:
    rank = {move: place for place, move in enumerate(given)}
    return lambda position: tuple(sorted(game.moves(position), key=lambda move: rank.get(move, len(rank))))


ORDERS: Final[Mapping[str, Callable[[Game], Ordered]]] = {
    "ascending": lambda game: game.moves,
    "descending": _descending,
    "centre": _centre_first,
}
"""The orders that have a name, the default first."""


def ordered(game: Game, order: Order) -> Ordered:
    """The function that puts the moves of the game in that order."""
    return ORDERS[order](game) if isinstance(order, str) else _given_first(game, order)


def parse_order(text: str, game: Game, position: Position) -> Order:
    """An order by its name, or as names of moves of the position: `b2 a1`. Raises `BadText`, `IllegalMove`."""
    if text in ORDERS:
        return text
    names = re.split(r"[\s,]+", text.strip())
    try:
        return tuple(dict.fromkeys(game.parse_move(position, name) for name in names))
    except BadText as error:
        raise BadText(f"{error}; or an order: {', '.join(ORDERS)}") from error
