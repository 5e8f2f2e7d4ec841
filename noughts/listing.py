"""What there is: games, learners and saves, by their names."""

from engine.game import Game
from engine.games import game_names, game_of
from learners import LEARNERS
from saves.library.library import Library
from saves.paths import library_path


def games() -> list[str]:
    """Return the names of all games, and how the names of each family are written: `mnk:COLUMNS,ROWS,K`."""
    return game_names()


def learners(game: str | Game | None = None) -> dict[str, list[str]]:
    """Return the presets of each learner by its name, the usual one first; with a `game`, those that fit it.

    Raises `ValueError` for an unknown game.
    """
    specs = [kind.spec for kind in LEARNERS]
    if game is None:
        return {spec.name: [*spec.presets] for spec in specs}
    rules = game_of(game)
    return {spec.name: spec.presets_for(rules) for spec in specs if spec.fits(rules)}


def saves() -> list[str]:
    """Return the names of all saves: those in the library, and those that come with the program.

    Raises `LibraryError` if the library cannot be read.
    """
    return sorted(Library(library_path()).names())
