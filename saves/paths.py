"""The paths of the library and the settings, and paths as text for messages."""

import os
from pathlib import Path
from typing import Final

from engine.game import BadText, quoted
from saves.errors import LibraryError

LIBRARY_VARIABLE: Final = "NOUGHTS_LIBRARY"
SETTINGS_VARIABLE: Final = "NOUGHTS_SETTINGS"
SERVED_VARIABLE: Final = "NOUGHTS_SERVED"
"""Set to 1 by the web server for the apps that it starts."""


def library_path(given: str | Path | None = None) -> Path:
    """Return the library file: `given`, else `$NOUGHTS_LIBRARY`, else `library.sqlite` in the platform's data folder.

    Raises `LibraryError` if the platform names no such folder.
    """
    wanted = given or os.environ.get(LIBRARY_VARIABLE)
    if wanted:
        return Path(wanted)
    from platformdirs import user_data_path

    try:
        return user_data_path("noughts", appauthor=False) / "library.sqlite"
    except RuntimeError as error:  # platformdirs finds no home folder
        raise LibraryError(f"there is no home folder: set {LIBRARY_VARIABLE} to a file for the library") from error


def settings_path() -> Path:
    """Return `$NOUGHTS_SETTINGS`, else a file in the platform's configuration folder, else one beside the library.

    Raises `LibraryError` if there is no home folder and neither variable is set.
    """
    wanted = os.environ.get(SETTINGS_VARIABLE)
    if wanted:
        return Path(wanted)
    from platformdirs import user_config_path

    try:
        return user_config_path("noughts", appauthor=False) / "settings.json"
    except RuntimeError:  # platformdirs finds no home folder
        return library_path().with_name("settings.json")


def is_served() -> bool:
    """Return whether a web server shows the app: its visitor must neither see nor choose paths of this computer."""
    return os.environ.get(SERVED_VARIABLE) == "1"


def path_text(path: Path) -> str:
    """Return a path as text for messages: control characters are escaped, and visitors of a server see no folders."""
    return escape_controls(path.name if is_served() else str(path))


def escape_controls(text: str) -> str:
    """Return `text` with an escape code, such as `\\x1b`, for each character that cannot be printed."""
    return "".join(letter if letter.isprintable() else _escape_code(letter) for letter in text)


def _escape_code(letter: str) -> str:
    """Return the escape code of a character; for a lone surrogate, that of the byte that could not be decoded."""
    byte = ord(letter) - 0xDC00
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else letter.encode("unicode_escape").decode()


def parse_path(text: str) -> str:
    """Parse a path, and expand `~` in it. Raises `BadText` for an empty or impossible path."""
    text = text.strip()
    if not text:
        raise BadText("enter a path")
    if "\0" in text:
        raise BadText(f"{quoted(text)}: a path cannot contain NUL")
    try:
        path = str(Path(text).expanduser())
        os.fsencode(path)
    except RuntimeError as error:
        raise BadText(f"{quoted(text)}: no user of this computer has that name") from error
    except UnicodeEncodeError as error:
        raise BadText(f"{quoted(text)}: a path cannot contain half a character (a lone surrogate)") from error
    return path
