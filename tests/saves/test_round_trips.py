"""Every learner, game and preset: stored in a library or file, read, and trained further without a difference."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from engine.game import BadText
from learners import LEARNERS, revive
from learners.players.plain import RandomPlayer
from saves.formats import FORMATS, export_file, import_file
from tests.learners.cases import SMALLER, rounds_for
from tests.saves.brains import same, train
from tests.sizes import QUICK_GAMES

GAMES_BEFORE, GAMES_AFTER = 120, 130
"""The games before and after a save is stored; for `genetic`, a few generations: see `rounds_for`."""

every_learner = pytest.mark.parametrize(
    ("kind", "preset", "game"),
    [
        pytest.param(kind, preset, game, id=f"{kind.spec.name}-{preset}-{game.name}")
        for kind in LEARNERS
        for game in QUICK_GAMES
        for preset in kind.spec.presets_for(game)
    ],
)


def fresh(kind, preset, game, seed):
    """A learner with a random opponent, if it can have one."""
    learner = kind(game, preset, seed, SMALLER.get(kind.spec.name))
    with suppress(BadText):
        learner.set_opponent(RandomPlayer(game))
    return learner


def stored(frozen, library, where):
    """The snapshot as it is read again from the library, or from a file with this suffix."""
    if where == "library":
        library.save("a", frozen)
        return library.load("a")
    path = library.path.with_name(f"a{where}")
    export_file(frozen, path)
    loaded = import_file(path, frozen.game)
    export_file(loaded, path.with_stem("b"))
    assert path.read_bytes() == path.with_stem("b").read_bytes()
    assert np.array_equal(loaded.memory, frozen.memory)
    return loaded if where == ".json" else replace(frozen, memory=loaded.memory)  # a text contains the memory only


@pytest.mark.sample(22)
@every_learner
@pytest.mark.parametrize("where", ["library", *(kind.suffix for kind in FORMATS)])
def test_a_learner_is_stored_and_trained_further_without_a_difference(library, kind, preset, game, where):
    learner = fresh(kind, preset, game, 2**63 - 1)
    frozen = train(learner, rounds_for(kind.spec.name, GAMES_BEFORE))
    assert frozen.history
    assert frozen.checkpoints
    for checkpoint in frozen.checkpoints.values():
        assert (checkpoint.memory is not None) == kind.spec.stores_memories
        assert checkpoint.generator
    if where == ".txt" and kind.spec.name != "failures":
        with pytest.raises(BadText):
            stored(frozen, library, where)
        return
    loaded = stored(frozen, library, where)
    assert same(loaded, frozen)
    after = rounds_for(kind.spec.name, GAMES_AFTER)
    assert same(train(revive(loaded), after), train(learner, after))
