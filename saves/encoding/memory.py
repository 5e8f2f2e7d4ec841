"""Convert memories to the form in which they are stored: rows of position text, move text and number, or packed bytes.

Rows hold texts, since another version of the program may number the edges differently. Rows with 0 are left out. The
memory at a checkpoint is stored as its difference to the memory at the checkpoint before.

Large data of a snapshot, such as a population of strategies, are compressed. Parameters, such as the weights of a
network, are integers of 32 bits: the lowest bytes of all come first, then the second lowest, and so on, since zlib
needs less space if similar bytes are next to each other.
"""

import zlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText, Game, IllegalMove, Position, quoted
from engine.result_caches import cached_with_spaces
from engine.spaces import space_of
from learners import find_kind
from learners.core.snapshot import Memory

LARGEST_NUMBER: Final = 2**63 - 1
MAX_CHECKPOINTS: Final = 100
"""The maximum number of checkpoints of a save, far more than any training makes."""

Row = tuple[str, str, int]
TextRow = tuple[str, str, object]
"""A row as it was read; its number may be a value of any type."""
DoubleRow = tuple[str, str, object, object]
"""A row as it was read, with the times that the move was chosen."""


@cached_with_spaces(2**18)
def _position_text(game: Game, row: int) -> str:
    return game.to_text(int(space_of(game).position[row]))


@cached_with_spaces(2**18)
def _edges_at(game: Game, position_text: str) -> dict[str, int]:
    """Return the edges of a position, by the names of their moves. Raises `BadText`."""
    space, position = space_of(game), game.from_text(position_text)
    require_running(game, position)
    edges = space.edges(position)
    return dict(zip(map(game.move_name, space.move[edges.start : edges.stop].tolist()), edges, strict=True))


def edge_texts(game: Game, edges: NDArray[np.intp]) -> Iterator[tuple[str, str]]:
    """Yield the pair (position text, move text) of each of these edges, which must ascend."""
    space = space_of(game)
    rows, moves = space.source[edges].tolist(), space.move[edges].tolist()
    for row, grouped in groupby(zip(rows, moves, strict=True), itemgetter(0)):
        position = _position_text(game, row)
        for _, move in grouped:
            yield position, game.move_name(move)


def to_rows(game: Game, memory: Memory) -> list[Row]:
    """Return the rows of a memory, in the order of the edges."""
    edges = np.flatnonzero(memory)
    texts = edge_texts(game, edges)
    return [(*text, number) for text, number in zip(texts, memory[edges].tolist(), strict=True)]


def to_double_rows(game: Game, numbers: Memory, times: Memory) -> Iterator[tuple[str, str, int, int]]:
    """Yield position text, move text, number and times, for every edge where the number or the times are not 0."""
    edges = np.flatnonzero(numbers | times)
    texts = edge_texts(game, edges)
    for text, number, count in zip(texts, numbers[edges].tolist(), times[edges].tolist(), strict=True):
        yield *text, number, count


def from_rows(game: Game, rows: Iterable[TextRow], *, minimum: int = 1) -> Memory:
    """Return the memory that rows describe. Raises `BadText` for a number below `minimum`, or an edge with two rows."""
    numbered = ((position, move, _check_number(position, move, given, minimum), 0) for position, move, given in rows)
    return from_double_rows(game, numbered, minimum=minimum)[0]


def from_double_rows(game: Game, rows: Iterable[DoubleRow], *, minimum: int = 1) -> tuple[Memory, Memory]:
    """Return the numbers and the times that rows describe; 0 may stand for one of them. Raises as `from_rows`."""
    numbers, times = dict[int, int](), list[int]()
    last_position, edges = "", dict[str, int]()
    for position, move, number, count in rows:
        if position != last_position:  # the rows of a position follow each other
            last_position, edges = position, _edges_at(game, position)
        edge = edges[move] if move in edges else _edge_of(game, position, move)
        if edge in numbers:
            raise BadText(f"{move} in {position} is given twice")
        numbers[edge] = 0 if number == 0 else _check_number(position, move, number, minimum)
        times.append(0 if count == 0 else _check_number(position, move, count, minimum))
    number_table, times_table = empty_memory(game), empty_memory(game)
    given_edges = np.fromiter(numbers, np.int64, len(numbers))
    number_table[given_edges] = np.fromiter(numbers.values(), np.int64, len(numbers))
    times_table[given_edges] = np.fromiter(times, np.int64, len(numbers))
    return number_table, times_table


def _check_number(position: str, move: str, number: object, minimum: int) -> int:
    """Return the number of a row. Raises `BadText` if it is 0 or out of range."""
    if type(number) is not int or not minimum <= number <= LARGEST_NUMBER or number == 0:
        not_zero = " other than 0" if minimum < 0 else ""
        range_text = f"from {minimum} to {LARGEST_NUMBER}{not_zero}"
        raise BadText(f"{move} in {position}: {quoted(str(number))} is not a number {range_text}")
    return number


