"""Compiled kernels are stored under a digest of their source, so that changed source is compiled anew."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine.compiling.code_cache import PACKAGES, ROOT

PROGRAM = """
from learners.core.kernel_games import step
from learners.failures.kernel import play_games
from learners import LEARNERS
from engine.games import GAMES
learner = LEARNERS[0](GAMES[0], "literal", 1, {})
learner.train(2)
print(step(1, 2)[0], sorted(learner.stats().items()))
"""


def test_every_module_that_compiles_is_part_of_the_digest():
    compiling = {
        path
        for package in PACKAGES
        for path in package.rglob("*.py")
        if any(
            isinstance(node, ast.ImportFrom) and node.module == "engine.compiling.compiler"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }
    assert compiling
    assert all("kernel" in path.name for path in compiling)


def test_constants_of_the_engine_that_a_kernel_repeats_are_the_same():
    from engine.evaluate import OPPONENTS, SAME
    from learners.race import exact_kernel

    assert exact_kernel.SAME == SAME
    assert 2 * len(OPPONENTS) == exact_kernel.COLUMNS


@pytest.mark.long
def test_a_change_of_a_kernel_that_another_one_calls_takes_effect_with_the_same_time_stamps(tmp_path):
    copy_packages(tmp_path)
    inner = tmp_path / "learners/core/kernel_step.py"
    before = run(tmp_path)
    stamp, source = inner.stat(), inner.read_text(encoding="utf-8")
    inner.write_text(source.replace("0x9E3779BB", "0x9E3779BD"), encoding="utf-8")
    os.utime(inner, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    after = run(tmp_path)
    assert before != after
    assert run(tmp_path, NUMBA_DISABLE_JIT="1") == after
    assert len(list((tmp_path / "engine/__pycache__").glob("kernels-*"))) == 2


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can take away the right to write from itself")
def test_without_a_folder_that_can_be_written_kernels_are_compiled_each_time():
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        copy_packages(Path(folder))
        ran = subprocess.run(
            [sys.executable, "-B", "-c", PROGRAM + "import learners; print(learners.__path__)"],
            cwd=folder,
            env={**environment, "PYTHONPATH": os.pathsep.join((folder, str(ROOT)))},
            user=54_321,
            group=54_321,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        assert folder in ran.stdout
        assert not Path(folder, "engine/__pycache__").exists()


def copy_packages(folder: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns("__pycache__"))


def run(folder: Path, **environment: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_kernels_take_from_the_project_only_what_the_digest_covers():
    """What a kernel reads from another file, a constant or a named tuple, becomes part of the compiled code."""
    kernels = sorted(path for package in PACKAGES for path in package.rglob("*kernel*.py"))
    assert len(kernels) >= 8
    others = {"engine.compiling.compiler", "engine.space"}  # the decorator, and a type that no compiled function has
    for path in kernels:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in ("engine", "learners"):
                assert node.module in others or "kernel" in str(node.module), (path, node.module)
