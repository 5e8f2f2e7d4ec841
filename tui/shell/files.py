"""The files that the app writes for the user: exports and settings. In a browser, an export is a download."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from textual.app import App

from saves.errors import LibraryError
from saves.files import write_bytes
from saves.paths import is_served, parse_path
from saves.settings import change_settings, load_settings
from tui.shell.guards import warn

if TYPE_CHECKING:
    from lab.pictures.drawing import Picture

NOT_IN_BROWSER: Final = "Not in a browser: this works with files of the computer that runs Noughts."


def suggested_path(name: str) -> str:
    """Return the default answer to a prompt for a file to write: a path, or in a browser the name of the download."""
    return name if is_served() else str(Path.cwd() / name)


def write_file(app: App[Any], path: str, data: str | bytes) -> str:
    """Write to a file or a download; return a message that says so. Runs in a thread. Raises `LibraryError`."""
    content = data.encode() if isinstance(data, str) else data
    if not is_served():
        write_bytes(Path(path), content, replace=False)
        return f"Exported to {path}"
    name = Path(path).name
    app.call_from_thread(partial(app.deliver_binary, BytesIO(content), save_filename=name))
    return f"{name} is in the downloads of your browser."


@dataclass(frozen=True)
class Export:
    """What the key for Export can write now: a picture, its numbers, or a text."""

    name: str
    """The suggested name of the file, without a suffix."""
    draw: Callable[[], "Picture"]
    """Draws the picture; called in a thread. Raises `BadText` and others."""
    texts: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    """Functions that return the content of a file that is no picture, by suffix; called and raising as `draw`."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of the files that can be written; the first one is proposed."""
        from lab.pictures.drawing import SUFFIXES  # slow to import, since it needs numpy

        return *self.texts, *SUFFIXES

    @property
    def suffixes_text(self) -> str:
        *others, last = self.suffixes
        return f"The name ends in {', '.join(others)} or {last}."

    def parse_path(self, text: str) -> str:
        """Parse the path of a file to write. Raises `BadText`."""
        from lab.pictures.drawing import picture_suffix

        path = parse_path(text)
        picture_suffix(Path(path), self.suffixes)
        return path

    def write(self, app: App[Any], path: str, look: str) -> str:
        """Write a file or a download; return a message. Runs in a thread. Raises `LibraryError`, and as `draw`.

        `look` is `dark` or `light`, for pictures.
        """
        suffix = Path(path).suffix.lower()
        if suffix in self.texts:
            return write_file(app, path, self.texts[suffix]())
        return write_file(app, path, self.draw().content(suffix, look))


def warn_if_served(app: App[Any]) -> bool:
    """Return whether the app is served to a browser; if so, warn that the action is not available."""
    if not is_served():
        return False
    warn(app, NOT_IN_BROWSER)
    return True


class Preferences:
    """Choices by name. `set` takes effect at once; `write` stores what was set."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.error = ""
        """The reason why the settings file could not be read."""
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

    def set_changed(self, choices: Mapping[str, str]) -> None:
        """Set those choices whose values differ from the present ones."""
        for key, value in choices.items():
            if self._values.get(key) != value:
                self.set(key, value)

    def write(self) -> None:
        """Merge the new choices into the settings file. Raises `LibraryError`."""
        with self._writing:
            new = self._unwritten[:]
            if new:
                change_settings(self.path, dict(new))
            del self._unwritten[: len(new)]
