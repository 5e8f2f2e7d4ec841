"""A failure database as the plain text of its inventor (J. A. Riechel, 2007, appendix A and figure 5).

    862 failures
    O to play
    X . O
    X X O
    O X .
    (0, 1)
    …

The writer uses one form. Failures are in the order of recording. One space separates cells, and `.` is an empty cell. A
move is the (row, column) of each of its squares, counted from 0 at the top left; if moves differ only in their piece,
the piece follows: `(1, 1) X`. In a game whose positions count the moves made, that number follows the side to move, as
in `O 3 to play`.

The reader also accepts `0` for the letter O, lower case, `-` or `_` for empty cells, cells without spaces between them,
and lines with a cell in every second character, from the first, and blanks for empty cells.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from engine.game import BadText, Game, Move, Position, quoted
from engine.games import GAMES
from engine.grid import EMPTY, EMPTY_WHEN_READ
from engine.spaces import space_of
from learners.core.snapshot import Snapshot
from learners.failures.learner import Failures
from saves.encoding.check import check_snapshot
from saves.encoding.memory import empty_memory, require_not_over, require_running
from saves.formats.format import Format

NOUN: Final = "failures"
"""The noun in the first line, which is a plural even after 1, as in the source."""
HEADER: Final = re.compile(r"([0-9]{1,9}) failures?", re.IGNORECASE)
TO_PLAY: Final = re.compile(r"(\S)( [0-9]{1,4})? to play", re.IGNORECASE)
SQUARE: Final = r"\(\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*\)"
MOVE: Final = re.compile(rf"{SQUARE}(?:\s*{SQUARE})*(?:\s*([^\s()]))?")
MAX_LINE: Final = 200
"""The maximum number of characters of a line with a move: the regular expression needs about 1 KiB for each square."""
PRESET: Final = "literal"
"""The preset of imported failures, since the format does not name one."""
LARGEST: Final = 2 * 2**20
"""The maximum number of characters of a text: three times the length of all possible failures."""

Line = tuple[int, str]
"""The number of a line, from 1, and its text."""


def write(snapshot: Snapshot) -> str:
    """Return a failure database as text. Raises `BadText` for other learners."""
    if snapshot.learner != Failures.spec.name:
        raise BadText(f"this format is for {Failures.spec.name}, not {quoted(snapshot.learner)}: export it as .json")
    space = space_of(snapshot.game)
    edges = np.flatnonzero(snapshot.memory)
    recorded = edges[np.argsort(snapshot.memory[edges])]
    pairs = zip(space.position[space.source[recorded]].tolist(), space.move[recorded].tolist(), strict=True)
    failures = (_failure(space.game, position, move) for position, move in pairs)
    return f"{len(recorded)} {NOUN}\n{''.join(failures)}"


def _failure(game: Game, position: Position, move: Move) -> str:
    cells, columns = game.board.cells(position), game.board.columns
    marks = [EMPTY if piece is None else piece.mark for piece in cells]
    rows = [" ".join(marks[start : start + columns]) for start in range(0, len(marks), columns)]
    turn = game.to_text(position).partition(" ")[2]
    return "\n".join([f"{turn} to play", *rows, _squares_text(game, position, move), ""])


def _squares_text(game: Game, position: Position, move: Move) -> str:
    squares = (str(divmod(square, game.board.columns)) for square in game.board.squares(position, move))
    return " ".join([*squares, *game.board.option(position, move)])


def read(text: str, game: Game | None) -> Snapshot:
    """Parse a failure database; the game is tic-tac-toe unless given. Raises `BadText` with the line."""
    game = game or GAMES[0]
    if len(text) > LARGEST:
        raise BadText(f"longer than {LARGEST:,} characters, too long for a list of failures")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    lines = enumerate(text.split("\n"), 1)
    filled = ((number, line) for number, line in lines if line.strip())
    first_line, header = next(filled, (1, ""))
    count_match = HEADER.fullmatch(header.strip())
    if count_match is None:
        what = quoted(header) if header else "the file is empty; there"
        raise BadText(f"line {first_line}: {what} should be the number of failures, as in '862 failures'")
    failures = [(head[0], *_read_failure(game, head, lines)) for head in filled]  # before a large space is built
    space, memory, line_of_edge = space_of(game), empty_memory(game), dict[int, int]()
    for start, number, position, move in failures:
        try:
            require_running(game, position)
        except BadText as error:
            raise BadText(f"line {start}: {error}") from error
        edge = space.edge(position, move)
        if memory[edge]:
            raise BadText(f"line {number}: this failure is already given in line {line_of_edge[edge]}")
        line_of_edge[edge] = number
        memory[edge] = len(line_of_edge)
    count, given = int(count_match[1]), len(line_of_edge)
    if given != count:
        raise BadText(f"line {first_line}: the number of failures is {count:,}, but {given:,} follow")
    snapshot = Failures(game, PRESET, seed=0).snapshot()
    stats = {**snapshot.stats, Failures.shown.size_statistic: given}
    return check_snapshot(replace(snapshot, memory=memory, stats=stats))


def _read_failure(game: Game, head: Line, lines: Iterator[Line]) -> tuple[int, Position, Move]:
    begin, line = head
    to_play = TO_PLAY.fullmatch(line.strip())
    mover = _read_mark(game.marks, to_play[1]) if to_play else None
    if to_play is None or mover is None:
        first, second = game.marks
        raise BadText(f"line {begin}: {quoted(line)} should be '{first} to play' or '{second} to play'")
    rows = [_read_row(game, *_next_line(lines, begin)) for _ in range(game.board.rows)]
    try:
        position = game.from_text(f"{'/'.join(rows)} {mover}{to_play[2] or ''}")
        require_not_over(game, position)
    except BadText as error:
        raise BadText(f"line {begin}: {error}") from error
    number, line = _next_line(lines, begin)
    return number, position, _read_move(game, position, number, line)


def _next_line(lines: Iterator[Line], begin: int) -> Line:
    for line in lines:
        return line
    raise BadText(f"line {begin}: the file ends in the middle of this failure")


def _read_row(game: Game, number: int, line: str) -> str:
    cells = "".join(line.split())
    if len(cells) != game.board.columns:  # blanks stand for empty cells
        padded = line.rstrip().ljust(2 * game.board.columns - 1)
        cells = padded[::2]
        if len(cells) != game.board.columns or padded[1::2].strip():
            raise BadText(f"line {number}: {quoted(line)} should be {game.board.columns} cells with one space between")
    marks = [piece.mark for piece in game.board.pieces]
    row = ""
    for letter in cells:
        is_empty = letter in EMPTY_WHEN_READ or letter.isspace()
        mark = EMPTY if is_empty else _read_mark(marks, letter)
        if mark is None:
            raise BadText(f"line {number}: {quoted(line)} has a cell other than {', '.join(marks)} or {EMPTY}")
        row += mark
    return row


def _read_mark(marks: Collection[str], letter: str) -> str | None:
    mark = "O" if letter == "0" else letter.upper()
    return mark if mark in marks else None


def _read_move(game: Game, position: Position, number: int, line: str) -> Move:
    move_match = MOVE.fullmatch(line.strip()) if len(line) <= MAX_LINE else None
    if move_match is None:
        example = _squares_text(game, game.start, game.moves(game.start)[0])
        raise BadText(f"line {number}: {quoted(line)} should be a move, as in '{example}'")
    places = [(int(row), int(column)) for row, column in re.findall(SQUARE, line)]
    for row, column in places:
        if not (0 <= row < game.board.rows and 0 <= column < game.board.columns):
            raise BadText(f"line {number}: ({row}, {column}) is not on the board, whose first square is (0, 0)")
    squares = tuple(row * game.board.columns + column for row, column in places)
    board, option = game.board, (move_match[5] or "").upper()
    legal = {
        (board.squares(position, move), board.option(position, move).upper()): move for move in game.moves(position)
    }
    if (squares, option) in legal:
        return legal[squares, option]
    is_placed = all(len(legal_squares) == len(squares) == 1 for legal_squares, _ in legal)
    is_occupied = is_placed and board.cells(position)[squares[0]] is not None
    fault = "is an occupied square" if is_occupied else "is not a legal move"
    raise BadText(f"line {number}: {quoted(line.strip())} {fault} in {game.to_text(position)}")


FORMAT: Final = Format(".txt", "failures, as Riechel's text", read, write)
