"""Files that the user exports: to a path on this computer, or as a download if the app is served to a browser."""

from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from saves.files import write_text
from saves.paths import served

if TYPE_CHECKING:
    from tui.shell.lab_app import LabApp

NOT_SERVED: Final = "Not in a browser: this works with files of the computer that runs Noughts."


def suggested_path(name: str) -> str:
    """The default answer to a prompt for a file to write: a path, or in a browser the name of the download."""
    return name if served() else str(Path.cwd() / name)


def write_file(lab: "LabApp", path: str, text: str) -> str:
    """Write a text to a file or a download; returns a message that says so. Runs in a thread. Raises `LibraryError`."""
    if not served():
        write_text(Path(path), text, replace=False)
        return f"Exported to {path}"
    name = Path(path).name
    lab.call_from_thread(partial(lab.deliver_text, StringIO(text), save_filename=name))
    return f"{name} is in the downloads of your browser."


def warn_if_served(lab: "LabApp") -> bool:
    """Whether the app is served to a browser; if so, warn that the action is not available."""
    if served():
        lab.warn(NOT_SERVED)
    return served()
