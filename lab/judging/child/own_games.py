"""Classes of games in the code of an agent: they are played up to a position, and then shown to the agent."""

from __future__ import annotations

import os
import sys
from functools import lru_cache, partial
from itertools import product
from typing import Any, NamedTuple

from .boards import constants_of, flat, marks_of
from .callables import MADE, SIDES, given, methods_of, named_roles, unbound
from .forms import MAX_ITEMS
from .time_limit import PROCESSOR_SHARE, limited

PLAYS = (
    "makemove playmove domove applymove placemove addmove setmove move play apply applyaction place placepiece "
    "placemark placemarker placesymbol setcell setsquare setmark put push mark step nextstate generatesuccessor "
    "successor drop droppiece dropdisc dropdisk droptoken dropcoin adddisc adddisk addpiece addtoken "
    "insertdisc"
).split()
"""The methods by which a move is made in a game of the agent's own code."""
PLAYED = (("row", "row|r|x|i"), ("column", "col|column|c|y|j"))
"""The parameters of a method that makes a move, besides the side: a row and a column, or a square by any other name."""
OWN_SECONDS = 1.0
"""The time limit to play some moves in a game of the agent's own code."""


@lru_cache(maxsize=100)
def _needed(kind: Any) -> Any:
    return [each for each in named_roles(kind, MADE) or [] if each.key is None or each.role in ("rows", "columns")]


class OwnGame(NamedTuple):
    """A class of games in the agent's code, and how to play such a game."""

    kind: Any
    play: str
    wanted: list[str]
    """The arguments of the game's method that makes a move."""
    style: str
    """How the game numbers squares, or columns: from 0 or 1, or by row and column (y-x), or by column and row (x-y)."""
    pieces: str
    """What stands for the sides, as in other forms; `turns` if the game itself knows whose turn it is."""
    size: tuple[int, int]
    """The numbers of rows and columns."""
    place: tuple[str, ...] = ()
    """The names of the attributes that lead to the board."""
    marks: tuple[Any, ...] = ()
    """The values on the board for the side that moves first, and for the other side."""
    remembers: bool = False
    """Whether the state of the game depends on the order of the moves."""
    falls: bool = False
    """Whether a move is a column."""
    order: tuple[int, ...] = ()
    """The place of each square on the game's board: where pieces fall, rows and columns may be in any order."""

    def states(self, moves: Any, marks: Any) -> Any:
        """Yield the game at its start, and after each of these moves."""
        rows, columns = self.size
        sizes = {"rows": rows, "columns": columns, "players": [None, None]}  # who plays does not matter
        arguments = given(_needed(self.kind), {**sizes, "side": marks[0], "other": marks[1]})
        state = self.kind(*arguments[0], **arguments[1])
        yield state
        for number, move in enumerate(moves):
            written = self.written(move)
            row, column = written if isinstance(written, tuple) else (None, written)
            values = {"row": row, "column": column, "side": marks[number % 2], "square": written}
            after = getattr(state, self.play)(*[values[each] for each in self.wanted])
            state = after if type(after) is self.kind else state
            yield state

    def written(self, move: Any) -> Any:
        pair = divmod(move, self.size[1])
        if self.falls:
            return pair[1] + int(self.style)
        return pair if self.style == "y-x" else pair[::-1] if self.style == "x-y" else move + int(self.style)

    def cells(self, state: Any) -> Any:
        found = dict(boards_in(state, self.size[0] * self.size[1]))[self.place]
        return [found[each] for each in self.order]

    def orders(self) -> Any:
        """Return the possible orders of the squares on this game's board."""
        rows, columns = self.size
        by_rows = [tuple(range(start, start + columns)) for start in range(0, rows * columns, columns)]
        by_columns = [tuple(range(row, rows * columns, rows)) for row in range(rows)]
        either = [each[::step] for each in (by_rows, by_columns) for step in (1, -1)]
        return [sum(lines, ()) for lines in (either if self.falls else [by_rows])]

    def tried(self, marks: Any) -> Any:
        """Return this game, completed, if its moves change just the squares that they name; otherwise `None`."""
        rows, columns = self.size
        moves = (1, columns + 2, 2 * columns)
        landed = [(rows - 1) * columns + move % columns for move in moves] if self.falls else moves
        boards = [dict(boards_in(state, rows * columns)) for state in self.states(moves, marks)]
        for place, order in product(boards[0], self.orders()):
            cells = [each.get(place, []) for each in boards]
            steps = [zip(cells[step], cells[step + 1]) for step in range(len(moves))]
            changes = [[at for at, (old, new) in enumerate(both) if old != new] for both in steps]
            if changes != [[order[move]] for move in landed]:
                continue
            seen = tuple(cells[-1][at] for (at,) in changes)
            if seen[0] == seen[2] != seen[1]:
                two_orders = [[*self.states(order, marks)][-1] for order in ((0, 1, 2, 3), (2, 3, 0, 1))]
                one, other = map(written_out, two_orders)
                return self._replace(place=place, marks=seen[:2], remembers=one != other, order=order)
        return None


