"""The boards that agents are shown.

A `shape` says how the squares are arranged, such as `lists` for a list of rows; `pieces` is the name of the values that
stand on them, such as `plus-minus` for 1, −1 and 0; `constants` are the agent's own values for an empty square, X and
O, if its code defines them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable

SHAPES = (
    "lists list tuples tuple ten array vector array-float vector-float lists-up array-up array-float-up text dict"
).split()
"""Shapes of a board: rows of squares; all squares; both as tuples; a list with an unused square 0; rows and squares in
numpy, as whole numbers or, like those of numpy.zeros, as floats; rows from the lowest up, where pieces
fall; a text; an observation with its mask, as PettingZoo's environments give it."""
EMPTY = {"none": None, "space": " ", "nothing": "", "zero": 0, "dot": ".", "underscore": "_", "dash": "-"}
"""The values of an empty square if the pieces are the marks of the game."""
TEXTS = ("space", "dot", "underscore", "dash")
"""Those in `EMPTY` that can stand in a text."""
COUNTED: dict[str, Callable[[int], Any]] = {
    "number": lambda index: str(index + 1),
    "index": lambda index: index,
    "index-1": lambda index: index + 1,
}
"""Further values of an empty square, for boards where each has its number."""
LOWER = "-lower"
LETTERS = [name + case for case in ("", LOWER) for name in (*EMPTY, *COUNTED)]
"""The names in `EMPTY` and `COUNTED`, each with marks in capitals or in small letters."""
NUMBERS = ("012", "plus-minus", "minus-01", "own", "own12")
"""Pieces as numbers: 1 and 2; 1 and −1; 0 and 1, with −1 for an empty square; 1 and −1, or 1 and 2, but 1 is a piece of
the side to move. There are also planes of 0 and 1."""


class Fields(dict):  # type: ignore[type-arg]  # Python 3.8 knows no dict[str, Any] here
    """A mapping whose items are attributes as well."""

    def __getattr__(self, name: Any) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(name)


def pieces_for(shape: str, letters: list[str], game: Any) -> list[str]:
    """Return what may stand for the pieces on a board of this shape: numbers, planes, or some of `letters`."""
    if shape.endswith("-up") and not game["falls"]:
        return []
    if shape == "dict":
        return ["planes"]
    if shape == "array":
        return [*NUMBERS, "planes"]
    if is_array(shape):
        return [*NUMBERS]
    if shape == "ten":
        return [*letters]
    if shape == "text":
        return [each for each in letters if each.replace(LOWER, "") in TEXTS] + ["012"]
    return [*letters, *NUMBERS]


def is_array(shape: str) -> bool:
    return shape.startswith(("array", "vector"))


def find_constants(module: Any, game: Any) -> list[Any] | None:
    """Return the constants EMPTY, X and O of a module, or of a class in it; `None` if there are none."""
    if game["marks"] != ["X", "O"]:
        return None
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    for place in [module, *classes]:
        for empty in ("EMPTY", "Empty", "NONE", "E"):
            names = (empty, "X", "O")
            if all(hasattr(place, name) for name in names):
                return [getattr(place, name) for name in names]
    return None


def side_values(pieces: str, side: int, game: Any, constants: Any) -> tuple[Any, Any]:
    """Return the values for the pieces of the side to move and of the other side."""
    other = 3 - side
    if pieces == "constants":
        return constants[side], constants[other]
    if pieces in LETTERS:
        marks = marks_of(pieces, game)
        return marks[side - 1], marks[other - 1]
    if pieces == "minus-01":
        return side - 1, other - 1
    if pieces == "plus-minus":
        return (1, -1) if side == 1 else (-1, 1)
    if pieces == "own":
        return 1, -1
    if pieces == "own12":
        return 1, 2
    return side, other


