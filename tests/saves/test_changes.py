"""Two programs change one save: neither loses what the other has written."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial

import pytest

from engine.games import parse_game
from saves.errors import NameTaken, NoSuchSave
from saves.library.library import Library
from tests.saves.brains import counted, made_up

GAME = parse_game("hexapawn")


def test_a_save_that_another_program_changed_is_not_replaced(tmp_path):
    one, other = Library(tmp_path / "library"), Library(tmp_path / "library")
    stamp = one.save("a", made_up(GAME, 10))
    assert one.stamp("a") == stamp
    later = other.save("a", made_up(GAME, 11), replace=True, since=stamp)
    with pytest.raises(NameTaken, match="another program has changed"):
        one.save("a", made_up(GAME, 12), replace=True, since=stamp)
    assert one.load("a").stats["entries"] == 11
    assert one.save("a", made_up(GAME, 12), replace=True, since=later) != later
    assert one.stamp("nobody") is None


def test_changes_of_one_save_from_many_threads_all_count(tmp_path):
    library = Library(tmp_path / "library")
    library.save("a", made_up(GAME, 10))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: Library(library.path).change("a", counted), range(20)))
    assert library.load("a").stats["games"] == 20
    with pytest.raises(NoSuchSave):
        library.change("nobody", counted)


def test_a_library_can_be_created_while_another_program_writes(tmp_path, monkeypatch):
    path, others, attempts = tmp_path / "library.sqlite", [], []
    connect = sqlite3.connect

    def write_beside():
        other = connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        return other

    class Disturbed(sqlite3.Connection):
        def execute(self, sql, *args):
            if sql == "PRAGMA journal_mode = WAL" and not others:
                others.append(write_beside())
            elif others and sql == "BEGIN IMMEDIATE":
                attempts.append(sql)
                if len(attempts) == 2:  # the library has waited
                    others[0].close()
            return super().execute(sql, *args)

    monkeypatch.setattr(sqlite3, "connect", partial(connect, factory=Disturbed))
    library = Library(path)
    library.save("mine", made_up(GAME, 10))
    assert len(others) == 1
    assert [entry.name for entry in library.entries() if not entry.gallery] == ["mine"]
    with closing(connect(path)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
