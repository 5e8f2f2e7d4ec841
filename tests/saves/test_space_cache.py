"""The cache of large spaces: what it keeps, and what it does with files that are damaged or not its own."""

import gc
import os
import weakref
from dataclasses import fields
from pathlib import Path
from random import Random
from threading import Lock, Semaphore, Thread

import numpy as np
import pytest

from engine import space_building, spaces
from engine.game import Game, SpaceSize
from engine.games import parse_game
from engine.solve import edge_values
from engine.space import Space, TooLittleMemory
from engine.space_building import build_space
from engine.spaces import keep_spaces_in, positions_so_far, space_of, stop_building
from engine.stop import Stop, Stopped
from learners.core.boxes import boxes_of
from learners.core.learner import BOTH
from saves import space_cache
from saves.space_cache import SpaceCache
from tests.damage import damages
from tests.waiting import LIMIT, wait_until

GAME = parse_game("mnk:3,3,3+misere")


def same(one: Space | None, other: Space) -> bool:
    return one is not None and all(
        one.game is other.game
        if each.name == "game"
        else np.array_equal(getattr(one, each.name), getattr(other, each.name))
        for each in fields(Space)
    )


@pytest.fixture
def cache(tmp_path: Path) -> SpaceCache:
    return SpaceCache(tmp_path / "library.sqlite")


@pytest.mark.parametrize("game", [GAME, *map(parse_game, ("hexapawn", "nim:2,3"))], ids=lambda game: game.name)
def test_a_space_comes_back_as_it_was(cache: SpaceCache, game: Game):
    assert cache.load(game) is None
    space = build_space(game)
    cache.save(space)
    assert same(cache.load(game), space)
    assert same(SpaceCache(cache.folder.parent / "other.sqlite").load(game), space)


def test_a_damaged_file_is_deleted_and_its_space_built_again(cache: SpaceCache):
    space = build_space(GAME)
    cache.save(space)
    path, random = cache.path(GAME), Random(1)
    whole = path.read_bytes()
    padding = sum(
        -array.nbytes % space_cache.ALIGNMENT for array in vars(space).values() if isinstance(array, np.ndarray)
    )
    assert padding < len(whole) / 100
    for changed in (each for _ in range(9) for each in damages(whole, random) if each != whole):
        path.write_bytes(changed)
        found = cache.load(GAME)
        assert found is None or same(found, space)  # changed padding between two arrays does no harm
        if found is None:
            assert not path.exists()


@pytest.mark.parametrize("header", [b"", b"[]\n", b'{"format": 2, "game": "x", "arrays": {}}\n', b"\xff" * 5000])
def test_a_foreign_file_is_deleted(cache: SpaceCache, header: bytes):
    cache.folder.mkdir()
    cache.path(GAME).write_bytes(header)
    assert [each.positions for each in cache.entries()] == [0]
    assert cache.load(GAME) is None
    assert cache.entries() == []


def test_a_file_of_another_game_or_of_other_rules_is_not_read(cache: SpaceCache, monkeypatch: pytest.MonkeyPatch):
    cache.save(build_space(GAME))
    other = parse_game("mnk:3,3,3")
    cache.path(GAME).rename(cache.path(other))
    assert cache.load(other) is None
    cache.save(build_space(GAME))
    monkeypatch.setattr(space_cache, "FORMAT", space_cache.FORMAT + 1)
    assert cache.load(GAME) is None
    cache.save(build_space(GAME))
    monkeypatch.setattr(space_building, "__file__", __file__)
    assert cache.load(GAME) is None


def test_the_files_used_least_recently_are_deleted(cache: SpaceCache, monkeypatch: pytest.MonkeyPatch):
    games = [GAME, parse_game("mnk:3,3,3"), parse_game("mnk:4,3,3")]
    for age, game in enumerate(games):
        cache.save(build_space(game))
        os.utime(cache.path(game), (age, age))
    sizes = [cache.path(game).stat().st_size for game in games]
    os.utime(cache.path(games[0]))  # used now
    monkeypatch.setattr(space_cache, "MAX_BYTES", sizes[0] + max(sizes[1:]))
    cache.save(build_space(games[2]))
    assert {each.game for each in cache.entries()} == {games[0].name, games[2].name}
    assert cache.clear() == 2
    assert cache.entries() == []


