"""Run the commands with a hostile name in each argument and option."""

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
from tests.campaigns.output_checks import output_faults
from tests.cli.cli_run import run

NAME: Final = "\0"
"""A placeholder for the hostile name in an argument."""
EXISTING: Final = "fine"
"""An existing save."""
UNKNOWN: Final = "nobody"
"""A name that no learner, entrant or paper has: the command parses its arguments, then refuses to run."""
REFUSED_OPTION: Final = ("--generations", "1")
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
    ("saves", "show", f"{EXISTING}@{NAME}", JSON),
    ("saves", "export", NAME, "x.json", JSON),
    ("saves", "export", EXISTING, NAME, JSON),
    ("saves", "export", EXISTING, f"{NAME}.json", JSON),
    ("saves", "export", EXISTING, f"{NAME}/x.txt", JSON),
    ("saves", "import", NAME, JSON),
    ("saves", "import", f"{NAME}.json", JSON),
    ("saves", "import", "good.json", "--as", NAME, "--replace", JSON),
    ("saves", "import", "good.json", "--game", NAME, JSON),
    ("saves", "rename", NAME, "other", JSON),
    ("saves", "delete", NAME, JSON),
    ("saves", "undelete", NAME, JSON),
    ("saves", "undelete", EXISTING, "--as", NAME, JSON),
    ("saves", "diff", NAME, EXISTING, JSON),
    ("saves", "diff", EXISTING, NAME, JSON),
    ("saves", "history", NAME, JSON),
    ("saves", "history", EXISTING, "--position", NAME, JSON),
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
    ("papers", UNKNOWN, "--seed", NAME, JSON),
    ("race", NAME, UNKNOWN, JSON),
    ("race", f"failures:{NAME}", UNKNOWN, JSON),
    ("race", f"failures/{NAME}", UNKNOWN, JSON),
    ("race", f"failures+{NAME}", UNKNOWN, JSON),
    ("race", f"failures+pick={NAME}", UNKNOWN, JSON),
    ("race", UNKNOWN, "--measure", NAME, JSON),
    ("race", UNKNOWN, "--seeds", NAME, JSON),
    ("train", NAME, JSON),
    ("train", "failures", "--preset", NAME, *REFUSED_OPTION, JSON),
    ("train", "failures", "--opponent", NAME, *REFUSED_OPTION, JSON),
    ("train", "failures", "--opponent", f"save:{NAME}", *REFUSED_OPTION, JSON),
    ("train", UNKNOWN, "--games", NAME, JSON),
    ("train", UNKNOWN, "--generations", NAME, JSON),
    ("train", UNKNOWN, "--seed", NAME, JSON),
    ("train", "failures", "--set", NAME, *REFUSED_OPTION, JSON),
    ("train", "failures", "--set", f"pick={NAME}", *REFUSED_OPTION, JSON),
    ("train", "--from", NAME, *REFUSED_OPTION, JSON),
    ("train", "--from", EXISTING, "--preset", NAME, *REFUSED_OPTION, JSON),
    ("play", "--game", NAME),
    ("play", "--plain", "--first", NAME),
    ("play", "--plain", "--second", f"save:{NAME}"),
    ("play", "--plain", "--games", NAME),
    ("play", "--plain", "--seed", NAME),
    ("play", "--learn", "--second", NAME),
    ("locate", NAME, JSON),
    ("locate", "--library", NAME, JSON),
]
DIALOGUE_COMMANDS: Final = ("", "against ", "game ", "paste ", "retry ", "show ", "debrief ", "hint ", "help ")
"""What precedes the name in a line of `play --plain`."""


def is_valid_name(name: str) -> bool:
    """Whether a save can have this name."""
    try:
        parse_name(name)
    except BadText:
        return False
    return True


