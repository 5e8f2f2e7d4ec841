"""A memory as rows of (position text, move text, number): the only form in which one is kept.

Edges may be numbered otherwise in another version of the program; the texts stay. Numbers that are 0 are left out.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np

from engine.game import BadText, Game, IllegalMove, Position, quoted
from engine.space import space_of
from learners.learner import Memory

LARGEST_NUMBER: Final = 2**63 - 1

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


def to_rows(game: Game, memory: Memory) -> list[Row]:
    """The rows of a memory, by position as the game goes on and then by move."""
    texts, _ = _texts(game)
    edges = np.flatnonzero(memory)
    return [(*texts[edge], number) for edge, number in zip(edges.tolist(), memory[edges].tolist(), strict=True)]


def from_rows(game: Game, rows: Iterable[tuple[str, str, object]]) -> Memory:
    """The memory that rows tell of. Raises `BadText`."""
    memory = empty_memory(game)
    for position, move, number in rows:
        put(game, memory, position, move, number)
    return memory


def empty_memory(game: Game) -> Memory:
    return np.zeros(len(space_of(game).move), np.int64)


def put(game: Game, memory: Memory, position: str, move: str, number: object) -> None:
    """Enter one row. Raises `BadText`, also for a pair that has a number already."""
    edge = _texts(game)[1].get((position, move))
    if edge is None:
        edge = _edge_of(game, position, move)
    if type(number) is not int or not 0 < number <= LARGEST_NUMBER:
        raise BadText(f"{move} in {position}: {quoted(str(number))} is no number from 1 to {LARGEST_NUMBER}")
    if memory[edge]:
        raise BadText(f"{move} in {position} is given twice")
    memory[edge] = number


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
