"""Ask an agent with the arguments of a form, and find the move in its answer or on the board."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

from .answers import OnSquare, written
from .boards import LETTERS, WATCHED, Fields, flat, heaps_of, is_array, mask, pieces_of, planes, watched
from .callables import Wanted, given
from .forms import AskForm, CannotAsk
from .own_games import OwnGame
from .source import TYPES

Position = namedtuple("Position", "board side moves")


class Target(NamedTuple):
    """A function to ask, or a method of an object that is made first."""

    ask: Any
    wanted: list[Wanted]
    kind: Any = None
    """The class of the object to ask; `None` for a function."""
    made: tuple[Wanted, ...] = ()
    """The parameters with which the object is made."""
    method: str = ""
    """The name of the object's method to ask."""
    kept: Any = None
    """The objects made so far, by their arguments."""

    def object_for(self, values: Any) -> Any:
        """Return the object to ask: always the same for the same arguments, unless it looks at a game."""
        played = values["game"]
        if type(played) is self.kind:
            return played
        arguments = given(self.made, {**values, "board": played})
        if any(each.role == "board" for each in self.made):
            return self.kind(*arguments[0], **arguments[1])
        key = repr(arguments)
        if key not in self.kept:
            self.kept[key] = self.kind(*arguments[0], **arguments[1])
        return self.kept[key]


