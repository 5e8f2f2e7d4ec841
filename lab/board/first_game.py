"""The first game of a new user: against a fresh matchbox machine, which learns from it."""

from typing import Final

from engine.games import GAMES
from lab.board.seating import Seating
from learners.core.learner import PERSON
from learners.core.save_ref import SaveRef
from learners.menace.learner import Menace
from saves.errors import LibraryError, NameTaken
from saves.library.library import Library

NAME: Final = "MENACE"
PRESET: Final = "michie"
SETTINGS: Final = {"empty": "refill"}
"""What differs from Michie's machine: a box that runs empty is refilled, so that no lost game is its last."""
SEED: Final = 1961
"""The seed of its training. Its games at the board draw from the generator of the table."""


def first_seating(library: Library) -> Seating | None:
    """Seat a new user against a fresh machine that learns; `None` for anybody else.

    A new user has no save yet, or only the fresh machine: the first start may have been killed before the first move.
    """
    try:
        if any(not entry.gallery and (entry.name != NAME or entry.rounds) for entry in library.entries()):
            return None
    except LibraryError:
        return None
    return Seating(GAMES[0], SaveRef(NAME).label, PERSON, learning=True, fresh=True)


def make_first_machine(library: Library) -> None:
    """Save the fresh machine, unless there is a save of its name. Raises `LibraryError`, `OSError`."""
    game = GAMES[0]
    settings = {**Menace(game, PRESET, SEED).settings, **SETTINGS}
    try:
        library.save(NAME, Menace(game, PRESET, SEED, settings).snapshot())
    except NameTaken:
        return
