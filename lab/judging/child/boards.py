"""The boards that agents are shown: their shapes, and the values that stand for the pieces."""

from __future__ import annotations

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
LETTERS = [letters + case for case in ("", "-lower") for letters in (*EMPTY, *COUNTED)]
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


def pieces_for(shape: Any, letters: Any, game: Any) -> list[str]:
    """Return the names of the values that may stand for the pieces on a board of this shape."""
    if shape.endswith("-up") and not game["falls"]:
        return []
    if shape == "dict":
        return ["planes"]
    if is_array(shape):
        return [*NUMBERS, "planes"] if shape == "array" else [*NUMBERS]
    if shape == "ten":
        return [*letters]
    if shape == "text":
        return [each for each in letters if each.replace("-lower", "") in TEXTS] + ["012"]
    return [*letters, *NUMBERS]


def is_array(shape: Any) -> bool:
    return shape.split("-")[0] in ("array", "vector")


def constants_of(module: Any, game: Any) -> Any:
    """Return the constants X, O and EMPTY of a module, or of a class in it, as the pieces of a board."""
    if game["marks"] != ["X", "O"]:
        return None
    for place in [module, *(each for each in vars(module).values() if isinstance(each, type))]:
        for names in (("EMPTY", "X", "O"), ("Empty", "X", "O"), ("NONE", "X", "O"), ("E", "X", "O")):
            if all(hasattr(place, name) for name in names):
                return [getattr(place, name) for name in names]
    return None


def marks_of(pieces: Any, game: Any, constants: Any) -> Any:
    """Return the values for the pieces of the first and of the second side; `None` if the sides have no such pieces."""
    if pieces == "constants":
        return constants and constants[1:]
    question = {"board": [], "side": 1}
    return game["marks"] if pieces == "turns" else pieces_of(question, pieces, game, constants)[1:]


def pieces_of(question: Any, pieces: Any, game: Any, constants: Any) -> Any:
    """Return the value on each square, and those of the side to move and of the other side."""
    board, side = question["board"], question["side"]
    other = 3 - side
    if pieces == "constants":
        return [constants[cell] for cell in board], constants[side], constants[other]
    if pieces in LETTERS:
        name, *lower = pieces.split("-lower")
        marks = [mark.lower() if lower else mark for mark in (*game["marks"], *game["more_marks"])]
        empty = [COUNTED[name](index) if name in COUNTED else EMPTY[name] for index in range(len(board))]
        cells = [marks[cell - 1] if cell else empty[index] for index, cell in enumerate(board)]
        return cells, marks[side - 1], marks[other - 1]
    if pieces == "minus-01":
        return [cell - 1 for cell in board], side - 1, other - 1
    if pieces == "plus-minus":
        code = {0: 0, 1: 1, 2: -1}
        return [code.get(cell, cell) for cell in board], code[side], code[other]
    if pieces in ("own", "own12"):
        code = {0: 0, side: 1, other: -1 if pieces == "own" else 2}
        return [code.get(cell, cell) for cell in board], 1, code[other]
    return list(board), side, other


def heaps_of(question: Any, columns: int) -> list[int]:
    """Return the number of stones in each heap of nim; a heap is a row of the board."""
    board = question["board"]
    return [sum(board[start : start + columns]) for start in range(0, len(board), columns)]


def flat(board: Any) -> list[Any]:
    if hasattr(board, "tolist"):
        board = board.tolist()
    cells: list[Any] = []
    for each in board:
        cells.extend(each if isinstance(each, (list, tuple)) else [each])
    return cells


def mask(question: Any, game: Any) -> Any:
    import numpy

    found = numpy.zeros(game["actions"], numpy.int8)
    found[question["moves"]] = 1
    return found


def planes(question: Any, game: Any) -> Any:
    """Return a plane for the side to move and one for the other, shape (rows, columns, 2), as PettingZoo has them."""
    import numpy

    board, side = numpy.array(question["board"]), question["side"]
    found = numpy.stack([board == side, board == 3 - side], axis=-1)
    return found.reshape(game["rows"], game["columns"], 2).astype(numpy.int8)


WATCHED = ("lists", "list", "tuples", "tuple", "ten")
"""The shapes of boards whose squares are objects of Python, so that they can record what they are compared with."""
COMPARED: list[bool] = []
"""For each comparison of a watched square, whether the other value can stand on the board."""


def watched(cells: Any, mine: Any, other: Any) -> Any:
    """Return the values on squares, and those of both sides, as values that record what they are compared with.

    An agent that misreads the board looks for pieces that cannot stand there, as for a 2 among 1 and −1.
    """
    kinds: Any = {}

    def value(here: Any, empty: Any) -> Any:
        kind: Any = type(here)
        known = [each for each in (empty, mine, other) if each is not None]

        def equal(one: Any, two: Any) -> bool:
            if type(two) in (int, str, float):
                COMPARED.append(two in known)
            return kind.__eq__(one, two) is True

        if kind not in (int, str):
            return here
        if (kind, *known) not in kinds:
            more = {"__eq__": equal, "__ne__": lambda one, two: not equal(one, two), "__hash__": kind.__hash__}
            kinds[(kind, *known)] = type(kind.__name__, (kind,), more)
        return kinds[(kind, *known)](here)

    empties = {each for each in cells if each not in (mine, other)}
    usual = empties.pop() if len(empties) == 1 else None  # each has its number
    found = [value(each, usual if each in (mine, other) else each) for each in cells]
    return found, value(mine, usual), value(other, usual)