class Arguments(NamedTuple):
    """How a form asks: its target, and how the target is shown a position."""

    target: Target
    shape: str
    pieces: str
    game: Any
    constants: Any
    """The constants of a module: see `constants_of`."""
    own: OwnGame | None
    """The game of the agent's own code that is played up to the position, if the agent is shown one."""

    def form(self, words: str) -> AskForm:
        """Return the form; `words` begin its name."""
        name = ", ".join(filter(None, (words, self.shape, self.pieces)))
        return AskForm(name, self.call, make=None if self.target.kind is None else self.made)

    def call(self, question: Any) -> Any:
        """Ask the target, and return its answer; another board, or a heap, becomes the square filled or taken."""
        values, target, rows, columns = self.values(question), self.target, self.game["rows"], self.game["columns"]
        ask = target.ask if target.kind is None else getattr(target.object_for(values), target.method)
        arguments = given(target.wanted, values)
        answer = ask(*arguments[0], **arguments[1])
        if self.shape == "heaps":
            return taken(answer, values["board"], values["before"], columns)
        found = placed(answer, values["board"], values["before"], values["side"], self.shape, self.own)
        if self.shape.endswith("-up") and isinstance(found, OnSquare):
            row, column = divmod(found.square, columns)
            return OnSquare((rows - 1 - row) * columns + column)
        return found

    def made(self, question: Any) -> Any:
        return self.target.object_for(self.values(question))

    def values(self, question: Any) -> Any:
        kind, columns, moves = self.shape.split("-")[0], self.game["columns"], list(question["moves"])
        if self.own is None:
            cells, mine, other = pieces_of(question, self.pieces, self.game, self.constants)
            if question.get("watched") and kind in WATCHED:
                cells, mine, other = watched(cells, mine, other)
            board, before = self.board(cells, question), self.board(cells, question)
        else:
            number, in_turn = sum(cell != 0 for cell in question["board"]) % 2, self.own.marks
            if self.pieces != "turns":
                _, mine, other = pieces_of({**question, "board": []}, self.pieces, self.game, self.constants)
                in_turn = (other, mine) if number else (mine, other)
            mine, other = in_turn[number], in_turn[1 - number]
            board, before = ([*self.own.states(in_order(question), in_turn)][-1] for _ in range(2))
        if self.own is not None:
            moves = [self.own.written(move) for move in moves]
        elif self.game["falls"] and kind != "tuple":
            moves = [move % columns for move in moves]
        elif kind in ("lists", "tuples", "array"):
            moves = [divmod(move, columns) for move in moves]
        elif kind == "ten":
            moves = [move + 1 for move in moves]
        elif kind == "heaps":
            moves = [(move // columns, before[move // columns] - move % columns) for move in moves]
        return {
            "board": board,
            "game": None if self.own is None else board,
            "before": before,
            "side": mine,
            "other": other,
            "first": question["side"] == 1,
            "moves": moves,
            "mask": mask(question, self.game) if any(each.role == "mask" for each in self.target.wanted) else None,
            "depth": len(moves),
            "rows": self.game["rows"],
            "columns": columns,
        }

    def board(self, cells: Any, question: Any) -> Any:
        """Return a board in the shape of this form, given the values on its squares."""
        rows, columns, kind = self.game["rows"], self.game["columns"], self.shape.split("-")[0]
        if kind == "heaps":
            return heaps_of(question, columns)
        if kind == "position":
            return Position(tuple(question["board"]), question["side"], tuple(question["moves"]))
        if kind == "dict":
            return Fields(observation=planes(question, self.game), action_mask=mask(question, self.game))
        if self.pieces == "planes":
            return planes(question, self.game)
        if kind == "tuple":
            return tuple(cells)
        if kind == "ten":
            unused = [0 if isinstance(cells[0], int) else " "]
            return [*(watched(unused, None, None)[0] if question.get("watched") else unused), *cells]
        if kind == "text":
            return "".join(map(str, cells))
        lines = [cells[start : start + columns] for start in range(0, rows * columns, columns)]
        lines = lines[::-1] if self.shape.endswith("-up") else lines
        if is_array(self.shape):
            import numpy

            usual = "float64" if "float" in self.shape else "int64"
            name: Any = next((word for word in self.shape.split("-") if word in TYPES), usual)
            if self.pieces in LETTERS or self.pieces == "constants":
                name = "object" if None in cells else None
            squares = numpy.array(lines, name)
            return squares if kind == "array" else squares.reshape(-1)
        if kind == "tuples":
            return tuple(map(tuple, lines))
        return lines if kind == "lists" else list(cells)


def in_order(question: Any) -> list[int]:
    """Return moves that lead to the position: those played, or else the sides in turn, each by ascending squares."""
    board, side = question["board"], question["side"]
    if question["history"]:
        return list(question["history"])
    two = [[square for square, cell in enumerate(board) if cell == each] for each in (side, 3 - side)]
    number = sum(map(len, two))
    first, second = two[:: -1 if number % 2 else 1]
    return [(second if at % 2 else first)[at // 2] for at in range(number)]


def placed(answer: Any, board: Any, before: Any, side: Any, shape: Any, own: Any) -> Any:
    """Return the square that the answer fills as a board, or that was filled on the board; other answers as is."""
    for after in (answer, board if answer is None or (own is not None and answer is True) else None):
        if after is None or type(after) is not type(before) or getattr(after, "ndim", 1) == 0 or shape == "position":
            continue
        one, two = (flat(each) if own is None else own.cells(each) for each in (after, before))
        # on an empty board, numbers may as well be probabilities, which say the same
        doubtful = after is not board and not isinstance(side, str) and all(each in (0, None) for each in two)
        if len(one) != len(two) or (doubtful and own is None):
            continue
        changed = [index for index, (new, old) in enumerate(zip(one, two)) if new != old]
        if len(changed) == 1 and (own is not None or one[changed[0]] == side):
            return OnSquare(changed[0] - (shape == "ten"))
    if shape == "ten" and isinstance(answer, int) and not isinstance(answer, bool):
        return OnSquare(answer - 1)
    return answer


def taken(answer: Any, after: Any, before: Any, columns: int) -> Any:
    """Return the leftmost stone that is taken, if the answer is a heap and how many stones to take, or the heaps left.

    Instead of an answer, the object may have changed the heaps. Raises `CannotAsk` for anything else.
    """
    left = after if answer is None else answer
    if answer is None or (isinstance(answer, (list, tuple)) and len(answer) == len(before) > 2):
        changed = [index for index, (new, old) in enumerate(zip(left, before)) if new != old]
        if not changed:
            return None
        answer = (changed[0], before[changed[0]] - left[changed[0]]) if len(changed) == 1 else (-1, 0)
    if not isinstance(answer, (list, tuple)) or [hasattr(each, "__index__") for each in answer] != [True, True]:
        raise CannotAsk("answers %s, which is no heap and number of stones" % written(answer))
    heap, number = answer
    legal = 0 <= heap < len(before) and 0 < number <= before[heap]
    return OnSquare(heap * columns + before[heap] - number if legal else -1)
