"""Every location of the program, in one place."""

import os
from pathlib import Path
from typing import Final

from platformdirs import user_config_path, user_data_path

LIBRARY_VARIABLE: Final = "NOUGHTS_LIBRARY"
SETTINGS_VARIABLE: Final = "NOUGHTS_SETTINGS"
SERVED_VARIABLE: Final = "NOUGHTS_SERVED"
"""Set to 1 by the web server for the apps that it starts."""


def library_path(given: str | Path | None = None) -> Path:
    """Where the library lies: as given, else as `NOUGHTS_LIBRARY` says, else in the platform's data folder."""
    wanted = given or os.environ.get(LIBRARY_VARIABLE)
    return Path(wanted) if wanted else user_data_path("noughts", appauthor=False) / "library.sqlite"


def settings_path() -> Path:
    """Where the settings lie: as `NOUGHTS_SETTINGS` says, else in the platform's configuration folder."""
    wanted = os.environ.get(SETTINGS_VARIABLE)
    return Path(wanted) if wanted else user_config_path("noughts", appauthor=False) / "settings.json"


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
