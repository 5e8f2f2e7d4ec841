"""Every learner on every game with every preset, and what the contract tests need to handle them."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.game import Game, Outcome
from engine.match import Match
from engine.space import RUNNING
from learners import LEARNERS, revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from tests.sizes import QUICK_GAMES

KINDS = {kind.spec.name: kind for kind in LEARNERS}


def marks_of(kind: type[Learner], preset: str, game: Game) -> tuple[pytest.MarkDecorator, ...]:
    """`make test` runs each preset on the first of its games, and the first preset on the others."""
    games = [each for each in QUICK_GAMES if preset in kind.spec.presets_for(each)]
    return () if game is games[0] or preset == next(iter(kind.spec.presets_for(game))) else (pytest.mark.long,)


CASES = [
    pytest.param(
        kind.spec.name,
        preset,
        game,
        id=f"{kind.spec.name}-{preset}-{game.name}",
        marks=marks_of(kind, preset, game),
    )
    for kind in LEARNERS
    for game in QUICK_GAMES
    for preset in kind.spec.presets_for(game)
]
every_case = pytest.mark.parametrize(("kind", "preset", "game"), CASES)
every_kind = pytest.mark.parametrize("kind", list(KINDS))

RECORD_CASES = [case for case in CASES if KINDS[case.values[0]].spec.learns_records]
every_record_case = pytest.mark.parametrize(("kind", "preset", "game"), RECORD_CASES)
"""The cases of learners that learn from single games, and so have a last game."""

GAMES_PLAYED = 3000
SMALLER = {"genetic": {"population": 60, "until": "end"}}
"""Settings that make a learner quick, and keep its training from ending early."""


def fresh(kind: str, preset: str, game: Game, seed: int = 1) -> Learner:
    return KINDS[kind](game, preset, seed, SMALLER.get(kind))


def rounds_for(kind: str, games: int) -> int:
    """This many games, or fewer rounds for a learner that is usually trained for few."""
    return min(games, max(1, KINDS[kind].spec.usual_rounds * 3 // 50))


@cache
def frozen(kind: str, preset: str, game: Game) -> Snapshot:
    learner = fresh(kind, preset, game)
    learner.train(rounds_for(kind, GAMES_PLAYED))
    return learner.snapshot()


def trained(kind: str, preset: str, game: Game) -> Learner:
    return revive(frozen(kind, preset, game), game)


def assert_same(one: Snapshot, two: Snapshot) -> None:
    """Everything that is saved is the same in both."""
    assert np.array_equal(one.memory, two.memory)
    assert (one.times is None) == (two.times is None)
    assert one.times is None or np.array_equal(one.times, two.times)
    assert kept_in(one) == kept_in(two)
    of_numbers = {"memory": two.memory, "times": two.times, "checkpoints": two.checkpoints, "last_game": two.last_game}
    assert replace(one, **of_numbers) == two


def kept_in(snapshot: Snapshot) -> list[tuple]:
    """The checkpoints of a snapshot in their order, as values that can be compared."""
    return [
        (
            rounds,
            each.generator,
            each.opponent,
            *(None if kept is None else kept.tolist() for kept in (each.memory, each.times)),
        )
        for rounds, each in snapshot.checkpoints.items()
    ]


MAX_POSITIONS = 700


def running(learner: Learner) -> list[int]:
    """Positions that are not over: all of them, or every n-th in a large game."""
    positions = learner.space.position[learner.space.outcome == RUNNING].tolist()
    return positions[:: 1 + len(positions) // MAX_POSITIONS]


def replayed(learner: Learner) -> Outcome:
    """The outcome of the last game, replayed by the rules. If its moves do not end it, a side resigned."""
    match = Match(learner.game)
    for move in learner.last_game:
        assert match.outcome is None
        match.play(move)
    if match.outcome is None:
        match.resign()
    assert match.outcome is not None
    return match.outcome
