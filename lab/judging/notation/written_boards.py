"""Positions as other programs write them.

A position is read in the text form of Noughts (`XO./.X./... O`); where pieces drop into columns, as the columns played
(`4453`); or as its squares from the top left, row by row, in any of these forms: `XO..X....`, `XO  X    `, `120010000`,
`X,O, , ,X,...`, `XO34X6789`, `(1, -1, 0, …)`, `[[1, 2, 0], …]`, or drawn with bars. The side to move may follow.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from engine.game import BadText, Game, Position, Side, quoted
from engine.grid import EMPTY
from engine.notation import is_columns, parse_game_text
from lab.judging.notation.written_moves import NUMBER, read_whole_number

ELEMENT: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^\s,;\[\](){}'\"]+)")
"""An element of a written list: in quotes, or bare."""
NUMPY_NUMBER: Final = re.compile(r"np\.\w+\(([^()]*)\)")
"""A number in a list as numpy writes it: np.int64(1)."""
LIST_SIGNS: Final = re.compile(r"[,;\[\](){}'\"]")
"""A character that only written lists have."""
SEPARATORS: Final = re.compile(r"[/|\s]")
"""What may stand between the rows of a board, or between its squares."""
JOINTS: Final = "_-|:."
"""What may stand between any two squares of a board, where it is not also an empty square."""
EMPTY_WORDS: Final = frozenset({"", EMPTY, "-", "_", "b", "?", "*", "#", "none", "null", "nan", "empty", "e"})
"""How an empty square can be written, in lower case, unless a piece of the game has this mark."""
SIDE_AFTER: Final = re.compile(r"[\s:;,|_/@#^-]*?(?:player|agent)?[\s_]*(-1|[^\W_]+)")
"""The side to move, as it may follow a board: `:X`, `_1`, `|player 2`."""
LONGEST_SIDE: Final = len(" - player 2")
SIDE_AHEAD: Final = re.compile(r"(-1|[^\W_])(?:[:@#]|_(?!.*_))(.+)", re.DOTALL)
"""A board after the side to move."""
PICTURES: Final = str.maketrans(
    dict.fromkeys("\u274c\u274e\u2716\u2715\u2717×╳", "X")
    | dict.fromkeys("\u2b55○\u25ef\u2b58", "O")
    | dict.fromkeys("\u2b1c\u25fb□▫·", EMPTY)
    | dict.fromkeys("│┃", "|")
    | dict.fromkeys("\ufe0f\u20e3")
)
"""How marks can be drawn: crosses, circles and squares; those that this program never draws are written by number. A
variation selector, and the frame of a key around a digit, say nothing."""
MAX_BOARD_DEPTH: Final = 3
"""How deeply the lists of a board may be nested."""


class WrittenBoard(NamedTuple):
    """The pieces on a board, as it is written."""

    pieces: tuple[int, ...]
    """The number of the piece on each square, −1 on an empty one: 0 for an X or a 1, 1 for an O, a 2 or a −1, …"""
    side: Side | None
    """The side to move, if it is written; X or 1 stands for the first side."""
    lettered: bool


def read_position(written: Any, game: Game) -> Position:  # noqa: ANN401  as other programs write it
    """Return the position that a board shows. Raises `BadText` unless it is one that play can reach."""
    if isinstance(written, str):
        if "0" not in written and is_columns(game, written.strip()):
            return parse_game_text(written, lambda _: None, game).position
        try:
            return game.from_text(written)
        except BadText:
            if "/" in written:
                raise
    board = read_board(written, game)
    return game.from_text(board_text(board.pieces, game, board.side))


def read_board(written: Any, game: Game, side: Any = None) -> WrittenBoard:  # noqa: ANN401  as above
    """Return the pieces on a board. Raises `BadText` for anything but a board of this game."""
    size = game.board.grid.size
    if isinstance(written, bytes):
        written = _decode_bytes(written, size)
    if isinstance(written, tuple) and any(isinstance(each, bytes) for each in written):
        written = [_decode_bytes(each, size) if isinstance(each, bytes) else each for each in written]
    if isinstance(written, str):
        written = written.translate(PICTURES)
        if side is None and (ahead := SIDE_AHEAD.fullmatch(written)):
            with suppress(BadText):
                return read_board(ahead[2], game, ahead[1])
    squares = (
        _split_spaced(written, game)
        or _split_drawn(written, game)
        or _split_joined(written, size)
        or list(_squares_in(written))
    )
    squares = _squares_of_heaps(squares, game)
    if side is None and len(squares) == 2 < size:
        board, side = sorted(squares, key=len, reverse=True)
        squares = list(_squares_in(board))
    elif side is None and size < len(squares) <= size + LONGEST_SIDE:
        squares, side = squares[:size], "".join(squares[size:])
        if not is_side(side, game):
            raise _board_error(written, game)
    if len(squares) != size:
        raise _board_error(written, game)
    pieces = _read_pieces(squares, game)
    if pieces is None:
        raise _board_error(written, game)
    marks = {piece.mark.lower() for piece in game.board.pieces}
    lettered = any(square.lower() in marks for square in squares)
    return WrittenBoard(tuple(pieces), None if side is None else read_side(side, game), lettered)


def _squares_of_heaps(heaps: Sequence[str], game: Game) -> list[str]:
    """Return the squares of heaps, given as numbers of stones, and what follows them; other squares as they are."""
    rows, columns = game.board.rows, game.board.columns
    known = game.board.heaps and rows <= len(heaps) <= rows + 1 and all(each.isdecimal() for each in heaps[:rows])
    stones = [*map(read_whole_number, heaps[:rows])] if known else [columns + 1]
    if max(stones) > columns:
        return [*heaps]
    return [*"".join(("O" * heap).ljust(columns, EMPTY) for heap in stones), *heaps[rows:]]


def _decode_bytes(data: bytes, size: int) -> Any:  # noqa: ANN401  numbers, or the text if they are none
    """Return the numbers of the squares in the bytes of an array, of whatever type it is."""
    import numpy as np  # few files need it

    width = len(data) // size if len(data) % size == 0 else 0
    for kind in ("i", "f"):
        if width in {"i": (1, 2, 4, 8), "f": (4, 8)}[kind]:
            numbers = np.frombuffer(data, f"<{kind}{width}").tolist()
            if all(each in (-1, 0, 1, 2) for each in numbers):
                return [int(each) for each in numbers]
    return data.decode("latin-1")


def _split_spaced(written: Any, game: Game) -> list[str]:  # noqa: ANN401
    """Return the squares and the side to move in a text with spaces for empty squares; empty for another text."""
    if not isinstance(written, str):
        return []
    text, size = re.sub(r"[\r\n]", "", written), game.board.grid.size
    board, side, marks = text[:size], text[size:], {piece.mark.lower() for piece in game.board.pieces}
    others = {each for each in board.lower() if each not in marks and each not in " 12"}
    if len(board) < size or " " not in board or others or (side and (side[0] != " " or len(side) != len(" X"))):
        return []
    return [each.strip() for each in board] + side.split()


def _split_drawn(written: Any, game: Game) -> list[str]:  # noqa: ANN401
    """Return the squares of a board drawn over several lines, with bars between the squares; empty for another text."""
    if not isinstance(written, str) or "|" not in written:
        return []
    lines, rows, columns = written.strip("\r\n").splitlines(), game.board.rows, game.board.columns
    if abs(len(lines) - 2 * rows) == 1:  # a rule between two rows, and perhaps around them
        lines = lines[len(lines) > 2 * rows :: 2]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    cells = [row[1:-1] if len(row) == columns + 2 and not row[0] + row[-1] else row for row in cells]
    found = [cell for row in cells for cell in row]
    return found if len(cells) == rows and all(len(row) == columns for row in cells) else []


def _split_joined(written: Any, size: int) -> list[str]:  # noqa: ANN401
    """Return the squares, and perhaps the side to move, in a text with the same sign between any two; else empty."""
    if not isinstance(written, str) or len(written) < size - 1 or LIST_SIGNS.search(written):
        return []
    split = {sign: [each.strip() for each in written.split(sign)] for sign in JOINTS if sign in written}
    found = (each for sign, each in split.items() if len(each) in {size, size + 1} and (sign == "|" or all(each)))
    return next(found, [])


def elements_of(text: str) -> list[str]:
    """Return the elements of a list that is written as text, without their quotes."""
    found = ELEMENT.finditer(NUMPY_NUMBER.sub(r"\1", text))
    return [next(group for group in each.groups() if group is not None) for each in found]


def _squares_in(written: Any, depth: int = 0) -> Iterator[str]:  # noqa: ANN401
    """Yield the squares of a board, and then the elements that follow them, such as the side to move."""
    if isinstance(written, str) and depth == 0:
        if set(LIST_SIGNS.findall(written)) == {","}:
            yield from map(str.strip, written.split(","))
        elif LIST_SIGNS.search(written):
            yield from map(str.strip, elements_of(written))
        if LIST_SIGNS.search(written):
            return
        board, _, side = written.strip("\r\n").partition(" ") if written.count(" ") == 1 else (written, "", "")
        words = written.split()
        numbers = len(words) > 2 and all(map(NUMBER.fullmatch, words))
        yield from words if numbers else SEPARATORS.sub("", board)
        if side:
            yield side
    elif isinstance(written, Sequence) and not isinstance(written, str) and depth < MAX_BOARD_DEPTH:
        for each in written:
            yield from _squares_in(each, depth + 1)
    else:
        yield "" if written is None else str(written).translate(PICTURES).strip()


def _read_pieces(squares: Sequence[str], game: Game) -> list[int] | None:
    """Return the number of the piece on each square, −1 on an empty one; `None` if a square cannot be read."""
    marks = [piece.mark.lower() for piece in game.board.pieces]
    lower = [square.lower() for square in squares]
    for first in (0, 1):  # on empty squares stand their numbers
        if all(square in {*marks, str(place)} for place, square in enumerate(lower, first)):
            lower = [square if square in marks else "" for square in lower]
    lettered = any(square in marks for square in lower)
    zero, empty = -1, {square for square in lower if square in EMPTY_WORDS and square not in marks}
    if lettered and "o" in marks and "o" not in lower and empty:
        zero = marks.index("o")  # the digit stands for the letter
    if len(empty | ({"0"} & {*lower} if zero < 0 else set())) > 1:
        return None  # one of them is a piece: some write B for the other side's
    pieces = []
    for square in lower:
        if square in marks:
            pieces.append(marks.index(square))
        elif square in EMPTY_WORDS:
            pieces.append(-1)
        elif NUMBER.fullmatch(square):
            number = read_whole_number(square)
            piece = zero if number == 0 else 1 if number == -1 else number - 1
            piece = 0 if piece == 1 and len(marks) == 1 else piece  # who has placed it tells nothing
            if not -1 <= piece < len(marks):
                return None
            pieces.append(piece)
        else:
            return None
    return pieces


def read_side(written: Any, game: Game) -> Side:  # noqa: ANN401
    """Parse the name of a side. Raises `BadText`."""
    text = str(written).strip().lower()
    if found := SIDE_AFTER.fullmatch(text):
        text = {"first": "1", "second": "2"}.get(found[1], found[1])
    for side in Side:
        if text in {game.mark(side).lower(), str(side + 1)} or (text == "-1" and side is Side.SECOND):
            return side
    raise BadText(f"{quoted(str(written))} is not a side: write {' or '.join(game.marks)}")


def is_side(written: Any, game: Game) -> bool:  # noqa: ANN401
    with suppress(BadText):
        return bool(read_side(written, game).name)
    return False


def board_text(pieces: Sequence[int], game: Game, side: Side | None) -> str:
    marks = [EMPTY if piece < 0 else game.board.pieces[piece].mark for piece in pieces]
    columns = game.board.columns
    rows = ("".join(marks[start : start + columns]) for start in range(0, len(marks), columns))
    return "/".join(rows) + ("" if side is None else f" {game.mark(side)}")


def _board_error(written: Any, game: Game) -> BadText:  # noqa: ANN401
    size, start = game.board.grid.size, game.to_text(game.start)
    return BadText(
        f"{quoted(str(written))} is not a position of {game.title}\n"
        f"Write it as '{start}', or as its {size} squares from the top left, row by row: X, O and . or 1, 2 and 0"
    )