def cell_values(question: Any, pieces: str, game: Any, constants: Any) -> list[Any]:
    """Return the value on each square."""
    board, side = question["board"], question["side"]
    if pieces == "constants":
        return [constants[cell] for cell in board]
    if pieces in LETTERS:
        marks, name = marks_of(pieces, game), pieces.replace(LOWER, "")
        return [marks[cell - 1] if cell else empty_value(name, index) for index, cell in enumerate(board)]
    if pieces == "minus-01":
        return [cell - 1 for cell in board]
    if pieces in ("plus-minus", "own", "own12"):
        mine, theirs = side_values(pieces, side, game, constants)
        values = {0: 0, side: mine, 3 - side: theirs}
        return [values.get(cell, cell) for cell in board]
    return list(board)


def marks_of(pieces: str, game: Any) -> list[str]:
    """Return the marks of all pieces, those of both sides first, in the case that a name in `LETTERS` says."""
    marks = [*game["marks"], *game["more_marks"]]
    return [mark.lower() for mark in marks] if pieces.endswith(LOWER) else marks


def empty_value(name: str, index: int) -> Any:
    return COUNTED[name](index) if name in COUNTED else EMPTY[name]


def heaps_of(question: Any, columns: int) -> list[int]:
    """Return the number of stones in each heap of nim; a heap is a row of the board."""
    board = question["board"]
    return [sum(board[start : start + columns]) for start in range(0, len(board), columns)]


def flat_cells(board: Any) -> list[Any]:
    """Return the values on the squares of a board that is an array, a list, or a list of rows."""
    if hasattr(board, "tolist"):
        board = board.tolist()
    cells: list[Any] = []
    for each in board:
        if isinstance(each, (list, tuple)):
            cells.extend(each)
        else:
            cells.append(each)
    return cells


def move_mask(question: Any, game: Any) -> Any:
    """Return an array with 1 for each legal move and 0 for the others."""
    import numpy

    mask = numpy.zeros(game["actions"], numpy.int8)
    mask[question["moves"]] = 1
    return mask


def piece_planes(question: Any, game: Any) -> Any:
    """Return a plane for the side to move and one for the other, shape (rows, columns, 2), as PettingZoo has them."""
    import numpy

    board, side = numpy.array(question["board"]), question["side"]
    planes = numpy.stack([board == side, board == 3 - side], axis=-1)
    return planes.reshape(game["rows"], game["columns"], 2).astype(numpy.int8)


WATCHABLE_SHAPES = ("lists", "list", "tuples", "tuple", "ten")
"""The shapes of boards whose squares are objects of Python, so that they can record what they are compared with."""
COMPARISONS: list[bool] = []
"""For each comparison of a watched square, whether the other value can stand on the board."""


def watch_values(cells: Any, mine: Any, theirs: Any) -> tuple[list[Any], Any, Any]:
    """Return the values on squares, and those of both sides, as values that record what they are compared with.

    An agent that misreads the board looks for pieces that cannot stand there, as for a 2 among 1 and −1.
    """
    empty_values = {cell for cell in cells if cell not in (mine, theirs)}
    common_empty = empty_values.pop() if len(empty_values) == 1 else None  # else each empty square has its number

    def watch(value: Any, empty: Any) -> Any:
        kind: Any = type(value)
        if kind not in (int, str):
            return value
        possible = tuple(each for each in (empty, mine, theirs) if each is not None)
        return watching_type(kind, possible)(value)

    squares = [watch(cell, common_empty if cell in (mine, theirs) else cell) for cell in cells]
    return squares, watch(mine, common_empty), watch(theirs, common_empty)


@lru_cache(maxsize=100)
def watching_type(kind: Any, possible: tuple[Any, ...]) -> Any:
    """Return a type whose values equal those of `kind`, and add to `COMPARISONS` if they are compared."""

    def equal(value: Any, other: Any) -> bool:
        if type(other) in (int, str, float):
            COMPARISONS.append(other in possible)
        return kind.__eq__(value, other) is True

    def differ(value: Any, other: Any) -> bool:
        return not equal(value, other)

    return type(kind.__name__, (kind,), {"__eq__": equal, "__ne__": differ, "__hash__": kind.__hash__})
