"""The positions in which the forms of an object are tried."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

import numpy as np

from engine.game import Game, Move, Position, Side
from engine.known_positions import known_positions
from engine.solve import perfect_edges
from engine.space import RUNNING, Space
from engine.spaces import space_of
from engine.tactics import threats, wins

SEED: Final = 1
MOST_GAMES: Final = 100
"""The number of random games that are searched for positions in which both sides could win at once."""
TRIALS: Final = 40
"""The number of late positions in which forms are tried."""
LATE: Final = 0.4
"""The share of the longest game after which positions are late."""
EARLY: Final = 12
"""The number of positions at each earlier ply in which forms are tried."""


@dataclass(frozen=True)
class FormTrial:
    position: Position
    perfect: frozenset[Move] = frozenset()
    """The perfect moves; empty if the moves there do not tell how well an agent plays."""
    early: bool = False
    """Whether many moves are left: an agent need not answer then, but two forms that differ cannot both be right."""


def trials_of(game: Game, sides: Sequence[Side] = tuple(Side), most: int = TRIALS) -> list[FormTrial]:
    """Return late positions of some sides where not every move is perfect, then earlier ones, which may take long."""
    random = Random(SEED)  # noqa: S311  positions, not secrets
    if not game.numbered:
        contested = [trial for trial in _contested(game) if game.side(trial.position) in sides]
        others = [trial for trial in _known(game) or _reached_by_chance(game) if game.side(trial.position) in sides]
        found = contested + random.sample(others, min(most - len(contested), len(others)))
        random.shuffle(found)
        return found
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
    edges, perfect = space.edges_from(row), perfect_edges(space)
    return FormTrial(int(space.position[row]), frozenset(int(space.move[edge]) for edge in edges if perfect[edge]))


def first_trials(game: Game, sides: Sequence[Side]) -> list[FormTrial]:
    """Return trials in the first position, and in those after one move, where no move counts as perfect."""
    after = [position for _, position, outcome in game.successors(game.start) if outcome is None]
    return [FormTrial(position) for position in (game.start, *after) if game.side(position) in sides]


def _known(game: Game) -> list[FormTrial]:
    return [
        FormTrial(each.position, frozenset(filter(each.keeps, each.moves)))
        for each in known_positions(game)
        if len(set(each.moves.values())) > 1
    ]


@cache
def _contested(game: Game) -> list[FormTrial]:
    """Return positions of a large game in which the side to move could win at once, and the other side elsewhere.

    They are added since no side can win at once in a known position, where an agent that plays for the wrong side would
    seem to block. If the game has known positions, those returned are late, so that their values are soon found, and it
    is a mistake to block there.
    """
    from engine.analysis.rating import rate_moves  # slow to import

    found, random = list[FormTrial](), Random(SEED)  # noqa: S311
    for _ in range(MOST_GAMES):
        position, contested = game.start, False
        while not contested and game.outcome(position) is None:
            winning, threatened = {*wins(game, position)}, {*threats(game, position)}
            contested = bool(winning and threatened - winning)
            position = position if contested else game.play(position, random.choice(game.moves(position)))
        if contested and known_positions(game):
            rated = {each.move: each.value for each in rate_moves(game, position)}
            perfect = frozenset(move for move, value in rated.items() if value == 1)
            if threatened - perfect:
                found.append(FormTrial(position, perfect))
        elif contested:
            found.append(FormTrial(position))
        if len(found) == TRIALS // 2:
            break
    return found


@cache
def _reached_by_chance(game: Game) -> list[FormTrial]:
    """Return positions of a large game whose values are not known: no move counts as perfect."""
    found, random = list[FormTrial](), Random(SEED)  # noqa: S311
    while len(found) < 2 * TRIALS:
        position = game.start
        for _ in range(random.randrange(2, max(3, game.longest // 2))):
            if game.outcome(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.outcome(position) is None:
            found.append(FormTrial(position))
    return found
