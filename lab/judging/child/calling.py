"""Ask an agent with the arguments of a form, and find the move in its answer or on the board."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

from .answers import OnSquare, answer_text
from .boards import (
    LETTERS,
    WATCHABLE_SHAPES,
    Fields,
    cell_values,
    flat_cells,
    heaps_of,
    is_array,
    move_mask,
    piece_planes,
    side_values,
    watch_values,
)
from .callables import Argument, argument_values, call_with
from .forms import AskForm, CannotAsk
from .own_games import OwnGame, changed_indices
from .source import ARRAY_TYPES

Position = namedtuple("Position", "board side moves")


class Target(NamedTuple):
    """A function to ask, or a method of an object that is made first."""

    ask: Any
    arguments: list[Argument]
    kind: Any = None
    """The class of the object to ask; `None` for a function."""
    start_arguments: tuple[Argument, ...] = ()
    """The arguments with which the object is made."""
    method: str = ""
    """The name of the object's method to ask."""
    objects: Any = None
    """The objects made so far, by their arguments."""

    def has_board(self) -> bool:
        """Return whether the object is made with the game that it looks at."""
        return any(each.role == "board" for each in self.start_arguments)

    def object_for(self, values: Any) -> Any:
        """Return the object to ask: always the same for the same arguments, unless it looks at a game."""
        own_game = values["game"]
        if type(own_game) is self.kind:
            return own_game
        values = {**values, "board": own_game}
        if self.has_board():
            return call_with(self.kind, self.start_arguments, values)
        key = repr(argument_values(self.start_arguments, values))
        if key not in self.objects:
            self.objects[key] = call_with(self.kind, self.start_arguments, values)
        return self.objects[key]

    def call(self, values: Any) -> Any:
        ask = self.ask if self.kind is None else getattr(self.object_for(values), self.method)
        return call_with(ask, self.arguments, values)


