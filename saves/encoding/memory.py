"""Convert memories, except parameters, to the form in which they are stored: (position text, move text, number) rows.

Another version of the program may number the edges differently; the texts do not change. Rows with 0 are left out.
The memory at a checkpoint is stored as its difference to the memory at the checkpoint before.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Final

import numpy as np

from engine.game import BadText, Game, IllegalMove, Position, quoted
from engine.result_caches import cached_with_spaces
from engine.spaces import space_of
from learners.core.snapshot import Memory

LARGEST_NUMBER: Final = 2**63 - 1
MAX_CHECKPOINTS: Final = 100
"""The maximum number of checkpoints of a save, far more than any training makes."""

Row = tuple[str, str, int]
TextRow = tuple[str, str, object]
"""A row as it was read: its number may be anything."""


MAX_TEXTS: Final = 1_000_000
"""The maximum number of edges of a space whose texts are all held in memory: each edge takes some hundred bytes."""


@cached_with_spaces()
def _texts(game: Game) -> tuple[list[tuple[str, str]], dict[tuple[str, str], int]]:
    """Return the texts of every edge, (position, move), and a mapping from these texts back to the edge."""
    space = space_of(game)
    positions = [game.to_text(position) for position in space.position.tolist()]
    names = {move: game.move_name(move) for move in set(space.move.tolist())}
    pairs = zip(space.source.tolist(), space.move.tolist(), strict=True)
    texts = [(positions[source], names[move]) for source, move in pairs]
    return texts, {text: edge for edge, text in enumerate(texts)}


@cache
def _moves(game: Game) -> dict[str, int]:
    """Return the moves of a game by name."""
    return {game.move_name(move): move for move in np.unique(space_of(game).move).tolist()}


def edge_texts(game: Game, edges: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Return the (position text, move text) of each of these edges."""
    if len(space_of(game).move) > MAX_TEXTS:
        return _texts_on_demand(game, edges)
    texts, _ = _texts(game)
    return (texts[edge] for edge in edges)


def _texts_on_demand(game: Game, edges: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Like `edge_texts`, for a large space. Successive edges of the same position share its text."""
    space, names = space_of(game), {move: name for name, move in _moves(game).items()}
    row, text = -1, ""
    for edge in edges:
        if space.source[edge] != row:
            row = int(space.source[edge])
            text = game.to_text(int(space.position[row]))
        yield text, names[int(space.move[edge])]


def to_rows(game: Game, memory: Memory) -> list[Row]:
    """Return the rows of a memory, in the order of the edges."""
    edges = np.flatnonzero(memory)
    texts = edge_texts(game, edges.tolist())
    return [(*text, number) for text, number in zip(texts, memory[edges].tolist(), strict=True)]


def _finder(game: Game) -> Callable[[str, str], int | None]:
    """Return a function that finds the edge with the texts of a position and a move.

    It returns `None` for texts in another spelling than that of `edge_texts`, and raises `BadText` for a wrong one.
    """
    if len(space_of(game).move) > MAX_TEXTS:
        return _finder_in_large_space(game)
    _, edges = _texts(game)
    return lambda position_text, move_text: edges.get((position_text, move_text))


def _finder_in_large_space(game: Game) -> Callable[[str, str], int | None]:
    """Like `_finder`, for a large space. Successive texts of the same position are parsed once."""
    space, moves, parsed, edges = space_of(game), _moves(game), "", range(0)

    def find(position_text: str, move_text: str) -> int | None:
        nonlocal parsed, edges
        if position_text != parsed:
            position = game.from_text(position_text)
            require_running(game, position)
            parsed, edges = position_text, space.edges(position)
        move = moves.get(move_text)
        return next((edge for edge in edges if space.move[edge] == move), None)

    return find


def from_rows(game: Game, rows: Iterable[TextRow], *, minimum: int = 1) -> Memory:
    """Return the memory that consists of these rows.

    Raises `BadText` for a number below `minimum` or a repeated pair.
    """
    memory, find = empty_memory(game), _finder(game)
    for position, move, given in rows:
        edge = find(position, move)
        if edge is None:
            edge = _edge_of(game, position, move)
        number = _number(position, move, given, minimum)
        if memory[edge]:
            raise BadText(f"{move} in {position} is given twice")
        memory[edge] = number
    return memory


def _number(position: str, move: str, number: object, minimum: int) -> int:
    """Return the number of a row. Raises `BadText` for one that is out of range, or 0."""
    if type(number) is not int or not minimum <= number <= LARGEST_NUMBER or not number:
        wanted = f"from {minimum} to {LARGEST_NUMBER}" + (" other than 0" if minimum < 0 else "")
        raise BadText(f"{move} in {position}: {quoted(str(number))} is not a number {wanted}")
    return number


def check_by_rules(game: Game, rows: Iterable[TextRow], *, minimum: int = 1) -> None:
    """Raise `BadText` for a row that is against the rules, or whose number is below `minimum`.

    This takes no space: a wrong file for a large game is refused before its space is built.
    """
    for position_text, move_text, number in rows:
        position = game.from_text(position_text)
        require_not_over(game, position)
        _number(position_text, move_text, number, minimum)
        try:
            game.parse_move(position, move_text)
        except IllegalMove as error:
            raise BadText(str(error)) from error


def empty_memory(game: Game) -> Memory:
    """Return a memory of zeros, one number for each edge."""
    return np.zeros(len(space_of(game).move), np.int64)


def to_changes(game: Game, memories: Iterable[Memory | None]) -> Iterator[list[Row]]:
    """Return the changes from each memory to the next as rows. `None` stands for a memory of zeros."""
    before = empty_memory(game)
    for memory in memories:
        now = empty_memory(game) if memory is None else memory
        yield to_rows(game, now - before)
        before = now


def changed(game: Game, memory: Memory, change: Memory) -> Memory:
    """Return the memory after a change. Raises `BadText` if a sum is negative or too large."""
    after = memory + change  # a sum of 2^63 or more overflows to a negative number
    for position, move in edge_texts(game, np.flatnonzero(after < 0).tolist()):
        raise BadText(f"{move} in {position}: the sum of the changes is not a number from 0 to {LARGEST_NUMBER}")
    return after


def require_few_checkpoints(checkpoints: int) -> None:
    """Raise `BadText` for more checkpoints than a save can have."""
    if checkpoints > MAX_CHECKPOINTS:
        raise BadText(f"there are more than {MAX_CHECKPOINTS} checkpoints")


def _edge_of(game: Game, position_text: str, move_text: str) -> int:
    """Return the edge of a position and a move in any spelling that the game accepts. Raises `BadText`."""
    position = game.from_text(position_text)
    require_running(game, position)
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
