"""The files that the app writes for the user: exports and settings. In a browser, an export is a download."""

from functools import partial
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import Any, Final

from textual.app import App

from saves.errors import LibraryError
from saves.files import write_text
from saves.paths import served
from saves.settings import change_settings, load_settings
from tui.shell.guards import warn

NOT_SERVED: Final = "Not in a browser: this works with files of the computer that runs Noughts."


def suggested_path(name: str) -> str:
    """The default answer to a prompt for a file to write: a path, or in a browser the name of the download."""
    return name if served() else str(Path.cwd() / name)


def write_file(app: App[Any], path: str, text: str) -> str:
    """Write a text to a file or a download; returns a message that says so. Runs in a thread. Raises `LibraryError`."""
    if not served():
        write_text(Path(path), text, replace=False)
        return f"Exported to {path}"
    name = Path(path).name
    app.call_from_thread(partial(app.deliver_text, StringIO(text), save_filename=name))
    return f"{name} is in the downloads of your browser."


def warn_if_served(app: App[Any]) -> bool:
    """Whether the app is served to a browser; if so, warn that the action is not available."""
    if served():
        warn(app, NOT_SERVED)
    return served()


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
