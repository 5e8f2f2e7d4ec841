"""All operations on files, and the files that they start from, for the fault-injection campaign."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial

from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from saves import gallery
from saves.errors import LibraryError
from saves.formats import export_file, import_file, json_text
from saves.library.recovery import recover
from saves.settings import load_settings, save_settings
from tests.campaigns.file_operations import HEXAPAWN, RECORDS, SNAPSHOTS, ProgramFiles, perform
from tests.cli.cli_run import run

DELETED_GAME = 9, b"2026-01-02T03:04:05+00:00", b"tictactoe", b"human", b"perfect", b"b2", b"draw"


def prepare(folder):
    """Write the files that operations start from: a folder for each kind."""
    (folder / "nothing").mkdir()
    usual = ProgramFiles(folder / "usual")
    for name, brain in {"a": "few", "b 2": "boxes", "c": "many"}.items():
        usual.library.save(name, SNAPSHOTS[brain])
    usual.library.delete("c")
    for record in RECORDS.values():
        usual.library.keep_game(record)
    save_settings(usual.settings, {"theme": "nord", "player": "save:a"})
    export_file(SNAPSHOTS["many"], usual.folder / "in.json")
    export_file(SNAPSHOTS["few"], usual.folder / "in.txt")
    (usual.folder / "link.json").symlink_to("in.json")
    with closing(sqlite3.connect(usual.library.path)) as other:  # the last connection to close removes the log
        other.execute("SELECT * FROM save").fetchall()
        usual.library.rename("a", "left in the log")
        usual.library.rename("left in the log", "a")
        shutil.copytree(usual.folder, folder / "log", symlinks=True)
    (folder / "log" / "library.sqlite-shm").unlink()  # as after a crash of the machine
    for kind in ("usual", "log"):
        damaged = folder / f"damaged {kind}"
        shutil.copytree(folder / kind, damaged, symlinks=True)
        overwrite(damaged / "library.sqlite")


def overwrite(path):
    """Overwrite the last page, which holds rows of a save."""
    data = bytearray(path.read_bytes())
    data[-4096:] = bytes(4096)
    path.write_bytes(data)


def comparable(value):
    """Convert a value that an operation has read to a form that can be compared."""
    return json_text.FORMAT.write(value) if hasattr(value, "memory") else value


def recovery_summary(recovery):
    return recovery.aside.name, recovery.saves


def load(place, name):
    return comparable(place.library.load(name))


def read_everything(place):
    library = place.library
    numbers = library.game_numbers()
    return library.entries(), library.stamp("a"), library.tally(), library.kept_games(numbers), library.kept_game(1)


def import_into(place, name):
    snapshot = import_file(place.folder / name, HEXAPAWN)
    return place.library.save(place.library.free_name("in"), snapshot)


def export(place, file, **options):
    export_file(SNAPSHOTS["few"], place.folder / file, **options)


def read_gallery_first(place):
    """Read the gallery and one of its saves, with an empty cache."""
    for known in (gallery.names, gallery.load, gallery.entries):
        known.cache_clear()
    return place.library.entries(), load(place, gallery.names()[0])


def train(place):
    """Save a training that is stopped early, as the app does."""
    job = TrainingJob(Failures(HEXAPAWN, "literal", 1), 99, "a", PACES[0], partial(keep_training, place))
    job.view = replace(job.view, done=1, snapshot=SNAPSHOTS["many"])
    job.stop()
    job.save_now()
    if job.unsaved:
        raise LibraryError(job.save_error)
    assert not job.save_error


def keep_training(place, snapshot):
    place.library.save("a", snapshot, replace=True)


def command(*words):
    """Return an operation that runs a command. A word that begins with `=` is the name of a file in the folder."""

    def do_command(place):
        files = (str(place.folder / word[1:]) if word.startswith("=") else word for word in words)
        ran = run(*files, *() if "--library" in words else ("--library", str(place.library.path)))
        if ran.code:
            assert ran.code in (1, 2)  # click itself checks whether a file can be read
            assert not ran.out or words[0] == "train", "it printed a result and then failed"
            assert ran.err.startswith("noughts: ")
            raise LibraryError(ran.err.rstrip("\n"))
        assert (ran.code, ran.err) == (0, ""), ran
        return None if words[0] == "train" else ran.out.replace(str(place.folder), "")  # contains a duration

    return do_command


OPERATIONS = {
    "create": ("nothing", lambda place: place.library.save("a", SNAPSHOTS["few"])),
    "create by a game": ("nothing", lambda place: place.library.keep_game(RECORDS["b2"])),
    "read nothing": ("nothing", lambda place: (place.library.entries(), place.library.tally())),
    **{
        operation[0]: ("usual", lambda place, operation=operation: perform(place, operation))
        for operation in (
            ("save", "new", "boxes"),
            ("change", "b 2", "few"),
            ("rename", "a", "z"),
            ("delete", "b 2"),
            ("undelete", "c"),
            ("keep game", "b2"),
            ("withdraw game", 1),
        )
    },
    "save over another": ("log", lambda place: perform(place, ("save", "b 2", "many"))),
    "rename in the log": ("log", lambda place: perform(place, ("rename", "a", "z"))),
    "delete a game": ("usual", lambda place: place.library.delete_game(1)),
    "bring a game back": ("usual", lambda place: place.library.undelete_game()),
    "require a writable library": ("usual", lambda place: place.library.require_writable()),
    "load": ("usual", lambda place: load(place, "b 2")),
    "load from the log": ("log", lambda place: load(place, "b 2")),
    "read everything": ("usual", read_everything),
    "read everything in the log": ("log", read_everything),
    "read the gallery first": ("nothing", read_gallery_first),
    "back up": ("usual", lambda place: place.library.back_up(place.folder / "copy")),
    "back up again": ("log", lambda place: place.library.back_up(place.folder / "in.txt", replace=True)),
    "export JSON": ("usual", lambda place: export(place, "out.json")),
    "export text": ("usual", lambda place: export(place, "out.txt")),
    "export over": ("usual", lambda place: export(place, "in.json", replace=True)),
    "export through a link": ("usual", lambda place: export(place, "link.json", replace=True)),
    "export where something is": ("usual", lambda place: export(place, "in.json")),
    "export where a link is": ("usual", lambda place: export(place, "link.json")),
    "recover": ("damaged usual", lambda place: recovery_summary(recover(place.library.path))),
    "recover with a log": ("damaged log", lambda place: recovery_summary(recover(place.library.path))),
    "recover what is sound": ("usual", lambda place: recover(place.library.path)),
    "noughts saves backup": ("usual", command("saves", "backup", "=copy.sqlite")),
    "noughts saves recover": ("damaged usual", command("saves", "recover", "--json")),
    "back up where something is": ("usual", lambda place: place.library.back_up(place.folder / "in.txt")),
    "back up over a library in use": ("log", lambda place: place.library.back_up(place.library.path, replace=True)),
    "save under a name that is taken": ("usual", lambda place: place.library.save("a", SNAPSHOTS["many"])),
    "load what is not there": ("usual", lambda place: place.library.load("nobody")),
    "import JSON": ("usual", lambda place: import_into(place, "in.json")),
    "import text": ("log", lambda place: import_into(place, "in.txt")),
    "load settings": ("usual", lambda place: load_settings(place.settings)),
    "load no settings": ("nothing", lambda place: load_settings(place.settings)),
    "change settings": ("usual", lambda place: perform(place, ("set", "theme", "gruvbox"))),
    "set first": ("nothing", lambda place: save_settings(place.folder / "new folder" / "s.json", {"a": "b"})),
    "train": ("usual", train),
    "noughts saves list": ("usual", command("saves", "list")),
    "noughts saves show": ("usual", command("saves", "show", "b 2", "--json")),
    "noughts saves rename": ("usual", command("saves", "rename", "a", "z")),
    "noughts saves delete": ("usual", command("saves", "delete", "a", "--json")),
    "noughts saves import": ("usual", command("saves", "import", "=in.json")),
    "noughts saves export": ("usual", command("saves", "export", "a", "=out.json")),
    "noughts games list": ("log", command("games", "list")),
    "noughts train": (
        "nothing",
        command("train", "menace", "--game", "hexapawn", "--games", "9", "--seed", "1", "--save", "m", "--json"),
    ),
}
"""For each operation: the kind of files that it starts from, and its function."""
