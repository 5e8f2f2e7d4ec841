"""Convert the arguments of commands: libraries, games, players and seeds."""

from collections.abc import Iterable

import click

from cli.shared.common import chosen_library_path, parse_number, print_error
from engine.game import BadText, Game, quoted
from engine.games import GAMES, parse_game
from learners import is_player, player_labels, split_learner
from learners.core import save_ref
from learners.core.generator import LARGEST_SEED
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.snapshot import ITSELF
from saves import gallery
from saves.errors import NameTaken
from saves.library.library import Library


def chosen_library() -> Library:
    """Return the library of the current command, which keeps daily backups."""
    library = Library(chosen_library_path())
    library.keep_daily_backups(print_error)
    return library


def chosen_game(game: Game | None, library: Library, labels: Iterable[str | None]) -> Game:
    """Return `game`, if given; else the game of the first save among the players; else tic-tac-toe."""
    if game is not None:
        return game
    for label in labels:
        if label and save_ref.is_save(label):
            return library.load(save_ref.short_label(save_ref.without_filter(label))).game
    return GAMES[0]


def game_of_preset(kind: type[Learner], preset: str | None) -> Game | None:
    games = kind.spec.preset_games.get(preset or "")
    return parse_game(games[0]) if games else None


def with_preset(learner: str | None, preset: str | None) -> tuple[str | None, str | None]:
    """Return a learner and its preset, as `split_learner` reads them. Raises click's error for two presets."""
    name, preset_in_name = split_learner(learner or "")
    if preset_in_name and preset not in (None, preset_in_name):
        raise click.UsageError(f"{learner} names a preset already: leave out --preset {preset}")
    return name or None, preset_in_name or preset


def full_label(label: str, library: Library) -> str:
    """Return the label of a player: `save:NAME` for the bare name of a save or checkpoint, otherwise `label` itself.

    Players without a save come first: `random` never means a save of that name. Raises `LibraryError`.
    """
    player, failures = save_ref.split_filter(label)
    if failures is not None:
        return save_ref.with_filter(full_label(player, library), failures)
    if label in (PERSON, ITSELF) or is_player(label):
        return label
    try:
        reference = save_ref.parse_save(label)
    except BadText:
        return label
    exists = reference.name in gallery.names() or library.stamp(reference.name) is not None
    return reference.label if exists else label


def with_failures_of(label: str, save: str | None) -> str:
    """Return the label of a player that does not repeat the failures of a save, if one is given."""
    if save is None or label in (PERSON, ITSELF):
        return label
    return save_ref.with_filter(label, save)


def chosen_player(label: str, game: Game, library: Library) -> Player:
    """Load the machine with this label. Raises `BadText`, `LibraryError`, `TooLarge`."""
    stem, _, _ = save_ref.without_filter(label).partition(":")
    if not save_ref.is_save(label) and not is_player(stem):
        names = ", ".join(player_labels())
        raise BadText(f"no player {quoted(label)}; there are {names}, {save_ref.SAVE}NAME, and for play also human")
    return library.player(label, game)


def parse_new_name(library: Library, name: str, *, replace: bool) -> str:
    """Parse the name of a new save. Raises `BadText`, and `NameTaken`. Call this before long work."""
    name = save_ref.parse_name(name)
    if name in gallery.names():
        raise NameTaken(f"{quoted(name)} is a save that comes with the program: choose another name")
    if not replace and name in library.names():
        raise NameTaken(f"there is already a save {quoted(name)}: choose another name, or add --replace")
    return name


def parse_seed(text: str) -> int:
    return parse_number(text, 0, LARGEST_SEED)
