from pathlib import Path

import numpy as np
import pytest

from cli.commands.saves import name_from_file
from engine.evaluate import scoreboard
from engine.games import parse_game
from engine.spaces import space_of
from lab.text.numbers import short_count
from learners import parse_learner, revive
from learners.failures.learner import Failures
from tests.cli.cli_run import as_json, refused, run
from tests.libraries import library, sql


@pytest.fixture
def kept() -> Failures:
    """A learner that was trained for 1,000 games and saved as `a`."""
    learner = Failures(parse_game("tictactoe"), "literal", 1)
    learner.train(1000)
    library().save("a", learner.snapshot())
    return learner


def names() -> list[str]:
    return [entry["name"] for entry in as_json("saves", "list")["saves"]]


def test_the_list_holds_the_saves_and_the_gallery(kept):
    mine, *gallery = as_json("saves", "list")["saves"]
    assert {key: mine[key] for key in ("name", "learner", "preset", "game", "games", "size", "gallery")} == {
        "name": "a",
        "learner": "failures",
        "preset": "literal",
        "game": "tictactoe",
        "games": 1000,
        "size": kept.stats()["entries"],
        "gallery": False,
    }
    assert "riechel" in [entry["name"] for entry in gallery]
    assert all(entry["gallery"] for entry in gallery)
    assert run("saves") == run("saves", "list")
    assert as_json("saves") == as_json("saves", "list")


def test_the_list_counts_games_or_generations():
    entries = as_json("saves", "list")["saves"]
    lines = {line.split()[0]: line for line in run("saves", "list").out.splitlines()}
    for entry in entries:
        stats = library().load(entry["name"]).stats
        assert entry["games"] == stats["games"]
        assert entry["rounds"] == stats[parse_learner(entry["learner"]).spec.round_statistic]
        assert f" {short_count(entry['rounds'])} " in lines[entry["name"]]
    assert any(entry["rounds"] != entry["games"] for entry in entries)


