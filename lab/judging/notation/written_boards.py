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
    has_letters: bool


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
        side_and_board = SIDE_AHEAD.fullmatch(written) if side is None else None
        if side_and_board:
            with suppress(BadText):
                return read_board(side_and_board[2], game, side_and_board[1])
    squares, side = _split_side(_squares_of(written, game), side, game)
    pieces = _read_pieces(squares, game) if len(squares) == size else None
    if pieces is None:
        raise _board_error(written, game)
    marks = {piece.mark.lower() for piece in game.board.pieces}
    has_letters = any(square.lower() in marks for square in squares)
    return WrittenBoard(tuple(pieces), None if side is None else read_side(side, game), has_letters)


def is_board(written: str, game: Game) -> bool:
    try:
        read_board(written, game)
    except BadText:
        return False
    return True


def _squares_of(written: Any, game: Game) -> list[str]:  # noqa: ANN401
    """Return the squares of a board, and the elements that follow them, such as the side to move."""
    squares = list[str]()
    if isinstance(written, str):
        squares = _split_spaced(written, game) or _split_drawn(written, game)
        squares = squares or _split_joined(written, game.board.grid.size)
    return _expand_heaps(squares or list(_squares_in(written)), game)


def _split_side(squares: list[str], side: Any, game: Game) -> tuple[list[str], Any]:  # noqa: ANN401
    """Return the squares of a board, and the side to move if it is given, or written beside the squares.

    If what follows the squares is no side, all is returned as squares, which are too many for a board.
    """
    size = game.board.grid.size
    if side is not None:
        return squares, side
    if len(squares) == 2 < size:
        board, side = sorted(squares, key=len, reverse=True)
        return list(_squares_in(board)), side
    if size < len(squares) <= size + LONGEST_SIDE:
        side = "".join(squares[size:])
        if is_side(side, game):
            return squares[:size], side
    return squares, None


def _expand_heaps(heaps: list[str], game: Game) -> list[str]:
    """Return the squares of heaps, given as numbers of stones, and what follows them; other squares as they are."""
    rows, columns = game.board.rows, game.board.columns
    if not game.board.heaps or not rows <= len(heaps) <= rows + 1 or not all(map(str.isdecimal, heaps[:rows])):
        return heaps
    stones = [read_whole_number(heap) for heap in heaps[:rows]]
    if max(stones) > columns:
        return heaps
    squares = "".join(("O" * count).ljust(columns, EMPTY) for count in stones)
    return [*squares, *heaps[rows:]]


def _decode_bytes(data: bytes, size: int) -> Any:  # noqa: ANN401  numbers, or the text if they are none
    """Return the numbers of the squares in the bytes of an array, of whatever type it is."""
    import numpy as np  # few files need it

    width = len(data) // size if len(data) % size == 0 else 0
    for kind, widths in (("i", (1, 2, 4, 8)), ("f", (4, 8))):
        if width in widths:
            numbers = np.frombuffer(data, f"<{kind}{width}").tolist()
            if all(number in (-1, 0, 1, 2) for number in numbers):
                return [int(number) for number in numbers]
    return data.decode("latin-1")


def _split_spaced(written: str, game: Game) -> list[str]:
    """Return the squares and the side to move in a text with spaces for empty squares; empty for another text."""
    text, size = re.sub(r"[\r\n]", "", written), game.board.grid.size
    board, side = text[:size], text[size:]
    marks = {piece.mark.lower() for piece in game.board.pieces}
    if len(board) < size or " " not in board or not {*board.lower()} <= marks | {*" 12"}:
        return []
    if side and (side[0] != " " or len(side) != len(" X")):
        return []
    return [square.strip() for square in board] + side.split()


def _split_drawn(written: str, game: Game) -> list[str]:
    """Return the squares of a board drawn over several lines, with bars between the squares; empty for another text."""
    if "|" not in written:
        return []
    lines, rows, columns = written.strip("\r\n").splitlines(), game.board.rows, game.board.columns
    if len(lines) == 2 * rows - 1:  # a rule between two rows
        lines = lines[::2]
    elif len(lines) == 2 * rows + 1:  # and around them
        lines = lines[1::2]
    squares = list[str]()
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == columns + 2 and not cells[0] and not cells[-1]:
            cells = cells[1:-1]
        if len(cells) != columns:
            return []
        squares += cells
    return squares if len(lines) == rows else []


