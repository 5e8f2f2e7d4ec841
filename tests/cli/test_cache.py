"""`noughts cache`: the cache of large games."""

import json
from pathlib import Path

from engine.games import parse_game
from engine.space_building import build_space
from saves.paths import library_path
from saves.space_cache import SpaceCache
from tests.cli.cli_run import run


def test_the_cache_is_shown_and_cleared():
    assert "The cache is empty" in run("cache").out
    SpaceCache(library_path()).save(build_space(parse_game("mnk:3,3,3")))
    told = json.loads(run("cache", "--json").out)
    assert told["spaces"][0]["game"] == "mnk:3,3,3"
    assert told["spaces"][0]["positions"] == 5478
    assert Path(told["folder"]) == library_path().parent / "cache"
    assert "5,478 positions" in run("cache").out
    assert run("cache", "--clear").out.startswith("Deleted 1 file in ")
    assert json.loads(run("cache", "--json").out)["spaces"] == []
