"""Hostile text: whatever a name contains, it is shown as text, runs nothing, and writes no other files.

The names are in the library, in every field and prompt, in settings, files, arguments and folders. The campaign checks
what the app draws, what commands print, what reaches the terminal, and which files exist.
"""

import json
import os
import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import chdir, closing, suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random

import pytest
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.app import App
from textual.strip import Strip
from textual.widgets import Static

from engine.game import BadText
from engine.games import parse_game
from learners.core.save_ref import parse_name
from saves.library.library import Library
from saves.paths import library_path, settings_path
from tests.campaigns.monkey import FUNCTIONS, Gesture, MonkeyRun, Step, Trace
from tests.campaigns.watching import control_characters, strip_faults, watching
from tests.cli.cli_run import run
from tests.saves.brains import made_up
from tests.tui.piloting import drawn, is_shown, steadily
from tui.library.save_table import SaveTable
from tui.shell.modes import KEYS
from tui.shell.tour import Tour, tour_keys, tour_keys_text
from tui.train.ready_made import ready_text

TABLE = json.loads(Path(__file__).with_name("hostile.json").read_text(encoding="utf-8"))
SAMPLES: dict[str, list[str]] = {
    kind: [name if isinstance(name, str) else name[0] * name[1] for name in names]
    for kind, names in TABLE["names"].items()
}
"""Samples of each kind of attack; in the table, a long one is a part and a number of repetitions."""
EXISTING_SAVE = "fine"
PLACEHOLDER = "NAME"
JSON = "--json"
COMMANDS: list[list[str]] = [command.split() for command in TABLE["commands"]]
"""Commands with a hostile name in one argument; those that would train or race are refused for another reason."""
DIALOGUE_COMMANDS = ("", "against ", "game ", "paste ", "retry ", "show ", "debrief ", "hint ", "help ")
"""What precedes the name in a line of `play --plain`."""


def hostile_names(count: int, seed: int) -> list[str]:
    """Return different names: one sample of each kind, then the other samples, then mixtures."""
    random = Random(seed)
    every = [name for names in SAMPLES.values() for name in names]
    found = dict.fromkeys([*map(random.choice, SAMPLES.values()), *random.sample(every, len(every))])
    while len(found) < count:
        parts = [random.choice(random.choice(list(SAMPLES.values())))[:200] for _ in range(random.randint(2, 4))]
        if random.random() < 0.3:  # nested
            at = random.randint(0, len(parts[0]))
            parts = [parts[0][:at], *parts[1:], parts[0][at:]]
        found[random.choice(("", "", " ", "/", ":", "\n", "=", " a ", "Größe")).join(parts)] = None
    return list(found)[:count]


def output_faults(out: str, err: str, *, as_json: bool) -> list[str]:
    found = [f"{letters[:3]} in {text!r:.300}" for text in (out, err) if (letters := control_characters(text, "\n"))]
    if "Traceback" in err:
        found.append(f"a traceback: {err!r:.300}")
    if as_json and out:
        if not out.isascii() or out.count("\n") != 1:
            found.append(f"not one line of ASCII: {out!r:.300}")
        try:
            json.loads(out)
        except ValueError as error:
            found.append(f"{error}: {out!r:.300}")
    return found


def is_valid_name(name: str) -> bool:
    try:
        parse_name(name)
    except BadText:
        return False
    return True


def as_argument(name: str) -> str:
    """Return the name as an argument or file name: without NUL."""
    return name.replace("\0", "")


def inside_folder(name: str) -> str:
    """Make a name a path that stays in the tree of the test: no leading slash; the folder is deep enough for `..`."""
    return f".{name.strip()}" if name.strip().startswith("/") else name


def all_files() -> set[Path]:
    top = next(folder for folder in Path.cwd().parents if folder.name == "top")
    return {Path(folder) / name for folder, *both in os.walk(top) for names in both for name in names}