def inside_folder(name: str) -> str:
    """Make a name a path that stays in the tree of the test: no leading slash; the folder is deep enough for `..`."""
    return f".{name.strip()}" if name.strip().startswith("/") else name


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
            self.write_lines(names[start : start + 10])

    def try_one(self, command: Sequence[str], name: str) -> None:
        """Run a command, also with --json if it has it; it may create only the files that its arguments name."""
        word = inside_folder(as_argument(name))
        arguments = [part.replace(NAME, word) for part in command if part != JSON]
        before = all_files()
        for extra in ([], [JSON])[: 1 + (JSON in command)]:
            at = arguments.index("--") if "--" in command else len(arguments)
            self._run_and_check([*arguments[:at], *extra, *arguments[at:]], as_json=bool(extra))
        new = {path for path in all_files() - before if path.exists()}
        wanted = {Path(os.path.realpath(part)) for part in arguments if "x" in part or NAME not in part}
        odd = [path for path in new if not any(path == each or path in each.parents for each in wanted)]
        if odd:
            self.faults.append(f"{arguments} wrote {odd}")
        for path in new - set(odd):
            if path.is_file():
                path.unlink()

    def write_lines(self, names: Sequence[str]) -> None:
        """Enter the names in `play --plain`."""
        lines = "".join(f"{word}{as_argument(name)}\n" for name in names for word in DIALOGUE_COMMANDS)
        self._run_and_check(["play", "--plain", "--game", "hexapawn", "--seed", "1"], lines=lines)

    def rename_to_all(self, names: Sequence[str]) -> int:
        """Rename a save to each name; return how many are valid. Under a valid name the save must be found."""
        found = 0
        for name in map(as_argument, names):
            changed = run("saves", "rename", JSON, "--", EXISTING, name)
            if changed.code == 0:
                found += 1
                listed = json.loads(run("saves", JSON).out)["saves"]
                shown = run("saves", "show", name)
                kept = parse_name(name)
                shown_output = normalize("NFC", shown.out)
                if [each["name"] for each in listed].count(kept) != 1 or kept not in shown_output:
                    self.faults.append(f"{name!r} is not found again: {shown.err}")
                self._run_and_check(["saves", "rename", name, EXISTING])
            elif is_valid_name(name) or changed.err.count("\n") > 2:
                self.faults.append(f"{name!r} is refused: {changed.err}")
        return found

    def import_files(self, names: Sequence[str]) -> None:
        """Import files with the names in their fields."""
        good = json.loads(Path("good.json").read_text(encoding="utf-8"))
        for turn, name in enumerate(names):
            key = list(good)[turn % len(good)]
            value = {dict: {name: name}, list: [name], str: name, int: name}[type(good[key])]
            Path("in.json").write_text(json.dumps(good | {key: value}), encoding="utf-8")
            self._run_and_check(["saves", "import", "in.json"])
            self._run_and_check(["saves", "import", "in.json", JSON], as_json=True)

    def run_in_folders(self, folders: Sequence[str]) -> None:
        """Run commands in folders with these names, as far as the system allows such names."""
        here = Path.cwd()
        for name in map(inside_folder, map(as_argument, folders)):
            try:
                Path(name).mkdir(parents=True, exist_ok=True)
                os.chdir(name)
            except OSError:
                continue
            for command in (["locate"], ["saves", "--library", str(Path.cwd())], ["locate", "--library", "x"]):
                self._run_and_check(command)
                self._run_and_check([*command, JSON], as_json=True)
            os.chdir(here)

    def list_all(self) -> None:
        """Run all commands that list something."""
        for command in (["saves"], ["games", "--limit", "5000"], ["players", "--game", "hexapawn"]):
            self._run_and_check(command)
            self._run_and_check([*command, JSON], as_json=True)
        for number in Library(library_path()).game_numbers():
            self._run_and_check(["games", "show", str(number)])

    def _run_and_check(self, arguments: Sequence[str], *, lines: str = "", as_json: bool = False) -> None:
        self.count += 1
        try:
            ran = run(*arguments, lines=lines)
        except Exception as error:  # noqa: BLE001  a traceback, for whoever runs the command
            self.faults.append(f"{arguments!r:.500} raised {error!r:.300}")
            return
        helped = bool({"-h", "--help"} & {*arguments})
        found = output_faults(ran.out, ran.err, as_json=as_json and not helped)
        if ran.code not in (0, 1, 2):
            found.append(f"ended with {ran.code}")
        if ran.code and ran.err.count("\n") > 2:
            found.append(f"complained in more than two lines: {ran.err!r:.300}")
        self.faults += [f"{arguments!r:.500}: {each}" for each in found]


def all_files() -> set[Path]:
    """All files and folders in the tree of the test."""
    top = next(folder for folder in Path.cwd().parents if folder.name == "top")
    return {Path(folder) / name for folder, *both in os.walk(top) for names in both for name in names}
