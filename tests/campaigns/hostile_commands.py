"""All arguments and options of the command line, with a hostile name in each."""

import json
import os
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Final
from unicodedata import normalize

from engine.game import BadText
from saves.library.library import Library
from saves.names import parse_name
from saves.paths import library_path
from tests.campaigns.hostile_names import as_argument
from tests.campaigns.output_checks import in_output
from tests.cli.cli_run import run

NAME: Final = "\0"
"""A placeholder for the name."""
FINE: Final = "fine"
"""An existing save."""
NOBODY: Final = "nobody"
"""A name of no learner, entrant or paper: the other arguments are parsed, and nothing is done."""
UNFIT: Final = ("--generations", "1")
"""An option that is refused last, so that nothing is trained."""
JSON: Final = "--json"
COMMANDS: Final[Sequence[Sequence[str]]] = [
    (NAME,),
    ("--library", NAME, "saves"),
    ("--host", NAME),
    ("--port", NAME),
    ("saves", NAME),
    ("saves", "list", NAME, JSON),
    ("saves", "list", "--library", NAME, JSON),
    ("saves", "show", NAME, JSON),
    ("saves", "show", f"{FINE}@{NAME}", JSON),
    ("saves", "export", NAME, "x.json", JSON),
    ("saves", "export", FINE, NAME, JSON),
    ("saves", "export", FINE, f"{NAME}.json", JSON),
    ("saves", "export", FINE, f"{NAME}/x.txt", JSON),
    ("saves", "import", NAME, JSON),
    ("saves", "import", f"{NAME}.json", JSON),
    ("saves", "import", "good.json", "--as", NAME, "--replace", JSON),
    ("saves", "import", "good.json", "--game", NAME, JSON),
    ("saves", "rename", NAME, "other", JSON),
    ("saves", "delete", NAME, JSON),
    ("saves", "undelete", NAME, JSON),
    ("saves", "undelete", FINE, "--as", NAME, JSON),
    ("saves", "diff", NAME, FINE, JSON),
    ("saves", "diff", FINE, NAME, JSON),
    ("saves", "history", NAME, JSON),
    ("saves", "history", FINE, "--position", NAME, JSON),
    ("games", "list", "--game", NAME, JSON),
    ("games", "list", "--limit", NAME, JSON),
    ("games", "show", NAME, JSON),
    ("games", "delete", NAME, JSON),
    ("evaluate", NAME, JSON),
    ("evaluate", f"save:{NAME}", JSON),
    ("evaluate", f"minimax:{NAME}", "--game", "hexapawn", JSON),
    ("evaluate", "random", "--game", NAME, JSON),
    ("players", "--game", NAME, JSON),
    ("search", "--position", NAME, JSON),
    ("search", "--order", NAME, "--depth", "1", JSON),
    ("search", "--game", "hexapawn", "--depth", NAME, JSON),
    ("search", "--example", NAME, JSON),
    ("tree", "--rules", NAME, JSON),
    ("tree", "--reduce", NAME, JSON),
    ("papers", JSON, "--", NAME),
    ("papers", NOBODY, "--seed", NAME, JSON),
    ("race", NAME, NOBODY, JSON),
    ("race", f"failures:{NAME}", NOBODY, JSON),
    ("race", f"failures/{NAME}", NOBODY, JSON),
    ("race", f"failures+{NAME}", NOBODY, JSON),
    ("race", f"failures+pick={NAME}", NOBODY, JSON),
    ("race", NOBODY, "--measure", NAME, JSON),
    ("race", NOBODY, "--seeds", NAME, JSON),
    ("train", NAME, JSON),
    ("train", "failures", "--preset", NAME, *UNFIT, JSON),
    ("train", "failures", "--opponent", NAME, *UNFIT, JSON),
    ("train", "failures", "--opponent", f"save:{NAME}", *UNFIT, JSON),
    ("train", NOBODY, "--games", NAME, JSON),
    ("train", NOBODY, "--generations", NAME, JSON),
    ("train", NOBODY, "--seed", NAME, JSON),
    ("train", "failures", "--set", NAME, *UNFIT, JSON),
    ("train", "failures", "--set", f"pick={NAME}", *UNFIT, JSON),
    ("train", "--from", NAME, *UNFIT, JSON),
    ("train", "--from", FINE, "--preset", NAME, *UNFIT, JSON),
    ("play", "--game", NAME),
    ("play", "--plain", "--first", NAME),
    ("play", "--plain", "--second", f"save:{NAME}"),
    ("play", "--plain", "--games", NAME),
    ("play", "--plain", "--seed", NAME),
    ("play", "--learn", "--second", NAME),
    ("locate", NAME, JSON),
    ("locate", "--library", NAME, JSON),
]
SAID: Final = ("", "against ", "game ", "paste ", "retry ", "show ", "debrief ", "hint ", "help ")
"""The words before the name in a line of the game played line by line."""


def may_be(name: str) -> bool:
    """Whether a save can have this name."""
    try:
        parse_name(name)
    except BadText:
        return False
    return True


