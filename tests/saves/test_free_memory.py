"""How much memory is left, and games that need more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import engine.spaces
import saves.space_cache
from engine.game import Game
from saves.space_cache import available_memory
from tests.cli.cli_run import run

LARGE = "mnk:6,4,3+gravity"


def test_a_game_that_memory_cannot_hold_is_refused_before_work_begins(monkeypatch: pytest.MonkeyPatch):
    def build(_game: Game, *_: object) -> None:
        raise AssertionError("work has begun")

    monkeypatch.setattr(engine.spaces, "build_space", build)
    monkeypatch.setattr(saves.space_cache, "available_memory", lambda: 100_000_000)
    for command in (["tree"], ["evaluate", "random"], ["train", "failures", "--games", "1"]):
        ran = run(*command, "--game", LARGE)
        assert (ran.code, ran.out) == (1, "")
        assert "8,466,825 positions, which take 0.5 GB of memory; 0.1 GB are free. Close other programs" in ran.err


def test_the_least_of_all_limits_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    meminfo = tmp_path / "meminfo"
    monkeypatch.setattr(saves.space_cache, "MEMINFO", meminfo)
    monkeypatch.setattr(saves.space_cache, "GROUP", tmp_path)
    monkeypatch.setattr(saves.space_cache, "STATM", tmp_path / "none")
    assert available_memory() is None
    meminfo.write_text("MemTotal: 9000000 kB\nMemAvailable:    5000000 kB\n")
    assert available_memory() == 5_000_000 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("3000\n")
    assert available_memory() == 5_000_000 * 1024
    (tmp_path / "memory.max").write_text("10000\n")
    assert available_memory() == 7_000
    (tmp_path / "memory.stat").write_text("active_file 5\ninactive_file 500\n")
    assert available_memory() == 7_500
    (tmp_path / "memory.current").write_text("30000\n")
    assert available_memory() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells how much memory a process has")
def test_the_limit_of_a_process_is_seen(tmp_path: Path):
    code = (
        "import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (500_000_000, 500_000_000))\n"
        "from cli.__main__ import main\n"
        f"sys.exit(main(['tree', '--game', {LARGE!r}]))"
    )
    environment = {**os.environ, "NOUGHTS_LIBRARY": str(tmp_path / "library.sqlite"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("noughts: 6×4, three in a row, gravity has 8,466,825 positions, which take 0.5 GB")
