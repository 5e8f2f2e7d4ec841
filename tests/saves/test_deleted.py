"""Deleted saves: they are listed, can be restored, and are removed after 30 days."""

from datetime import datetime, timedelta

import pytest

from engine.game import BadText
from engine.games import parse_game
from saves.errors import NameTaken, NoSuchSave
from tests.saves.brains import made_up, same
from tests.saves.tampering import run_sql

GAME = parse_game("hexapawn")
ONE, TWO = made_up(GAME, 10, 1), made_up(GAME, 20, 2)


def test_a_deleted_save_can_be_restored(library):
    library.save("a", ONE)
    library.delete("a")
    assert [entry for entry in library.entries() if not entry.gallery] == []
    with pytest.raises(NoSuchSave):
        library.load("a")
    with pytest.raises(NoSuchSave):
        library.delete("a")
    library.save("a", TWO)
    with pytest.raises(NameTaken):
        library.undelete("a")
    library.delete("a")
    library.undelete("a")
    assert same(library.load("a"), TWO)
    library.rename("a", "b")
    library.undelete("a")
    assert same(library.load("a"), ONE)
    with pytest.raises(NoSuchSave):
        library.undelete("a")


def test_deleted_saves_are_listed_and_can_be_restored_under_another_name(library):
    assert library.deleted() == []
    for name in ("a", "b", "c"):
        library.save(name, ONE)
    library.delete("b")
    library.delete("a")
    library.save("a", TWO)
    first, second = library.deleted()
    assert (first.name, second.name) == ("a", "b")
    assert first.deleted > second.deleted > first.updated
    assert {entry.deleted for entry in library.entries()} == {None}
    for bad, trouble in (("a", NameTaken), ("../a", BadText), ("riechel", NameTaken)):
        with pytest.raises(trouble):
            library.undelete("a", bad)
    library.undelete("a", "as it was")
    assert same(library.load("as it was"), ONE)
    assert same(library.load("a"), TWO)
    assert [entry.name for entry in library.deleted()] == ["b"]


def test_deleted_saves_are_removed_after_thirty_days(library):
    for name in ("old", "new", "kept"):
        library.save(name, ONE)
    library.delete("old")
    passed = run_sql(library.path, "SELECT deleted FROM save WHERE name = 'old'")[0][0]
    month_ago = (datetime.fromisoformat(passed) - timedelta(days=30)).isoformat(timespec="microseconds")
    run_sql(library.path, "UPDATE save SET deleted = ? WHERE name = 'old'", month_ago)
    library.delete("new")
    assert run_sql(library.path, "SELECT name FROM save ORDER BY id") == [("new",), ("kept",)]
    assert run_sql(library.path, "SELECT count(*) FROM memory") == [(20,)]
    library.undelete("new")