def check_by_rules(game: Game, rows: Iterable[TextRow], *, minimum: int = 1) -> None:
    """Raise `BadText` for a row that breaks the rules of the game, or whose number is below `minimum`.

    No space is needed for this check, so that a wrong file for a large game is refused before its space is built.
    """
    for position_text, move_text, number in rows:
        position = game.from_text(position_text)
        require_not_over(game, position)
        _check_number(position_text, move_text, number, minimum)
        try:
            game.parse_move(position, move_text)
        except IllegalMove as error:
            raise BadText(str(error)) from error


def empty_memory(game: Game) -> Memory:
    """Return a memory of zeros, one number for each edge."""
    return np.zeros(len(space_of(game).move), np.int64)


def changes(game: Game, memories: Iterable[Memory | None]) -> Iterator[Memory]:
    """Yield the differences between successive memories, first that to zeros. `None` stands for a memory of zeros."""
    before = empty_memory(game)
    for memory in memories:
        now = empty_memory(game) if memory is None else memory
        yield now - before
        before = now


def add_change(game: Game, memory: Memory, change: Memory) -> Memory:
    """Return the sum of a memory and a change. Raises `BadText` if a number becomes negative or too large."""
    after = memory + change  # a sum of 2^63 or more overflows to a negative number
    wrong_edges = np.flatnonzero(after < 0)
    if len(wrong_edges):
        position, move = next(edge_texts(game, wrong_edges))
        raise BadText(f"{move} in {position}: the sum of the changes is not a number from 0 to {LARGEST_NUMBER}")
    return after


def require_few_checkpoints(checkpoints: int) -> None:
    """Raise `BadText` if this number of checkpoints is more than a save can have."""
    if checkpoints > MAX_CHECKPOINTS:
        raise BadText(f"there are more than {MAX_CHECKPOINTS} checkpoints")


def _edge_of(game: Game, position_text: str, move_text: str) -> int:
    """Return the edge of a position and a move, in any spelling that the game accepts. Raises `BadText`."""
    position = game.from_text(position_text)
    try:
        return space_of(game).edge(position, game.parse_move(position, move_text))
    except IllegalMove as error:
        raise BadText(str(error)) from error


def require_running(game: Game, position: Position) -> None:
    """Raise `BadText` for a position that cannot be reached, or in which the game is over."""
    if not space_of(game).holds(position):
        raise BadText(f"{game.to_text(position)} cannot be reached in play")
    require_not_over(game, position)


def require_not_over(game: Game, position: Position) -> None:
    """Raise `BadText` for a position in which the game is over."""
    if game.outcome(position) is not None:
        raise BadText(f"the game is over in {game.to_text(position)}: it has no moves to learn")


MAX_BYTES: Final = 16 * 2**20
"""The size limit after decompression, in bytes. The largest population has 8.3 million, the largest network 16 MiB."""
LEVEL: Final = 1
"""The compression level of zlib: the lowest takes a tenth of the default's time, and an eighth more space."""


def compress(bulk: bytes) -> bytes:
    """Compress a bulk with zlib. An empty bulk stays empty."""
    return zlib.compress(bulk, LEVEL) if bulk else b""


def decompress(data: bytes) -> bytes:
    """Return the bulk that `compress` compressed. Raises `BadText` for data that `compress` cannot have made."""
    if not data:
        return b""
    decompressor = zlib.decompressobj()
    try:
        bulk = decompressor.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise BadText(str(error)) from error
    if not decompressor.eof or decompressor.unused_data:
        raise BadText(f"it is cut off, has data after its end, or holds more than {MAX_BYTES:,} bytes")
    return bulk


WIDTH: Final = 4
"""The number of bytes of a parameter."""


def has_parameters(learner: str) -> bool:
    """Return whether the memory of the learner with this name consists of parameters, not of a table over moves."""
    kind = find_kind(learner)
    return kind is not None and kind.spec.parameters


def compress_parameters(memory: Memory) -> bytes:
    """Compress parameters, shape (p,)."""
    planes = memory.astype("<i4").view(np.uint8).reshape(-1, WIDTH).T
    return compress(planes.tobytes())


def decompress_parameters(data: bytes) -> Memory:
    """Return the parameters that `compress_parameters` compressed. Raises `BadText` for other data."""
    planes = decompress(data)
    if len(planes) % WIDTH:
        raise BadText(f"{len(planes):,} bytes are no parameters of {WIDTH} bytes each")
    numbers = np.frombuffer(planes, np.uint8).reshape(WIDTH, -1).T
    memory: Memory = np.ascontiguousarray(numbers).view("<i4").ravel().astype(np.int32)
    return memory
