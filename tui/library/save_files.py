"""Export and import of saves: the questions to the user, and the work in a thread."""

from asyncio import to_thread
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.games import GAMES, parse_game
from lab.results.exact_results import Timeline
from lab.text.sanitise import plain
from saves.files import files_of
from saves.formats import FORMATS, export_text, import_file, riechel_text
from saves.formats.format import Format
from saves.library.library import Library
from saves.paths import parse_path
from tui.shell.dialog import Prompt
from tui.shell.files import Export, warn_if_served
from tui.shell.screen import LabScreen

if TYPE_CHECKING:
    from lab.pictures.drawing import Picture

MAX_NAMES: Final = 8
"""The maximum number of files that are named."""
SAVES: Final = " or ".join(format_.suffix for format_ in FORMATS)
"""The suffixes of saves, for people."""
Attempt = Callable[[], str]
"""A function that works in a thread, and returns a message. Raises `BadText`, `LibraryError`."""


def export_of(library: Library, name: str) -> Export:
    """Return what can be written of a save: the save itself, or a picture of its wall."""
    texts = {format_.suffix: partial(_export_text, library, name, format_) for format_ in FORMATS}
    return Export(name, partial(_draw_wall, library, name), texts)


def _export_text(library: Library, name: str, format_: Format) -> str:
    return export_text(library.load(name), format_)


def _draw_wall(library: Library, name: str) -> "Picture":
    """Return the wall of a save. Raises `LibraryError`, `BadText`, `TooLarge`."""
    from lab.pictures.save_pictures import wall_picture  # slow to import, and needed only here

    timeline = Timeline(library.load(name))
    return wall_picture(name, timeline.at(timeline.now))


async def ask_for_import(screen: LabScreen) -> Attempt | None:
    """Ask for a file to import, and for its game if the file does not name it; `None` after Escape."""
    if warn_if_served(screen.app):
        return None
    folder = Path.cwd()
    files = await to_thread(files_of, folder, [format_.suffix for format_ in FORMATS])
    names = [plain(each.name) for each in files[:MAX_NAMES]]
    if len(files) > MAX_NAMES:
        names.append("…")
    note = f"In this folder: {', '.join(names)}" if files else f"No {SAVES} is in this folder."
    path = await screen.ask(Prompt("Import which file?", f"{folder}/", parse_path, verb="Import", note=note))
    if path is None:
        return None
    game = None
    if Path(path).suffix.lower() == riechel_text.FORMAT.suffix:  # this format does not contain the name of the game
        title = "Of which game? As in hexapawn or mnk:4,3,3"
        game = await screen.ask(Prompt(title, GAMES[0].name, _parse_game_name, verb="Import"))
        if game is None:
            return None

    def read_file() -> str:
        library = screen.lab.library
        snapshot = import_file(Path(path), parse_game(game) if game else None)
        name, _ = library.save_free(Path(path).stem, snapshot)
        return f"Imported as {name}, {snapshot.game.name}."

    return read_file


def _parse_game_name(text: str) -> str:
    return parse_game(text.strip()).name
