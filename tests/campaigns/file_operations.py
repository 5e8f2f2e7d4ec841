"""Random operations on files, and the states that they must lead to.

An operation is a tuple of a verb and its arguments, as in ("rename", "a", "b 2"). For each verb, `KINDS` has the
function of the program, the expected states, and generators of random arguments. A state consists of simple tables,
independent of how the program stores them.
"""

from dataclasses import dataclass, field, replace

from engine.game import Outcome
from engine.games import parse_game
from engine.match import Record
from lab.training.training_job import PACES, TrainingJob
from learners.failures.learner import Failures
from saves.formats import export_file, import_file
from saves.library.library import Library
from saves.settings import change_settings
from tests.saves.brains import boxed, made_up

HEXAPAWN = parse_game("hexapawn")
SNAPSHOTS = {
    "few": made_up(HEXAPAWN, 5, 1),
    "many": made_up(HEXAPAWN, 160, 2),
    "large": made_up(parse_game("tictactoe"), 400, 3),
    "boxes": boxed(),
}
RECORDS = {
    "a3 a2 b3 b2 c3": Record("tictactoe", ("human", "perfect"), (0, 3, 1, 4, 2), Outcome.FIRST_WINS),
    "b2": Record("tictactoe", ("save:a", "human"), (4,), Outcome.DRAW),
}
NAMES = ("a", "b 2", "Größe", "x" * 60)
BACKUP = "backup.sqlite"


@dataclass(frozen=True)
class State:
    """An expected state. A save or an exported file maps to the key of its snapshot, a game number to its moves."""

    saves: dict[str, str] = field(default_factory=dict)
    deleted: tuple[tuple[str, str], ...] = ()
    games: dict[int, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    @property
    def library(self):
        return self.saves, self.deleted, self.games


class ProgramFiles:
    """The files of a running program, in a folder of its own."""

    def __init__(self, folder) -> None:
        self.folder = folder
        self.library = Library(folder / "library.sqlite")
        self.settings = folder / "settings.json"


def without(table, *keys):
    return {key: value for key, value in table.items() if key not in keys}


def free_name_from(state, stem):
    return next(name for name in (stem, *(f"{stem} {n}" for n in range(2, 99))) if name not in state.saves)


def do_import(place, key):
    snapshot = import_file(place.folder.parent / f"{key}.json")
    place.library.save(place.library.free_name("in"), snapshot)


def do_take_back(place, number):
    place.library.delete_game(number)
    place.library.undelete_game()


def do_autosave(place, name, *keys):
    """Save a training as the app does: replace the save that the training continues, unless that save has changed."""
    stamp = place.library.stamp(name)

    def keep(snapshot):
        nonlocal stamp
        stamp = place.library.save(name, snapshot, replace=stamp is not None, since=stamp)

    job = TrainingJob(Failures(HEXAPAWN, "literal", 1), 99, name, PACES[0], keep)
    for key in keys:
        job.view = replace(job.view, done=1, snapshot=SNAPSHOTS[key])
        job.save_now()
        assert not job.unsaved, job.save_error


def undeleted(state, name):
    at = max(at for at, (each, _) in enumerate(state.deleted) if each == name)
    left = state.deleted[:at] + state.deleted[at + 1 :]
    return [replace(state, saves={**state.saves, name: state.deleted[at][1]}, deleted=left)]


def saved(state, name, key):
    return [replace(state, saves={**state.saves, name: key})]


def autosaved(state, name, *keys):
    return [kept for key in keys for kept in saved(state, name, key)]


def renamed(state, old, new):
    return [replace(state, saves={**without(state.saves, old), new: state.saves[old]})]


def deleted(state, name):
    left = without(state.saves, name)
    return [replace(state, saves=left, deleted=(*state.deleted, (name, state.saves[name])))]


def game_kept(state, moves):
    return [replace(state, games={**state.games, max(state.games, default=0) + 1: moves})]


def game_deleted(state, number):
    return [replace(state, games=without(state.games, number))]


def deleted_and_restored(state, number):
    return [*game_deleted(state, number), state]


def setting_changed(state, key, value):
    return [replace(state, settings={**state.settings, key: value})]


def exported(state, name, file):
    return [replace(state, files={**state.files, file: state.saves[name]})]


def backed_up(state):
    """The content that a backup of the library must have, as a text."""
    return repr((sorted(state.saves.items()), state.deleted, sorted(state.games.items())))


def any_name(random, state):
    return random.choice([*NAMES, *state.saves])


def any_snapshot(random, _):
    return random.choice([*SNAPSHOTS])


def any_save(random, state):
    return random.choice([*state.saves])


def unused_name(random, state):
    return random.choice([name for name in (*NAMES, free_name_from(state, "new")) if name not in state.saves])


def deleted_name(random, state):
    return random.choice([name for name, _ in state.deleted if name not in state.saves])


def any_game(random, state):
    return random.choice([*state.games])


def any_of(*choices):
    return lambda random, _: random.choice(choices)


KINDS = {
    "save": (
        lambda place, name, key: place.library.save(name, SNAPSHOTS[key], replace=True),
        saved,
        (any_name, any_snapshot),
    ),
    "change": (
        lambda place, name, key: place.library.change(name, lambda _: SNAPSHOTS[key]),
        saved,
        (any_save, any_snapshot),
    ),
    "autosave": (do_autosave, autosaved, (any_name, any_snapshot, any_snapshot)),
    "import": (do_import, lambda state, key: saved(state, free_name_from(state, "in"), key), (any_snapshot,)),
    "rename": (lambda place, old, new: place.library.rename(old, new), renamed, (any_save, unused_name)),
    "delete": (lambda place, name: place.library.delete(name), deleted, (any_save,)),
    "undelete": (lambda place, name: place.library.undelete(name), undeleted, (deleted_name,)),
    "keep game": (lambda place, moves: place.library.keep_game(RECORDS[moves]), game_kept, (any_of(*RECORDS),)),
    "withdraw game": (lambda place, number: place.library.withdraw_game(number), game_deleted, (any_game,)),
    "take back": (do_take_back, deleted_and_restored, (any_game,)),
    "set": (
        lambda place, key, value: change_settings(place.settings, {key: value}),
        setting_changed,
        (any_of("theme", "player"), any_of("", "nord", "save:Größe", "x" * 5000)),
    ),
    "export": (
        lambda place, name, file: export_file(place.library.load(name), place.folder / file, replace=True),
        exported,
        (any_save, any_of("one.json", "two.json")),
    ),
    "back up": (
        lambda place, _: place.library.back_up(place.folder / BACKUP, replace=True),
        lambda state, _: [replace(state, files={**state.files, BACKUP: backed_up(state)})],
        (any_save,),  # not used: requires a save, and so a library
    ),
    "list": (lambda place: place.library.entries(), lambda state: [state], ()),
}
"""For each verb: the function, the expected states during it, and the generators of its arguments."""


def random_operation(random, state):
    """Draw an operation that is possible in this state."""
    while True:
        verb = random.choice([*KINDS])
        try:
            return (verb, *(choose(random, state) for choose in KINDS[verb][2]))
        except IndexError:  # nothing in this state fits the verb
            continue


def perform(place, operation):
    verb, *objects = operation
    KINDS[verb][0](place, *objects)


def states_during(state, operation):
    """Return the states that an operation passes through; the last one is its result."""
    verb, *objects = operation
    return KINDS[verb][1](state, *objects)
