"""What agents of other libraries see of a position, and the number of actions that they choose from."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Position
from engine.space import TooLarge
from engine.spaces import space_of


def planes(game: Game, position: Position, player: int) -> NDArray[np.int8]:
    """Return a position as a player sees it, int8 of shape (rows, columns, planes).

    The first plane is 1 where the player's pieces stand, the second where the opponent's do; where pieces belong to
    nobody, there is a plane for each kind of piece.
    """
    board = game.board
    pieces = sorted(board.pieces, key=lambda piece: piece.side is not None and piece.side != player)
    cells = board.cells(position)
    flat = np.array([[piece == cell for piece in pieces] for cell in cells], np.int8)
    return flat.reshape(board.rows, board.columns, len(pieces))


def action_count(game: Game) -> int:
    """Return the number of actions: the largest move of the game plus one. Raises `TooLarge` if it is unknown."""
    if game.places_pieces:  # every move of such a game can be the first
        return max(game.moves(game.start)) + 1
    if game.numbered and not game.is_large:
        return int(space_of(game).move.max(initial=0)) + 1
    raise TooLarge(f"{game.title} is too large to number its moves")


def action_mask(game: Game, position: Position) -> NDArray[Any]:
    """Return 1 for each legal action, otherwise 0, int8 of shape (actions,). Raises `TooLarge`."""
    mask = np.zeros(action_count(game), np.int8)
    mask[list(game.moves(position))] = 1
    return mask
