"""Moves as other programs write them: names, numbers of moves or squares, rows and columns, or places in words."""

import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from typing import Any, Final

from engine.game import Game, IllegalMove, Move, Position

NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.0*)?")
NAME: Final = re.compile(r"([A-Za-z])([0-9]{1,2})")
PAIR: Final = re.compile(r"[\[(]?\s*([0-9]+)\s*[,; ]\s*([0-9]+)\s*[\])]?")
TAKES: Final = re.compile(r"([0-9]+) take ([0-9]+)")
PART: Final = re.compile(r"[a-z][0-9]{1,2}|[0-9]+|[a-z]")
"""A part of a move that is more than a square: the name or number of a square, or the mark of a piece."""
PART_SEPARATORS: Final = re.compile(r"[\s,;:()\[\]'\"@>-]*")
"""What may stand between two parts."""
MAX_SQUARES: Final = 2
"""The maximum number of squares of a move."""
TEMPLATE: Final = re.compile(r"[0-9]+")
"""The varying part of moves that are all written by one pattern: `action_3`, `r0c1`."""
NAMED_BOARD_SIZE: Final = 3
"""The number of rows and columns of a board whose squares have names in words."""
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
"""A square of three rows and columns in words, without spaces, such as `topleft`, `tl`, `center` or `nw`."""
COMPASS_LETTERS: Final = frozenset("nwecs")
"""The single letters that name a square of three rows and columns: those of a compass, and `c`."""
CACHED_TEXTS: Final = 30_000
"""The number of texts to cache with their meanings."""
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
def _parts_of(text: str, game: Game, first: int = 0) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return the possible parts of a move that is more than a square: its squares in order, and the mark of a piece.

    The move is written as `a1-a2`, `(6, 3)`, `[[2, 0], [1, 0]]`, `X4` or `b2 x`; empty for another text.
    """
    board, text = game.board, text.lower()
    if last_number(game) < board.grid.size or PART_SEPARATORS.fullmatch(PART.sub("", text)) is None:
        return ()
    names = {
        f"{chr(ord('a') + at % board.columns)}{board.rows - at // board.columns}": at for at in range(board.grid.size)
    }
    named, numbers, marks = list[int](), list[int](), list[str]()
    for part in PART.findall(text):
        if part in names:
            named.append(names[part])
        elif part.isdecimal():
            numbers.append(read_whole_number(part) - first)
        else:
            marks.append(part[0])
            numbers += [read_whole_number(part[1:]) - first] if part[1:] else []
    if (named and numbers) or not (named or numbers) or not {*marks} <= {each.mark.lower() for each in board.pieces}:
        return ()
    pairs = [*zip(numbers[::2], numbers[1::2], strict=False)] if len(numbers) % 2 == 0 else []
    inside = all(0 <= row < board.rows and 0 <= column < board.columns for row, column in pairs)
    squares = [tuple(row * board.columns + column for row, column in pairs)] if pairs and inside else []
    return tuple((each, "".join(marks)) for each in (tuple(named or numbers), *squares) if len(each) <= MAX_SQUARES)


def _moves_by_parts(game: Game, position: Position) -> dict[tuple[tuple[int, ...], str], Move]:
    board = game.board
    return {
        (board.squares(position, move), board.option(position, move).lower()): move for move in game.moves(position)
    }


def is_in_parts(written: Any, game: Game) -> bool:  # noqa: ANN401
    """Return whether a list is a single move that is more than a square, with its squares and perhaps a mark."""
    text = move_text(written)
    return (
        isinstance(written, (list, tuple))
        and not NUMBER.fullmatch(text)
        and any(_parts_of(text, game, first) for first in (0, 1))
    )


def is_numbered(text: str, game: Game) -> bool:
    """Return whether a move is written as numbers of squares, or of rows and columns."""
    plain = NUMBER.fullmatch(text) or PAIR.fullmatch(text)
    return bool(plain) or _parts_of(text, game) != _parts_of(text, game, first=1)


def _square_of(text: str, game: Game, first: int) -> int | None:
    """Return the square at a row and a column, −1 outside the board, or at a named place; `None` for another text."""
    if not (pair := PAIR.fullmatch(text)):
        return _named_square(text, game)
    row, column = (read_whole_number(each) - first for each in pair.groups())
    inside = 0 <= row < game.board.rows and 0 <= column < game.board.columns
    return row * game.board.columns + column if inside else -1


def _named_square(text: str, game: Game) -> int | None:
    """Return the square named in words, as in `top left`, `BR` or `center`; `None` if the words name none."""
    found = PLACE.fullmatch(re.sub(r"[\s_-]", "", text.lower()))
    single = len(text) == 1 and (has_gravity(game) or text.lower() not in COMPASS_LETTERS)  # c may be a column
    if not found or single or game.board.rows != NAMED_BOARD_SIZE or game.board.columns != NAMED_BOARD_SIZE:
        return None
    words = [each for each in found.groups() if each]
    rows, columns = ([known[each] for each in words if each in known] for known in (ROWS, COLUMNS))
    return (rows or [1])[0] * NAMED_BOARD_SIZE + (columns or [1])[0] if max(len(rows), len(columns)) <= 1 else None


def template_of(text: str) -> str:
    """Return the pattern of a move: its text with `#` for each number."""
    return TEMPLATE.sub("#", text.strip().lower())


def strip_template(texts: Iterable[str], game: Game) -> dict[str, str]:
    """Return each move as a number, or a row and a column, if all are written by one other pattern: `r0c1` as `0 1`.

    Empty if they are not. Two digits are a row and a column if some of the moves are not the number of a square.
    """
    written, known = {*texts}, {*map(template_of, texts)}
    if len(known) != 1 or last_number(game) >= game.board.grid.size:
        return {}
    (template,), numbers = known, {text: TEMPLATE.findall(text) for text in written}
    if template == "#":
        return _split_digits(written, game)
    if template.count("#") not in {1, 2} or all(is_move_like(text, game) for text in written):
        return {}
    turns = re.search(r"(?:c|col|column)[\W_]*#.*(?:r|row)[\W_]*#", template) is not None
    return {text: " ".join(reversed(each) if turns else each) for text, each in numbers.items()}


def _split_digits(written: Collection[str], game: Game) -> dict[str, str]:
    """Return moves of one or two digits as rows and columns, if some of them are not the number of a square."""
    pairs = {text: text.strip().zfill(2) for text in written}
    if max(map(len, pairs.values())) > 2 or max(map(int, pairs.values())) <= last_number(game) + 1:
        return {}
    lines = [*zip(*[map(int, each) for each in pairs.values()], strict=True)]
    limits = zip(lines, (game.board.rows, game.board.columns), strict=True)
    inside = all(max(each) - min(*lines[0], *lines[1], 1) < limit for each, limit in limits)
    return {text: " ".join(each) for text, each in pairs.items()} if inside else {}


def flip_row_of_name(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return our name of a square whose row is counted from the top, as in a spreadsheet; others as they are."""
    name = NAME.fullmatch(written.strip()) if isinstance(written, str) else None
    row = game.board.rows + 1 - read_whole_number(name[2]) if name else 0
    return f"{name[1]}{row}" if name and row > 0 else written


