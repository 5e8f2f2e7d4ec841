"""A backup is a consistent copy of the whole library, or it is not made."""

import sqlite3
from contextlib import closing

import pytest

from engine.games import parse_game
from saves.errors import Damaged, LibraryError
from saves.library.library import Library
from tests.saves.brains import boxed, made_up, same

BRAIN = made_up(parse_game("hexapawn"), 40)


@pytest.fixture
def library(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", BRAIN)
    library.save("b", boxed())
    library.delete("a")
    return library


def test_it_holds_everything_and_can_be_used_in_its_place(library, tmp_path):
    copy = Library(tmp_path / "copy.sqlite")
    library.back_up(copy.path)
    assert same(copy.load("b"), boxed())
    copy.undelete("a")
    assert same(copy.load("a"), BRAIN)
    assert library.path.exists()


def test_it_is_made_in_the_middle_of_what_another_program_writes(library, tmp_path):
    with closing(sqlite3.connect(library.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE save SET name = 'half done'")
        library.back_up(tmp_path / "first")
        other.execute("COMMIT")
        library.back_up(tmp_path / "second")  # while the log still holds it
    assert same(Library(tmp_path / "first").load("b"), boxed())
    assert same(Library(tmp_path / "second").load("half done"), boxed())


def test_it_takes_the_place_of_a_file_only_when_told_to(library, tmp_path):
    target = tmp_path / "copy"
    target.write_text("mine")
    with pytest.raises(LibraryError, match="already exists"):
        library.back_up(target)
    assert target.read_text() == "mine"
    library.back_up(target, replace=True)
    assert same(Library(target).load("b"), boxed())


@pytest.mark.parametrize("way", ["itself", "link", "one in use"])
def test_it_never_takes_the_place_of_a_library_in_use(library, tmp_path, way):
    target = {"itself": library.path, "link": tmp_path / "link", "one in use": tmp_path / "other.sqlite"}[way]
    if way == "link":
        target.symlink_to(library.path)
    if way == "one in use":
        target.write_bytes(library.path.read_bytes())
        (tmp_path / "other.sqlite-wal").write_bytes(b"what was written last")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(LibraryError, match="is a library in use"):
        library.back_up(target, replace=True)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_damaged_library_is_not_backed_up(library, tmp_path):
    whole = bytearray(library.path.read_bytes())
    whole[-4096:] = bytes(4096)
    library.path.write_bytes(whole)
    with pytest.raises(Damaged, match="is damaged"):
        library.back_up(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == [library.path]


def test_without_a_library_there_is_nothing_to_back_up(tmp_path):
    with pytest.raises(LibraryError, match="nothing to back up"):
        Library(tmp_path / "library.sqlite").back_up(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_target_is_reported(library, tmp_path):
    (tmp_path / "folder").write_text("")
    with pytest.raises(LibraryError, match="cannot be written"):
        library.back_up(tmp_path / "folder" / "copy")