def at_hand(name: str) -> str:
    """The name as a path within the folder of the test, which is deep enough for `..` in it."""
    return f".{name.strip()}" if name.strip().startswith("/") else name


class Commands:
    """Runs commands in the current folder, and collects findings."""

    def __init__(self) -> None:
        self.count = 0
        self.faults: list[str] = []

    def try_all(self, names: Sequence[str], each: int) -> None:
        """Pass each name to a number of commands, in turn."""
        turn = cycle(COMMANDS)
        for name in names:
            for command in islice(turn, each):
                self.try_one(command, name)
        for start in range(0, len(names), 10):
            self.say(names[start : start + 10])

    def try_one(self, command: Sequence[str], name: str) -> None:
        """Run a command, with --json as well if it has that; it may create no other files than those that are named."""
        word = at_hand(as_argument(name))
        arguments = [part.replace(NAME, word) for part in command if part != JSON]
        before = around()
        for way in ([], [JSON])[: 1 + (JSON in command)]:
            at = arguments.index("--") if "--" in command else len(arguments)
            self._look([*arguments[:at], *way, *arguments[at:]], as_json=bool(way))
        new = {path for path in around() - before if path.exists()}
        wanted = {Path(os.path.realpath(part)) for part in arguments if "x" in part or NAME not in part}
        odd = [path for path in new if not any(path == each or path in each.parents for each in wanted)]
        if odd:
            self.faults.append(f"{arguments} wrote {odd}")
        for path in new - set(odd):
            if path.is_file():
                path.unlink()

    def say(self, names: Sequence[str]) -> None:
        """Enter the names in a game that is played line by line."""
        lines = "".join(f"{word}{as_argument(name)}\n" for name in names for word in SAID)
        self._look(["play", "--plain", "--game", "hexapawn", "--seed", "1"], lines=lines)

    def keep_whole(self, names: Sequence[str]) -> int:
        """Rename a save to each valid name, and find it by that name; return the number of valid names."""
        found = 0
        for name in map(as_argument, names):
            changed = run("saves", "rename", JSON, "--", FINE, name)
            if changed.code == 0:
                found += 1
                listed = json.loads(run("saves", JSON).out)["saves"]
                shown = run("saves", "show", name)
                kept = parse_name(name)
                told = normalize("NFC", shown.out)
                if [each["name"] for each in listed].count(kept) != 1 or kept not in told:
                    self.faults.append(f"{name!r} is not found again: {shown.err}")
                self._look(["saves", "rename", name, FINE])
            elif may_be(name) or changed.err.count("\n") > 2:
                self.faults.append(f"{name!r} is refused: {changed.err}")
        return found

    def bring_in(self, names: Sequence[str]) -> None:
        """Import files that hold the names in their fields."""
        good = json.loads(Path("good.json").read_text(encoding="utf-8"))
        for turn, name in enumerate(names):
            key = list(good)[turn % len(good)]
            value = {dict: {name: name}, list: [name], str: name, int: name}[type(good[key])]
            Path("in.json").write_text(json.dumps(good | {key: value}), encoding="utf-8")
            self._look(["saves", "import", "in.json"])
            self._look(["saves", "import", "in.json", JSON], as_json=True)

    def be_in(self, folders: Sequence[str]) -> None:
        """Run in folders with these names, as far as the system allows them."""
        here = Path.cwd()
        for name in map(at_hand, map(as_argument, folders)):
            try:
                Path(name).mkdir(parents=True, exist_ok=True)
                os.chdir(name)
            except OSError:
                continue
            for command in (["locate"], ["saves", "--library", str(Path.cwd())], ["locate", "--library", "x"]):
                self._look(command)
                self._look([*command, JSON], as_json=True)
            os.chdir(here)

    def list_all(self) -> None:
        """Run all commands that list something."""
        for command in (["saves"], ["games", "--limit", "5000"], ["players", "--game", "hexapawn"]):
            self._look(command)
            self._look([*command, JSON], as_json=True)
        for number in Library(library_path()).game_numbers():
            self._look(["games", "show", str(number)])

    def _look(self, arguments: Sequence[str], *, lines: str = "", as_json: bool = False) -> None:
        self.count += 1
        try:
            ran = run(*arguments, lines=lines)
        except Exception as error:  # noqa: BLE001  a traceback, for whoever runs the command
            self.faults.append(f"{arguments!r:.500} raised {error!r:.300}")
            return
        helped = bool({"-h", "--help"} & {*arguments})
        found = in_output(ran.out, ran.err, as_json=as_json and not helped)
        if ran.code not in (0, 1, 2):
            found.append(f"ended with {ran.code}")
        if ran.code and ran.err.count("\n") > 2:
            found.append(f"complained in more than two lines: {ran.err!r:.300}")
        self.faults += [f"{arguments!r:.500}: {each}" for each in found]


def around() -> set[Path]:
    """All files in the folder of the test."""
    top = next(folder for folder in Path.cwd().parents if folder.name == "top")
    return {Path(folder) / name for folder, *both in os.walk(top) for names in both for name in names}