def test_only_large_spaces_are_kept_and_each_is_built_once(cache: SpaceCache, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(spaces, "_SPACES", spaces._Spaces())
    built = []
    monkeypatch.setattr(spaces, "build_space", lambda game, *rest: built.append(game) or build_space(game, *rest))
    monkeypatch.setattr(type(GAME), "is_large", property(lambda game: game is GAME))
    keep_spaces_in(cache)
    space = space_of(GAME)
    assert space_of(GAME) is space
    assert space_of(parse_game("mnk:3,3,3")).game.name == "mnk:3,3,3"
    assert [each.game for each in cache.entries()] == [GAME.name]
    monkeypatch.setattr(spaces, "_SPACES", spaces._Spaces(store=cache))
    assert same(space_of(GAME), space)
    assert built == [GAME, parse_game("mnk:3,3,3")]


def test_a_space_in_the_cache_needs_no_memory_and_one_to_be_built_does(
    cache: SpaceCache, monkeypatch: pytest.MonkeyPatch
):
    other = parse_game("mnk:4,3,3+gravity")
    monkeypatch.setattr(type(GAME), "is_large", property(lambda _: True))
    monkeypatch.setattr(type(GAME), "space_size", property(lambda _: SpaceSize(100, 100)))
    monkeypatch.setattr(space_cache, "available_memory", lambda: 1)
    monkeypatch.setattr(spaces, "_SPACES", spaces._Spaces(store=cache))
    cache.save(build_space(GAME))
    assert same(space_of(GAME), build_space(GAME))
    with pytest.raises(TooLittleMemory):
        space_of(other)


def test_only_the_large_spaces_used_last_stay_in_memory(monkeypatch: pytest.MonkeyPatch):
    """The others are freed, with all that was computed from them; small ones stay."""
    large = [parse_game(name) for name in ("mnk:3,3,3+gravity", "mnk:4,3,3+gravity", "mnk:3,4,3+gravity")]
    sizes = [len(build_space(game).position) for game in large]
    monkeypatch.setattr(spaces, "_SPACES", spaces._Spaces())
    monkeypatch.setattr(type(large[0]), "is_large", property(lambda game: game in large))
    monkeypatch.setattr(spaces, "MAX_KEPT", sizes[0] + max(sizes[1:]))
    small = space_of(parse_game("mnk:3,3,3"))
    first, second = (weakref.ref(space_of(game)) for game in large[:2])
    assert edge_values(second()) is edge_values(second())
    boxes_of(large[1], BOTH, merge=True, singles=True)
    space_of(large[0])  # used now
    space_of(large[2])
    gc.collect()
    assert second() is None
    assert space_of(large[0]) is first()
    assert space_of(small.game) is small
    assert len(space_of(large[1]).position) == sizes[1]


def test_building_and_saving_can_be_stopped(cache: SpaceCache):
    with pytest.raises(Stopped):
        build_space(GAME, lambda: True)
    with pytest.raises(Stopped):
        cache.save(build_space(GAME), lambda: True)
    assert list(cache.folder.iterdir()) == []


class ToldLock:
    """A lock that signals each attempt to acquire it."""

    def __init__(self) -> None:
        self.lock, self.asked = Lock(), Semaphore(0)

    def __enter__(self) -> None:
        self.asked.release()
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def test_whoever_waits_for_a_space_is_stopped_as_well(monkeypatch: pytest.MonkeyPatch):
    lock, stopped = ToldLock(), list[Game]()
    monkeypatch.setattr(spaces, "_SPACES", spaces._Spaces(lock=lock))

    def build(_game: Game, stop: Stop, _report: object) -> Space:
        wait_until(stop)
        raise Stopped

    def ask(game: Game) -> None:
        try:
            space_of(game)
        except Stopped:
            stopped.append(game)

    monkeypatch.setattr(spaces, "build_space", build)
    games = [GAME, parse_game("mnk:3,3,3")]
    threads = [Thread(target=ask, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
        assert lock.asked.acquire(timeout=LIMIT)
    stop_building()
    for thread in threads:
        thread.join(LIMIT)
    assert set(stopped) == set(games)
    assert positions_so_far() is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(cache: SpaceCache):
    cache.folder.mkdir()
    os.mkfifo(cache.path(GAME))
    assert [each.positions for each in cache.entries()] == [0]
    assert cache.load(GAME) is None
    space = build_space(GAME)
    cache.save(space)
    assert same(cache.load(GAME), space)
    cache.path(GAME).unlink()
    os.mkfifo(cache.path(GAME))
    assert cache.clear() == 1


def test_an_unwritable_cache_is_ignored(tmp_path: Path):
    (tmp_path / "cache").write_text("a file")
    cache = SpaceCache(tmp_path / "library.sqlite")
    cache.save(build_space(GAME))
    assert cache.load(GAME) is None
    assert cache.entries() == []
