"""Every learner, game and preset: stored in a library or file, read, and trained further without a difference."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from engine.game import BadText
from learners import LEARNERS, revive
from learners.players.plain import RandomPlayer
from saves.formats import FORMATS, export_file, import_file
from saves.library.library import Library
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


def trained_on(snapshot):
    return train(revive(snapshot), rounds_for(snapshot.learner, GAMES_AFTER))


@pytest.mark.sample(10)
@every_learner
def test_the_library_stores_everything(tmp_path, kind, preset, game):
    learner = fresh(kind, preset, game, 2**63 - 1)
    frozen = train(learner, rounds_for(kind.spec.name, GAMES_BEFORE))
    assert frozen.history
    assert frozen.checkpoints
    for checkpoint in frozen.checkpoints.values():
        assert (checkpoint.memory is not None) == kind.spec.stores_memories
        assert checkpoint.generator
    library = Library(tmp_path / "library.sqlite")
    library.save("a", frozen)
    loaded = library.load("a")
    assert same(loaded, frozen)
    assert same(trained_on(loaded), train(learner, rounds_for(kind.spec.name, GAMES_AFTER)))


@pytest.mark.sample(12)
@pytest.mark.parametrize("suffix", [kind.suffix for kind in FORMATS])
@every_learner
def test_every_format_stores_all_that_it_can_express(tmp_path, kind, preset, game, suffix):
    learner = fresh(kind, preset, game, 7)
    frozen = train(learner, rounds_for(kind.spec.name, GAMES_BEFORE))
    path = tmp_path / f"a{suffix}"
    try:
        export_file(frozen, path)
    except BadText:
        assert (kind.spec.name, suffix) != ("failures", ".txt")
        assert suffix != ".json"
        return
    loaded = import_file(path, game)
    assert np.array_equal(loaded.memory, frozen.memory)
    if suffix != ".json":  # a text contains the memory only
        loaded = replace(frozen, memory=loaded.memory)
    assert same(loaded, frozen)
    assert same(trained_on(loaded), train(learner, rounds_for(kind.spec.name, GAMES_AFTER)))
    export_file(loaded, path.with_stem("b"))
    assert path.read_bytes() == path.with_stem("b").read_bytes()
