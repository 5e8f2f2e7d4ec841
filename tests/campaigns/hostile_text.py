"""Hostile names, commands that get them, and what the program must never write because of them."""

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, suppress
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Final

from rich.style import Style
from textual.strip import Strip

from engine.game import BadText
from learners.core.save_ref import parse_name
from saves.library.library import Library
from saves.paths import library_path
from tests.cli.cli_run import run

TABLE: Final = json.loads(Path(__file__).with_name("hostile.json").read_text(encoding="utf-8"))
SAMPLES: Final[dict[str, list[str]]] = {
    kind: [name if isinstance(name, str) else name[0] * name[1] for name in names]
    for kind, names in TABLE["names"].items()
}
"""Samples of each kind of attack; in the table, a long one is a part and a number of repetitions."""
EXISTING_SAVE: Final = "fine"
PLACEHOLDER: Final = "NAME"
JSON: Final = "--json"
COMMANDS: Final[list[list[str]]] = [command.split() for command in TABLE["commands"]]
"""Commands with a hostile name in one argument; those that would train or race are refused for another reason."""
DIALOGUE_COMMANDS: Final = ("", "against ", "game ", "paste ", "retry ", "show ", "debrief ", "hint ", "help ")
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


FORBIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
SCROLL_BAR_ACTIONS: Final = ("grab", "release", "scroll_up", "scroll_down")
OWN_ACTIONS = re.compile(
    r"app\.press\('\w+'\)|"
    r"screen\.(open_box\(\d+\)|go_to\((\d+|\([\d, ]*\))\)|ready_made\([1-6]\)|tour\(-?1\)|leave_tour)"
)
"""The actions of keys in frames, of cards and trainings in Train, of nodes, and of the tour; no sample has one."""


def control_characters(text: str, allowed: str = "") -> list[str]:
    """Return the control characters in a text, as `U+001B`, except those that are allowed."""
    found = [letter for letter in text if letter not in allowed and unicodedata.category(letter) in FORBIDDEN]
    return [f"U+{ord(letter):04X}" for letter in found]


def strip_faults(strips: Iterable[Strip]) -> Iterator[str]:
    """Find control characters, control segments, links and actions in the lines of a screen."""
    for row, strip in enumerate(strips):
        for text, drawn, control in strip:
            style = drawn or Style()
            actions = [
                does
                for key, does in style.meta.items()
                if key.startswith("@") and does not in SCROLL_BAR_ACTIONS and not OWN_ACTIONS.fullmatch(str(does))
            ]
            for fault in (control, control_characters(text)[:3], style.link, actions):
                if fault:
                    yield f"row {row}: {fault} in {text!r}"


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
