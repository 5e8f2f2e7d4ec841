import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random

import pytest

from engine.game import BadText
from engine.games import parse_game
from learners import parse_learner, revive
from saves import gallery
from saves.encoding.memory import to_rows
from saves.errors import NameTaken, NoSuchSave
from saves.library.library import Library
from saves.sqlite.header import APPLICATION
from saves.sqlite.schema_versions import latest_version
from tests.libraries import own_names, sql
from tests.saves.brains import boxed, counted, made_up, same

GAME = parse_game("hexapawn")
ONE, TWO = made_up(GAME, 10, 1), made_up(GAME, 20, 2)


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "data" / "library.sqlite")


def test_a_missing_library_is_empty_and_stays_missing(library):
    assert [entry.name for entry in library.entries()] == list(gallery.names())
    assert library.load("riechel").stats["games"] == 100_000
    for attempt in (library.load, library.delete, library.undelete):
        with pytest.raises(NoSuchSave, match="'a'"):
            attempt("a")
    with pytest.raises(NoSuchSave, match="'a'"):
        library.rename("a", "b")
    assert library.free_name("a") == "a"
    assert not library.path.parent.exists()


def test_saves_are_listed_newest_first_and_then_the_gallery(library):
    library.save("a", ONE)
    library.save("b", TWO)
    first, second, *shipped = library.entries()
    assert (first.name, first.size, second.name, second.size) == ("b", 20, "a", 10)
    assert (first.learner, first.preset, first.game, first.games) == ("failures", "literal", "hexapawn", 0)
    assert timedelta() <= datetime.now(UTC) - second.updated < timedelta(minutes=1)
    assert not first.gallery
    assert shipped == list(gallery.entries())
    library.save("a", TWO, replace=True)
    assert own_names(library) == ["a", "b"]


def test_a_save_is_loaded_unchanged(library):
    library.save("  Größe (1)  ", ONE)
    assert same(library.load("Größe (1)"), ONE)
    library.save("b", boxed())
    assert same(library.load("b"), boxed())
    assert same(library.load(" Gro\N{COMBINING DIAERESIS}ße (1)"), ONE)


def test_a_save_is_replaced_only_with_replace(library):
    library.save("a", ONE)
    with pytest.raises(NameTaken, match="'a' already"):
        library.save("a", TWO)
    assert same(library.load("a"), ONE)
    created = sql(library, "SELECT created FROM save")
    library.save("a", TWO, replace=True)
    assert same(library.load("a"), TWO)
    assert sql(library, "SELECT created FROM save") == created
    assert sql(library, "SELECT count(*) FROM memory") == [(20,)]


def test_a_save_comes_before_a_later_gallery_save_of_the_same_name(library):
    library.save("a", ONE)
    sql(library, "UPDATE save SET name = 'riechel'")
    assert same(library.load("riechel"), ONE)
    assert [entry.gallery for entry in library.entries() if entry.name == "riechel"] == [False]
    library.rename("riechel", "mine")
    assert library.load("riechel").stats["games"] == 100_000


@pytest.mark.parametrize("name", ["", "[red]", "a\udc80"])
def test_an_invalid_name_is_refused_before_any_change(library, name):
    for attempt in (lambda: library.save(name, ONE), lambda: library.free_name(name)):
        with pytest.raises(BadText):
            attempt()
    for attempt in (lambda: library.load(name), lambda: library.rename(name, "b"), lambda: library.delete(name)):
        with pytest.raises(NoSuchSave):
            attempt()
    assert not library.path.exists()


def test_a_save_is_renamed(library):
    library.save("a", ONE)
    library.save("b", TWO)
    with pytest.raises(NameTaken):
        library.rename("a", "b")
    with pytest.raises(NoSuchSave):
        library.rename("c", "d")
    with pytest.raises(BadText):
        library.rename("a", "[/]")
    library.rename("a", "c")
    library.rename("c", "c")
    assert own_names(library) == ["b", "c"]
    assert same(library.load("c"), ONE)


def test_a_free_name_gets_the_next_number(library):
    assert library.free_name("riechel") == "riechel 2"
    for stem, expected in (("a", "a"), ("a", "a 2"), ("A", "A 3")):
        assert library.free_name(stem) == expected
        library.save(expected, ONE)
    library.save("x" * 60, ONE)
    assert library.free_name("x" * 60) == "x" * 58 + " 2"


def test_a_label_names_a_save_or_a_plain_player(library):
    library.save("a", ONE)
    player = library.player("save:a", GAME)
    assert (player.label, player.game) == ("save:a", GAME)
    assert player.choose(GAME.start, Random(1)).move in GAME.moves(GAME.start)
    assert library.player("perfect", GAME).label == "perfect"
    assert library.player("save:riechel", parse_game("tictactoe")).label == "save:riechel"
    with pytest.raises(BadText, match="'save:a' plays Hexapawn, not Tic-tac-toe"):
        library.player("save:a", parse_game("tictactoe"))
    assert library.player("save: a ", GAME).label == "save:a"
    with pytest.raises(NoSuchSave):
        library.player("save:", GAME)
    with pytest.raises(BadText, match="no player 'nobody'"):
        library.player("nobody", GAME)


