"""Adapters that ask agents which were written for other libraries."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.game import BadText, Game, Move, Position, Side
from engine.grid_game import GridGame

if TYPE_CHECKING:  # most agents do not need them, and start faster without them
    import numpy as np
    from numpy.typing import NDArray

    from engine.space import Space

Chooser = Callable[[Position], Any]
"""Returns the answer of an agent in a position, in a form that `lab.judging.reply` reads."""


class Board(NamedTuple):
    """A position in the form in which Python agents get it."""

    board: tuple[int, ...]
    """What stands on each square, from the top left, row by row: 0 for nothing, 1 for an X, 2 for an O, …"""
    side: int
    """The side to move: 1 or 2."""
    moves: tuple[int, ...]
    """The legal moves: numbers of squares in most games, of columns in Connect Four."""


def board_of(game: Game, position: Position) -> Board:
    """Return a position in the form in which Python agents get it."""
    pieces = game.board.pieces
    cells = tuple(0 if piece is None else pieces.index(piece) + 1 for piece in game.board.cells(position))
    return Board(cells, game.side(position) + 1, game.moves(position))


def adapter_for(agent: Any, game: Game) -> Chooser:  # noqa: ANN401  any object of another library
    """Return a function that asks an OpenSpiel policy, an object with `act`, or a callable. Raises `BadText`."""
    if hasattr(agent, "action_probabilities"):
        return open_spiel(agent, game)
    if callable(getattr(agent, "act", None)):
        return petting_zoo(agent, game)
    if callable(agent):
        return plain_callable(agent, game)
    raise BadText(
        f"{type(agent).__name__} is not an agent: give a function of a position, "
        "an OpenSpiel policy, or an object with act(observation, action_mask)"
    )


def plain_callable(agent: Callable[..., Any], game: Game) -> Chooser:
    """Return a function that asks a callable of (board, side, moves), or of one argument with these fields: `Board`."""
    spread = _takes_three(agent)

    def choose(position: Position) -> Any:  # noqa: ANN401
        board = board_of(game, position)
        return agent(*board) if spread else agent(board)

    return choose


def _takes_three(agent: Callable[..., Any]) -> bool:
    from inspect import signature

    try:
        signature(agent).bind(*Board._fields)
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


def open_spiel(policy: Any, game: Game) -> Chooser:  # noqa: ANN401
    """Return a function that sets up a position in OpenSpiel, and asks a policy for its `action_probabilities` there.

    The policy's game must number its moves as ours does. This is checked in every position.
    """
    moves_to = _path_finder(game)

    def choose(position: Position) -> Any:  # noqa: ANN401
        state = policy.game.new_initial_state()
        for move in moves_to(position):
            state.apply_action(move)
        if tuple(state.legal_actions()) != game.moves(position):
            raise BadText(f"OpenSpiel's {policy.game} has other moves in {game.to_text(position)} than {game.title}")
        return dict(policy.action_probabilities(state))

    return choose


def _path_finder(game: Game) -> Callable[[Position], list[Move]]:
    """Return a function that finds moves which lead to a position. Raises `TooLarge`."""
    if isinstance(game, GridGame) and game.places_pieces and (game.is_large or not game.numbered):
        return partial(_placing_moves, game)
    from engine.spaces import space_of

    space = space_of(game)
    return partial(_moves_to, space, _first_edges(space))


def _placing_moves(game: GridGame, position: Position) -> list[Move]:
    """Search for moves that place the pieces of a position, in a game in which they stay where they are placed."""
    others = ~position & game.pack(game.full, game.full, Side.FIRST)
    dead = set[Position]()

    def search(here: Position) -> list[Move] | None:
        if here == position:
            return []
        for move, after, _ in game.successors(here):
            if not after & others and after not in dead:
                rest = search(after)
                if rest is not None:
                    return [move, *rest]
        dead.add(here)
        return None

    moves = search(game.start)
    if moves is None:
        raise BadText(f"play cannot reach {game.to_text(position)}")
    return moves


def _first_edges(space: "Space") -> "NDArray[np.int64]":
    """An edge that leads to each position, shape (n,); −1 for the start."""
    import numpy as np

    came_by = np.full(len(space.position), -1, np.int64)
    came_by[space.target[::-1]] = np.arange(len(space.target))[::-1]
    return came_by


def _moves_to(space: "Space", came_by: "NDArray[np.int64]", position: Position) -> list[Move]:
    row, moves = space.row(position), list[Move]()
    while came_by[row] >= 0:
        moves.append(int(space.move[came_by[row]]))
        row = int(space.source[came_by[row]])
    return moves[::-1]


def petting_zoo(agent: Any, game: Game) -> Chooser:  # noqa: ANN401
    """Return a function that calls `act(observation, action_mask)` of an agent for PettingZoo.

    The game is tic-tac-toe or Connect Four as in PettingZoo.

    The observation has two planes, the pieces of the side to move and those of the other one, shape (rows, columns,
    2). Moves are numbered as in PettingZoo 1.25 and later, which number them as we do.
    """
    import numpy as np

    rows, columns = game.board.rows, game.board.columns
    actions = columns if max(game.moves(game.start)) < columns else game.board.grid.size

    def choose(position: Position) -> Any:  # noqa: ANN401
        board, side, moves = board_of(game, position)
        grid = np.array(board).reshape(rows, columns)
        observation = np.stack([grid == side, grid == 3 - side], axis=2).astype(np.int8)
        mask = np.zeros(actions, np.int8)
        mask[list(moves)] = 1
        return agent.act(observation, mask)

    return choose
