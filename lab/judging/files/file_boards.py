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

PLAUSIBLE: Final = 0.5
"""A packing is ruled out if play reaches less than this share of the positions that it reaches by another packing."""
BOARDS: Final = 100_000
"""The number of boards to cache: all of a table with a row for each number of nine digits in base 3."""


def read_boards(table: FileTable, game: Game) -> dict[str, list[WrittenBoard | Position | None]]:
    """Return the boards of the rows, by the packings that are possible. Raises `BadText` if they cannot be read."""
    packings = possible_packings((written_numbers(row.board) for row in table.rows), game.board.grid.size)
    found, refused = dict[str, list[WrittenBoard | Position | None]](), list[BadText]()
    for packing in ("", *packings):
        if "" in found and packing != MINUS_FOR_EMPTY:  # in other numbers, the same digits are seen
            continue
        try:
            found[packing] = [read_row(row, packing, game) for row in table.rows]
        except BadText as error:  # the digits of a packing may be none of this game
            refused.append(error)
    if not found:
        raise refused[0]
    return found


def for_both_sides(table: FileTable, game: Game) -> FileTable:
    """Return a table of heaps of nim alone with a row for each side to move; any other as it is. Raises `BadText`."""
    if not game.board.heaps or any(getattr(read_row(row, "", game), "side", 0) is not None for row in table.rows):
        return table
    return replace(table, rows=[row._replace(side=game.mark(side)) for row in table.rows for side in Side])


def with_moves(table: FileTable, game: Game) -> FileTable:
    """Return a table in which squares replace the boards after the moves, if it has those. Raises `BadText`."""
    if not table.rows or _filled(table.rows[0], game) is None:
        return table
    rows = [row._replace(single=_filled(row, game)) for row in table.rows]
    wrong = next((row.where for row in rows if row.single is None), None)
    if wrong is not None:
        raise BadText(f"{wrong} has no board after the move in which one more square is filled")
    return replace(table, rows=rows, known=table.known | {"from-0"})


def _filled(row: Row, game: Game) -> int | None:
    """Return the square that the move of a row fills; `None` if the row has no board after the move."""
    if not (isinstance(row.board, str) and isinstance(row.single, str)) or last_number(game) >= game.board.grid.size:
        return None  # where a square has two moves, as in wild, its number says too little
    try:
        boards = [read_board(each, game).pieces for each in (row.board, row.single)]
    except BadText:
        return None
    changed = [square for square, (before, after) in enumerate(zip(*boards, strict=True)) if before != after]
    return changed[0] if len(changed) == 1 and boards[0][changed[0]] < 0 else None


def read_row(row: Row, packing: str, game: Game) -> WrittenBoard | Position | None:
    """Return a row's board, or position in our text form; `None` if this packing is impossible. Raises `BadText`."""
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
        raise BadText(f"{row.where}: {error}" if row.where.startswith("row") else str(error)) from error


@lru_cache(BOARDS)
def _read_squares(squares: tuple[int, ...], game: Game, side: Any) -> WrittenBoard:  # noqa: ANN401
    """Return the board with these numbers, cached: all packings of a table share their boards."""
    return read_board(squares, game, side)


def positions_of(
    boards: dict[str, list[WrittenBoard | Position | None]], ways: Sequence[str], game: Game
) -> dict[tuple[str, str], list[Position | None]]:
    """Return the positions of the rows by way and packing, without implausible packings: see `PLAUSIBLE`."""
    found = {
        (way, packing): [position_of(board, way, game) for board in each]
        for packing, each in boards.items()
        for way in ways
    }
    reached = {
        packing: max(sum(each is not None for each in found[way, packing]) for way in ways) for packing in boards
    }
    return {key: each for key, each in found.items() if reached[key[1]] >= PLAUSIBLE * max(reached.values())}


def position_of(board: WrittenBoard | Position | None, way: str, game: Game) -> Position | None:
    """Return the position of a board by a way to read pieces; `None` if play cannot reach it."""
    if not isinstance(board, WrittenBoard):
        return board if way == "x-first" else None
    if way == "yours" and board.lettered:
        return None  # nobody writes an X for the other side's pieces
    if way == "x-first":
        return _reached(board.pieces, board.side, game)
    if way == "o-first":
        return _reached(board.pieces, None if board.side is None else board.side.other, game, swapped=True)
    own = Side.FIRST if way == "mine" else Side.SECOND
    sides = [side for side in Side if board.side in (None, side)]
    found = [_reached(board.pieces, side, game, swapped=side is not own) for side in sides]
    reached = [each for each in found if each is not None]
    return reached[0] if len(reached) == 1 else None


@lru_cache(BOARDS)
def _reached(pieces: tuple[int, ...], side: Side | None, game: Game, *, swapped: bool = False) -> Position | None:
    """Return the position with these pieces, perhaps `swapped` between the sides; `None` if play cannot reach it."""
    if swapped:
        pieces = tuple({0: 1, 1: 0}.get(piece, piece) for piece in pieces)
    try:
        return game.from_text(board_text(pieces, game, side))
    except BadText:
        return None