def own_games(module: Any, game: Any) -> list[OwnGame]:
    """Return the classes of games in a module, or imported by it, that can be played; one for each kind of pieces.

    If there are none, look in the modules from which the module imports something.
    """
    size = game["rows"], game["columns"]
    if module is None or not game["places"] or min(size) < len("XOX"):
        return []
    names = {getattr(each, "__module__", None): None for each in [*vars(module).values()][:MAX_ITEMS]}
    others = [each for name, each in sys.modules.items() if name in names and beside(each, module)]
    return games_among(classes_in(module), module, game) or games_among(
        [each for other in others for each in classes_in(other)], module, game
    )


def classes_in(module: Any) -> list[Any]:
    return [each for each in [*vars(module).values()][:MAX_ITEMS] if isinstance(each, type)]


def beside(one: Any, other: Any) -> bool:
    """Return whether two modules are files in the same folder."""
    files = [getattr(each, "__file__", None) for each in (one, other)]
    return all(files) and len({os.path.dirname(os.path.abspath(str(each))) for each in files}) == 1


def games_among(classes: Any, module: Any, game: Any) -> list[OwnGame]:
    """Return those of these classes that are games and can be played; one for each kind of pieces."""
    size = game["rows"], game["columns"]
    constants, found = constants_of(module, game), {}  # type: ignore[var-annotated]
    for kind, play in [(each, play) for each in classes for play in methods_of(each, PLAYS)]:
        if not hasattr(getattr(kind, play), "__code__"):  # of a class that is not written in Python, such as a queue
            continue
        wanted = [each.role or "square" for each in named_roles(unbound(kind, play), (*PLAYED, *SIDES)) or []]
        place, falls = sorted({*wanted} - {"side"}), game["falls"]
        if place not in (["square"], ["column"] if falls else ["column", "row"]) or len({*wanted}) < len(wanted):
            continue
        pieces_known = ("constants", "space", "space-lower", "012", "plus-minus") if "side" in wanted else ("turns",)
        styles = ([*"01"] if len(place) == 1 else []) + ([] if falls else ["y-x", "x-y"])
        for pieces, style in product(pieces_known, styles):
            candidate = OwnGame(kind, play, wanted, style, pieces, size, falls=falls)
            marks = marks_of(pieces, game, constants)
            try:
                attempt = partial(candidate.tried, marks)
                tried = limited(OWN_SECONDS, OWN_SECONDS / PROCESSOR_SHARE, attempt)[0] if marks else None
            except BaseException:  # noqa: BLE001, S112  it is no game, or wants something else
                continue
            if tried is not None:
                found.setdefault((kind, pieces), tried)
    return [*found.values()]


def boards_in(thing: Any, size: int, depth: int = 2) -> Any:
    """Yield the boards that an object holds: the names of the attributes that lead there, and the squares' values."""
    cells: list[Any] = []
    if isinstance(thing, dict):
        cells = [*thing.values()]
    elif isinstance(thing, (list, tuple, str)) or hasattr(thing, "tolist"):
        cells = flat(thing)
    if size <= len(cells) <= size + 1:  # the first one may be unused
        yield (), cells[-size:]
    fields = thing._asdict() if hasattr(thing, "_asdict") else getattr(thing, "__dict__", {})
    for name, each in fields.items() if depth else ():
        for place, found in boards_in(each, size, depth - 1):
            yield (name, *place), found


def written_out(thing: Any, depth: int = 5) -> Any:
    """Return all that an object holds, as a value to compare; objects of one type that hold nothing are equal."""
    if isinstance(thing, (str, int, float, type(None))):
        return thing
    if hasattr(thing, "tolist"):
        return repr(thing.tolist())
    if isinstance(thing, dict) and depth:
        return [(written_out(key, depth - 1), written_out(each, depth - 1)) for key, each in thing.items()]
    if isinstance(thing, (list, tuple)) and depth:
        return [written_out(each, depth - 1) for each in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted(map(repr, thing))
    return type(thing).__name__, written_out(getattr(thing, "__dict__", {}), depth - 1) if depth else None
