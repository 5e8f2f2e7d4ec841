"""`noughts cache`: the cache of large games, and that of compiled kernels."""

from pathlib import Path

import pytest

from engine.games import parse_game
from engine.space_building import build_space
from saves.paths import library_path
from saves.space_cache import SpaceCache
from tests.cli.cli_run import as_json, run


@pytest.fixture(autouse=True)
def kernels(tmp_path, monkeypatch):
    """The folder of some compiled kernels, in the place of those that the tests use."""
    monkeypatch.setattr("engine.compiling.code_cache._candidates", lambda: iter([tmp_path]))
    folder = tmp_path / "kernels-0123456789abcdef" / "menace"
    folder.mkdir(parents=True)
    (folder / "play.nbc").write_bytes(b"damaged")
    return folder.parent


def test_compiled_kernels_are_shown_and_cleared_too(kernels):
    told = as_json("cache")
    assert told["kernels"] == [{"folder": str(kernels), "bytes": 7}]
    assert "Compiled kernels, " in run("cache").out
    assert f"Deleted the compiled kernels in {kernels}" in run("cache", "--clear").out
    assert not kernels.exists()
    assert as_json("cache")["kernels"] == []


def test_the_cache_is_shown_and_cleared():
    assert "The cache is empty" in run("cache").out
    SpaceCache(library_path()).save(build_space(parse_game("mnk:3,3,3")))
    told = as_json("cache")
    assert told["spaces"][0]["game"] == "mnk:3,3,3"
    assert told["spaces"][0]["positions"] == 5478
    assert Path(told["folder"]) == library_path().parent / "cache"
    assert "5,478 positions" in run("cache").out
    assert run("cache", "--clear").out.startswith("Deleted 1 file in ")
    assert as_json("cache")["spaces"] == []
