"""Positions and moves as other programs write them.

A position is read as our own text (`XO./.X./... O`); where pieces drop into columns, as the columns played (`4453`); or
as its squares from the top left, row by row, in any of these forms: `XO..X....`, `XO  X    `, `120010000`,
`X,O, , ,X,...`, `XO34X6789`, `(1, -1, 0, …)`, `[[1, 2, 0], …]`, or drawn with bars. The side to move may follow.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from numbers import Integral
from typing import Any, Final, NamedTuple

from engine.game import BadText, Game, IllegalMove, Move, Position, Side, quoted
from engine.games.nim import Nim
from engine.grid import EMPTY
from engine.notation import is_columns, parse_game_text

ELEMENT: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"|([^\s,;\[\](){}'\"]+)")
"""An element of a written list: in quotes, or bare."""
NUMPY: Final = re.compile(r"np\.\w+\(([^()]*)\)")
"""A number in a list as numpy writes it: np.int64(1)."""
LISTED: Final = re.compile(r"[,;\[\](){}'\"]")
"""A character that only written lists have."""
SEPARATORS: Final = re.compile(r"[/|\s]")
"""What may stand between the rows of a board, or between its squares."""
JOINTS: Final = "_-|:."
"""What may stand between any two squares of a board, where it is not also an empty square."""
NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
NAME: Final = re.compile(r"([A-Za-z])([0-9]{1,2})")
"""The name of a square."""
PAIR: Final = re.compile(r"[\[(]?\s*([0-9]+)\s*[,; ]\s*([0-9]+)\s*[\])]?")
TAKES: Final = re.compile(r"([0-9]+) take ([0-9]+)")
TEMPLATE: Final = re.compile(r"[0-9]+")
"""What differs between moves that are all written in one way: `action_3`, `r0c1`."""
EMPTY_WORDS: Final = frozenset({"", EMPTY, "-", "_", "b", "?", "*", "#", "none", "null", "nan", "empty", "e"})
"""How an empty square can be written, in lower case, unless a piece of the game has this mark."""
SIDE: Final = re.compile(r"[\s:;,|_/@#^-]*?(?:player|agent)?[\s_]*(-1|[^\W_]+)")
"""The side to move, as it may follow a board: `:X`, `_1`, `|player 2`."""
LONGEST_SIDE: Final = len(" - player 2")
AHEAD: Final = re.compile(r"(-1|[^\W_])(?:[:@#]|_(?!.*_))(.+)", re.DOTALL)
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
SQUARE: Final = 3
"""The number of rows and columns of a board whose squares have names in words: …"""
ROWS: Final = dict.fromkeys(("top", "upper", "north", "t", "u", "n"), 0) | dict.fromkeys(
    ("bottom", "lower", "south", "b", "s"), 2
)
COLUMNS: Final = {"left": 0, "west": 0, "l": 0, "w": 0, "right": 2, "east": 2, "r": 2, "e": 2}
MIDDLE: Final = ("middle", "mid", "center", "centre", "m", "c")
PLACE: Final = re.compile(
    "({0})({0})?(?:square|cell|corner|edge)?".format(
        "|".join(sorted([*ROWS, *COLUMNS, *MIDDLE], key=len, reverse=True))
    )
)
"""A square of three rows and columns in words, without spaces: `topleft`, `tl`, `center`, `nw`, …"""
LETTERS: Final = frozenset("nwecs")
"""… or a single letter, of a compass."""
MAX_DEPTH: Final = 3
"""How deeply the lists of a board may be nested."""
MANY: Final = 10_000
"""How many positions are kept with their moves by name."""
MAX_DIGITS: Final = 18
"""A whole number with more digits is read as the largest one: no square, move or piece has such a number."""


class WrittenBoard(NamedTuple):
    """What stands on the squares of a board, as it is written."""

    pieces: tuple[int, ...]
    """The number of the piece on each square, −1 on an empty one: 0 for an X or a 1, 1 for an O, a 2 or a −1, …"""
    side: Side | None
    """The side to move, if that is written; X or 1 is the first one."""
    lettered: bool
    """Whether pieces are written as letters."""


def read_position(written: Any, game: Game, side: Any = None) -> Position:  # noqa: ANN401  as other programs write it
    """Return the position of a board. `side` is the side to move, if it is written separately.

    Raises `BadText` for anything but a board of this game that play can reach.
    """
    own = isinstance(written, str) and side is None
    if own and "0" not in written and is_columns(game, written.strip()):
        return parse_game_text(written, lambda _: None, game).position
    if own:
        try:
            return game.from_text(written)
        except BadText:
            if "/" in written:
                raise
    board = read_board(written, game, side)
    return game.from_text(board_text(board.pieces, game, board.side))


def read_board(written: Any, game: Game, side: Any = None) -> WrittenBoard:  # noqa: ANN401  as above
    """Return what stands on a board. Raises `BadText` for anything but a board of this game."""
    size = game.board.grid.size
    if isinstance(written, bytes):
        written = _numbers_of(written, size)
    if isinstance(written, tuple) and any(isinstance(each, bytes) for each in written):
        written = [_numbers_of(each, size) if isinstance(each, bytes) else each for each in written]
    if isinstance(written, str):
        written = written.translate(PICTURES)
        if side is None and (ahead := AHEAD.fullmatch(written)):
            with suppress(BadText):
                return read_board(ahead[2], game, ahead[1])
    squares = _spaced(written, game) or _drawn(written, game) or _joined(written, size) or list(_elements(written))
    squares = _of_heaps(squares, game)
    if side is None and len(squares) == 2 < size:
        board, side = sorted(squares, key=len, reverse=True)
        squares = list(_elements(board))
    elif side is None and size < len(squares) <= size + LONGEST_SIDE:
        squares, side = squares[:size], "".join(squares[size:])
        if not is_side(side, game):
            raise _no_board(written, game)
    if len(squares) != size:
        raise _no_board(written, game)
    pieces = _pieces(squares, game)
    if pieces is None:
        raise _no_board(written, game)
    marks = {piece.mark.lower() for piece in game.board.pieces}
    lettered = any(square.lower() in marks for square in squares)
    return WrittenBoard(tuple(pieces), None if side is None else read_side(side, game), lettered)


def _of_heaps(heaps: Sequence[str], game: Game) -> list[str]:
    """Return the squares, and what follows them, of the stones in each heap; other squares as they are."""
    rows, columns = game.board.rows, game.board.columns
    known = isinstance(game, Nim) and rows <= len(heaps) <= rows + 1 and all(each.isdecimal() for each in heaps[:rows])
    stones = [*map(whole, heaps[:rows])] if known else [columns + 1]
    if max(stones) > columns:
        return [*heaps]
    return [*"".join(("O" * heap).ljust(columns, EMPTY) for heap in stones), *heaps[rows:]]


def read_move(written: Any, game: Game, position: Position, first: int = 0) -> Move | None:  # noqa: ANN401  as above
    """Return the legal move that is written; `None` for one that is not legal.

    A move is a name (`b2`), the number of a move or a square (from the top left, row by row), or a row and a column;
    the first of each has the number `first`. Raises `BadText` for anything else.
    """
    text = written_move(written)
    if text[:1].isalpha() and (known := _moves_by_name(game, position).get(text)) is not None:
        return known  # the usual case, and quickly told from the others
    if NUMBER.fullmatch(text):
        return _numbered(whole(text) - first, game, position)
    if taken := TAKES.fullmatch(text):
        heap = [move for move in game.moves(position) if move // game.board.columns == whole(taken[1]) - first]
        return heap[-whole(taken[2])] if 0 < whole(taken[2]) <= len(heap) else None
    if (square := _square_of(text, game, first)) is not None:
        return _numbered(square, game, position, squares_only=True)
    try:
        return game.parse_move(position, text)
    except IllegalMove:
        return None


def _square_of(text: str, game: Game, first: int) -> int | None:
    """Return the square of a row and a column, −1 outside the board, or of a place; `None` for another text."""
    if not (pair := PAIR.fullmatch(text)):
        return _place(text, game)
    row, column = (whole(each) - first for each in pair.groups())
    inside = 0 <= row < game.board.rows and 0 <= column < game.board.columns
    return row * game.board.columns + column if inside else -1


def _place(text: str, game: Game) -> int | None:
    """Return the square that is named in words, as in `top left`, `BR` or `center`; `None` if none is."""
    found = PLACE.fullmatch(re.sub(r"[\s_-]", "", text.lower()))
    falls = game.board.pointed(game.start, 0) != 0  # there, c is a column
    single = len(text) == 1 and (falls or text.lower() not in LETTERS)
    if not found or single or game.board.rows != SQUARE or game.board.columns != SQUARE:
        return None
    words = [each for each in found.groups() if each]
    rows, columns = ([known[each] for each in words if each in known] for known in (ROWS, COLUMNS))
    return (rows or [1])[0] * SQUARE + (columns or [1])[0] if max(len(rows), len(columns)) <= 1 else None


def template_of(text: str) -> str:
    """Return how a move is written, with `#` for each number."""
    return TEMPLATE.sub("#", text.strip().lower())


def plain_moves(texts: Iterable[str], game: Game) -> dict[str, str]:
    """Return plain numbers, or rows and columns, of moves that are all written in one other way; else nothing.

    Two digits are a row and a column if some of them are the number of no square.
    """
    written, known = {*texts}, {*map(template_of, texts)}
    if len(known) != 1 or last_number(game) >= game.board.grid.size:
        return {}
    (template,), numbers = known, {text: TEMPLATE.findall(text) for text in written}
    if template == "#":
        return _in_digits(written, game)
    if template.count("#") not in {1, 2} or all(names_move(text, game) for text in written):
        return {}
    turns = re.search(r"(?:c|col|column)[\W_]*#.*(?:r|row)[\W_]*#", template) is not None
    return {text: " ".join(reversed(each) if turns else each) for text, each in numbers.items()}


def _in_digits(written: Collection[str], game: Game) -> dict[str, str]:
    """Return the rows and columns of moves of one or two digits, if some of them are the number of no square."""
    pairs = {text: text.strip().zfill(2) for text in written}
    if max(map(len, pairs.values())) > 2 or max(map(int, pairs.values())) <= last_number(game) + 1:
        return {}
    lines = [*zip(*[map(int, each) for each in pairs.values()], strict=True)]
    limits = zip(lines, (game.board.rows, game.board.columns), strict=True)
    inside = all(max(each) - min(*lines[0], *lines[1], 1) < limit for each, limit in limits)
    return {text: " ".join(each) for text, each in pairs.items()} if inside else {}


def turned_pair(written: Any) -> Any:  # noqa: ANN401
    """Return a pair of numbers, or such a text, in the other order; anything else as it is."""
    if isinstance(written, (list, tuple)) and len(written) == 2 and all(isinstance(each, Integral) for each in written):
        return written[1], written[0]
    pair = PAIR.fullmatch(written.strip()) if isinstance(written, str) else None
    return f"{pair[2]} {pair[1]}" if pair else written


def named_from_top(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return our name of a square whose row is counted from the top, as in a spreadsheet; anything else as it is."""
    name = NAME.fullmatch(written.strip()) if isinstance(written, str) else None
    row = game.board.rows + 1 - whole(name[2]) if name else 0
    return f"{name[1]}{row}" if name and row > 0 else written


