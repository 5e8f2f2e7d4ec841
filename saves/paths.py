"""Every location of the program, in one place."""

import os
from pathlib import Path
from typing import Final

from platformdirs import user_config_path, user_data_path

from saves.errors import LibraryError

LIBRARY_VARIABLE: Final = "NOUGHTS_LIBRARY"
SETTINGS_VARIABLE: Final = "NOUGHTS_SETTINGS"
SERVED_VARIABLE: Final = "NOUGHTS_SERVED"
"""Set to 1 by the web server for the apps that it starts."""


def library_path(given: str | Path | None = None) -> Path:
    """The library file: the one given, else `$NOUGHTS_LIBRARY`, else in the platform's data folder.

    Raises `LibraryError` if there is no such folder.
    """
    wanted = given or os.environ.get(LIBRARY_VARIABLE)
    if wanted:
        return Path(wanted)
    try:
        return user_data_path("noughts", appauthor=False) / "library.sqlite"
    except RuntimeError as error:  # platformdirs finds no home folder
        raise LibraryError(f"no home folder is known: set {LIBRARY_VARIABLE} to a file for the library") from error


def settings_path() -> Path:
    """The settings file: `$NOUGHTS_SETTINGS`, else in the platform's configuration folder, else beside the library.

    Raises `LibraryError` if there is neither a home folder nor a library.
    """
    wanted = os.environ.get(SETTINGS_VARIABLE)
    if wanted:
        return Path(wanted)
    try:
        return user_config_path("noughts", appauthor=False) / "settings.json"
    except RuntimeError:  # platformdirs finds no home folder
        return library_path().with_name("settings.json")


def served() -> bool:
    """Whether a web server shows the app to a visitor, who may neither see nor choose paths of this computer."""
    return os.environ.get(SERVED_VARIABLE) == "1"


def shown(path: Path) -> str:
    """A path as it is safe to show in a message: without its folders for visitors, and with codes for control codes."""
    text = path.name if served() else str(path)
    return "".join(letter if letter.isprintable() else _code(letter) for letter in text)


def _code(letter: str) -> str:
    """A character as Python writes it; a byte of a name that is no text, which comes as half a character, as a byte."""
    byte = ord(letter) - 0xDC00
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else letter.encode("unicode_escape").decode()
