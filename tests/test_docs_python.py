"""Every Python example of the documents, run as it stands."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from docs.import_graph import ROOT
from engine.games import parse_game
from engine.grid_game import GridGame
from engine.match import Match
from tests.cli.cli_run import run
from tests.random_games import random_match

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
BLOCKS = {
    f"{page.name}-{number}": block
    for page in PAGES
    for number, block in enumerate(BLOCK.findall(page.read_text("utf-8")), 1)
}
TABLE = "menace.csv"
"""The table that an example reads: that of the guide to sweeps."""


def imports(code: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(code)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in plain | parts}


def needed(code: str) -> None:
    """Skip a test of code that needs a package which is not installed."""
    for name in imports(code):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def check(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Run a block in the current folder."""
    capsys.readouterr()
    exec(compile(block, "example", "exec"), {"__name__": "__main__"})  # noqa: S102  an example of the documents
    assert ("print(" in block) == bool(capsys.readouterr().out)


@pytest.mark.parametrize("name", [name for name, block in BLOCKS.items() if TABLE not in block])
def test_an_example_runs_as_it_stands(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    needed(BLOCKS[name])
    monkeypatch.chdir(tmp_path)
    check(BLOCKS[name], capsys)


def test_the_example_that_reads_a_table_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """The table is made by the file and the command of the guide, with two machines for each point."""
    (block,) = [block for block in BLOCKS.values() if TABLE in block]
    needed(block)
    guide = (ROOT / "docs/sweeps.md").read_text("utf-8")
    (sweep,) = re.findall(r"^```toml\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    (words,) = re.findall(r"^```\n(noughts sweep menace.toml)\n```$", guide, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("menace.toml").write_text(sweep, "utf-8")
    ran = run(*words.split()[1:], "--seeds", "2", "--workers", "1")
    assert ran.code == 0, ran.err
    check(block, capsys)


def test_the_documents_have_examples():
    assert len(BLOCKS) >= 7


def test_the_game_of_the_guide_is_four_in_a_row_with_gravity():
    (code,) = [block for block in BLOCKS.values() if "class FourByFour" in block]
    names: dict[str, type[GridGame]] = {}
    exec(code, names)  # noqa: S102  an example of the guide
    game, known, random = names["FourByFour"](), parse_game("mnk:4,4,4+gravity"), Random(1)
    for _ in range(20):
        match, other = random_match(game, random), Match(known)
        for position, move in zip(match.positions, match.moves, strict=False):
            assert game.moves(position) == known.moves(other.position)
            other.play(move)
        assert match.outcome == other.outcome


@pytest.mark.parametrize("text", ["def choose", "policy = Uniform"])
def test_an_agent_of_the_guide_is_judged(text: str, tmp_path: Path):
    guide = BLOCK.findall((ROOT / "docs/judging.md").read_text("utf-8"))
    for number, code in enumerate(block for block in guide if text in block):
        needed(code)
        path = tmp_path / f"agent_{number}.py"
        path.write_text(code, "utf-8")
        name = "choose" if "def choose" in code else "policy"
        ran = run("judge", f"{path}:{name}", "--side", "first")
        assert ran.code == 0, ran.err
