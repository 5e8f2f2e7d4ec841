"""The library as the commands use it."""

from collections.abc import Iterable

from engine import GAMES, parse_game
from engine.game import Game
from saves.library import SAVE, Library
from tui.cli.common import chosen_library_path


def chosen_library() -> Library:
    return Library(chosen_library_path())


def chosen_game(name: str | None, library: Library, labels: Iterable[str | None]) -> Game:
    """The game of that name; without one, the game of the first save among the players; else the default game."""
    saved = [label.removeprefix(SAVE) for label in labels if label is not None and label.startswith(SAVE)]
    if name is None and saved:
        name = library.load(saved[0]).game
    return GAMES[0] if name is None else parse_game(name)
