"""Moves as other programs write them: names, numbers of moves or squares, rows and columns, or places in words."""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Any, Final

from engine.game import Game, IllegalMove, Move, Position

NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
"""A whole number, perhaps with zeros after a point."""
NAME: Final = re.compile(r"([A-Za-z])([0-9]{1,2})")
"""The name of a square: a column and a row."""
PAIR: Final = re.compile(r"[\[(]?\s*([0-9]+)\s*[,; ]\s*([0-9]+)\s*[\])]?")
"""A row and a column."""
TAKES: Final = re.compile(r"([0-9]+) take ([0-9]+)")
"""A move of nim by its heap and the number of stones taken, as `rewrite_taken` writes it."""
PART: Final = re.compile(r"[a-z][0-9]{1,2}|[0-9]+|[a-z]")
"""A part of a move that is more than a square: the name or number of a square, or the mark of a piece."""
PART_SEPARATORS: Final = re.compile(r"[\s,;:()\[\]'\"@>-]*")
"""What may stand between two parts."""
MAX_SQUARES: Final = 2
"""The maximum number of squares of a move."""
DIGITS: Final = re.compile(r"[0-9]+")
"""The varying part of moves that are all written by one template: `action_3`, `r0c1`."""
NAMED_BOARD_SIZE: Final = 3
"""The number of rows and columns of a board whose squares have names in words."""
ROWS: Final = {
    **dict.fromkeys(("top", "upper", "north", "t", "u", "n"), 0),
    **dict.fromkeys(("bottom", "lower", "south", "b", "s"), 2),
}
COLUMNS: Final = {"left": 0, "west": 0, "l": 0, "w": 0, "right": 2, "east": 2, "r": 2, "e": 2}
MIDDLE: Final = ("middle", "mid", "center", "centre", "m", "c")
_PLACE_WORDS: Final = "|".join(sorted([*ROWS, *COLUMNS, *MIDDLE], key=len, reverse=True))
PLACE: Final = re.compile(f"({_PLACE_WORDS})({_PLACE_WORDS})?(?:square|cell|corner|edge)?")
"""A square of three rows and columns in words, without spaces, such as `topleft`, `tl`, `center` or `nw`."""
COMPASS_LETTERS: Final = frozenset("nwecs")
"""The single letters that name a square of three rows and columns: those of a compass, and `c`."""
CACHED_TEXTS: Final = 30_000
"""The number of texts whose parts are cached."""

Parts = tuple[tuple[int, ...], str]
"""What says a move that is more than a square: its squares in order, and the mark of a piece, perhaps empty."""
MAX_DIGITS: Final = 18
"""No square, move or piece has a number with as many digits, and Python refuses to read one of thousands."""


def read_move(  # noqa: PLR0911  one for each way to write it
    written: Any,  # noqa: ANN401  as other programs write it
    game: Game,
    position: Position,
    first: int = 0,
) -> Move | None:
    """Return the legal move that `written` means; `None` if the move is not legal.

    A move is a name (`b2`), the number of a move or a square (from the top left, row by row), or a row and a column;
    where a move is more than a square, it is several of these, and the mark of a piece. Squares, rows and columns are
    numbered from `first`. Raises `BadText` for anything else.
    """
    text = move_text(written)
    if text[:1].isalpha():  # the usual case, and quickly told from the others
        for move in game.moves(position):
            if game.move_name(move) == text:
                return move
    if NUMBER.fullmatch(text):
        return _move_by_number(read_whole_number(text) - first, game, position)
    taking = TAKES.fullmatch(text)
    if taking:
        heap, stones = read_whole_number(taking[1]) - first, read_whole_number(taking[2])
        return _move_by_stones(heap, stones, game, position)
    readings = _parts_of(text, game, first)
    if readings:
        moves_by_parts = _moves_by_parts(game, position)
        moves = [moves_by_parts[parts] for parts in readings if parts in moves_by_parts]
        return moves[0] if len(moves) == 1 else None
    square = _square_of(text, game, first)
    if square is not None:
        return move_to_square(square, game, position)
    try:
        return game.parse_move(position, text)
    except IllegalMove:
        return None


