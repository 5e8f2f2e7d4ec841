from dataclasses import replace
from datetime import UTC, datetime, timedelta
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
from tests.saves.brains import boxed, made_up, same
from tests.saves.tampering import run_sql

GAME = parse_game("hexapawn")
ONE, TWO = made_up(GAME, 10, 1), made_up(GAME, 20, 2)


def own(library):
    return [entry.name for entry in library.entries() if not entry.gallery]


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
    assert own(library) == ["a", "b"]


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
    created = run_sql(library.path, "SELECT created FROM save")
    library.save("a", TWO, replace=True)
    assert same(library.load("a"), TWO)
    assert run_sql(library.path, "SELECT created FROM save") == created
    assert run_sql(library.path, "SELECT count(*) FROM memory") == [(20,)]


def test_a_save_comes_before_a_later_gallery_save_of_the_same_name(library):
    library.save("a", ONE)
    run_sql(library.path, "UPDATE save SET name = 'riechel'")
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
    assert own(library) == ["b", "c"]
    assert same(library.load("c"), ONE)


def test_a_free_name_gets_the_next_number(library):
    assert library.free_name("riechel") == "riechel 2"
    for expected in ("a", "a 2", "a 3"):
        assert library.free_name("a") == expected
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
    rows = run_sql(library.path, "SELECT position, move, number FROM remembered WHERE name = 'a' ORDER BY number")
    assert [number for _, _, number in rows] == list(range(1, 11))
    assert all(GAME.parse_move(GAME.from_text(position), move) is not None for position, move, _ in rows)
    assert run_sql(library.path, "SELECT DISTINCT name FROM remembered") == [("a",)]
    version = latest_version()
    pragmas = {"application_id": APPLICATION, "user_version": version, "journal_mode": "wal", "integrity_check": "ok"}
    for pragma, value in pragmas.items():
        assert run_sql(library.path, f"PRAGMA {pragma}") == [(value,)]
    of_tables = "SELECT name, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    tables = run_sql(library.path, of_tables)
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
        rows = run_sql(
            library.path,
            "SELECT position, move, sum(number) FROM changed WHERE name = 'a' AND rounds <= ? "
            "GROUP BY position, move HAVING sum(number) > 0",
            games,
        )
        assert sorted(rows) == sorted(to_rows(GAME, checkpoint.memory))
    assert run_sql(library.path, "SELECT DISTINCT name FROM changed") == [("a",)]
    empty = run_sql(library.path, "SELECT times FROM remembered WHERE number = 0 ORDER BY times")
    assert empty == [(1,), (2,), (2,)]
    library.save("a", ONE, replace=True)
    assert run_sql(library.path, "SELECT * FROM changed") == []


def test_a_closed_library_is_a_single_file(library):
    library.save("a", ONE)
    library.load("a")
    library.entries()
    assert [path.name for path in library.path.parent.iterdir()] == ["library.sqlite"]


@pytest.mark.parametrize("name", ["what?.sqlite", "100% ü #1"])
def test_a_library_may_have_any_path(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path / name, type(tmp_path)(name)):
        library = Library(path)
        library.save(library.free_name("a"), ONE)
    assert own(library) == ["a 2", "a"]
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_invalid_snapshot_is_not_saved(library):
    with pytest.raises(BadText):
        library.save("a", replace(ONE, stats={**ONE.stats, "entries": 3}))
    assert not library.path.exists()