def test_an_opponent_is_a_player_or_the_learner_itself_but_no_person(library):
    library.save("a", boxed())
    assert library.opponent("self", GAME) is None
    assert library.opponent("random", GAME).label == "random"
    against = library.opponent("save:a", GAME)
    learner = parse_learner("menace")(GAME, "michie", 1)
    learner.set_opponent(against)
    library.save("b", learner.snapshot())
    assert library.load("b").opponent == "save:a"
    with pytest.raises(BadText, match="'human': a person cannot be the opponent of a training"):
        library.opponent("human", GAME)
    with pytest.raises(NoSuchSave):
        library.opponent("save:c", GAME)


def test_any_sqlite_tool_can_read_the_library(library):
    library.save("a", ONE)
    library.save("b", TWO)
    library.delete("b")
    rows = sql(library, "SELECT position, move, number FROM remembered WHERE name = 'a' ORDER BY number")
    assert [number for _, _, number in rows] == list(range(1, 11))
    assert all(GAME.parse_move(GAME.from_text(position), move) is not None for position, move, _ in rows)
    assert sql(library, "SELECT DISTINCT name FROM remembered") == [("a",)]
    version = latest_version()
    pragmas = {"application_id": APPLICATION, "user_version": version, "journal_mode": "wal", "integrity_check": "ok"}
    for pragma, value in pragmas.items():
        assert sql(library, f"PRAGMA {pragma}") == [(value,)]
    tables = sql(library, "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    assert {row for row in tables if not row[0].startswith("sqlite_")} == {
        ("save", 0, 1),
        ("memory", 1, 1),
        ("checkpoint", 1, 1),
        ("change", 1, 1),
        ("parameters", 1, 1),
        ("game", 0, 1),
    }


def test_any_sqlite_tool_can_read_the_checkpoints(library):
    brain = boxed()
    library.save("a", brain)
    library.save("b", brain)
    library.delete("b")
    for games, checkpoint in revive(brain).history.checkpoints.items():
        rows = sql(
            library,
            "SELECT position, move, sum(number) FROM changed WHERE name = 'a' AND rounds <= ? "
            "GROUP BY position, move HAVING sum(number) > 0",
            games,
        )
        assert sorted(rows) == sorted(to_rows(GAME, checkpoint.memory))
    assert sql(library, "SELECT DISTINCT name FROM changed") == [("a",)]
    empty = sql(library, "SELECT times FROM remembered WHERE number = 0 ORDER BY times")
    assert empty == [(1,), (2,), (2,)]
    library.save("a", ONE, replace=True)
    assert sql(library, "SELECT * FROM changed") == []


@pytest.mark.parametrize("name", ["what?.sqlite", "100% ü #1"])
def test_a_library_may_have_any_path(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path / name, type(tmp_path)(name)):
        library = Library(path)
        library.save(library.free_name("a"), ONE)
    assert own_names(library) == ["a 2", "a"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_of_saves_under_one_free_name_at_once_each_gets_its_own(library):
    with ThreadPoolExecutor(4) as pool:
        names = pool.map(lambda _: Library(library.path).save_free("a", ONE)[0], range(4))
    assert sorted(names) == ["a", "a 2", "a 3", "a 4"]


def test_an_invalid_snapshot_is_not_saved(library):
    with pytest.raises(BadText):
        library.save("a", replace(ONE, stats={**ONE.stats, "entries": 3}))
    assert not library.path.exists()


def test_a_deleted_save_can_be_restored(library):
    library.save("a", ONE)
    library.delete("a")
    assert own_names(library) == []
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
    assert library.deleted_entries() == []
    for name in ("a", "b", "c"):
        library.save(name, ONE)
    library.delete("b")
    library.delete("a")
    library.save("a", TWO)
    first, second = library.deleted_entries()
    assert (first.name, second.name) == ("a", "b")
    assert first.deleted > second.deleted > first.updated
    assert {entry.deleted for entry in library.entries()} == {None}
    for bad, trouble in (("a", NameTaken), ("../a", BadText), ("riechel", NameTaken)):
        with pytest.raises(trouble):
            library.undelete("a", bad)
    library.undelete("a", "as it was")
    assert same(library.load("as it was"), ONE)
    assert same(library.load("a"), TWO)
    assert [entry.name for entry in library.deleted_entries()] == ["b"]


def test_deleted_saves_are_removed_after_thirty_days(library):
    for name in ("old", "new", "kept"):
        library.save(name, ONE)
    library.delete("old")
    passed = sql(library, "SELECT deleted FROM save WHERE name = 'old'")[0][0]
    month_ago = (datetime.fromisoformat(passed) - timedelta(days=30)).isoformat(timespec="microseconds")
    sql(library, "UPDATE save SET deleted = ? WHERE name = 'old'", month_ago)
    library.delete("new")
    assert sql(library, "SELECT name FROM save ORDER BY id") == [("new",), ("kept",)]
    assert sql(library, "SELECT count(*) FROM memory") == [(20,)]
    library.undelete("new")


def test_a_save_that_another_program_changed_is_not_replaced(library):
    one, other = library, Library(library.path)
    stamp = one.save("a", made_up(GAME, 10))
    assert one.stamp("a") == stamp
    later = other.save("a", made_up(GAME, 11), replace=True, since=stamp)
    with pytest.raises(NameTaken, match="another program has changed"):
        one.save("a", made_up(GAME, 12), replace=True, since=stamp)
    assert one.load("a").stats["entries"] == 11
    assert one.save("a", made_up(GAME, 12), replace=True, since=later) != later
    assert one.stamp("nobody") is None


def test_changes_of_one_save_from_many_threads_all_count(library):
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
    assert own_names(library) == ["mine"]
    monkeypatch.undo()
    assert sql(library, "PRAGMA journal_mode") == [("wal",)]
