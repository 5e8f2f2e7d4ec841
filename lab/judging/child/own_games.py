"""Classes of games in the code of an agent: they are played up to a position, and then shown to the agent."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from itertools import product
from typing import Any, Iterator, NamedTuple

from .boards import find_constants, flat_cells, side_values
from .callables import (
    CLASS_ROLES,
    SIDE_ROLES,
    Argument,
    argument_values,
    arguments_by_name,
    methods_named,
    without_self,
)
from .forms import MAX_ITEMS
from .time_limit import PROCESSOR_SHARE, call_within

MOVE_METHODS = (
    "makemove playmove domove applymove placemove addmove setmove move play apply applyaction place placepiece "
    "placemark placemarker placesymbol setcell setsquare setmark put push mark step nextstate generatesuccessor "
    "successor drop droppiece dropdisc dropdisk droptoken dropcoin adddisc adddisk addpiece addtoken "
    "insertdisc"
).split()
"""The methods by which a move is made in a game of the agent's own code."""
SQUARE_ROLES = (("row", "row|r|x|i"), ("column", "col|column|c|y|j"))
"""The parameters of a method that makes a move, besides the side: a row and a column, or a square by any other name."""
PLAY_SECONDS = 1.0
"""The time limit to play some moves in a game of the agent's own code."""


class OwnGame(NamedTuple):
    """A class of games in the agent's code, and how to play such a game.

    `place`, `marks`, `remembers` and `order` are known once `complete` has played some moves.
    """

    kind: Any
    play: str
    """The name of the method that makes a move."""
    play_roles: list[str]
    """The arguments of that method, in their order: `square`, `row`, `column`, `side`."""
    style: str
    """How the game numbers squares, or columns: from 0 or 1, or by row and column (y-x), or by column and row (x-y)."""
    pieces: str
    """What stands for the sides, as in other forms; `turns` if the game itself knows whose turn it is."""
    size: tuple[int, int]
    """The numbers of rows and columns."""
    falls: bool
    """Whether a move is a column."""
    place: tuple[str, ...] = ()
    """The names of the attributes that lead to the board."""
    marks: tuple[Any, ...] = ()
    """The values on the board for the side that moves first, and for the other side."""
    remembers: bool = False
    """Whether the state of the game depends on the order of the moves."""
    order: tuple[int, ...] = ()
    """The index of each square on the game's board: where pieces fall, rows and columns may be in any order."""

    def states(self, moves: Any, marks: Any) -> Iterator[Any]:
        """Yield the game at its start, and after each of these moves. It may be the same object each time."""
        rows, columns = self.size
        players = [None, None]  # who plays does not matter
        start_values = {"rows": rows, "columns": columns, "players": players, "side": marks[0], "other": marks[1]}
        positional, by_keyword = argument_values(start_arguments(self.kind), start_values)
        state = self.kind(*positional, **by_keyword)
        yield state
        for number, move in enumerate(moves):
            written = self.move_argument(move)
            row, column = written if isinstance(written, tuple) else (None, written)
            values = {"row": row, "column": column, "side": marks[number % 2], "square": written}
            returned = getattr(state, self.play)(*[values[role] for role in self.play_roles])
            if type(returned) is self.kind:  # a game that is not changed, but followed by another one
                state = returned
            yield state

    def state_after(self, moves: Any, marks: Any) -> Any:
        return [*self.states(moves, marks)][-1]

    def move_argument(self, move: int) -> Any:
        """Return a move in the numbering of this game."""
        row, column = divmod(move, self.size[1])
        if self.falls:
            return column + int(self.style)
        if self.style == "y-x":
            return row, column
        if self.style == "x-y":
            return column, row
        return move + int(self.style)

    def cells(self, state: Any) -> list[Any]:
        """Return the values on the squares of a state, in our order of the squares."""
        board = dict(boards_in(state, self.size[0] * self.size[1]))[self.place]
        return [board[index] for index in self.order]

    def square_orders(self) -> list[tuple[int, ...]]:
        """Return the possible orders of the squares on this game's board."""
        rows, columns = self.size
        by_rows = [tuple(range(start, start + columns)) for start in range(0, rows * columns, columns)]
        if not self.falls:
            return [sum(by_rows, ())]
        by_columns = [tuple(range(row, rows * columns, rows)) for row in range(rows)]
        return [sum(lines, ()) for lines in (by_rows, by_rows[::-1], by_columns, by_columns[::-1])]

    def complete(self, marks: Any) -> OwnGame | None:
        """Play some moves; return this game with what they show, or `None` unless each changes just its square.

        `marks` are the values for both sides in the method that makes a move.
        """
        rows, columns = self.size
        moves = [1, columns + 2, 2 * columns]  # three squares of different rows and columns
        squares = [(rows - 1) * columns + move % columns for move in moves] if self.falls else moves
        boards_by_state = [dict(boards_in(state, rows * columns)) for state in self.states(moves, marks)]
        for place, order in product(boards_by_state[0], self.square_orders()):
            cells_by_state = [boards.get(place, []) for boards in boards_by_state]
            changes = [changed_indices(cells_by_state[step], cells_by_state[step + 1]) for step in range(3)]
            if changes != [[order[square]] for square in squares]:
                continue
            first, second, third = (cells_by_state[-1][order[square]] for square in squares)
            if first == third != second:
                one, other = self.state_after((0, 1, 2, 3), marks), self.state_after((2, 3, 0, 1), marks)
                remembers = comparable(one) != comparable(other)
                return self._replace(place=place, marks=(first, second), remembers=remembers, order=order)
        return None


