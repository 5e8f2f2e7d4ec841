"""Writes `library-N.sqlite` and `library-N.json`: a small library of schema version N, and what its program reported.

    write_library.py N CHECKOUT

CHECKOUT is a work tree of the program when N was the version of the schema: usually one shortly before the commit that
made it N + 1, which `git log -S "user_version = N" -- saves/schema.sql saves/sqlite/schema.sql` lists. That program
does everything itself, by its own command line: it trains against itself and others, continues trainings, renames,
deletes, lets a person play, and lists and exports what it wrote. So the files contain exactly what the program of that
time wrote. They are never changed; when the schema changes, the program before the change writes another one.

The commits that wrote them:

1        4a958d4, the last one before MENACE: its first versions could not read what they had written
2-first  a5e19c1, before machines counted what their beads gained
2        2302930
3        06a4da2
4        d7334e9, which this history does not contain: shortly before 4bc9906
5        6c0e4af

The JSON: `version`; `saves`, as `saves list --json` lists them, without the gallery; `exports`, the text of
`saves export` by name; `deleted`, the same for saves that were deleted later; `games`, the rows of the finished games.
"""

import json
import os
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

DATA = Path(__file__).parent
TRAININGS = {
    1: """
        failures --save pawns --game hexapawn --games 200 --seed 1
        failures --save crosses --preset riechel-2007 --games 100 --seed 0
        failures --save misère --game misere --games 30 --seed 9223372036854775807
        failures --save mine --game hexapawn --games 7 --seed 3 --set walk_back=true
        failures --save pawns --from pawns --games 100 --replace
    """,
    2: """
        menace --save her --game hexapawn --preset her --games 60 --seed 2 --opponent random
        menace --save matchboxes --games 12 --seed 4
        menace --save matchboxes --from matchboxes --games 8 --opponent random --replace
        menace --save pupil --game hexapawn --preset her --games 20 --seed 6 --opponent save:pawns
        menace --save "Michie's" --game hexapawn --games 12 --seed 7 --opponent perfect
    """,
    3: """
        genetic --save bred --game hexapawn --set population=10 --set until=end --generations 6 --seed 8
        genetic --save swift --preset swift --game hexapawn --set population=10 --set until=end --generations 6 --seed 9
    """,
}
"""What is trained, by the first version that could do so."""
MOVES = {
    "tictactoe": "b2 a1 c3 a3 c1 b1 b3 a2 c2",
    "hexapawn": "a1a2 b1b2 c1c2 a1b2 b1a2 b1c2 c1b2 a2a3 b2b3 c2c3 a2b3 b2a3 b2c3 c2b3",
}
MOVES_AFTER = {"tictactoe": MOVES["tictactoe"], "hexapawn": "a3a2 b3b2 c3c2 a3b2 b3a2 b3c2 c3b2 a2a1 b2b1 c2c1"}
"""The moves that a person tries, again and again until the game is over: the program refuses the illegal ones."""


class OldProgram:
    """The command line of a checkout, with one library."""

    def __init__(self, checkout: Path, library: Path) -> None:
        self.checkout = checkout
        files = {"noughts": "noughts.py", "cli": "cli/__main__.py", "tui": "tui/__main__.py"}
        self.module = next(module for module, file in files.items() if (checkout / file).is_file())
        """The module that is run as a program: the command line was part of the app at first."""
        self.library = library

    def say(self, *words: str, typed: str = "") -> str:
        """What one command prints. Kernels are not compiled: that would take longer than these few games."""
        environment = {
            **os.environ,
            "PYTHONPATH": str(self.checkout),
            "NUMBA_DISABLE_JIT": "1",
            "NOUGHTS_LIBRARY": str(self.library),
        }
        command = [sys.executable, "-m", self.module, *words]
        done = subprocess.run(
            command, cwd=self.checkout, env=environment, input=typed, capture_output=True, text=True, check=True
        )
        return done.stdout

    def train(self, words: str) -> None:
        self.say("train", *shlex.split(words), "--json")

    def play(self, game: str, *words: str, moves: dict[str, str] = MOVES) -> None:
        typed = "\n".join(moves[game].split() * 9)
        self.say("play", "--plain", "--game", game, "--seed", "5", *words, typed=typed)

    def export(self, name: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "export.json"
            self.say("saves", "export", name, str(file))
            return file.read_text("utf-8")

    def told(self) -> list[dict[str, object]]:
        return [save for save in json.loads(self.say("saves", "list", "--json"))["saves"] if not save["gallery"]]


def main(which: str, checkout: str) -> None:
    version = int(which[0])
    path = DATA / f"library-{which}.sqlite"
    path.unlink(missing_ok=True)
    program = OldProgram(Path(checkout).absolute(), path)
    for since, trainings in TRAININGS.items():
        for training in trainings.strip().splitlines() if since <= version else ():
            program.train(training)
    program.say("saves", "rename", "mine", "Renamed; 名前 (é) +1 it's")
    deleted = {}
    for name in ("gone", "twice"):
        program.train(f"failures --save {name} --game hexapawn --games 9 --seed 11")
        deleted[name] = program.export(name)
        program.say("saves", "delete", name)
    program.train("failures --save twice --game hexapawn --games 5 --seed 12")
    program.play("tictactoe", "--second", "random")
    program.play("tictactoe", "--first", "perfect")
    program.play("hexapawn", "--second", "save:her" if version > 1 else "save:pawns")
    program.play("hexapawn", "--first", "save:pawns", moves=MOVES_AFTER)
    saves = program.told()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)
        games = db.execute("SELECT played, game, first, second, moves, outcome FROM game ORDER BY id").fetchall()
    told = {
        "version": version,
        "saves": saves,
        "exports": {str(save["name"]): program.export(str(save["name"])) for save in saves},
        "deleted": deleted,
        "games": games,
    }
    with closing(sqlite3.connect(path)) as db:
        db.execute("VACUUM")
    text = json.dumps(told, ensure_ascii=False, indent=1)
    (DATA / f"library-{which}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