class Commands:
    """Runs commands in the current folder, and collects faults."""

    def __init__(self) -> None:
        self.count = 0
        self.faults: list[str] = []

    def try_all(self, names: Sequence[str], each: int) -> None:
        """Pass each name to the next `each` commands, in a cycle, and all names to `play --plain`."""
        turn = cycle(COMMANDS)
        for name in names:
            for command in islice(turn, each):
                self.try_one(command, name)
        for start in range(0, len(names), 10):
            words = [word + as_argument(name) for name in names[start : start + 10] for word in DIALOGUE_COMMANDS]
            self.check(["play", "--plain", "--game", "hexapawn", "--seed", "1"], lines="\n".join(words))

    def try_one(self, command: Sequence[str], name: str) -> None:
        """Run a command; it may create only backups and the files that it names."""
        hostile, before = inside_folder(as_argument(name)), all_files()
        self.check(command, name=hostile)
        new = {path for path in all_files() - before if path.exists()}
        wanted = {Path(os.path.realpath(part.replace(PLACEHOLDER, hostile))) for part in command}
        wanted |= {path for path in new if path.parent.name.endswith("-backups") and path.suffix == ".sqlite"}
        odd = {path for path in new if not any(path == each or path in each.parents for each in wanted)}
        if odd:
            self.faults.append(f"{command} wrote {odd} for {name!r}")
        for path in new - odd:
            if path.is_file():
                path.unlink()

    def rename_to_all(self, names: Sequence[str]) -> int:
        """Rename a save to each name; return how many are valid. Under a valid name the save must be found."""
        found = 0
        for name in map(as_argument, names):
            changed = run("saves", "rename", JSON, "--", EXISTING_SAVE, name)
            if changed.code == 0:
                found += 1
                listed = [each["name"] for each in json.loads(run("saves", JSON).out)["saves"]]
                shown, kept = unicodedata.normalize("NFC", run("saves", "show", name).out), parse_name(name)
                if listed.count(kept) != 1 or kept not in shown:
                    self.faults.append(f"{name!r} is not found again: {shown:.300}")
                self.check(["saves", "rename", PLACEHOLDER, EXISTING_SAVE], name=name)
            elif is_valid_name(name) or changed.err.count("\n") > 2:
                self.faults.append(f"{name!r} is refused: {changed.err}")
        return found

    def import_files(self, names: Sequence[str]) -> None:
        good = json.loads(Path("good.json").read_text(encoding="utf-8"))
        for name, key in zip(names, cycle(good), strict=False):
            value = {dict: {name: name}, list: [name]}.get(type(good[key]), name)
            Path("in.json").write_text(json.dumps(good | {key: value}), encoding="utf-8")
            self.check(["saves", "import", "in.json", JSON])

    def run_in_folders(self, folders: Sequence[str]) -> None:
        """Run commands in folders with these names, as far as the system allows such names."""
        for name in map(inside_folder, map(as_argument, folders)):
            with suppress(OSError):
                Path(name).mkdir(parents=True, exist_ok=True)
                with chdir(name):
                    for command in (["locate"], ["saves", "--library", str(Path.cwd())], ["locate", "--library", "x"]):
                        self.check([*command, JSON])

    def list_all(self) -> None:
        for command in ("saves", "games --limit 5000", "players --game hexapawn"):
            self.check([*command.split(), JSON])
        for number in Library(library_path()).games.numbers():
            self.check(["games", "show", str(number)])

    def check(self, command: Sequence[str], lines: str = "", name: str = "") -> None:
        """Run a command with a name in place of `PLACEHOLDER`; if it has --json, first without it."""
        for as_json in (False, True)[: 1 + (JSON in command)]:
            arguments = [part.replace(PLACEHOLDER, name) for part in command if as_json or part != JSON]
            self.count += 1
            try:
                ran = run(*arguments, lines=lines)
            except Exception as error:  # noqa: BLE001  a traceback, for whoever runs the command
                self.faults.append(f"{arguments!r:.500} raised {error!r:.300}")
                return
            found = output_faults(ran.out, ran.err, as_json=as_json and not {"-h", "--help"} & {*arguments})
            if ran.code not in (0, 1, 2):
                found.append(f"ended with {ran.code}")
            if ran.code and ran.err.count("\n") > 2:
                found.append(f"complained in more than two lines: {ran.err!r:.300}")
            self.faults += [f"{arguments!r:.500}: {fault}" for fault in found]


