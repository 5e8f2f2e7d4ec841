"""The first game of a new user: against a fresh matchbox machine, which learns from it."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

from engine.games import GAMES
from lab.board.seating import Seating
from lab.board.session import Session
from lab.board.teaching import BEGINNER_ROUNDS, is_beginner, is_pupil
from learners.core.learner import PERSON
from learners.core.player import Player
from learners.core.save_ref import SAVE, SaveRef, short_label, without_checkpoint
from learners.menace.learner import Menace
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library

NAME: Final = "MENACE"
PRESET: Final = "michie"
SETTINGS: Final = {"empty": "refill"}
"""The difference to Michie's machine: a box that runs empty is refilled, so the machine does not stay lost."""
SEED: Final = 1961
"""The seed of the machine's training. Its games at the board draw from the generator of the table."""
FIRST: Final = Seating(GAMES[0], SaveRef(NAME).label, PERSON, learning=True, fresh=True)


def is_fresh(player: Player | None) -> bool:
    """Return whether a player is a matchbox machine that learns and knows next to nothing."""
    return is_beginner(player) and isinstance(player, Menace) and player.game is GAMES[0]


def fresh_seating(library: Library) -> Seating:
    """Seat a person against a fresh machine: the one that still knows next to nothing, or else a new one."""
    name = NAME
    with suppress(LibraryError):
        named_alike = [entry for entry in library.entries() if not entry.gallery and entry.name.startswith(NAME)]
        beginners = [
            entry.name
            for entry in named_alike
            if (entry.learner, entry.game) == (Menace.spec.name, GAMES[0].name) and entry.rounds < BEGINNER_ROUNDS
        ]
        name = min(beginners) if beginners else library.free_name(NAME)
    return replace(FIRST, first=SaveRef(name).label)


def missing_save(library: Library, seating: Seating) -> str:
    """Return the name of a save that a seating of the tour's game names and the library lacks; empty for none."""
    if seating.game is not FIRST.game:
        return ""
    with suppress(LibraryError):
        names = {entry.name for entry in library.entries()}
        labels = [label for label in (seating.first, seating.second) if label.startswith(SAVE)]
        wanted = [short_label(without_checkpoint(label)) for label in labels]
        return next((name for name in wanted if name not in names), "")
    return ""


def tour_seating(library: Library, session: Session, *, learning: bool, fresh: bool) -> Seating | None:
    """Return who must sit at the board for the tour: a person, and a matchbox machine that learns.

    `None` if they already sit there. `learning` tells whether the saves at the board learn; with `fresh`, the machine
    must know next to nothing.
    """
    machines = [seat for seat in session.seats if seat is not None]
    machine = machines[0] if len(machines) == 1 else None
    fits = is_fresh(machine) if fresh else isinstance(machine, Menace) and is_pupil(machine)
    if learning and fits:
        return None
    return fresh_seating(library) if fresh else FIRST


def make_fresh_machine(library: Library, name: str) -> None:
    """Save a fresh machine under this name, unless a save has the name. Raises `LibraryError`, `OSError`."""
    game = GAMES[0]
    settings = {**Menace(game, PRESET, SEED).settings, **SETTINGS}
    try:
        library.save(name, Menace(game, PRESET, SEED, settings).snapshot())
    except NameTaken:
        return
