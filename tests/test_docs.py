"""What the documentation says is there: files, names, commands, pictures, targets; its examples run."""

import ast
import json
import re
import shlex
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from statistics import mean

import click
import pytest

from cli.__main__ import noughts
from docs.draw_pictures import PICTURES
from docs.import_graph import PACKAGES, ROOT
from engine.game import Side
from engine.games import parse_game
from engine.grid_game import GridGame
from engine.match import Match
from engine.smallest.answers import Counting
from engine.smallest.shipped import shipped_answers
from lab.papers.report_text import shipped_report
from learners.papers import parse_paper
from learners.race.measures import judging_of
from learners.sweep.layout import UNTRAINED, results_of
from tests.cli.cli_run import run
from tests.random_games import random_match
from tui.shell.modes import TITLES

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
LINKS = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
CODE = re.compile(r"`([^`\n]+)`")
FOLDERS = (*PACKAGES, "tests", "bench", "docs")
"""A word in code that begins with one of these and a slash is a path."""
TARGETS = re.compile(r"^([a-z-]+):", re.MULTILINE)


def paths_in(text: str) -> set[str]:
    """The paths of the repository that a page quotes in code; those with a place to fill in are left out."""
    quoted = {word for code in CODE.findall(text) for word in code.split()}
    return {word for word in quoted if word.split("/")[0] in FOLDERS and "/" in word and not set("*<…") & set(word)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_narrow_and_what_it_names_is_there(page: Path):
    text = page.read_text("utf-8")
    assert [line for line in text.splitlines() if len(line) > 120 and not line.startswith("|")] == []
    links = [link for link in LINKS.findall(text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
    assert {path for path in paths_in(text) if not (ROOT / path).exists()} == set()
    targets = set(TARGETS.findall((ROOT / "Makefile").read_text("utf-8")))
    assert {"test", "lint", *re.findall(r"\bmake ([a-z-]+)`", text)} <= targets
    for line in re.findall(r"^noughts ([a-z].*)$", text, re.MULTILINE):
        words = shlex.split(line.partition("#")[0])
        command: click.Command = noughts
        context = click.Context(command)
        while isinstance(command, click.Group) and words and (found := command.get_command(context, words[0])):
            command, words = found, words[1:]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, line


def test_the_walks_and_the_table_of_places_name_files_and_what_they_define():
    """Each step of a walk and each place in the table is one line: a file in code, then the names that it defines."""
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    steps = re.findall(r"^\d+\. `([a-z_/]+\.py)`: (.+)$", page, re.MULTILINE)
    places = re.findall(r"^\| .* \| `([a-z_/]+\.py)`: (.+) \|$", page, re.MULTILINE)
    assert len(steps) >= 8
    assert len(places) >= 8
    for file, text in steps + places:
        source = (ROOT / file).read_text("utf-8")
        names = re.findall(r"`([A-Za-z_]+)\(?\)?`", text)
        assert names, file
        for name in names:
            assert re.search(rf"\b(class|def) {name}\b|^\s*{name}\b.* = ", source, re.MULTILINE), (file, name)


def test_every_mode_has_a_picture_in_the_readme():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert PICTURES.keys() == TITLES.keys() | {"sweep-screen"}
    for mode in TITLES:
        assert f"docs/pictures/{mode}.svg" in readme


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_the_table_of_courses_has_the_numbers_of_those_that_come_with_the_program():
    page = (ROOT / "docs/exact.md").read_text("utf-8").replace("**", "")
    for line in (ROOT / "learners/courses/found.jsonl").read_text("utf-8").splitlines():
        course = json.loads(line)
        rows = re.findall(rf"^\| `{course['learner']}:{course['preset']}` \|.*$", page, re.MULTILINE)
        for number in (
            len(course["games"]),
            course["bound"],
            *filter(None, [course["entries"], course["entries_bound"]]),
        ):
            assert any(re.search(rf"(?<!\d){number:,}(?!\d)", row) for row in rows), (line[:80], number)


def shipped_means(paper: str) -> dict[tuple[str, str], float]:
    """The means of the figures that come with the program, by the first two words of the table, and by the figure."""
    tables = shipped_report(parse_paper(paper)).report.tables
    return {
        (" ".join(table.title.split(",")[0].split()[:2]), finding.what): mean(finding.measured)
        for table in tables
        for finding in table.findings
        if isinstance(finding.measured, tuple)
    }


def test_the_table_of_filters_has_the_figures_that_come_with_the_program():
    page = (ROOT / "docs/exact.md").read_text("utf-8").partition("behind the filter |")[2]
    means = shipped_means("filter")
    for player in {table for table, _ in means}:
        (row,) = re.findall(rf"^\| `{re.escape(player)}`[^|]*\|(.*)\|$", page, re.MULTILINE)
        columns = product(("random", "reader"), ("unfiltered", "filtered"), "XO")
        figures = [means[player, f"games in 100 lost as {mark}, to {who}, {how}"] for who, how, mark in columns]
        assert [float(each) for each in re.findall(r"[\d.]+", row)] == pytest.approx(figures, abs=0.051), player
    assert not any(value for (_, what), value in means.items() if re.search("to (perfect|itself), filtered", what))


def test_the_sentence_about_the_program_for_the_book_has_the_figures_that_come_with_the_program():
    page, means = (ROOT / "docs/judging.md").read_text("utf-8"), shipped_means("sutton")
    program = {what: value for (table, what), value in means.items() if table == "Preset zhang"}
    beaten = {mark: 100 - program[f"seeds in 100 that lose to nobody as {mark}"] for mark in "XO"}
    assert program["games drawn of 1,000 against itself"] == 1000
    assert round(100 / program["games in 100 lost as O, to perfect"]) == 9
    lost = program["games in 100 lost as O, to reader"]
    assert (
        f"As O, {beaten['O']:.0f} can be beaten; the mean of all 100 is {lost:.0f} games in 100 lost to a player that "
        f"has read its memory, and one in nine to perfect play. As X, {beaten['X']:.0f} can be beaten."
    ) in " ".join(page.split())


@pytest.mark.parametrize(
    ("game", "row"),
    [
        ("misere", "misère"),
        ("hexapawn", "hexapawn"),
        ("notakto", "notakto"),
        ("nim:3,4,5", "nim, heaps of 3, 4 and 5"),
        ("wild", "wild tic-tac-toe"),
        ("mnk:4,3,3", "four columns, three rows, three in a row"),
        ("morris", "three men's morris"),
        ("hexapawn:4,4", "hexapawn on 4 × 4"),
        ("notakto:2", "notakto on two boards"),
        *((f"tictactoe, {counting}", f"`{counting}`") for counting in Counting),
    ],
)
def test_the_tables_of_fewest_answers_have_those_that_come_with_the_program(game: str, row: str):
    page = (ROOT / "docs/exact.md").read_text("utf-8")
    name, _, counting = game.partition(", ")
    found = [shipped_answers(parse_game(name), side, Counting(counting or "decisions")) for side in Side]
    cells = [
        "loses"
        if each is None
        else f"{each.entries}"
        if each.proved
        else f"at most {each.entries}, at least {each.bound}"
        for each in found
    ]
    both = [f"{sum(each.entries for each in found if each)}"] if counting else []
    (line,) = re.findall(rf"^\| {re.escape(row)} \|.*$", page, re.MULTILINE)
    assert line.endswith(" | ".join(["", *cells, *both]) + " |")


@pytest.mark.parametrize("game", ["tictactoe", "connectfour"])
def test_the_guide_to_sweeps_names_the_first_and_the_last_result(game: str):
    names = [name for name in results_of(judging_of(parse_game(game))) if not name.endswith(UNTRAINED)]
    assert f"| `{names[0]}` … `{names[-1]}` |" in (ROOT / "docs/sweeps.md").read_text("utf-8")


BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
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
    for name in imports(code):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def check(block: str, capsys: pytest.CaptureFixture[str]) -> None:
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