def _move_by_stones(heap: int, stones: int, game: Game, position: Position) -> Move | None:
    """Return the move of nim that takes this many stones from a heap; `None` if it is not legal."""
    moves = [move for move in game.moves(position) if move // game.board.columns == heap]
    return moves[-stones] if 0 < stones <= len(moves) else None  # the last of them takes one stone


@lru_cache(CACHED_TEXTS)
def _parts_of(text: str, game: Game, first: int = 0) -> tuple[Parts, ...]:
    """Return the possible parts of a move that is more than a square; empty for another text.

    The move is written as `a1-a2`, `(6, 3)`, `[[2, 0], [1, 0]]`, `X4` or `b2 x`. Two numbers may be two squares, or a
    row and a column.
    """
    board, text = game.board, text.lower()
    if last_number(game) < board.grid.size or PART_SEPARATORS.fullmatch(PART.sub("", text)) is None:
        return ()
    names = {
        f"{chr(ord('a') + square % board.columns)}{board.rows - square // board.columns}": square
        for square in range(board.grid.size)
    }
    named, numbers, marks = list[int](), list[int](), list[str]()
    for part in PART.findall(text):
        if part in names:
            named.append(names[part])
        elif part.isdecimal():
            numbers.append(read_whole_number(part) - first)
        else:
            marks.append(part[0])
            if part[1:]:
                numbers.append(read_whole_number(part[1:]) - first)
    known_marks = {piece.mark.lower() for piece in board.pieces}
    if bool(named) == bool(numbers) or not known_marks.issuperset(marks):
        return ()
    readings = [tuple(named or numbers)]
    if numbers and len(numbers) % 2 == 0:
        pairs = [*zip(numbers[::2], numbers[1::2], strict=True)]
        if all(0 <= row < board.rows and 0 <= column < board.columns for row, column in pairs):
            readings.append(tuple(row * board.columns + column for row, column in pairs))
    return tuple((squares, "".join(marks)) for squares in readings if len(squares) <= MAX_SQUARES)


def _moves_by_parts(game: Game, position: Position) -> dict[Parts, Move]:
    board = game.board
    return {
        (board.squares(position, move), board.option(position, move).lower()): move for move in game.moves(position)
    }


def is_in_parts(written: Any, game: Game) -> bool:  # noqa: ANN401
    """Return whether a list is a single move that is more than a square, with its squares and perhaps a mark."""
    text = move_text(written)
    if not isinstance(written, (list, tuple)) or NUMBER.fullmatch(text):
        return False
    return any(_parts_of(text, game, first) for first in (0, 1))


def is_numbered(text: str, game: Game) -> bool:
    """Return whether a move is written as numbers of squares, or of rows and columns."""
    if NUMBER.fullmatch(text) or PAIR.fullmatch(text):
        return True
    return _parts_of(text, game) != _parts_of(text, game, first=1)


def _square_of(text: str, game: Game, first: int) -> int | None:
    """Return the square at a row and a column, −1 outside the board, or at a named place; `None` for another text."""
    pair = PAIR.fullmatch(text)
    if not pair:
        return _named_square(text, game)
    row, column = read_whole_number(pair[1]) - first, read_whole_number(pair[2]) - first
    if 0 <= row < game.board.rows and 0 <= column < game.board.columns:
        return row * game.board.columns + column
    return -1


def _named_square(text: str, game: Game) -> int | None:
    """Return the square named in words, as in `top left`, `BR` or `center`; `None` if the words name none."""
    if game.board.rows != NAMED_BOARD_SIZE or game.board.columns != NAMED_BOARD_SIZE:
        return None
    if len(text) == 1 and (has_gravity(game) or text.lower() not in COMPASS_LETTERS):  # c may be a column
        return None
    place = PLACE.fullmatch(re.sub(r"[\s_-]", "", text.lower()))
    if not place:
        return None
    words = [word for word in place.groups() if word]
    rows = [ROWS[word] for word in words if word in ROWS]
    columns = [COLUMNS[word] for word in words if word in COLUMNS]
    if len(rows) > 1 or len(columns) > 1:
        return None
    row, column = (rows or [1])[0], (columns or [1])[0]
    return row * NAMED_BOARD_SIZE + column


def template_of(text: str) -> str:
    """Return the template of a move: its text with `#` for each number."""
    return DIGITS.sub("#", text.strip().lower())


def strip_template(texts: Iterable[str], game: Game) -> dict[str, str]:
    """Return each move as a number, or a row and a column, if all are written by one other template: `r0c1` as `0 1`.

    Empty if they are not. Two digits are a row and a column if some of the moves are not the number of a square.
    """
    moves, templates = {*texts}, {*map(template_of, texts)}
    if len(templates) != 1 or last_number(game) >= game.board.grid.size:
        return {}
    (template,) = templates
    if template == "#":
        return _split_digits(moves, game)
    if template.count("#") not in {1, 2} or all(is_move_like(move, game) for move in moves):
        return {}
    column_first = re.search(r"(?:c|col|column)[\W_]*#.*(?:r|row)[\W_]*#", template) is not None
    step = -1 if column_first else 1
    return {move: " ".join(DIGITS.findall(move)[::step]) for move in moves}


def _split_digits(texts: Collection[str], game: Game) -> dict[str, str]:
    """Return moves of one or two digits as rows and columns, if some of them are not the number of a square."""
    pairs = {text: text.strip().zfill(2) for text in texts}
    if any(len(pair) > 2 for pair in pairs.values()) or max(map(int, pairs.values())) <= last_number(game) + 1:
        return {}
    rows, columns = [int(pair[0]) for pair in pairs.values()], [int(pair[1]) for pair in pairs.values()]
    first = min(*rows, *columns, 1)
    if max(rows) - first >= game.board.rows or max(columns) - first >= game.board.columns:
        return {}
    return {text: " ".join(pair) for text, pair in pairs.items()}


def flip_row_of_name(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return our name of a square whose row is counted from the top, as in a spreadsheet; others as they are."""
    name = NAME.fullmatch(written.strip()) if isinstance(written, str) else None
    if name is None:
        return written
    row = game.board.rows + 1 - read_whole_number(name[2])
    return f"{name[1]}{row}" if row > 0 else written


def rewrite_taken(written: Any) -> Any:  # noqa: ANN401
    """Return a heap of nim and the number of stones taken, as a move that `read_move` reads; others as they are."""
    pair = PAIR.fullmatch(move_text(written))
    return f"{pair[1]} take {pair[2]}" if pair else written


def swap_pair(written: Any) -> Any:  # noqa: ANN401
    """Return a pair of numbers in reverse order; anything else as it is."""
    pair = PAIR.fullmatch(move_text(written))
    return f"{pair[2]} {pair[1]}" if pair else written


def read_number_pad(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return the square of a number on a number pad, with 7, 8 and 9 at the top: −1 if there is none.

    Anything but a number is returned as it is.
    """
    text = str(written).strip()
    if not NUMBER.fullmatch(text):
        return written
    row_from_bottom, column = divmod(read_whole_number(text) - 1, game.board.columns)
    if not 0 <= row_from_bottom < game.board.rows:
        return -1
    return (game.board.rows - 1 - row_from_bottom) * game.board.columns + column


def move_text(written: Any) -> str:  # noqa: ANN401
    """Return a move as text: a row and a column are separated by a space."""
    return " ".join(map(str, written)) if isinstance(written, (list, tuple)) else str(written).strip()


@cache
def last_number(game: Game) -> int:
    """Return the largest number of a square, or of a move in the first position."""
    return max(game.board.grid.size - 1, *game.moves(game.start))


def has_gravity(game: Game) -> bool:
    """Return whether a piece falls to the lowest empty square of a column, so that the column says the move."""
    return game.board.pointed(game.start, 0) != 0


def list_sizes(game: Game) -> set[int]:
    """Return the possible lengths of a list with a number for each move: a number a square, a move, or a column."""
    sizes = {last_number(game) + 1}
    if has_gravity(game):
        sizes.add(game.board.columns)
    return sizes


def is_beyond(written: Any, game: Game, first: int = 0) -> bool:  # noqa: ANN401
    """Return whether a number, or a row and a column, is outside the game: not a move in any position."""
    text = move_text(written)
    if NUMBER.fullmatch(text):
        return not 0 <= read_whole_number(text) - first <= last_number(game)
    pair = PAIR.fullmatch(text)
    if pair is None or _parts_of(text, game, first):
        return False
    return _square_of(text, game, first) == -1


def is_move_like(text: str, game: Game) -> bool:
    """Return whether a text looks like a move: a number, a row and a column, or a name in this game."""
    text = text.strip().lower()
    if NUMBER.fullmatch(text) or PAIR.fullmatch(text) or _named_square(text, game) is not None:
        return True
    return game.is_move_name(text)


def read_whole_number(text: str) -> int:
    """Return the whole number in a text that `NUMBER` matches; of a longer one, the first `MAX_DIGITS` digits count."""
    size = int(text.partition(".")[0].lstrip("+-0")[:MAX_DIGITS] or "0")
    return -size if text.startswith("-") else size


def _move_by_number(number: int, game: Game, position: Position) -> Move | None:
    """Return the legal move with this number, or else the only legal move to the square with this number."""
    return number if number in game.moves(position) else move_to_square(number, game, position)


def move_to_square(square: int, game: Game, position: Position) -> Move | None:
    """Return the only legal move that places a piece on a square; `None` if there is none, or if there are several."""
    if not 0 <= square < game.board.grid.size:
        return None
    squares = (game.board.pointed(position, square),)
    moves = [move for move in game.moves(position) if game.board.squares(position, move) == squares]
    return moves[0] if len(moves) == 1 else None
