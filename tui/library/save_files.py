"""Export a save to a file, or as a picture, and import one: the questions, and what is done then in a thread."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.game import BadText
from engine.games import GAMES, parse_game
from lab.pictures.drawing import SUFFIXES
from lab.results.exact_results import Timeline
from learners.core.save_ref import parse_name
from saves.formats import FORMATS, exported_text, import_file, riechel_text
from saves.library.library import Entry, Library
from saves.paths import parse_path
from tui.shell.dialog import Prompt
from tui.shell.files import KeptPicture, picture_path, suggested_path, warn_if_served, write_file, write_picture
from tui.shell.screen import LabScreen

if TYPE_CHECKING:
    from lab.pictures.drawing import Picture

SAVES: Final = " or ".join(format_.suffix for format_ in FORMATS)
"""The suffixes of saves, for people."""
Attempt = Callable[[], str]
"""Works in a thread, and returns a message. Raises `BadText`, `LibraryError`."""


async def export_of(screen: LabScreen, entry: Entry) -> Attempt | None:
    """Ask where to write a save, or a picture of its wall; `None` after Escape."""
    question = f"Export {entry.name} to ({SAVES}; a picture: .svg, .png, .csv)"
    path = await screen.ask(Prompt(question, suggested_path(f"{entry.name}.json"), export_path, verb="Export"))
    if path is None:
        return None
    library, app = screen.lab.library, screen.app
    if not is_save(path):
        kept, dark = KeptPicture(entry.name, partial(_wall, library, entry.name)), app.current_theme.dark
        return lambda: write_picture(app, path, kept, dark=dark)
    return lambda: write_file(app, path, exported_text(library.load(entry.name), Path(path)))


def _wall(library: Library, name: str) -> "Picture":
    """Return the wall of a save. Raises `LibraryError`, `BadText`, `TooLarge`."""
    from lab.pictures.save_pictures import wall_picture  # only who keeps a picture waits for it

    timeline = Timeline(library.load(name))
    return wall_picture(name, timeline.at(timeline.now))


async def import_of(screen: LabScreen) -> Attempt | None:
    """Ask for a file to import, and for its game if the file does not name it; `None` after Escape."""
    if warn_if_served(screen.app):
        return None
    path = await screen.ask(Prompt(f"Import which file? ({SAVES})", f"{Path.cwd()}/", parse_path, verb="Import"))
    if path is None:
        return None
    game = None
    if Path(path).suffix.lower() == riechel_text.FORMAT.suffix:  # this format does not contain the name of the game
        title = "Of which game? As in hexapawn or mnk:4,3,3"
        game = await screen.ask(Prompt(title, GAMES[0].name, _game_name, verb="Import"))
        if game is None:
            return None

    def read_file() -> str:
        library = screen.lab.library
        snapshot = import_file(Path(path), parse_game(game) if game else None)
        name = library.free_name(parse_name(Path(path).stem))
        library.save(name, snapshot)
        return f"Imported as {name}, {snapshot.game.name}."

    return read_file


def _game_name(text: str) -> str:
    return parse_game(text.strip()).name


def is_save(path: str) -> bool:
    """Return whether a path ends in the suffix of a format of saves."""
    return Path(path).suffix in {format_.suffix for format_ in FORMATS}


def export_path(text: str) -> str:
    """Parse a path to export to, which must end in the suffix of a format or of a picture. Raises `BadText`."""
    path = parse_path(text)
    if is_save(path):
        return path
    if Path(path).suffix.lower() not in SUFFIXES:
        raise BadText(f"end the name with {SAVES}, or with {', '.join(SUFFIXES)} for a picture")
    return picture_path(path)
