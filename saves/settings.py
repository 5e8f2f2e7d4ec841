"""The settings of the program: a small JSON file with one object, whose values are strings."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.game import BadText, quoted
from saves.errors import LibraryError
from saves.files import folder_lock, is_there, read_text, write_text
from saves.paths import path_text
from saves.strict_json import line_of, parse_object

LARGEST: Final = 64 * 2**10
"""The size limit of a settings file, in bytes."""
PATIENCE: Final = 1.0
"""Seconds to wait while another program writes its settings, which takes milliseconds."""


def load_settings(path: Path) -> dict[str, str]:
    """Return the settings; empty if there is no file. Raises `LibraryError` for a file that cannot be read."""
    try:
        return _parse(read_text(path, LARGEST)) if is_there(path) else {}
    except BadText as error:
        name = path_text(path)
        raise LibraryError(f"{name}: {error}. These settings are ignored until you correct the file") from error
    except LibraryError as error:
        raise LibraryError(f"settings: {error}. Until then, no settings are saved") from error


def _parse(text: str) -> dict[str, str]:
    settings = parse_object(text)
    for key, value in settings.items():
        if not isinstance(value, str):
            raise BadText(f"{line_of(text, key)}the value of {quoted(key)} is not a string")
    return settings


def save_settings(path: Path, settings: Mapping[str, str]) -> None:
    """Replace the settings file atomically. Raises `LibraryError`."""
    with suppress(OSError):  # writing reports what is wrong with the folder
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        write_text(path, json.dumps(dict(settings), indent=2, ensure_ascii=False) + "\n", replace=True)
    except LibraryError as error:
        raise LibraryError(f"settings: {error}") from error


def change_settings(path: Path, changes: Mapping[str, str]) -> None:
    """Change some settings; keep the others as they are in the file now. Raises `LibraryError`."""
    with folder_lock(path.parent, PATIENCE):
        save_settings(path, {**load_settings(path), **changes})