def changed_indices(before: list[Any], after: list[Any]) -> list[int]:
    return [index for index, (old, new) in enumerate(zip(before, after)) if old != new]


@lru_cache(maxsize=100)
def start_arguments(kind: Any) -> list[Argument]:
    """Return the arguments with which a game begins."""
    arguments = arguments_by_name(kind, CLASS_ROLES) or []
    return [each for each in arguments if each.key is None or each.role in ("rows", "columns")]


def find_own_games(module: Any, game: Any) -> list[OwnGame]:
    """Return the classes of games in a module, or imported by it, that can be played; one for each kind of pieces.

    If there are none, look in the modules in the same folder from which the module imports something.
    """
    if module is None or not game["places"] or min(game["rows"], game["columns"]) < len("XOX"):
        return []
    games = playable_games(classes_in(module), module, game)
    if games:
        return games
    imported_from = {getattr(each, "__module__", None) for each in [*vars(module).values()][:MAX_ITEMS]}
    others = [each for name, each in sys.modules.items() if name in imported_from and are_neighbours(each, module)]
    return playable_games([each for other in others for each in classes_in(other)], module, game)


def classes_in(module: Any) -> list[Any]:
    return [each for each in [*vars(module).values()][:MAX_ITEMS] if isinstance(each, type)]


def are_neighbours(one: Any, other: Any) -> bool:
    """Return whether two modules are files in the same folder."""
    one_file, other_file = getattr(one, "__file__", None), getattr(other, "__file__", None)
    return bool(one_file and other_file) and folder_of(one_file) == folder_of(other_file)


def folder_of(path: Any) -> str:
    return os.path.dirname(os.path.abspath(str(path)))


def playable_games(classes: list[Any], module: Any, game: Any) -> list[OwnGame]:
    """Return those of these classes that are games and can be played; one for each kind of pieces."""
    constants = find_constants(module, game)
    games: dict[Any, OwnGame] = {}
    for kind in classes:
        for play in methods_named(kind, MOVE_METHODS):
            for candidate in candidates_for(kind, play, game):
                own_game = try_to_complete(candidate, game, constants)
                if own_game is not None:
                    games.setdefault((kind, candidate.pieces), own_game)
    return [*games.values()]


def candidates_for(kind: Any, play: str, game: Any) -> list[OwnGame]:
    """Return the ways in which a method of a class might make moves; empty if its parameters tell that it does not."""
    if not hasattr(getattr(kind, play), "__code__"):  # of a class that is not written in Python, such as a queue
        return []
    arguments = arguments_by_name(without_self(kind, play), (*SQUARE_ROLES, *SIDE_ROLES)) or []
    roles = [each.role or "square" for each in arguments]
    square_roles = {*roles} - {"side"}
    if len({*roles}) < len(roles):
        return []
    if square_roles == {"square"} or (square_roles == {"column"} and game["falls"]):
        styles = ["0", "1"]
    elif square_roles == {"row", "column"} and not game["falls"]:
        styles = []
    else:
        return []
    if not game["falls"]:
        styles += ["y-x", "x-y"]
    all_pieces = ("constants", "space", "space-lower", "012", "plus-minus") if "side" in roles else ("turns",)
    size = game["rows"], game["columns"]
    return [
        OwnGame(kind, play, roles, style, pieces, size, game["falls"]) for pieces, style in product(all_pieces, styles)
    ]


def try_to_complete(candidate: OwnGame, game: Any, constants: Any) -> OwnGame | None:
    """Return a candidate, completed within a time limit; `None` if it is no game, or wants something else."""
    if candidate.pieces == "constants" and not constants:
        return None
    knows_turns = candidate.pieces == "turns"
    marks = game["marks"] if knows_turns else side_values(candidate.pieces, 1, game, constants)
    own_game: OwnGame | None
    try:
        own_game, _ = call_within(PLAY_SECONDS, PLAY_SECONDS / PROCESSOR_SHARE, lambda: candidate.complete(marks))
    except BaseException:  # noqa: BLE001  whatever its code raises
        return None
    return own_game


def boards_in(thing: Any, size: int, depth: int = 2) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """Yield the boards that an object holds: the names of the attributes that lead there, and the squares' values."""
    cells: list[Any] = []
    if isinstance(thing, dict):
        cells = [*thing.values()]
    elif isinstance(thing, (list, tuple, str)) or hasattr(thing, "tolist"):
        cells = flat_cells(thing)
    if size <= len(cells) <= size + 1:  # the first one may be unused
        yield (), cells[-size:]
    if depth == 0:
        return
    attributes = thing._asdict() if hasattr(thing, "_asdict") else getattr(thing, "__dict__", {})
    for name, value in attributes.items():
        for place, board in boards_in(value, size, depth - 1):
            yield (name, *place), board


def comparable(thing: Any, depth: int = 5) -> Any:
    """Return all that an object holds, as a value to compare; objects of one type that hold nothing are equal."""
    if isinstance(thing, (str, int, float, type(None))):
        return thing
    if hasattr(thing, "tolist"):
        return repr(thing.tolist())
    if isinstance(thing, (set, frozenset)):
        return sorted(map(repr, thing))
    if depth == 0:
        return type(thing).__name__
    if isinstance(thing, dict):
        return [(comparable(key, depth - 1), comparable(value, depth - 1)) for key, value in thing.items()]
    if isinstance(thing, (list, tuple)):
        return [comparable(each, depth - 1) for each in thing]
    return type(thing).__name__, comparable(getattr(thing, "__dict__", {}), depth - 1)
