"""Hostile text: whatever a name holds, it is shown as text, runs nothing, and writes nothing elsewhere.

The names are in the library, in every field and prompt, in settings, files, arguments and folders. The campaign checks
what the app draws, what commands print, what reaches the terminal, and which files exist.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from engine.games import parse_game
from saves.library.library import Library
from saves.paths import library_path, settings_path
from tests.campaigns.hostile_commands import FINE, Commands, around
from tests.campaigns.hostile_names import TRICKS, hostile_names, in_library
from tests.campaigns.hostile_screens import Screens
from tests.campaigns.output_checks import controlling, in_output, in_stream, seen_on
from tests.cli.cli_run import run
from tests.saves.brains import made_up
from tests.tui.piloting import make_app, running
from tests.tui.terminal import Terminal

SEED = 1
DEPTH = 20
"""The depth of the working folder: no `..` in a name leads out of its tree."""
COLUMNS = ("name", "opponent", "preset", "settings", "learner", "game")
"""The columns that get a hostile text: always the name, and one of these."""
COPY_MEMORY = "INSERT INTO memory SELECT ?, position, move, number, times FROM memory WHERE save = ?"
SETTINGS = ("theme", "skin", "motion", "tour", "game", "first", "second", "sides", "series", "x-ray", "check")

STRANGE = "a\x1b]0;x\x07[b]\udcff\u202e\nb"
"""The folder that the app is opened in."""
SHORT = 8
"""The most names of a short run."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, deep in a tree that also contains all other files."""
    deep = tmp_path / "top" / Path(*["d"] * DEPTH)
    deep.mkdir(parents=True)
    (tmp_path / "top" / "kept").mkdir()
    for name, path in (("NOUGHTS_LIBRARY", "kept/library"), ("NOUGHTS_SETTINGS", "kept/settings"), ("HOME", "home")):
        monkeypatch.setenv(name, str(tmp_path / "top" / path))
    monkeypatch.chdir(deep)
    return deep


def fill_library(names: list[str]) -> None:
    """Add a save of each name by SQL, copied from an existing one, and a finished game against it."""
    with closing(sqlite3.connect(library_path())) as db, db:
        db.row_factory = sqlite3.Row
        fine = dict(db.execute("SELECT * FROM save WHERE name = ?", (FINE,)).fetchone())
        first = fine.pop("id")
        there = {name for (name,) in db.execute("SELECT name FROM save")}
        for number, name in enumerate(in_library(names)):
            if name not in there:
                save = insert(db, "save", fine | {COLUMNS[number % len(COLUMNS)]: name, "name": name})
                db.execute(COPY_MEMORY, (save, first))
            game = {"played": fine["created"], "game": "hexapawn", "first": "human", "second": f"save:{name}"}
            game |= {"moves": "a1a2 b3a2", "outcome": "second_wins" if number % 9 else "first_wins"}
            game |= {("second", "first", "game", "moves", "played")[number % 5]: name} if number % 3 == 0 else {}
            insert(db, "game", game)


def insert(db: sqlite3.Connection, table: str, row: dict[str, object]) -> int | None:
    marks = ", ".join("?" * len(row))
    return db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", [*row.values()]).lastrowid  # noqa: S608


