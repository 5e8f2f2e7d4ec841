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
MAX_GAMES: Final = 100
"""The number of random games that are searched for positions in which both sides could win at once."""
TRIALS: Final = 40
"""The number of late positions in which forms are tried."""
LATE_SHARE: Final = 0.4
"""The share of the longest game after which positions are late."""
EARLY_TRIALS: Final = 12
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
        return _trials_of_large_game(game, sides, most, random)
    space = space_of(game)
    perfect_moves, moves = space.edges_among(perfect_edges(space)), np.diff(space.first_edge)
    is_running, is_late = space.outcome == RUNNING, space.ply >= space.ply[-1] * LATE_SHARE
    is_decisive = is_running & (perfect_moves * 2 <= moves) & (moves > 1) & is_late
    is_tried = is_decisive if is_decisive.any() else is_running
    trials = list[FormTrial]()
    for side in sides:
        rows = np.flatnonzero(is_tried & (space.side == side)).tolist()
        trials += [_trial_at(space, row) for row in random.sample(rows, min(most // len(sides), len(rows)))]
    last_early_ply = int(space.ply[~is_late].max(initial=-1))
    for ply in range(last_early_ply, -1, -1):  # the earlier, the longer a search takes
        rows = np.flatnonzero(is_running & (space.ply == ply) & np.isin(space.side, sides)).tolist()
        sample = random.sample(rows, min(EARLY_TRIALS, len(rows)))
        trials += [FormTrial(int(space.position[row]), early=True) for row in sample]
    return trials


def _trials_of_large_game(game: Game, sides: Sequence[Side], most: int, random: Random) -> list[FormTrial]:
    contested = [trial for trial in _contested_trials(game) if game.side(trial.position) in sides]
    others = _known_trials(game) or _random_trials(game)
    others = [trial for trial in others if game.side(trial.position) in sides]
    trials = contested + random.sample(others, min(most - len(contested), len(others)))
    random.shuffle(trials)
    return trials


def _trial_at(space: Space, row: int) -> FormTrial:
    edges, is_perfect = space.edges_from(row), perfect_edges(space)
    return FormTrial(int(space.position[row]), frozenset(int(space.move[edge]) for edge in edges if is_perfect[edge]))


def first_trials(game: Game, sides: Sequence[Side]) -> list[FormTrial]:
    """Return trials in the first position, and in those after one move, where no move counts as perfect."""
    after = [position for _, position, outcome in game.successors(game.start) if outcome is None]
    return [FormTrial(position) for position in (game.start, *after) if game.side(position) in sides]


def _known_trials(game: Game) -> list[FormTrial]:
    """Return the known positions in which not all moves have the same value."""
    return [
        FormTrial(known.position, frozenset(filter(known.keeps, known.moves)))
        for known in known_positions(game)
        if len(set(known.moves.values())) > 1
    ]


@cache
def _contested_trials(game: Game) -> list[FormTrial]:
    """Return positions of a large game in which the side to move could win at once, and the other side elsewhere.

    They are added since no side can win at once in a known position, where an agent that plays for the wrong side would
    seem to block. If the game has known positions, those returned are late, so that their values are soon found, and it
    is a mistake to block there.
    """
    from engine.analysis.rating import rate_moves  # slow to import

    trials, random = list[FormTrial](), Random(SEED)  # noqa: S311
    for _ in range(MAX_GAMES):
        position = _random_contested(game, random)
        if position is None:
            continue
        if not known_positions(game):
            trials.append(FormTrial(position))
        else:
            perfect = frozenset(each.move for each in rate_moves(game, position) if each.value == 1)
            if not perfect.issuperset(threats(game, position)):
                trials.append(FormTrial(position, perfect))
        if len(trials) == TRIALS // 2:
            break
    return trials


def _random_contested(game: Game, random: Random) -> Position | None:
    """Play a random game until the side to move could win at once, and the other side elsewhere."""
    position = game.start
    while game.outcome(position) is None:
        winning, threatened = {*wins(game, position)}, {*threats(game, position)}
        if winning and threatened - winning:
            return position
        position = game.play(position, random.choice(game.moves(position)))
    return None


@cache
def _random_trials(game: Game) -> list[FormTrial]:
    """Return positions of a large game whose values are not known: no move counts as perfect."""
    trials, random = list[FormTrial](), Random(SEED)  # noqa: S311
    while len(trials) < 2 * TRIALS:
        position = game.start
        for _ in range(random.randrange(2, max(3, game.longest // 2))):
            if game.outcome(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.outcome(position) is None:
            trials.append(FormTrial(position))
    return trials