def rewrite_taken(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return a heap of nim and the number of stones taken, as a move that `read_move` reads; others as they are."""
    pair = PAIR.fullmatch(move_text(written)) if game.board.heaps else None
    return f"{pair[1]} take {pair[2]}" if pair else written


def swap_pair(written: Any) -> Any:  # noqa: ANN401
    """Return a pair of numbers in reverse order; anything else as it is."""
    pair = PAIR.fullmatch(move_text(written))
    return f"{pair[2]} {pair[1]}" if pair else written


def read_number_pad(written: Any, game: Game) -> Any:  # noqa: ANN401
    """Return the number, from 0, of a square on a number pad with 7, 8 and 9 at the top; anything else as it is."""
    text = str(written).strip()
    if not NUMBER.fullmatch(text):
        return written
    row, column = divmod(read_whole_number(text) - 1, game.board.columns)
    return (game.board.rows - 1 - row) * game.board.columns + column if 0 <= row < game.board.rows else -1


def move_text(written: Any) -> str:  # noqa: ANN401
    """Return a move as text: a row and a column stand beside each other."""
    return " ".join(map(str, written)) if isinstance(written, (list, tuple)) else str(written).strip()


@cache
def last_number(game: Game) -> int:
    """Return the largest number of a square, or of a move in the first position."""
    return max(game.board.grid.size - 1, *game.moves(game.start))


def has_gravity(game: Game) -> bool:
    """Return whether a piece goes to the lowest empty square of a column, so that the column says the move."""
    return game.board.pointed(game.start, 0) != 0


def list_sizes(game: Game) -> set[int]:
    """Return the possible lengths of a list with a number for each move: a number a square, a move, or a column."""
    return {last_number(game) + 1, *([game.board.columns] if has_gravity(game) else [])}


def is_beyond(written: Any, game: Game, first: int = 0) -> bool:  # noqa: ANN401
    """Return whether a number, or a row and a column, is outside the game: not a move in any position."""
    text = move_text(written)
    if NUMBER.fullmatch(text):
        return not 0 <= read_whole_number(text) - first <= last_number(game)
    pair = None if _parts_of(text, game, first) else PAIR.fullmatch(text)
    limits = game.board.rows, game.board.columns
    return pair is not None and not all(
        0 <= read_whole_number(each) - first < limit for each, limit in zip(pair.groups(), limits, strict=True)
    )


def is_move_like(text: str, game: Game) -> bool:
    """Return whether a text looks like a move: a number, a row and a column, or a name in this game."""
    text = text.strip().lower()
    named = bool(NUMBER.fullmatch(text) or PAIR.fullmatch(text)) or _named_square(text, game) is not None
    return named or game.is_move_name(text)


def read_whole_number(text: str) -> int:
    """Return a text that `NUMBER` matches as a whole number; of a longer one, the first `MAX_DIGITS` count."""
    size = int(text.partition(".")[0].lstrip("+-0")[:MAX_DIGITS] or "0")
    return -size if text.startswith("-") else size


def _move_by_number(number: int, game: Game, position: Position, *, squares_only: bool = False) -> Move | None:
    """Return the legal move with this number, or else the only legal move to the square with this number."""
    legal = game.moves(position)
    if number in legal and not squares_only:
        return number
    if not 0 <= number < game.board.grid.size:
        return None
    squares = (game.board.pointed(position, number),)
    found = [move for move in legal if game.board.squares(position, move) == squares]
    return found[0] if len(found) == 1 else None


def move_to_square(square: int, game: Game, position: Position) -> Move | None:
    """Return the legal move that places a piece on a square; `None` if there is none."""
    return _move_by_number(square, game, position, squares_only=True)
