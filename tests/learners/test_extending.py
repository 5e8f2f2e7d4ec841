"""The learner of the guide: its code is taken from the page, registered, and put through all contract tests."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"^<!-- bandit -->\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
MAX_LINES = 60
REGISTER = """
import learners
from bandit import Bandit

learners.LEARNERS = (*learners.LEARNERS, Bandit)
"""
"""Adds the learner of the guide to the list, in a program that imports this before all else."""
COMMAND_LINE = """
import sys
import register_bandit
from cli.__main__ import main

sys.exit(main(sys.argv[1:]))
"""


def code_of_the_guide() -> str:
    (code,) = CODE.findall((ROOT / "docs/extending.md").read_text("utf-8"))
    return code


@pytest.fixture(name="guide")
def _guide(tmp_path: Path) -> dict[str, str]:
    """The environment of a program that can import the learner of the guide."""
    (tmp_path / "bandit.py").write_text(code_of_the_guide(), encoding="utf-8")
    (tmp_path / "register_bandit.py").write_text(REGISTER, encoding="utf-8")
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    return {**os.environ, "PYTHONPATH": path, "NOUGHTS_LIBRARY": str(tmp_path / "library.sqlite")}


def run(guide: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=guide, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_learner_of_the_guide_is_short():
    assert len(code_of_the_guide().splitlines()) <= MAX_LINES


def test_the_code_of_the_guide_is_clean(tmp_path: Path):
    file = tmp_path / "bandit.py"
    file.write_text(code_of_the_guide(), encoding="utf-8")
    for check in (["check", "--no-cache"], ["format", "--check", "--no-cache"]):
        ruff = [sys.executable, "-m", "ruff", *check, "--config", str(ROOT / "pyproject.toml"), str(file)]
        # It stands alone here, not in the package that the guide puts it into.
        done = subprocess.run([*ruff, *(["--ignore", "INP001"] if check[0] == "check" else [])], check=False)
        assert done.returncode == 0


@pytest.mark.long
def test_the_learner_of_the_guide_keeps_the_contract_of_learners(guide: dict[str, str]):
    """The contract tests in a process of their own, with the learner in the list, and the round trips of saves."""
    tests = [str(path) for path in sorted((ROOT / "tests/learners").glob("test_contract*.py"))]
    tests += [f"{ROOT}/tests/learners/test_training.py", f"{ROOT}/tests/saves/test_round_trips.py"]
    options = ["-p", "register_bandit", "-p", "no:xdist", "-p", "no:cacheprovider", "-o", "addopts="]
    chosen = ["--import-mode=importlib", "-q", "-m", "not campaign and not long", "-k", "bandit"]
    report = run(guide, "-m", "pytest", *options, *chosen, *tests)
    counted = re.search(r"(\d+) passed", report)
    assert counted is not None
    assert int(counted[1]) > 60


def test_the_learner_of_the_guide_is_trained_and_judged_on_the_command_line(guide: dict[str, str], tmp_path: Path):
    program = ["-c", COMMAND_LINE]
    trained = json.loads(
        run(guide, *program, "train", "bandit", "--games", "300", "--seed", "1", "--save", "a", "--json")
    )
    assert (trained["learner"], trained["games"], trained["settings"]) == ("bandit", 300, {"explore": "0.1"})
    exact = json.loads(run(guide, *program, "evaluate", "save:a", "--json"))
    assert exact["first"]["random"]["win"] == pytest.approx(trained["exact"]["first"]["random"]["win"])
    assert exact["first"]["random"]["win"] > 0.65, "untrained it is 0.58"
    run(guide, *program, "saves", "export", "a", str(tmp_path / "a.json"))
    run(guide, *program, "saves", "rename", "a", "b")
    run(guide, *program, "saves", "import", str(tmp_path / "a.json"))
    assert "Bandit" in run(guide, *program, "saves", "show", "a")
