"""A library of every earlier version opens, is copied before it is converted, and keeps its content.

A library of a newer version is refused and not changed. Each library in tests/data was written by the program of its
time, together with a report of its content (write_library.py).
"""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copyfile

import pytest

from engine.games import parse_game
from saves.errors import LibraryError
from saves.formats import json_text
from saves.library.library import Library
from saves.sqlite.schema_versions import VERSION
from tests.saves.brains import boxed, made_up, same
from tests.saves.old_libraries import as_kept, write_version

DATA = Path(__file__).parent.parent / "data"
ORIGINALS = sorted(path.stem for path in DATA.glob("library-*.sqlite"))
GAME = parse_game("hexapawn")
NEW = made_up(GAME, 20, 3)


def version_of(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


def comparable(snapshot):
    """A save without the last game, which is never stored."""
    return replace(snapshot, last_game=())


def check_upgrade(path, saves, deleted, games):
    """Upgrade a library; expect this content before and after the upgrade, and in the copy."""
    before, version = path.read_bytes(), version_of(path)
    copy = path.with_stem(f"{path.stem}-version-{version}")
    assert_content(Library(path), saves, games)
    assert path.read_bytes() == before
    Library(path).save("new", NEW)
    assert version_of(path) == VERSION
    assert copy.read_bytes() == before
    assert_content(Library(copy), saves, games)
    assert_content(Library(path), {**saves, "new": NEW}, games)
    for name, snapshot in deleted.items():
        if name in saves:
            Library(path).rename(name, "out of the way")
        Library(path).undelete(name)
        assert same(Library(path).load(name), snapshot)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("PRAGMA foreign_key_check").fetchone() is None
    assert sorted(path.parent.iterdir()) == sorted((path, copy))


def assert_content(library, saves, games):
    assert {entry.name for entry in library.entries() if not entry.gallery} == saves.keys()
    for name, snapshot in saves.items():
        assert same(comparable(library.load(name)), comparable(snapshot)), name
    kept = library.kept_games(library.game_numbers())
    reported = [
        (each.played.isoformat(), each.record.game, *each.record.players, each.record.outcome.name.lower())
        for each in kept
    ]
    assert sorted(reported) == sorted(
        (played, game, first, second, how) for played, game, first, second, _, how in games
    )


def read_report(stem):
    """Read what the program that wrote a library reported: saves, deleted saves, and games."""
    reported = json.loads((DATA / f"{stem}.json").read_text())
    saves = {name: json_text.read(text, None) for name, text in reported["exports"].items()}
    deleted = {name: json_text.read(text, None) for name, text in reported["deleted"].items()}
    return saves, deleted, reported["games"]


@pytest.mark.parametrize("stem", ORIGINALS)
def test_a_library_written_by_an_earlier_program_has_the_same_content(tmp_path, stem):
    path = tmp_path / "library.sqlite"
    copyfile(DATA / f"{stem}.sqlite", path)
    check_upgrade(path, *read_report(stem))


def random_saves(version, random):
    """Random saves that a library of that version can hold."""
    saves = {
        f"failures {n}": made_up(GAME, random.randrange(1, 160), random.getrandbits(30))
        for n in range(random.randrange(1, 5))
    }
    if version > 1:
        saves["boxes"] = boxed() if version > 3 else as_kept(boxed())
    return saves


@pytest.mark.parametrize("count", [2, pytest.param(100, marks=pytest.mark.campaign(minutes=1))])
def test_a_generated_library_of_an_earlier_version_has_the_same_content(tmp_path, report_line, count):
    random = Random(count)
    for number in range(count):
        for version in range(1, VERSION):
            folder = tmp_path / f"{version} {number}"
            folder.mkdir()
            saves = random_saves(version, random)
            write_version(version, folder / "library.sqlite", saves)
            with closing(sqlite3.connect(folder / "library.sqlite")) as db, db:
                db.execute("DELETE FROM game")  # the generated rows are not valid games
            check_upgrade(folder / "library.sqlite", saves, {}, [])
    versions = VERSION - 1
    report_line(f"{count * versions} libraries of {versions} earlier versions: all copied first, no content changed")


@pytest.mark.parametrize("version", [VERSION + 1, VERSION + 100, 2**31 - 1])
def test_a_newer_library_is_refused_and_not_changed(tmp_path, version):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", NEW)
    with closing(sqlite3.connect(library.path)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    before = library.path.read_bytes()
    for attempt in (library.entries, lambda: library.save("b", NEW), lambda: library.back_up(tmp_path / "copy")):
        with pytest.raises(LibraryError, match="newer version of Noughts"):
            attempt()
    assert library.path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [library.path]


def test_a_save_that_differs_is_detected(tmp_path):
    path = tmp_path / "library.sqlite"
    copyfile(DATA / f"{ORIGINALS[0]}.sqlite", path)
    saves, deleted, games = read_report(ORIGINALS[0])
    name, snapshot = next(iter(saves.items()))
    with pytest.raises(AssertionError, match=name):
        check_upgrade(path, {**saves, name: replace(snapshot, seed=snapshot.seed ^ 1)}, deleted, games)
