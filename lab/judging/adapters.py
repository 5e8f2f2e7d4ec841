"""Adapters that ask agents which were written for other libraries."""

from collections.abc import Callable, Collection, Iterable
from importlib import import_module
from random import Random
from typing import Any, Final, NamedTuple

from engine.game import BadText, Game, Move, Position, Side
from engine.grid_game import GridGame

OPEN_SPIEL: Final = {"tictactoe": "tic_tac_toe", "connectfour": "connect_four"}
"""The names of games in OpenSpiel."""
ORDERS: Final = 8
"""How many orders of the moves before a position are tried, to see whether a policy depends on them."""
Chooser = Callable[[Position], Any]
"""Returns the answer of an agent in a position, in a form that `lab.judging.reply` reads."""


class AgentPosition(NamedTuple):
    """A position in the form in which Python agents get it."""

    board: tuple[int, ...]
    """What stands on each square, from the top left, row by row: 0 for nothing, 1 for an X, 2 for an O, …"""
    side: int
    """The side to move: 1 or 2."""
    moves: tuple[int, ...]
    """The legal moves: numbers of squares in most games, of columns in Connect Four."""


def board_of(game: Game, position: Position) -> AgentPosition:
    """Return a position in the form in which Python agents get it."""
    pieces = game.board.pieces
    cells = tuple(0 if piece is None else pieces.index(piece) + 1 for piece in game.board.cells(position))
    return AgentPosition(cells, game.side(position) + 1, game.moves(position))


def adapter_for(agent: Any, game: Game) -> Chooser:  # noqa: ANN401  any object of another library
    """Return a function that asks an OpenSpiel policy, an object with `act`, or a callable. Raises `BadText`.

    Of a class that needs no arguments, an object is made.
    """
    if isinstance(agent, type):
        if not takes(agent, 0):
            name = agent.__name__
            raise BadText(f"{name} is a class that needs arguments: give an object of it, as in agent = {name}(…)")
        agent = agent()
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
    """Return a function that asks a callable of (board, side, moves), or of one argument, an `AgentPosition`.

    A callable that needs two arguments gets an observation and a configuration, as in competitions of Kaggle.
    """
    if takes(agent, 3):
        return lambda position: agent(*board_of(game, position))
    if takes(agent, 2) and not takes(agent, 1):
        return kaggle(agent, game)
    return lambda position: agent(board_of(game, position))


def takes(agent: Callable[..., Any], count: int) -> bool:
    """Whether a callable takes this number of positional arguments."""
    from inspect import signature

    try:
        signature(agent).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # a builtin without a signature
        return True
    return True


class Fields(dict[str, Any]):
    """A mapping whose items are attributes as well."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401, D105
        if name in self:
            return self[name]
        raise AttributeError(name)


def kaggle(agent: Callable[..., Any], game: Game) -> Chooser:
    """Return a function that calls `agent(observation, configuration)`, as Kaggle's environments do."""
    board = game.board
    configuration = Fields(rows=board.rows, columns=board.columns, inarow=game.in_a_row)

    def choose(position: Position) -> Any:  # noqa: ANN401
        cells, side, _ = board_of(game, position)
        made = sum(cell != 0 for cell in cells)
        return agent(Fields(board=list(cells), mark=side, step=made), configuration)

    return choose


def open_spiel(policy: Any, game: Game) -> Chooser:  # noqa: ANN401
    """Return a function that sets up a position in OpenSpiel, and asks a policy for its `action_probabilities` there.

    The policy's game must number its moves as ours does. This is checked in every position. So is whether the order of
    the moves that led there makes a difference, by up to `ORDERS` orders, except in large games where pieces stay.
    """
    paths_to, played = _path_finder(game), getattr(policy, "game", None) or _game_of_open_spiel(game)

    def ask(position: Position, path: Iterable[Move]) -> dict[Move, float]:
        state = played.new_initial_state()
        for move in path:
            state.apply_action(move)
        if tuple(state.legal_actions()) != game.moves(position):
            raise BadText(f"OpenSpiel's {played} has other moves in {game.to_text(position)} than {game.title}")
        return dict(policy.action_probabilities(state))

    def choose(position: Position) -> Any:  # noqa: ANN401
        answer, *others = (ask(position, path) for path in paths_to(position))
        if any(other != answer for other in others):
            raise BadText(
                f"its answer in {game.to_text(position)} depends on the order of the moves before\n"
                "Only a policy that depends on the position alone can be judged"
            )
        return answer

    return choose


def _game_of_open_spiel(game: Game) -> Any:  # noqa: ANN401
    """The game of OpenSpiel that a policy without an attribute `game` is asked in. Raises `BadText`."""
    if game.name not in OPEN_SPIEL:
        raise BadText(f"the policy has no attribute 'game', and the name of {game.title} in OpenSpiel is not known")
    return import_module("pyspiel").load_game(OPEN_SPIEL[game.name])


def _path_finder(game: Game) -> Callable[[Position], Collection[tuple[Move, ...]]]:
    """Return a function that finds orders of moves which lead to a position: up to `ORDERS`.

    In a large game where pieces stay where they are placed, it finds one. Raises `TooLarge`.
    """
    if isinstance(game, GridGame) and game.places_pieces and (game.is_large or not game.numbered):
        return lambda position: [_placing_moves(game, position)]
    import numpy as np

    from engine.spaces import space_of

    space = space_of(game)
    edges = np.argsort(space.target, kind="stable")
    first = np.searchsorted(space.target[edges], np.arange(len(space.position) + 1))
    random = Random(1)  # noqa: S311  orders of moves, not a secret

    def path_to(row: int) -> tuple[Move, ...]:
        moves = list[Move]()
        while row:
            edge = edges[random.randrange(first[row], first[row + 1])]
            moves.append(int(space.move[edge]))
            row = int(space.source[edge])
        return tuple(reversed(moves))

    return lambda position: {path_to(space.row(position)) for _ in range(ORDERS)}


def _placing_moves(game: GridGame, position: Position) -> tuple[Move, ...]:
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
    return tuple(moves)


def petting_zoo(agent: Any, game: Game) -> Chooser:  # noqa: ANN401
    """Return a function that calls `act(observation, action_mask)` or `act(observation)` of an agent for PettingZoo.

    The game is tic-tac-toe or Connect Four as in PettingZoo.

    The observation has two planes, the pieces of the side to move and those of the other one, shape (rows, columns,
    2). Moves are numbered as in PettingZoo 1.25 and later, which number them as we do.
    """
    from lab.judging.observation import action_mask, planes

    masked = takes(agent.act, 2)

    def choose(position: Position) -> Any:  # noqa: ANN401
        observation = planes(game, position, game.side(position))
        return agent.act(observation, action_mask(game, position)) if masked else agent.act(observation)

    return choose
