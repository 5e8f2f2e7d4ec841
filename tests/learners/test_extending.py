"""The package of the guide: installed into a clean environment, found there, tested by its own tests, and used."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.import_graph import ROOT
from tests.guide import files_of_the_guide
from tests.test_foreign_packages import Environment, build_wheel

MAX_LINES = 60
MODULES = [name for name in files_of_the_guide() if name.startswith("noughts_example/")]


@pytest.mark.parametrize("name", MODULES)
def test_the_code_of_the_guide_is_short_and_clean(name: str, tmp_path: Path):
    code = files_of_the_guide()[name]
    assert len(code.splitlines()) <= MAX_LINES
    file = tmp_path / Path(name).name
    file.write_text(code, encoding="utf-8")
    # a package of its own is not bound by all rules of ours
    rules = {"check": ["--ignore", "INP001,ARG003"], "format": ["--check"]}
    for check, options in rules.items():
        ruff = [sys.executable, "-m", "ruff", check, "--no-cache", *options, "--config", str(ROOT / "pyproject.toml")]
        assert subprocess.run([*ruff, str(file)], check=False).returncode == 0


class Installed(Environment):
    """A clean environment with Noughts and the package of the guide, and a library of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        files = files_of_the_guide()
        project = tomllib.loads(files["pyproject.toml"])["project"]
        package = {name: files[name].encode() for name in MODULES} | {"noughts_example/__init__.py": b""}
        self.install(self.ours)
        self.install(build_wheel(folder, project["name"].replace("-", "_"), package, project["entry-points"]))
        self.tests = folder / "test_contract.py"
        self.tests.write_text(files["tests/test_contract.py"], encoding="utf-8")

    def run(self, *command: str | Path) -> str:
        done = subprocess.run(
            [self.python, "-m", *command], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        assert "left out" not in done.stderr
        return done.stdout

    def document(self, *words: str) -> dict[str, object]:
        return json.loads(self.run("noughts", *words, "--json"))


@pytest.mark.long
def test_the_package_of_the_guide_works_once_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    guide = Installed(tmp_path)

    # its own tests, which import its modules before the program asks for them
    report = guide.run("pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", guide.tests)
    counted = re.search(r"(\d+) passed", report)
    assert counted is not None
    assert int(counted[1]) > 30

    listed = guide.document("plugins")["plugins"]
    assert [(each["kind"], each["name"], each["package"], each["problem"]) for each in listed] == [
        ("game", "fourbyfour", "noughts_example", None),
        ("learner", "bandit", "noughts_example", None),
        ("player", "first", "noughts_example", None),
    ]

    checked = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, "--python-executable", guide.python]
    assert subprocess.run([*checked, *(guide.packages / name for name in MODULES)], check=False).returncode == 0

    trained = guide.document("train", "bandit", "--games", "300", "--seed", "1", "--save", "a")
    assert (trained["learner"], trained["games"], trained["settings"]) == ("bandit", 300, {"explore": "0.1"})
    exact = guide.document("evaluate", "save:a")
    assert exact["first"]["random"]["win"] == pytest.approx(trained["exact"]["first"]["random"]["win"])
    assert exact["first"]["random"]["win"] > 0.65, "untrained it is 0.58"
    large = guide.document("train", "bandit", "--game", "fourbyfour", "--games", "50", "--seed", "1", "--save", "b")
    assert (large["game"], large["games"]) == ("fourbyfour", 50)

    # the learner, the game and the player in other processes, and a round trip through a file
    guide.run("noughts", "race", "bandit", "first", "--games", "20", "--seeds", "2")
    agent = tmp_path / "agent.py"
    agent.write_text("def agent(board, side, moves):\n    return moves[0]\n", encoding="utf-8")
    judged = guide.document("judge", f"{agent}:agent", "--game", "fourbyfour", "--side", "first")
    assert judged["game"] == "fourbyfour"
    sweep = tmp_path / "sweep.toml"
    sweep.write_text(
        'learner = "bandit"\ngame = "hexapawn"\ngames = 20\nseeds = 2\n[grid]\nexplore = ["0.1", "0.5"]\n', "utf-8"
    )
    guide.run("noughts", "sweep", sweep, "--workers", "2")
    guide.run("noughts", "saves", "export", "a", tmp_path / "a.json")
    guide.run("noughts", "saves", "rename", "a", "c")
    guide.run("noughts", "saves", "import", tmp_path / "a.json")
    assert "Bandit" in guide.run("noughts", "saves", "show", "a")
