"""The library, the games and the seeds that the commands are told."""

from collections.abc import Iterable

from cli.shared.common import chosen_library_path, whole_number
from engine.game import BadText, Game, quoted
from engine.games import GAMES, parse_game
from learners import is_player, player_labels
from learners.core.generator import LARGEST_SEED
from learners.core.learner import PERSON
from learners.core.player import Player
from learners.core.snapshot import ITSELF
from saves import gallery
from saves.errors import NameTaken
from saves.library.library import SAVE, Library
from saves.names import parse_name, parse_reference


def chosen_library() -> Library:
    return Library(chosen_library_path())


def chosen_game(name: str | None, library: Library, labels: Iterable[str | None]) -> Game:
    """The game of that name; without one, the game of the first save among the players; else the default game."""
    saved = [label.removeprefix(SAVE) for label in labels if label is not None and label.startswith(SAVE)]
    if name is None and saved:
        name = library.load(saved[0]).game
    return GAMES[0] if name is None else parse_game(name)


def full_label(label: str, library: Library) -> str:
    """How a player is written who may be given by the bare name of a save, or of a moment of one: `save:NAME`.

    Whoever needs no save goes first: `random` is never the save of that name. Raises `LibraryError`.
    """
    if label in (PERSON, ITSELF) or is_player(label):
        return label
    try:
        moment = parse_reference(label)
    except BadText:
        return label
    known = moment.name in gallery.names() or library.stamp(moment.name) is not None
    return f"{SAVE}{moment}" if known else label


def chosen_player(label: str, game: Game, library: Library) -> Player:
    """The player of that label, who is no person. Raises `BadText`, `LibraryError`, `TooLarge`."""
    stem, _, _ = label.partition(":")
    if not label.startswith(SAVE) and not is_player(stem):
        names = ", ".join(player_labels())
        raise BadText(f"no player {quoted(label)}; there are {names}, {SAVE}NAME, and at the board human")
    return library.player(label, game)


def free_to_use(library: Library, name: str, *, replace: bool) -> str:
    """The name as the library writes it. Raises `BadText`, `NameTaken`: before time is spent on work to be saved."""
    name = parse_name(name)
    taken = {entry.name: entry for entry in library.entries()}.get(name)
    if taken is not None and taken.gallery:
        raise NameTaken(f"{quoted(name)} is a save that comes with the program: choose another name")
    if taken is not None and not replace:
        raise NameTaken(f"there is a save {quoted(name)} already: choose another name, or add --replace")
    return name


def seed_number(text: str) -> int:
    return whole_number(text, 0, LARGEST_SEED)