def as_taken(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return a heap of nim and how many stones are taken, such that `read_move` knows; anything else as it is."""
    pair = PAIR.fullmatch(written_move(written)) if isinstance(game, Nim) else None
    return f"{pair[1]} take {pair[2]}" if pair else written


def turned(written: Any) -> Any:  # noqa: ANN401
    """Return a pair of numbers in the other order; anything else as it is."""
    pair = PAIR.fullmatch(written_move(written))
    return f"{pair[2]} {pair[1]}" if pair else written


def on_number_pad(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return the number from 0 of a square of a number pad, which has 7, 8 and 9 at the top; anything else as it is."""
    text = str(written).strip()
    if not NUMBER.fullmatch(text):
        return written
    row, column = divmod(whole(text) - 1, game.board.columns)
    return (game.board.rows - 1 - row) * game.board.columns + column if 0 <= row < game.board.rows else -1


def written_move(written: Any) -> str:  # noqa: ANN401
    """Return a move as a text: a row and a column beside each other."""
    return " ".join(map(str, written)) if isinstance(written, (list, tuple)) else str(written).strip()


@lru_cache(MANY)
def _moves_by_name(game: Game, position: Position) -> dict[str, Move]:
    """Return the legal moves by their names. A file may name several in a position, and is read several times."""
    return {game.move_name(move): move for move in game.moves(position)}


def last_number(game: Game) -> int:
    """Return the largest number of a square, or of a move at the start."""
    return max(game.board.grid.size - 1, *game.moves(game.start))


def list_sizes(game: Game) -> set[int]:
    """Return how many numbers a list with one for each move can have: one for each square or move, or each column."""
    board, falls = game.board, game.board.pointed(game.start, 0) != 0
    return {last_number(game) + 1, *([board.columns] if falls else [])}


def is_beyond(written: Any, game: Game, first: int = 0) -> bool:  # noqa: ANN401
    """Return whether a move, written as a number or as a row and a column, is none of the game in any position."""
    text = written_move(written)
    if NUMBER.fullmatch(text):
        return not 0 <= whole(text) - first <= last_number(game)
    pair = PAIR.fullmatch(text)
    limits = game.board.rows, game.board.columns
    return pair is not None and not all(
        0 <= whole(each) - first < limit for each, limit in zip(pair.groups(), limits, strict=True)
    )


def names_move(text: str, game: Game) -> bool:
    """Return whether a text is written like a move: as a number, a row and a column, or a name in this game."""
    text = text.strip().lower()
    named = bool(NUMBER.fullmatch(text) or PAIR.fullmatch(text)) or _place(text, game) is not None
    return named or game.is_move_name(text)


def whole(text: str) -> int:
    """Return the whole number of a text that `NUMBER` matches."""
    number = text.partition(".")[0]
    if len(number) <= MAX_DIGITS:
        return int(number)
    digits = number.lstrip("+-").lstrip("0")
    size = int(digits or "0") if len(digits) <= MAX_DIGITS else 10**MAX_DIGITS
    return -size if text.startswith("-") else size


def _numbered(number: int, game: Game, position: Position, *, squares_only: bool = False) -> Move | None:
    """Return the legal move with this number; if there is none, the one legal move to the square with this number."""
    legal = _legal_moves(game, position)
    if number in legal and not squares_only:
        return number
    if not 0 <= number < game.board.grid.size:
        return None
    squares = (game.board.pointed(position, number),)
    found = [move for move in legal if game.board.squares(position, move) == squares]
    return found[0] if len(found) == 1 else None


@lru_cache(MANY)
def _legal_moves(game: Game, position: Position) -> tuple[Move, ...]:
    """Return the legal moves, cached: the moves of a file are read several times."""
    return game.moves(position)


def square_move(square: int, game: Game, position: Position) -> Move | None:
    """Return the legal move that places a piece on a square; `None` if there is none."""
    return _numbered(square, game, position, squares_only=True)


def _numbers_of(data: bytes, size: int) -> Any:  # noqa: ANN401  numbers, or the text if they are none
    """Return the numbers of the squares that the bytes of an array hold, whatever their type."""
    import numpy as np  # few files need it

    width = len(data) // size if len(data) % size == 0 else 0
    for kind in ("i", "f"):
        if width in {"i": (1, 2, 4, 8), "f": (4, 8)}[kind]:
            numbers = np.frombuffer(data, f"<{kind}{width}").tolist()
            if all(each in (-1, 0, 1, 2) for each in numbers):
                return [int(each) for each in numbers]
    return data.decode("latin-1")


def _spaced(written: Any, game: Game) -> list[str]:  # noqa: ANN401
    """Return the squares and the side to move of a text with spaces for empty squares; nothing for another text."""
    if not isinstance(written, str):
        return []
    text, size = re.sub(r"[\r\n]", "", written), game.board.grid.size
    board, side, marks = text[:size], text[size:], {piece.mark.lower() for piece in game.board.pieces}
    others = {each for each in board.lower() if each not in marks and each not in " 12"}
    if len(board) < size or " " not in board or others or (side and (side[0] != " " or len(side) != len(" X"))):
        return []
    return [each.strip() for each in board] + side.split()


def _drawn(written: Any, game: Game) -> list[str]:  # noqa: ANN401
    """Return the squares of a board that is drawn over several lines, with bars between them; else nothing."""
    if not isinstance(written, str) or "|" not in written:
        return []
    lines, rows, columns = written.strip("\r\n").splitlines(), game.board.rows, game.board.columns
    if abs(len(lines) - 2 * rows) == 1:  # a rule between two rows, and perhaps around them
        lines = lines[len(lines) > 2 * rows :: 2]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    cells = [row[1:-1] if len(row) == columns + 2 and not row[0] + row[-1] else row for row in cells]
    found = [cell for row in cells for cell in row]
    return found if len(cells) == rows and all(len(row) == columns for row in cells) else []


def _joined(written: Any, size: int) -> list[str]:  # noqa: ANN401
    """Return the squares of a text, and perhaps the side to move, with the same sign between any two; else nothing."""
    if not isinstance(written, str) or len(written) < size - 1 or LISTED.search(written):
        return []
    split = {sign: [each.strip() for each in written.split(sign)] for sign in JOINTS if sign in written}
    found = (each for sign, each in split.items() if len(each) in {size, size + 1} and (sign == "|" or all(each)))
    return next(found, [])


def elements_of(text: str) -> list[str]:
    """Return the elements of a written list, without their quotes."""
    found = ELEMENT.finditer(NUMPY.sub(r"\1", text))
    return [next(group for group in each.groups() if group is not None) for each in found]


def _elements(written: Any, depth: int = 0) -> Iterator[str]:  # noqa: ANN401
    """Yield the squares of a board, and then what follows them, such as the side to move."""
    if isinstance(written, str) and depth == 0:
        if set(LISTED.findall(written)) == {","}:
            yield from map(str.strip, written.split(","))
        elif LISTED.search(written):
            yield from map(str.strip, elements_of(written))
        if LISTED.search(written):
            return
        board, _, side = written.strip("\r\n").partition(" ") if written.count(" ") == 1 else (written, "", "")
        words = written.split()
        numbers = len(words) > 2 and all(map(NUMBER.fullmatch, words))
        yield from words if numbers else SEPARATORS.sub("", board)
        if side:
            yield side
    elif isinstance(written, Sequence) and not isinstance(written, str) and depth < MAX_DEPTH:
        for each in written:
            yield from _elements(each, depth + 1)
    else:
        yield "" if written is None else str(written).translate(PICTURES).strip()


def _pieces(squares: Sequence[str], game: Game) -> list[int] | None:
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
            number = whole(square)
            piece = zero if number == 0 else 1 if number == -1 else number - 1
            piece = 0 if piece == 1 and len(marks) == 1 else piece  # who has placed it tells nothing
            if not -1 <= piece < len(marks):
                return None
            pieces.append(piece)
        else:
            return None
    return pieces


def read_side(written: Any, game: Game) -> Side:  # noqa: ANN401
    """Return the side that is written. Raises `BadText`."""
    text = str(written).strip().lower()
    if found := SIDE.fullmatch(text):
        text = {"first": "1", "second": "2"}.get(found[1], found[1])
    for side in Side:
        if text in {game.mark(side).lower(), str(side + 1)} or (text == "-1" and side is Side.SECOND):
            return side
    raise BadText(f"{quoted(str(written))} is not a side: write {' or '.join(game.marks)}")


def is_side(written: Any, game: Game) -> bool:  # noqa: ANN401
    """Return whether this is a side."""
    with suppress(BadText):
        return bool(read_side(written, game).name)
    return False


def board_text(pieces: Sequence[int], game: Game, side: Side | None) -> str:
    """Return our own text of a board."""
    marks = [EMPTY if piece < 0 else game.board.pieces[piece].mark for piece in pieces]
    columns = game.board.columns
    rows = ("".join(marks[start : start + columns]) for start in range(0, len(marks), columns))
    return "/".join(rows) + ("" if side is None else f" {game.mark(side)}")


def _no_board(written: Any, game: Game) -> BadText:  # noqa: ANN401
    size, start = game.board.grid.size, game.to_text(game.start)
    return BadText(
        f"{quoted(str(written))} is not a position of {game.title}\n"
        f"Write it as '{start}', or as its {size} squares from the top left, row by row: X, O and . or 1, 2 and 0"
    )
