"""A damaged library on the command line: what can be read is recovered, and reported exactly; backups and copies."""

from pathlib import Path

import pytest

from saves.library.library import Library
from tests import libraries
from tests.cli.cli_run import as_json, run
from tests.damage import BRAIN, overwrite
from tests.saves.brains import same


@pytest.fixture
def library():
    library = libraries.library()
    for name in ("a", "b"):
        library.save(name, BRAIN)
    return library


def test_the_command_recovers_what_can_be_read_and_reports_it(library):
    damaged = overwrite(library, "game")
    told_of = as_json("saves", "recover")
    assert [(each["name"], each["trouble"], each["lost"]) for each in told_of["saves"]] == [
        ("a", "", False),
        ("b", "", False),
    ]
    assert library.path.with_stem("library-damaged").read_bytes() == damaged
    assert told_of["aside"] == str(library.path.with_stem("library-damaged"))
    assert as_json("saves", "recover") == {"sound": True}
    assert "nothing to recover" in run("saves", "recover").out


def test_the_command_lists_backups_and_restores_one(library):
    assert "There is no backup yet" in run("saves", "restore").out
    library.keep_backup()
    library.delete("a")
    (listed,) = as_json("saves", "restore")["backups"]
    assert listed["name"] in run("saves", "restore").out
    told_of = as_json("saves", "restore", "newest")
    assert told_of["backup"] == listed["file"]
    assert same(library.load("a"), BRAIN)
    assert Path(told_of["aside"]).exists()
    assert run("saves", "restore", "2001").code == 1


def test_a_command_that_saves_keeps_a_daily_backup(library):
    assert run("saves", "rename", "a", "c").code == 0
    assert run("saves", "rename", "c", "d").code == 0
    (backup,) = library.backups.entries()
    assert same(Library(backup.path).load("c"), BRAIN)
    backup.path.unlink()
    library.backups.folder.rmdir()
    library.backups.folder.write_text("in the way")
    ran = run("saves", "rename", "d", "e")
    assert ran.code == 0
    assert "the daily backup was not" in ran.err
    assert same(library.load("e"), BRAIN)


def test_the_command_refuses_a_file_that_is_no_library(library):
    library.path.write_text("nothing of a library")
    ran = run("saves", "recover")
    assert (ran.code, ran.out) == (1, "")
    assert "contains no readable data of a library" in ran.err
    assert library.path.read_text() == "nothing of a library"


def test_the_command_copies_the_library(library, tmp_path):
    copy = tmp_path / "copy.sqlite"
    told_of = as_json("saves", "backup", str(copy))
    assert told_of == {"library": str(library.path), "file": str(copy), "bytes": copy.stat().st_size}
    assert same(Library(copy).load("a"), BRAIN)
    assert run("saves", "backup", str(copy)).code == 1
    assert run("saves", "backup", str(copy), "--replace").code == 0