class CallForm(NamedTuple):
    """How a form asks: its target, and how the target is shown a position."""

    target: Target
    shape: str
    """The shape of the board: see `boards`. It may also be `position`, `heaps`, or `game` for one of `own_game`."""
    pieces: str
    game: Any
    constants: Any
    """The constants of a module: see `find_constants`."""
    own_game: OwnGame | None = None
    """The game of the agent's own code that is played up to the position, if the agent is shown one."""

    def ask_form(self, words: str) -> AskForm:
        """Return the form; `words` begin its name."""
        name = ", ".join(filter(None, (words, self.shape, self.pieces)))
        return AskForm(name, self.call, make=None if self.target.kind is None else self.make)

    def make(self, question: Any) -> Any:
        return self.target.object_for(self.values(question))

    def call(self, question: Any) -> Any:
        """Ask the target, and return its answer; another board, or a heap, becomes the square filled or taken."""
        values, rows, columns = self.values(question), self.game["rows"], self.game["columns"]
        answer = self.target.call(values)
        if self.shape == "heaps":
            return stone_taken(answer, values["board"], values["before"], columns)
        move = self.square_filled(answer, values["board"], values["before"], values["side"])
        if isinstance(move, OnSquare) and self.shape.endswith("-up"):
            row, column = divmod(move.square, columns)
            return OnSquare((rows - 1 - row) * columns + column)
        return move

    def values(self, question: Any) -> dict[str, Any]:
        """Return the value for each role of an argument; also `game`, the agent's own, and `before`.

        `before` is an equal copy of the board, to compare with if the agent changes the board.
        """
        if self.own_game is None:
            cells, mine, theirs = self.square_values(question)
            board, before = self.board(cells, question), self.board(cells, question)
        else:
            moves, marks = moves_to(question), self.marks_in_turn(question)
            mover = len(moves) % 2
            mine, theirs = marks[mover], marks[1 - mover]
            board, before = self.own_game.state_after(moves, marks), self.own_game.state_after(moves, marks)
        wants_mask = any(each.role == "mask" for each in self.target.arguments)
        return {
            "board": board,
            "game": None if self.own_game is None else board,
            "before": before,
            "side": mine,
            "other": theirs,
            "first": question["side"] == 1,
            "moves": self.legal_moves(question),
            "mask": move_mask(question, self.game) if wants_mask else None,
            "depth": len(question["moves"]),
            "rows": self.game["rows"],
            "columns": self.game["columns"],
        }

    def square_values(self, question: Any) -> tuple[Any, Any, Any]:
        """Return the value on each square, and those of the side to move and of the other side."""
        cells = cell_values(question, self.pieces, self.game, self.constants)
        mine, theirs = side_values(self.pieces, question["side"], self.game, self.constants)
        if question.get("watched") and self.shape in WATCHABLE_SHAPES:
            return watch_values(cells, mine, theirs)
        return cells, mine, theirs

    def marks_in_turn(self, question: Any) -> tuple[Any, ...]:
        """Return the values for the side that moves first and for the other side, to play the agent's own game."""
        if self.pieces == "turns":
            return self.own_game.marks if self.own_game is not None else ()
        mine, theirs = side_values(self.pieces, question["side"], self.game, self.constants)
        return (theirs, mine) if len(moves_to(question)) % 2 else (mine, theirs)

    def legal_moves(self, question: Any) -> list[Any]:
        """Return the legal moves as an agent that is shown this board would write them."""
        moves, columns, kind = list(question["moves"]), self.game["columns"], self.shape.split("-")[0]
        if self.own_game is not None:
            return [self.own_game.move_argument(move) for move in moves]
        if self.game["falls"] and kind != "tuple":
            return [move % columns for move in moves]
        if kind in ("lists", "tuples", "array"):
            return [divmod(move, columns) for move in moves]
        if kind == "ten":
            return [move + 1 for move in moves]
        if kind == "heaps":
            heaps = heaps_of(question, columns)
            return [(move // columns, heaps[move // columns] - move % columns) for move in moves]
        return moves

    def board(self, cells: Any, question: Any) -> Any:
        """Return a board in the shape of this form, given the values on its squares."""
        rows, columns, kind = self.game["rows"], self.game["columns"], self.shape.split("-")[0]
        if kind == "heaps":
            return heaps_of(question, columns)
        if kind == "position":
            return Position(tuple(question["board"]), question["side"], tuple(question["moves"]))
        if kind == "dict":
            return Fields(observation=piece_planes(question, self.game), action_mask=move_mask(question, self.game))
        if self.pieces == "planes":
            return piece_planes(question, self.game)
        if kind == "list":
            return list(cells)
        if kind == "tuple":
            return tuple(cells)
        if kind == "ten":
            unused = [0 if isinstance(cells[0], int) else " "]
            if question.get("watched"):
                unused, _, _ = watch_values(unused, None, None)
            return [*unused, *cells]
        if kind == "text":
            return "".join(map(str, cells))
        lines = [cells[start : start + columns] for start in range(0, rows * columns, columns)]
        if self.shape.endswith("-up"):
            lines.reverse()
        if is_array(self.shape):
            return self.array(lines)
        return tuple(map(tuple, lines)) if kind == "tuples" else lines

    def array(self, lines: list[Any]) -> Any:
        """Return an array with these rows, or of all squares for a vector, with numbers of the type in the shape."""
        import numpy

        words = self.shape.split("-")
        number_type: Any = "float64" if "float" in words else "int64"
        for word in words:
            if word in ARRAY_TYPES:
                number_type = word
        if self.pieces in LETTERS or self.pieces == "constants":
            number_type = "object" if any(None in line for line in lines) else None  # None: as numpy finds it
        squares = numpy.array(lines, number_type)
        return squares.reshape(-1) if words[0] == "vector" else squares

    def square_filled(self, answer: Any, board: Any, before: Any, side: Any) -> Any:
        """Return the square that the answer fills as a board, or that was filled on the board; other answers as is.

        `before` is the board as it was, and `side` the value of the side to move.
        """
        has_changed_board = answer is None or (self.own_game is not None and answer is True)
        after = board if has_changed_board else answer
        square = self.changed_square(after, before, side, is_new=after is not board)
        if square is not None:
            return OnSquare(square - 1 if self.shape == "ten" else square)
        if self.shape == "ten" and isinstance(answer, int) and not isinstance(answer, bool):
            return OnSquare(answer - 1)
        return answer

    def changed_square(self, after: Any, before: Any, side: Any, *, is_new: bool) -> int | None:
        """Return the only square that differs between two boards, if it now has the value of the side to move.

        `is_new` if the agent has made the board `after` itself.
        """
        if self.shape == "position" or type(after) is not type(before) or getattr(after, "ndim", 1) == 0:
            return None
        if self.own_game is None:
            new, old = flat_cells(after), flat_cells(before)
            if is_new and not isinstance(side, str) and all(cell in (0, None) for cell in old):
                return None  # on an empty board, numbers may as well be probabilities, which say the same
        else:
            new, old = self.own_game.cells(after), self.own_game.cells(before)
        if len(new) != len(old):
            return None
        changed = changed_indices(old, new)
        if len(changed) == 1 and (self.own_game is not None or new[changed[0]] == side):
            return changed[0]
        return None


def moves_to(question: Any) -> list[int]:
    """Return moves that lead to the position: those played, or else the sides in turn, each by ascending squares."""
    if question["history"]:
        return list(question["history"])
    board, side = question["board"], question["side"]
    mine = [square for square, cell in enumerate(board) if cell == side]
    theirs = [square for square, cell in enumerate(board) if cell == 3 - side]
    number = len(mine) + len(theirs)
    first, second = (theirs, mine) if number % 2 else (mine, theirs)
    return [(second if index % 2 else first)[index // 2] for index in range(number)]


def stone_taken(answer: Any, after: Any, before: Any, columns: int) -> Any:
    """Return the leftmost stone that is taken, if the answer is a heap and how many stones to take, or the heaps left.

    Instead of an answer, the object may have changed the heaps. Raises `CannotAsk` for anything else.
    """
    heaps = after if answer is None else answer
    if answer is None or (isinstance(answer, (list, tuple)) and len(answer) == len(before) > 2):
        changed = changed_indices(before, heaps)
        if not changed:
            return None
        answer = (changed[0], before[changed[0]] - heaps[changed[0]]) if len(changed) == 1 else (-1, 0)
    if not isinstance(answer, (list, tuple)) or [hasattr(each, "__index__") for each in answer] != [True, True]:
        raise CannotAsk("answers %s, which is no heap and number of stones" % answer_text(answer))
    heap, number = answer
    is_legal = 0 <= heap < len(before) and 0 < number <= before[heap]
    return OnSquare(heap * columns + before[heap] - number if is_legal else -1)
