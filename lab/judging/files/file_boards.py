"""Read the boards of a file, and find their positions, for each way to read pieces and each packing."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from engine.game import BadText, Game, Position, Side
from lab.judging.files.file_table import FileTable, Row
from lab.judging.notation.packed_boards import MINUS_FOR_EMPTY, PACKINGS, possible_packings, written_numbers
from lab.judging.notation.written_boards import WrittenBoard, board_text, read_board
from lab.judging.notation.written_moves import last_number

LEAST_PLAUSIBLE: Final = 0.5
"""A packing is ruled out if play reaches less than this share of the positions that it reaches by another packing."""
CACHED_BOARDS: Final = 100_000
"""The number of boards to cache: all of a table with a row for each number of nine digits in base 3."""

BoardOrPosition = WrittenBoard | Position | None
"""What a row shows: a board; or a position, written in our text form; `None` if a packing is impossible for it."""


def read_boards(table: FileTable, game: Game) -> dict[str, list[BoardOrPosition]]:
    """Return the boards of the rows, by the packings that are possible. Raises `BadText` if they cannot be read."""
    packings = possible_packings((written_numbers(row.board) for row in table.rows), game.board.grid.size)
    boards, errors = dict[str, list[BoardOrPosition]](), list[BadText]()
    for packing in ("", *packings):
        if "" in boards and packing != MINUS_FOR_EMPTY:  # in other numbers, the same digits are seen
            continue
        try:
            boards[packing] = [read_row(row, packing, game) for row in table.rows]
        except BadText as error:  # the digits of a packing may be none of this game
            errors.append(error)
    if not boards:
        raise errors[0]
    return boards


def add_both_sides(table: FileTable, game: Game) -> FileTable:
    """Return a table of heaps of nim without sides with a row for each side to move; any other as it is.

    Raises `BadText`.
    """
    if not game.board.heaps:
        return table
    for row in table.rows:
        board = read_row(row, "", game)
        if not isinstance(board, WrittenBoard) or board.side is not None:
            return table
    return replace(table, rows=[row._replace(side=game.mark(side)) for row in table.rows for side in Side])


def replace_boards_by_moves(table: FileTable, game: Game) -> FileTable:
    """Return a table in which squares replace the boards after the moves, if it has those. Raises `BadText`."""
    if not table.rows or _filled_square(table.rows[0], game) is None:
        return table
    rows = list[Row]()
    for row in table.rows:
        square = _filled_square(row, game)
        if square is None:
            raise BadText(f"{row.where} has no board after the move in which one more square is filled")
        rows.append(row._replace(single=square))
    return replace(table, rows=rows, known_words=table.known_words | {"from-0"})


def _filled_square(row: Row, game: Game) -> int | None:
    """Return the square that the move of a row fills; `None` if the row has no board after the move."""
    if not isinstance(row.board, str) or not isinstance(row.single, str):
        return None
    if last_number(game) >= game.board.grid.size:
        return None  # where a square has two moves, as in wild, its number says too little
    try:
        before, after = read_board(row.board, game).pieces, read_board(row.single, game).pieces
    except BadText:
        return None
    changed = [square for square, piece in enumerate(before) if piece != after[square]]
    return changed[0] if len(changed) == 1 and before[changed[0]] < 0 else None


def read_row(row: Row, packing: str, game: Game) -> BoardOrPosition:
    """Return a row's board, or its position in our text form; `None` if its packing is impossible. Raises `BadText`."""
    if packing:
        squares = PACKINGS[packing].squares(written_numbers(row.board), game.board.grid.size)
        return None if squares is None else _read_squares(squares, game, row.side)
    if row.side is None and isinstance(row.board, str) and "/" in row.board and " " in row.board.strip():
        try:
            return game.from_text(row.board)
        except BadText:
            pass  # play may reach it if another side moves first
    try:
        return read_board(row.board, game, row.side)
    except BadText as error:
        if row.where.startswith("row"):
            raise BadText(f"{row.where}: {error}") from error
        raise


@lru_cache(CACHED_BOARDS)
def _read_squares(squares: tuple[int, ...], game: Game, side: Any) -> WrittenBoard:  # noqa: ANN401
    """Return the board with these numbers, cached: all packings of a table share their boards."""
    return read_board(squares, game, side)


def plausible_positions(
    boards: dict[str, list[BoardOrPosition]], ways: Sequence[str], game: Game
) -> dict[tuple[str, str], list[Position | None]]:
    """Return the positions of the rows by way and packing, without the packings that `LEAST_PLAUSIBLE` rules out."""
    positions = {
        (way, packing): [position_of(board, way, game) for board in packed]
        for packing, packed in boards.items()
        for way in ways
    }
    reached = dict.fromkeys(boards, 0)
    for (_, packing), places in positions.items():
        reached[packing] = max(reached[packing], sum(position is not None for position in places))
    least = LEAST_PLAUSIBLE * max(reached.values())
    return {(way, packing): places for (way, packing), places in positions.items() if reached[packing] >= least}


def position_of(board: BoardOrPosition, way: str, game: Game) -> Position | None:
    """Return the position of a board by a way to read pieces; `None` if play cannot reach it."""
    if not isinstance(board, WrittenBoard):
        return board if way == "x-first" else None
    if way == "x-first":
        return _reachable_position(board.pieces, board.side, game)
    if way == "o-first":
        side = None if board.side is None else board.side.other
        return _reachable_position(board.pieces, side, game, swapped=True)
    if way == "yours" and board.has_letters:
        return None  # nobody writes an X for the other side's pieces
    own = Side.FIRST if way == "mine" else Side.SECOND
    reachable = list[Position]()
    for side in Side:
        if board.side in (None, side):
            position = _reachable_position(board.pieces, side, game, swapped=side is not own)
            if position is not None:
                reachable.append(position)
    return reachable[0] if len(reachable) == 1 else None


@lru_cache(CACHED_BOARDS)
def _reachable_position(
    pieces: tuple[int, ...], side: Side | None, game: Game, *, swapped: bool = False
) -> Position | None:
    """Return the position with these pieces, perhaps `swapped` between the sides; `None` if play cannot reach it."""
    if swapped:
        pieces = tuple({0: 1, 1: 0}.get(piece, piece) for piece in pieces)
    try:
        return game.from_text(board_text(pieces, game, side))
    except BadText:
        return None
