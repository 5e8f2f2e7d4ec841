"""The import rules of the packages, checked in the source and at run time."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "learners", "saves", "lab", "cli", "tui")
DISK = {"glob", "io", "os", "pathlib", "shutil", "sqlite3", "tempfile"}
DRAWING = {"click", "rich", "textual"}
HEAVY = {"numba", "llvmlite"}
PLOTS = {"textual_plot", "textual_hires_canvas", "matplotlib", "plotext"}


def modules_after(program: str) -> set[str]:
    """The top-level modules that a fresh interpreter holds after running `program`."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print('\\nmodules', *sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name.partition(".")[0] for name in done.stdout.rpartition("\nmodules ")[2].split()}


@pytest.mark.parametrize(
    ("program", "kept_out"),
    [
        ("import engine, engine.space, engine.solve, engine.evaluate", DRAWING | HEAVY | {"sqlite3", "platformdirs"}),
        ("import learners, learners.core.training", DRAWING | HEAVY | {"sqlite3", "platformdirs"}),
        ("import saves.library.library, saves.formats, saves.settings", DRAWING | HEAVY),
        ("import tui.app", HEAVY | PLOTS),
        ("from cli.__main__ import main; main(['--help'])", HEAVY | PLOTS | {"textual", "rich", "numpy", "sqlite3"}),
    ],
)
def test_what_an_import_leaves_out(program: str, kept_out: set[str]):
    assert modules_after(program) & kept_out == set()


def test_training_is_what_brings_the_compiler_in():
    """Without this, the test above would also pass on a name that numba no longer has."""
    assert modules_after("import learners.failures.kernel") >= HEAVY


def files(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules that a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name.partition(".")[0] for name in found}


def those_that_import(modules: set[str], *packages: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in files(*packages) if imported(path) & modules]


def test_the_compiler_lives_in_the_kernels_only():
    users = those_that_import(HEAVY, *PACKAGES)
    assert users
    assert all("kernel" in Path(user).name for user in users)


def test_rules_and_learners_never_touch_the_disk():
    assert those_that_import(DISK, "engine", "learners") == []


def test_only_the_library_speaks_to_the_database():
    assert all(user.startswith("saves/") for user in those_that_import({"sqlite3"}, *PACKAGES))


def test_nothing_is_pickled():
    assert those_that_import({"pickle", "marshal", "shelve", "dill", "joblib"}, *PACKAGES) == []


def test_import_contracts_hold():
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "0 broken" in done.stdout
    assert done.returncode == 0, done.stdout