def write_settings(names: list[str]) -> None:
    settings_path().write_text(json.dumps(dict(zip(SETTINGS, names, strict=False))), encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("count", [SHORT, pytest.param(500, marks=pytest.mark.campaign(minutes=4))])
async def test_hostile_names(count, folder, monkeypatch, tell):
    names, full = hostile_names(count, SEED), count > SHORT
    few = names[: len(TRICKS)]
    Library(library_path()).save(FINE, made_up(parse_game("hexapawn"), 5))
    run("saves", "export", FINE, "good.json")
    rang: list[str] = []
    monkeypatch.setattr("textual.app.App.action_bell", lambda _app: rang.append("a link rang"))
    commands = Commands()
    whole = commands.keep_whole([*names, *TRICKS["allowed"]] if full else few)
    commands.try_all(names, 3 if full else 2)
    commands.bring_in(names[::4] if full else few[::4])
    commands.be_in(names[1::8] if full else few[::4])
    fill_library(names)
    commands.list_all()
    before = around()
    looks, faults = 0, list(commands.faults)
    strange = folder / STRANGE
    strange.mkdir()
    monkeypatch.chdir(strange)
    for values in [names[at : at + len(SETTINGS)] for at in range(0, len(few) if full else 1, len(SETTINGS))]:
        write_settings(values)
        async with running(make_app("hexapawn")) as pilot:
            screens = Screens(pilot)
            await screens.look("play")
            if values[0] == names[0]:
                await go_round(screens, names, few, full=full)
            looks, faults = looks + screens.looks, faults + screens.faults
    if full:
        faults += in_terminal()
    odd = [path for path in around() - before if strange not in (path, *path.parents) and path.suffix != ".json"]
    odd = [path for path in odd if "kept" not in path.parts]
    tell(
        f"{count:,} names, {whole:,} of them allowed, {commands.count:,} commands, {looks:,} screens: "
        f"{len(faults)} faults, {len(rang)} actions run, {len(odd)} files elsewhere"
    )
    assert not faults, "\n".join([f"{len(faults)} faults, seed {SEED}", *faults[:20]])
    assert not rang
    assert not odd


async def go_round(screens: Screens, names: list[str], few: list[str], *, full: bool) -> None:
    """Visit all screens, with the names in every field; at full size more of each."""
    await screens.library(12 if full else 1)
    await screens.prompts(names[::6] if full else few[::4])
    await screens.players(few[::3] if full else few[:1])
    await screens.games(10 if full else 1)
    if full:
        await screens.fields(names[1::8], "train", ["#form-set", "#form-rounds", "#form-seed", "#form-name"])
        await screens.choices([("train", "", "#form-opponent"), ("race", "n", "#entrant-opponent")])
        await screens.fields(names[7::8], "race", ["#race-games", "#race-machines", "#race-seed"])
        await screens.fields(names[5::8], "race", ["#entrant-set"], "n")
        await screens.fields(names[3::8], "play", ["#paste"], "C")


def in_terminal() -> list[str]:
    """Faults in what the app writes to a real terminal while it shows the same library."""
    with closing(Terminal()) as terminal:
        terminal.until("NOUGHTS", "No moves yet")
        for keys in (
            "l",
            *["\x1b[6~"] * 20,
            "X",
            "\r",
            "\x1b",
            "R",
            "\r",
            "\x1b",
            "p",
            "o",
            *["\x1b[6~"] * 20,
            "\x1b",
            "H",
        ):
            terminal.type(keys)
            terminal.until_quiet()
        seen = any(mark in terminal.written for mark in ("[@click=app.bell]", "[red]x"))
        terminal.type("\x1b")
        terminal.until_quiet(0.5)
        terminal.type("q")
        terminal.end()
    return in_stream(terminal.written) + ([] if seen else ["the terminal showed none of the names"])


def test_careless_drawing_is_detected():
    careless = {
        "controls": Segment("\x1b[31mx"),
        "turns the line around": Segment("a\u202eb"),
        "half a character": Segment("\udc80"),
        "a link": Segment("x", Style(link="file:///etc/passwd")),
        "an action": Segment("x", Style.from_meta({"@click": "app.quit"})),
        "a control": Segment("x", None, [(1,)]),
    }
    for segment in careless.values():
        assert len(list(seen_on([Strip([Segment("a [b] "), segment])]))) == 1
    assert list(seen_on([Strip([Segment("[@click=app.quit]x", Style(bold=True))])])) == []


@pytest.mark.parametrize(
    "written", ["\x1b]0;title\x07", "\x1b[2J", "\x1b[6n", "\x9b31m", "\x1bc", "\x07", "\u202e", "\x1b"]
)
def test_foreign_terminal_sequences_are_detected(written):
    own = "\x1b[?1049h\x1b[12;3H\x1b[1;38;2;1;2;3mabc\x1b[0m\x1b]22;default\x07"
    assert in_stream(own) == []
    assert len(in_stream(f"{own}{written}{own}")) == 1


def test_a_careless_command_is_detected(folder, monkeypatch):
    assert in_output("a\nb\n", "", as_json=False) == []
    assert in_output("a\x1b[0m\n", "", as_json=False)
    assert in_output("", "Traceback (most recent call last)", as_json=False)
    assert in_output('{"a": "é"}\n', "", as_json=True)
    assert in_output("{}\n{}\n", "", as_json=True)
    assert in_output('{"a": "\\u001b"}\n', "", as_json=True) == []

    def careless(name, *_, **__):
        Path(name).touch()
        raise ValueError(name)

    monkeypatch.setattr("tests.campaigns.hostile_commands.run", careless)
    commands = Commands()
    commands.try_one(["../y"], "a")
    assert len(commands.faults) == 1
    commands.try_one([f"{folder.parent}/a\0"], "b")
    assert len(commands.faults) > 1


def test_hostile_names_are_distinct_and_reproducible():
    names = hostile_names(1000, SEED)
    assert len(set(names)) == len(names) == 1000
    assert names == hostile_names(1000, SEED) != hostile_names(1000, SEED + 1)
    assert any(len(name) == 10_000 for name in names)
    assert sum(bool(controlling(name)) for name in names) > 200
