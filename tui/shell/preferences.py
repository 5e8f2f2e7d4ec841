"""The choices of the user that the settings file keeps, such as the theme."""

from pathlib import Path
from threading import Lock

from saves.errors import LibraryError
from saves.settings import change_settings, load_settings


class Preferences:
    """Choices by name. `set` takes effect at once; `write` stores what was set."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error = ""
        """Why the settings file could not be read."""
        self._values: dict[str, str] = {}
        self._unwritten: list[tuple[str, str]] = []
        """Choices that are not in the file yet, in order."""
        self._writing = Lock()
        try:
            self._values = load_settings(path)
        except LibraryError as error:
            self.error = str(error)

    def get(self, key: str, default: str) -> str:
        return self._values.get(key, default)

    def set(self, key: str, value: str) -> None:
        self._values[key] = value
        self._unwritten.append((key, value))

    def write(self) -> None:
        """Merge the new choices into the settings file. Raises `LibraryError`."""
        with self._writing:
            new = self._unwritten[:]
            if new:
                change_settings(self.path, dict(new))
            del self._unwritten[: len(new)]