@pytest.mark.usefixtures("kept")
def test_the_list_fits_80_columns_however_long_a_name_is(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    snapshot = Failures(parse_game("tictactoe"), "riechel-2007", 1).snapshot()
    library().save("名" * 60, snapshot)
    library().save("n" * 60, snapshot)
    lines = run("saves", "list").out.splitlines()
    assert lines[0].split() == ["name", "learner", "preset", "game", "trained", "size", "saved"]
    assert len(lines) == 1 + len(names())
    assert max(map(len, lines)) <= 80
    assert [line.split()[0][-1] for line in lines[1:3]] == ["…", "…"]


def test_show_prints_statistics_exact_results_and_newest_failures(kept):
    told = as_json("saves", "show", "a")
    assert {key: told[key] for key in kept.stats()} == kept.stats()
    exact, results = scoreboard(space_of(kept.game), kept.policy()), told["results"]
    assert results["second"]["random"]["loss"] == pytest.approx(exact["second"].against["random"].loss)
    assert results["first"]["best_responder"]["win"] == pytest.approx(exact["first"].against["best_responder"].win)
    newest = told["newest"][0]
    assert newest["number"] == kept.stats()["entries"]
    position = kept.game.from_text(newest["position"])
    edge = kept.space.edge(position, kept.game.parse_move(position, newest["move"]))
    assert kept.memory[edge] == newest["number"]


def test_show_fits_80_columns(kept):
    out = run("saves", "show", "a").out
    assert max(map(len, out.splitlines())) <= 80
    for words in ("literal", "seed 1", "walk_back=false", "reader", f"failure {kept.stats()['entries']:,}"):
        assert words in out


@pytest.mark.parametrize("suffix", [".txt", ".json"])
def test_an_export_imported_again_is_the_same_memory(kept, tmp_path, suffix):
    file = tmp_path / f"a{suffix}"
    assert as_json("saves", "export", "a", str(file)) == {"name": "a", "file": str(file)}
    told = as_json("saves", "import", str(file), "--as", "b")
    assert (told["name"], told["entries"]) == ("b", kept.stats()["entries"])
    there = revive(library().load("b"))
    assert np.array_equal(there.memory, kept.memory)


@pytest.mark.usefixtures("kept")
def test_an_export_replaces_a_file_only_with_replace(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("mine")
    ran = run("saves", "export", "a", str(file))
    assert ran.code == 1
    assert "--replace" in ran.err
    assert file.read_text() == "mine"
    assert run("saves", "export", "a", str(file), "--replace").code == 0
    assert file.read_text() != "mine"


def test_an_export_to_another_suffix_names_all_that_are_known(tmp_path):
    ran = run("saves", "export", "riechel", str(tmp_path / "x.doc"))
    assert ran.code == 1
    for suffix in (".json", ".txt", ".csv"):
        known = tmp_path / f"x{suffix}"
        assert suffix in ran.err
        assert as_json("saves", "export", "riechel", str(known))["file"] == str(known)
        assert known.exists()


@pytest.mark.usefixtures("kept")
def test_an_import_without_a_name_derives_a_free_one_from_the_file(tmp_path):
    file = tmp_path / "a.txt"
    run("saves", "export", "a", str(file))
    assert [as_json("saves", "import", str(file), *more)["name"] for more in ((), ("--replace",))] == ["a 2", "a 3"]


@pytest.mark.parametrize(
    ("stem", "name"),
    [("brain", "brain"), ("[b]my/../\x1bbrain", "brain"), ("-rf", "rf"), ("...", "imported"), ("x" * 300, "x" * 40)],
)
def test_a_file_name_becomes_a_name(stem, name):
    assert name_from_file(Path(f"{stem}.txt")) == name


def test_an_import_replaces_a_save_only_with_replace(kept, tmp_path):
    file = tmp_path / "small.txt"
    file.write_text("1 failures\nX to play\nX O .\n. . .\n. . .\n(2, 2)\n")
    assert run("saves", "import", str(file), "--as", "a").code == 1
    assert library().load("a").stats == kept.stats()
    assert run("saves", "import", str(file), "--as", "a", "--replace").code == 0
    assert library().load("a").stats["entries"] == 1


BAD_FILES = {"binary.txt": bytes(range(256)), "deep.json": b"[" * 100_000, "wrong.suffix": b"1 failures"}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_refused_in_two_lines_and_nothing_is_imported(name, tmp_path):
    (tmp_path / name).write_bytes(BAD_FILES[name])
    before = names()
    refused(name, "saves", "import", str(tmp_path / name))
    assert names() == before


def test_a_save_is_renamed_deleted_and_restored(kept):
    assert as_json("saves", "rename", "a", "b") == {"name": "b", "was": "a"}
    ran = run("saves", "delete", "b")
    assert "noughts saves undelete b" in ran.out
    assert "b" not in names()
    assert as_json("saves", "undelete", "b") == {"name": "b", "deleted": False}
    assert library().load("b").stats == kept.stats()


@pytest.mark.usefixtures("kept")
def test_deleted_saves_are_listed_and_restored_under_another_name():
    assert run("saves", "list", "--deleted").out == "No deleted save.\n"
    assert as_json("saves", "--deleted") == {"saves": []}
    run("saves", "delete", "a")
    head, only = run("saves", "--deleted").out.splitlines()
    assert (head.split()[-1], only.split()[0]) == ("deleted", "a")
    (entry,) = as_json("saves", "list", "--deleted")["saves"]
    assert entry["deleted"] > entry["updated"]
    assert "list --deleted" in run("saves", "undelete", "b").err
    assert as_json("saves", "undelete", "a", "--as", "b") == {"name": "b", "deleted": False}
    assert {"a", "b"}.intersection(names()) == {"b"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "nobody", "x.txt"),
        ("delete", "riechel"),
        ("undelete", "nobody"),
        ("import", "nowhere.txt"),
        ("show", "[red]\x1b[31mx"),
    ],
)
def test_missing_saves_and_files_are_reported(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for json_wanted in ((), ("--json",)):
        refused("", "saves", *arguments, *json_wanted)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("kept")
def test_the_library_option_of_a_command_overrides_that_of_the_program(tmp_path):
    mine, other = str(library().path), str(tmp_path / "other.sqlite")
    assert "a" not in run("--library", other, "saves", "list", "--json").out.split('"')
    assert "a" in run("--library", other, "saves", "list", "--json", "--library", mine).out.split('"')
    assert "a" in run("--library", other, "saves", "--library", mine, "list", "--json").out.split('"')


@pytest.mark.usefixtures("kept")
def test_values_written_by_another_tool_are_listed_as_one_line_of_text():
    sql(library().path, "UPDATE save SET preset = ?, game = ?", "\x1b[31m[red]x", "y" * 10_000)
    ran = run("saves", "list")
    assert (ran.code, ran.err) == (0, "")
    assert "  [31m[red]x  " in ran.out
    assert ran.out.replace("\n", "").isprintable()
    assert max(map(len, ran.out.splitlines())) < 120
    assert names()[0] == "a"
