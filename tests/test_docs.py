"""What the documentation says is there: files, folders, names, commands, pictures and targets."""

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from cli.__main__ import noughts
from docs.draw_architecture import FILE, picture
from docs.draw_pictures import PICTURES
from docs.import_graph import PACKAGES, ROOT
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


def test_the_steps_of_a_key_press_name_files_and_what_they_define():
    """Each step of the walk is one line: a file in code, then the names that it defines."""
    steps = re.findall(
        r"^\d+\. `([a-z_/]+\.py)`: (.+)$", (ROOT / "docs/architecture.md").read_text("utf-8"), re.MULTILINE
    )
    assert len(steps) >= 8
    for file, text in steps:
        source = (ROOT / file).read_text("utf-8")
        names = re.findall(r"`([A-Za-z_]+)\(?\)?`", text)
        assert names, file
        for name in names:
            assert re.search(rf"\b(class|def) {name}\b|^\s*{name}\b.* = ", source, re.MULTILINE), (file, name)


def test_the_picture_of_the_architecture_is_up_to_date():
    assert FILE.read_text("utf-8") == picture(), "run `make pictures`"


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
