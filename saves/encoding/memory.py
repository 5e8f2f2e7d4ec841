"""A memory as rows of (position text, move text, number): the only form in which one is kept.

Edges may be numbered otherwise in another version of the program; the texts stay. Numbers that are 0 are left out.
Of the memories of one learner after more and more rounds of training, each is kept as its change from the one before.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

import numpy as np

from engine.game import BadText, Game, IllegalMove, Position, quoted
from engine.space import space_of
from learners.core.snapshot import Memory

LARGEST_NUMBER: Final = 2**63 - 1
MOST_CHECKPOINTS: Final = 100
"""The most checkpoints that a save may have: far more than any training makes."""

Row = tuple[str, str, int]


@cache
def _texts(game: Game) -> tuple[list[tuple[str, str]], dict[tuple[str, str], int]]:
    """The (position text, move text) of every edge, and the edge of each."""
    space = space_of(game)
    positions = [game.to_text(position) for position in space.position.tolist()]
    names = {move: game.move_name(move) for move in np.unique(space.move).tolist()}
    pairs = zip(space.source.tolist(), space.move.tolist(), strict=True)
    texts = [(positions[source], names[move]) for source, move in pairs]
    return texts, {text: edge for edge, text in enumerate(texts)}


def edge_texts(game: Game, edges: Iterable[int]) -> Iterator[tuple[str, str]]:
    """The (position text, move text) of each of these edges."""
    texts, _ = _texts(game)
    return (texts[edge] for edge in edges)


def to_rows(game: Game, memory: Memory) -> list[Row]:
    """The rows of a memory, by position as the game goes on and then by move."""
    texts, _ = _texts(game)
    edges = np.flatnonzero(memory)
    return [(*texts[edge], number) for edge, number in zip(edges.tolist(), memory[edges].tolist(), strict=True)]


def from_rows(game: Game, rows: Iterable[tuple[str, str, object]], *, least: int = 1) -> Memory:
    """The memory that rows tell of, in numbers from `least`. Raises `BadText`, also for a pair that is given twice."""
    memory, edges = empty_memory(game), _texts(game)[1]
    for position, move, number in rows:
        edge = edges.get((position, move))
        if edge is None:
            edge = _edge_of(game, position, move)
        if type(number) is not int or not least <= number <= LARGEST_NUMBER or not number:
            wanted = f"from {least} to {LARGEST_NUMBER}" + (" other than 0" if least < 0 else "")
            raise BadText(f"{move} in {position}: {quoted(str(number))} is no number {wanted}")
        if memory[edge]:
            raise BadText(f"{move} in {position} is given twice")
        memory[edge] = number
    return memory


def empty_memory(game: Game) -> Memory:
    return np.zeros(len(space_of(game).move), np.int64)


def to_changes(game: Game, memories: Mapping[int, Memory]) -> Iterator[tuple[int, list[Row]]]:
    """For each memory the rounds after which it was kept, and the rows of its change from the one before."""
    before = empty_memory(game)
    for rounds, memory in memories.items():
        yield rounds, to_rows(game, memory - before)
        before = memory


def add_changed(game: Game, memories: dict[int, Memory], rounds: int, change: Memory) -> None:
    """Add to `memories` the one after so many rounds, that much changed from the last of them. Raises `BadText`."""
    if len(memories) == MOST_CHECKPOINTS:
        raise BadText(f"there are more than {MOST_CHECKPOINTS} checkpoints")
    before = next(reversed(memories.values()), None)
    memory = change if before is None else before + change  # a sum beyond 2^63 comes out negative
    for position, move in edge_texts(game, np.flatnonzero(memory < 0).tolist()):
        raise BadText(f"{move} in {position}: the changes add up to no number from 0 to {LARGEST_NUMBER}")
    memories[rounds] = memory


def _edge_of(game: Game, position_text: str, move_text: str) -> int:
    """The edge of a pair in any spelling that the game reads; in most cases, why there is none."""
    position = game.from_text(position_text)
    require_running(game, position)
    try:
        return space_of(game).edge(position, game.parse_move(position, move_text))
    except IllegalMove as error:
        raise BadText(str(error)) from error


def require_running(game: Game, position: Position) -> None:
    """Raise `BadText` for a position that play cannot reach, or with which the game is over."""
    if position not in space_of(game).number:
        raise BadText(f"{game.to_text(position)} cannot be reached in play")
    if game.outcome(position) is not None:
        raise BadText(f"the game is over in {game.to_text(position)}: nothing is to be learned there")
