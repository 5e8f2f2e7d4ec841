"""Memories as rows, and whole saves: stored, read, and trained further without a difference."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.game import BadText, Side
from engine.games import parse_game
from engine.spaces import space_of
from learners import LEARNERS, revive
from learners.players.plain import RandomPlayer
from saves.encoding import memory as encoding
from saves.encoding.memory import LARGEST_NUMBER, from_double_rows, from_rows, require_running, to_double_rows, to_rows
from saves.formats import FORMATS, export_file, import_file
from tests.learners.cases import SMALLER, rounds_for
from tests.saves.brains import same, train
from tests.sizes import QUICK_GAMES, with_games

TICTACTOE = parse_game("tictactoe")


every_game = with_games(*map(parse_game, ("hexapawn", "morris", "wild")))


@every_game
def test_rows_are_converted_in_any_order(game):
    space = space_of(game)
    memory = np.arange(1, len(space.move) + 1)
    memory[::3] = 0
    rows = to_rows(game, memory)
    Random(1).shuffle(rows)
    assert np.array_equal(from_rows(game, rows), memory)
    both = [*to_double_rows(game, memory, memory[::-1])]
    Random(1).shuffle(both)
    assert np.array_equal(from_double_rows(game, both), (memory, memory[::-1]))


def test_a_position_is_looked_up_once_for_all_its_rows(monkeypatch):
    space, looked_up, look_up = space_of(TICTACTOE), list[str](), encoding._edges_at
    monkeypatch.setattr(encoding, "_edges_at", lambda game, text: looked_up.append(text) or look_up(game, text))
    ones = np.ones(len(space.move), np.int64)
    from_double_rows(TICTACTOE, to_double_rows(TICTACTOE, ones, ones))
    assert len(looked_up) == len({*looked_up}) == len({*space.source.tolist()})


@every_game
def test_rows_hold_the_texts_of_the_rules_and_no_zeros(game):
    space = space_of(game)
    memory = np.arange(len(space.move))
    rows = to_rows(game, memory)
    assert len(rows) == len(memory) - 1
    for position_text, move_text, number in Random(2).sample(rows, min(50, len(rows))):
        position = game.from_text(position_text)
        assert memory[space.edge(position, game.parse_move(position, move_text))] == number
        assert game.to_text(position) == position_text


def test_other_spellings_of_a_position_are_the_same_row():
    assert np.array_equal(
        from_rows(TICTACTOE, [("x--/___/... o", "B2", 1)]), from_rows(TICTACTOE, [("X../.../... O", "b2", 1)])
    )
    with pytest.raises(BadText, match="twice"):
        from_rows(TICTACTOE, [("x--/___/... o", "B2", 1), ("X../.../... O", "b2", 2)])


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (("XXX/OO./... X", "a1", 1), "XXX/OO"),
        (("XXX/OOO/... X", "a1", 1), "both sides"),
        (("XXX/OO./... O", "a1", 1), "the game is over"),
        (("X../.../... X", "a1", 1), "cannot be to move"),
        (("X../.../... O", "a3", 1), "cannot be played"),
        (("X../.../... O", "d4", 1), "not a move"),
        (("nonsense", "a1", 1), "rows of 3"),
        (("X../.../... O", "b2", 0), "not a number from 1"),
        (("X../.../... O", "b2", LARGEST_NUMBER + 1), "not a number from 1"),
        (("X../.../... O", "b2", True), "not a number from 1"),
        (("X../.../... O", "b2", "1"), "not a number from 1"),
    ],
)
def test_an_invalid_row_is_refused(row, what):
    with pytest.raises(BadText, match=what):
        from_rows(TICTACTOE, [row])


def test_a_position_out_of_reach_is_refused():
    with pytest.raises(BadText, match=r"XX\./\.\.\./\.\.\. X cannot be reached in play"):
        require_running(TICTACTOE, TICTACTOE.pack(0b11, 0, Side.FIRST))


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