def _split_joined(written: str, size: int) -> list[str]:
    """Return the squares, and perhaps the side to move, in a text with the same sign between any two; else empty."""
    if len(written) < size - 1 or LIST_SIGNS.search(written):
        return []
    for sign in JOINTS:
        squares = [square.strip() for square in written.split(sign)]
        if len(squares) in {size, size + 1} and (sign == "|" or all(squares)):
            return squares
    return []


def elements_of(text: str) -> list[str]:
    """Return the elements of a list that is written as text, without their quotes."""
    elements = ELEMENT.finditer(NUMPY_NUMBER.sub(r"\1", text))
    return [next(group for group in element.groups() if group is not None) for element in elements]


def _squares_in(written: Any, depth: int = 0) -> Iterator[str]:  # noqa: ANN401
    """Yield the squares of a board, and then the elements that follow them, such as the side to move."""
    if isinstance(written, str) and depth == 0:
        yield from _squares_in_text(written)
    elif isinstance(written, Sequence) and not isinstance(written, str) and depth < MAX_BOARD_DEPTH:
        for each in written:
            yield from _squares_in(each, depth + 1)
    else:
        yield "" if written is None else str(written).translate(PICTURES).strip()


def _squares_in_text(text: str) -> list[str]:
    signs = {*LIST_SIGNS.findall(text)}
    if signs == {","}:
        return [square.strip() for square in text.split(",")]
    if signs:
        return [square.strip() for square in elements_of(text)]
    board, sides = text, list[str]()
    if text.count(" ") == 1:
        board, _, side = text.strip("\r\n").partition(" ")
        if side:
            sides.append(side)
    words = text.split()
    if len(words) > 2 and all(map(NUMBER.fullmatch, words)):
        return words + sides
    return [*SEPARATORS.sub("", board), *sides]


def _read_pieces(squares: Sequence[str], game: Game) -> list[int] | None:
    """Return the number of the piece on each square, −1 on an empty one; `None` if a square cannot be read."""
    marks = [piece.mark.lower() for piece in game.board.pieces]
    squares = _clear_square_numbers([square.lower() for square in squares], marks)
    has_letters = any(square in marks for square in squares)
    empty = {square for square in squares if square in EMPTY_WORDS and square not in marks}
    zero = -1
    if has_letters and "o" in marks and "o" not in squares and empty:
        zero = marks.index("o")  # the digit stands for the letter
    elif "0" in squares:
        empty.add("0")
    if len(empty) > 1:
        return None  # one of them is a piece: some write B for the other side's
    pieces = list[int]()
    for square in squares:
        if square in marks:
            pieces.append(marks.index(square))
        elif square in EMPTY_WORDS:
            pieces.append(-1)
        elif NUMBER.fullmatch(square):
            piece = _piece_of_number(read_whole_number(square), zero)
            if piece == 1 and len(marks) == 1:
                piece = 0  # who has placed it tells nothing
            if not -1 <= piece < len(marks):
                return None
            pieces.append(piece)
        else:
            return None
    return pieces


def _clear_square_numbers(squares: list[str], marks: Sequence[str]) -> list[str]:
    """Return the squares of a board with nothing on the empty ones, if their numbers, from 0 or 1, stand there."""
    for first in (0, 1):
        if all(square in {*marks, str(number)} for number, square in enumerate(squares, first)):
            return [square if square in marks else "" for square in squares]
    return squares


def _piece_of_number(number: int, zero: int) -> int:
    """Return the piece that a number stands for: 1 is the first one, −1 or 2 the second one; 0 is `zero`."""
    if number == 0:
        return zero
    return 1 if number == -1 else number - 1


def read_side(written: Any, game: Game) -> Side:  # noqa: ANN401
    """Return the side of this name. Raises `BadText`."""
    text = str(written).strip().lower()
    match = SIDE_AFTER.fullmatch(text)
    if match:
        text = {"first": "1", "second": "2"}.get(match[1], match[1])
    if text == "-1":
        return Side.SECOND
    for side in Side:
        if text in {game.mark(side).lower(), str(side + 1)}:
            return side
    raise BadText(f"{quoted(str(written))} is not a side: write {' or '.join(game.marks)}")


def is_side(written: Any, game: Game) -> bool:  # noqa: ANN401
    try:
        read_side(written, game)
    except BadText:
        return False
    return True


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