SEED = 1
DEPTH = 20
"""The depth of the working folder: no `..` in a name leads out of its tree."""
COLUMNS = ("name", "opponent", "preset", "settings", "learner", "game")
"""The columns that get a hostile text: in each row the name and one of these."""
COPY_MEMORY = "INSERT INTO memory SELECT ?, position, move, number, times FROM memory WHERE save = ?"
SETTINGS = ("theme", "skin", "motion", "tour", "game", "first", "second", "sides", "series", "x-ray", "check")

START_FOLDER = "a\x1b]0;x\x07[b]\udcff\u202e\nb"
NAMES_OF_A_SHORT_RUN = 8


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, deep in a tree that also contains all other files."""
    deep = tmp_path / "top" / Path(*["d"] * DEPTH)
    deep.mkdir(parents=True)
    (tmp_path / "top" / "kept").mkdir()
    for name, path in (
        ("NOUGHTS_LIBRARY", "kept/library.sqlite"),
        ("NOUGHTS_SETTINGS", "kept/settings.json"),
        ("HOME", "home"),
    ):
        monkeypatch.setenv(name, str(tmp_path / "top" / path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "top" / "kept"))  # where recovery copies a library
    monkeypatch.chdir(deep)
    return deep


def fill_library(names: list[str]) -> None:
    """Add a save of each name by SQL, copied from an existing one, and a finished game against it."""
    with closing(sqlite3.connect(library_path())) as db, db:
        db.row_factory = sqlite3.Row
        template = dict(db.execute("SELECT * FROM save WHERE name = ?", (EXISTING_SAVE,)).fetchone())
        first = template.pop("id")
        there = {name for (name,) in db.execute("SELECT name FROM save")}
        for number, name in enumerate(name for name in names if not re.search("[\ud800-\udfff]", name)):
            if name not in there:
                save = insert(db, "save", template | {COLUMNS[number % len(COLUMNS)]: name, "name": name})
                db.execute(COPY_MEMORY, (save, first))
            game = {"played": template["created"], "game": "hexapawn", "first": "human", "second": f"save:{name}"}
            game |= {"moves": "a1a2 b3a2", "outcome": "second_wins" if number % 9 else "first_wins"}
            game |= {("second", "first", "game", "moves", "played")[number % 5]: name} if number % 3 == 0 else {}
            insert(db, "game", game)


def insert(db: sqlite3.Connection, table: str, row: dict[str, object]) -> int | None:
    marks = ", ".join("?" * len(row))
    return db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", [*row.values()]).lastrowid  # noqa: S608


@pytest.mark.long
@pytest.mark.parametrize("count", [NAMES_OF_A_SHORT_RUN, pytest.param(500, marks=pytest.mark.campaign(minutes=5))])
def test_hostile_names(count, folder, monkeypatch, report_line):
    names, full = hostile_names(count, SEED), count > NAMES_OF_A_SHORT_RUN
    one_of_each = names[: len(SAMPLES)]
    Library(library_path()).save(EXISTING_SAVE, made_up(parse_game("hexapawn"), 5))
    run("saves", "export", EXISTING_SAVE, "good.json")
    links_run: list[str] = []
    monkeypatch.setattr("textual.app.App.action_bell", lambda _app: links_run.append("a link rang"))
    commands = Commands()
    valid = commands.rename_to_all([*names, *SAMPLES["allowed"]] if full else one_of_each)
    commands.try_all(names, 3 if full else 2)
    commands.import_files(names[::4] if full else one_of_each[::4])
    commands.run_in_folders(names[1::8] if full else one_of_each[::4])
    fill_library(names)
    commands.list_all()
    before, start_folder = all_files(), folder / START_FOLDER
    start_folder.mkdir()
    monkeypatch.chdir(start_folder)
    monkeypatch.setattr("tests.campaigns.monkey.TEXTS", names)
    trace, faults = Trace(), commands.faults
    for at in range(0, len(one_of_each) if full else 1, len(SETTINGS)):
        settings_path().write_text(json.dumps(dict(zip(SETTINGS, names[at:], strict=False))), encoding="utf-8")
        some, pages, gestures = (names[at::7], 40, 200) if full else (names[:2], 2, 20)
        faults += visit_screens(some, pages, gestures, trace)
    inside = {start_folder, library_path().parent}
    odd = [path for path in all_files() - before if not inside & {path, *path.parents} and path.suffix != ".json"]
    report_line(
        f"{count:,} names, {valid:,} of them valid, {commands.count:,} commands, {trace.checks:,} screens: "
        f"{len(faults)} faults, {len(links_run)} actions run, {len(odd)} files elsewhere"
    )
    assert not faults, "\n".join([f"{len(faults)} faults, seed {SEED}", *faults[:20]])
    assert not links_run
    assert not odd


def visit_screens(names: list[str], pages: int, gestures: int, trace: Trace) -> list[str]:
    """Visit lists and prompts, then make random gestures, which enter names as well; return the findings."""
    random = Random(SEED + trace.checks)
    kinds = [*FUNCTIONS, *["fill_field"] * 10, "press_bound_key"]
    further = [Gesture(random.choice(kinds), random.randrange(10_000)) for _ in range(gestures)]
    with watching(library_path().parents[1]) as watch:
        MonkeyRun(library_path().parent, watch, trace, SEED).run([*script(names, pages), *further])
    # settings with half a character are refused, and so not written: at its end the app names the file
    return [each for each in watch.findings if not each.startswith(f"{settings_path()}: ")]


def script(names: list[str], pages: int) -> Iterator[Step]:
    """Page through library, opponents and games with every action on an entry; rename, export and import by name."""

    def keys(words: str) -> list[Step]:
        return [step for key in words.split() for step in (("key", key), ("rest", 0.05))]

    paging = [("key", "pagedown"), ("rest", 0.02)] * pages
    yield from (("key", KEYS["library"]), ("until", lambda app: app.screen.query(SaveTable)), ("rest", 0.5), *paging)
    yield from keys(f"R enter escape X escape enter escape delete u T {KEYS['library']} v {KEYS['play']} o")
    yield from (*paging, *keys("enter escape H"), *paging, *keys("enter down x escape delete u o b escape"))
    yield from keys(KEYS["library"])
    for turn, name in enumerate(names):
        yield from keys(f"{'RXI'[turn % 3]} end ctrl+u")
        yield "paste", inside_folder(name) + (".json" if turn % 3 == 1 else "")
        yield from keys("enter escape")


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
        assert len(list(strip_faults([Strip([Segment("a [b] "), segment])]))) == 1
    assert list(strip_faults([Strip([Segment("[@click=app.quit]x", Style(bold=True))])])) == []


@pytest.mark.parametrize("name", [name for name in SAMPLES["links"] if "@click" in name])
async def test_a_name_that_becomes_a_link_is_detected_beside_the_links_of_the_program(name):
    own = Text("\n").join([tour_keys_text(tour_keys(Tour(offered=False))), ready_text(80, with_summaries=True)])
    assert await faults_of(Static(own), Static(name, markup=False)) == []
    assert len(await faults_of(Static(own), Static(name))) == 1


async def faults_of(*widgets: Static) -> list[str]:
    app = App()
    async with steadily(app, (80, 40)) as pilot:
        await app.mount(*widgets)
        await pilot.until(lambda: all(map(is_shown, widgets)))
        return list(strip_faults(drawn(app.screen)))


def test_a_careless_command_is_detected(folder, monkeypatch):
    assert output_faults("a\nb\n", "", as_json=False) == []
    assert output_faults("a\x1b[0m\n", "", as_json=False)
    assert output_faults("", "Traceback (most recent call last)", as_json=False)
    assert output_faults('{"a": "é"}\n', "", as_json=True)
    assert output_faults("{}\n{}\n", "", as_json=True)
    assert output_faults('{"a": "\\u001b"}\n', "", as_json=True) == []

    def careless(name, *_, **__):
        Path(name).touch()
        raise ValueError(name)

    monkeypatch.setattr("tests.campaigns.test_hostile_names.run", careless)
    commands = Commands()
    commands.try_one(["../y"], "a")
    assert len(commands.faults) == 1
    commands.try_one([f"{folder.parent}/aNAME"], "b")
    assert len(commands.faults) > 1
