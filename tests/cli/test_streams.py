"""`-` in the place of a file, for every command that takes one."""

import csv
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from cli.commands import sweep as command
from cli.shared.streams import LARGEST
from tests.cli.cli_run import run
from tests.sweeps import InProcessWorkers

OPTIONS = ("--learner", "menace", "--game", "hexapawn", "--games", "10", "--seeds", "2", "--grid", "win=1,3")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(monkeypatch, tmp_path):
    """No command may leave a file called `-` behind."""
    monkeypatch.setattr(command, "Processes", InProcessWorkers)
    monkeypatch.chdir(tmp_path)
    yield
    assert not Path("-").exists()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["json", "txt"])
def test_an_export_to_standard_output_equals_the_file_and_can_be_imported(kind):
    assert run("saves", "export", "riechel", f"a.{kind}").code == 0
    ran = run("saves", "export", "riechel", "-", *(() if kind == "json" else ("--format", kind)))
    assert (ran.code, ran.err, ran.data) == (0, "", Path(f"a.{kind}").read_bytes())
    back = run("saves", "import", "-", "--format", kind, "--as", "back", lines=ran.out)
    assert (back.code, back.err) == (0, "")
    assert back.out.startswith("Imported standard input as 'back', tictactoe: ")
    assert (
        run("saves", "export", "back", "-", "--format", "txt").data
        == run("saves", "export", "riechel", "-", "--format", "txt").data
    )


@pytest.mark.parametrize(
    ("arguments", "lines", "code", "says"),
    [
        (("saves", "import", "-"), "secret", 1, "noughts: standard input: line 1"),
        (("saves", "import", "-"), "", 1, "noughts: standard input: "),
        (("saves", "import", "-"), "x" * (LARGEST + 1), 1, "noughts: standard input: larger than 65,536 KiB"),
        (("saves", "import", "a.json", "--format", "txt"), "", 2, "--format goes with - only"),
        (("saves", "export", "michie", "a.json", "--format", "txt"), "", 2, "--format goes with - only"),
        (("saves", "export", "michie", "-", "--format", "txt"), "", 1, "noughts: "),
        (("saves", "export", "michie", "-", "--json"), "", 2, "name a file instead of -"),
        (("saves", "export", "michie", "a.csv", "--format", "json"), "", 2, "--format goes with - only"),
        (("certify", "perfect", "--out", "-", "--json"), "", 2, "name a file instead of -"),
        (("teach", "her", "--out", "-", "--json"), "", 2, "name a file instead of -"),
        (("grade", "perfect", "--junit", "-", "--json"), "", 2, "name a file instead of -"),
        (("saves", "backup", "-", "--json"), "", 2, "name a file instead of -"),
        (("papers", "--shipped", "--markdown", "-", "--json"), "", 2, "name a file instead of -"),
        (("papers", "--shipped", "--markdown", "-", "--svg", "-"), "", 2, "one document only"),
        (("sweep", *OPTIONS, "--out", "-", "--json"), "", 2, "name a file instead of -"),
        (("sweep", "-"), "games = true", 1, "noughts: "),
        (("sweep", "-"), "games =", 1, "noughts: standard input: "),
        (("sweep", "-"), 'learner = "menace"', 2, "say where the table is written: --out FILE.csv"),
        (
            ("sweep", "show", "-"),
            "no table",
            1,
            "noughts: standard input cannot be shown: its columns are not those of a sweep",
        ),
        (("saves", "--library", "-"), "", 2, "a library is a file"),
    ],
)
def test_impossible_uses_of_a_stream_are_refused(arguments, lines, code, says):
    ran = run(*arguments, lines=lines)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err
    assert "secret" not in ran.err
    assert ran.err.count("\n") <= 2


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("certify", "perfect", "--game", "mnk:3,2,2", "--side", "first", "--out"), "a.cert"),
        (("teach", "her", "--game", "hexapawn", "--out"), "a.json"),
        (("grade", "perfect", "--game", "mnk:3,2,2", "--as", "first", "--junit"), "a.xml"),
    ],
)
def test_standard_output_holds_what_the_file_would(arguments, name):
    told = run(*arguments, "-")
    assert (told.code, told.err, run(*arguments, name).code) == (0, "", 0)
    assert without_times(told.out) == without_times(Path(name).read_text())


def without_times(text):
    return [line for line in text.splitlines() if "seconds" not in line]


def test_papers_write_one_document_to_standard_output():
    page = run("papers", "nim", "--shipped", "--markdown", "-", "--svg", "a.svg")
    picture = run("papers", "nim", "--shipped", "--markdown", "a.md", "--svg", "-")
    assert (page.code, page.err, picture.code, picture.err) == (0, "", 0, "")
    assert page.data == Path("a.md").read_bytes()
    assert picture.data == Path("a.svg").read_bytes()


def test_a_sweep_reads_its_definition_and_writes_its_table():
    assert run("sweep", *OPTIONS, "--out", "a.csv").code == 0
    toml = 'learner = "menace"\ngame = "hexapawn"\ngames = 10\nseeds = 2\n[grid]\nwin = [1, 3]\n'
    ran = run("sweep", "-", "--out", "-", lines=toml)
    assert ran.code == 0
    assert ran.data == Path("a.csv").read_bytes()
    assert len({row["seed"] for row in csv.DictReader(StringIO(ran.out))}) == 2
    shown = run("sweep", "show", "-", lines=ran.out)
    assert shown.out.replace("standard input", "a.csv") == run("sweep", "show", "a.csv").out
    drawn = run("sweep", "plot", "-", "--by", "win", "--out", "-", lines=ran.out)
    assert run("sweep", "plot", "a.csv", "--by", "win", "--out", "a.svg").code == 0
    assert (drawn.code, drawn.data) == (0, Path("a.svg").read_bytes())


def test_a_backup_on_standard_output_is_a_library():
    run("saves", "import", "-", "--as", "mine", lines=run("saves", "export", "michie", "-").out)
    ran = run("saves", "backup", "-")
    assert (ran.code, ran.err) == (0, "")
    Path("copy.sqlite").write_bytes(ran.data)
    with closing(sqlite3.connect("copy.sqlite")) as db:
        assert db.execute("SELECT name FROM save").fetchall() == [("mine",)]
