"""Every learner on every game with every preset, and the trials that the contract checks take."""

from functools import cache

import pytest

from engine.game import Game
from engine.games import GAMES
from learners import LEARNERS
from learners.core.learner import Learner
from noughts.testing import Trial
from tests.sizes import QUICK_GAMES

KINDS = {kind.spec.name: kind for kind in LEARNERS}


def marks_of(kind: type[Learner], preset: str, game: Game) -> tuple[pytest.MarkDecorator, ...]:
    """`make test` runs the first preset on the first of its games, and each preset on hexapawn."""
    games = [each for each in QUICK_GAMES if preset in kind.spec.presets_for(each)]
    first = next(iter(kind.spec.presets_for(game)))
    return () if (game is games[0] and preset == first) or game.name == "hexapawn" else (pytest.mark.long,)


CASES = [
    pytest.param(
        kind.spec.name, preset, game, id=f"{kind.spec.name}-{preset}-{game.name}", marks=marks_of(kind, preset, game)
    )
    for kind in LEARNERS
    for game in QUICK_GAMES
    for preset in kind.spec.presets_for(game)
]
every_case = pytest.mark.parametrize(("kind", "preset", "game"), CASES)

RECORD_CASES = [case for case in CASES if KINDS[case.values[0]].spec.learns_records]
every_record_case = pytest.mark.parametrize(("kind", "preset", "game"), RECORD_CASES)
"""The cases of learners that learn from single games, and so have a last game."""

UNEXPLORED = {"zhang": {"explore": "0", "explore_end": "0"}}
"""Settings of presets for which it matters whether a move explored, which a record does not tell."""
SMALLER = {"genetic": {"population": 60, "until": "end"}}
"""Settings that make a learner quick, and keep its training from ending early."""


@cache
def trial(kind: str, preset: str, game: Game) -> Trial:
    return Trial(KINDS[kind], preset, game, SMALLER.get(kind, {}) | UNEXPLORED.get(preset, {}))


def fresh(kind: str, preset: str, game: Game, seed: int = 1) -> Learner:
    return trial(kind, preset, game).fresh(seed)


def trained(kind: str, preset: str, game: Game) -> Learner:
    return trial(kind, preset, game).trained()


def rounds_for(kind: str, games: int) -> int:
    return Trial(KINDS[kind], "", GAMES[0]).rounds(games)
