"""The positions in which the forms of an object are tried."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from engine.game import Game, Move, Position, Side
from engine.known_positions import known_positions
from engine.solve import perfect_edges
from engine.space import RUNNING, Space
from engine.spaces import space_of

TRIALS: Final = 40
"""The number of late positions in which forms are tried, …"""
LATE: Final = 0.4
"""From this share of the longest game on, positions are late."""
EARLY: Final = 12
"""… and of positions at each earlier ply."""


@dataclass(frozen=True)
class FormTrial:
    """A position in which forms are tried, and the moves that are perfect there."""

    position: Position
    perfect: frozenset[Move] = frozenset()
    """Empty if the moves there tell nothing of how well an agent plays."""
    early: bool = False
    """Whether many moves are left: a form need not answer, but where two answer differently, one is wrong."""


def trials_of(game: Game, sides: Sequence[Side] = tuple(Side), most: int = TRIALS) -> list[FormTrial]:
    """Return so many late positions of some sides in which not every move is perfect; and then some earlier ones.

    An agent may search to the end of the game, which takes long before it is late.
    """
    random = Random(1)  # noqa: S311  positions, not secrets
    if not game.numbered:
        known = [
            FormTrial(each.position, frozenset(move for move in each.moves if each.keeps(move)))
            for each in known_positions(game)
            if len(set(each.moves.values())) > 1 and game.side(each.position) in sides
        ]
        return random.sample(known, min(most, len(known))) if known else _reached_by_chance(game, sides, random)
    space = space_of(game)
    perfect, moves = space.edges_among(perfect_edges(space)), np.diff(space.first_edge)
    running, late = space.outcome == RUNNING, space.ply >= space.ply[-1] * LATE
    decisive = running & (perfect * 2 <= moves) & (moves > 1) & late
    found = list[FormTrial]()
    for side in sides:
        rows = np.flatnonzero((decisive if decisive.any() else running) & (space.side == side)).tolist()
        found += [_trial(space, row) for row in random.sample(rows, min(most // len(sides), len(rows)))]
    for ply in range(int(space.ply[~late].max(initial=-1)), -1, -1):  # the earlier, the longer a search takes
        rows = np.flatnonzero(running & (space.ply == ply) & np.isin(space.side, sides)).tolist()
        found += [FormTrial(int(space.position[row]), early=True) for row in random.sample(rows, min(EARLY, len(rows)))]
    return found


def _trial(space: Space, row: int) -> FormTrial:
    """Return a position, with its perfect moves."""
    edges, perfect = range(int(space.first_edge[row]), int(space.first_edge[row + 1])), perfect_edges(space)
    return FormTrial(int(space.position[row]), frozenset(int(space.move[edge]) for edge in edges if perfect[edge]))


def first_trials(game: Game, sides: Sequence[Side]) -> list[FormTrial]:
    """Return the first position, and those after one move. No move counts as perfect there."""
    after = [position for _, position, outcome in game.successors(game.start) if outcome is None]
    return [FormTrial(position) for position in (game.start, *after) if game.side(position) in sides]


def _reached_by_chance(game: Game, sides: Sequence[Side], random: Random) -> list[FormTrial]:
    """Return positions of a large game whose values are not known: no move counts as perfect."""
    found = list[FormTrial]()
    while len(found) < TRIALS:
        position = game.start
        for _ in range(random.randrange(2, max(3, game.longest // 2))):
            if game.outcome(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.outcome(position) is None and game.side(position) in sides:
            found.append(FormTrial(position))
    return found
