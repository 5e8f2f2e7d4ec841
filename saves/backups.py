"""Backups of a library: copies in a folder beside it, made once a day of use and before anything risky.

The last seven are kept, and the last one of each of the last seven days; the setting `backups` replaces the number
seven.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from saves.errors import LibraryError, file_errors
from saves.files import is_there, write_bytes
from saves.paths import path_text, settings_path
from saves.settings import load_settings
from saves.times import now

SETTING: Final = "backups"
"""The key of the setting for how many backups to keep; 0 means none."""
USUAL_COUNT: Final = 7
"""The number of backups to keep, unless the settings say otherwise."""
SUFFIX: Final = ".sqlite"
NEWEST: Final = "newest"
"""The word that stands for the name of the newest backup."""


@dataclass(frozen=True)
class Backup:
    """A backup: a file in the folder of backups."""

    path: Path
    made: datetime
    """The time when the backup was made, in UTC."""
    size: int
    """The size of the file in bytes."""

    @property
    def name(self) -> str:
        """The name of the file without its suffix: `2026-01-31T123456.789012Z`."""
        return self.path.name.removesuffix(SUFFIX)


class Backups:
    """The backups of one library. Every method raises `LibraryError`."""

    def __init__(self, library: Path) -> None:
        """Use the folder of backups beside a library; the first backup creates it."""
        self.library = library

    @property
    def folder(self) -> Path:
        """The folder beside the file itself, `library.sqlite-backups`; a link to a library leads to the same one."""
        return Path(f"{os.path.realpath(self.library)}-backups")

    def entries(self) -> list[Backup]:
        """Return every backup, the newest first."""
        if not is_there(self.folder):
            return []
        backups = []
        with file_errors(f"{path_text(self.folder)} cannot be read"):
            for path in self.folder.iterdir():
                with suppress(ValueError, FileNotFoundError):  # another file, or removed meanwhile by another program
                    made = datetime.strptime(path.name, f"%Y-%m-%dT%H%M%S.%fZ{SUFFIX}").replace(tzinfo=UTC)
                    backups.append(Backup(path, made, path.stat().st_size))
        return sorted(backups, key=lambda backup: backup.made, reverse=True)

    def find(self, name: str) -> Backup:
        """Return the newest backup whose name begins with `name`; for `newest`, the newest of all."""
        start = "" if name == NEWEST else name
        for each in self.entries():
            if each.name.startswith(start):
                return each
        raise LibraryError(f"no backup {name!r} in {path_text(self.folder)}: noughts saves restore lists the backups")

    def is_due(self) -> bool:
        """Return whether no backup was made today (UTC), although the settings want backups."""
        today = now()[: len("2026-01-31")]
        return _count_to_keep() > 0 and not any(each.name.startswith(today) for each in self.entries())

    def add(self, data: bytes) -> None:
        """Keep the bytes of a library as a backup, unless the newest one is the same; then remove old backups."""
        count, entries = _count_to_keep(), self.entries()
        if not count:
            return
        with file_errors(f"no backup was made in {path_text(self.folder)}"):
            if entries and entries[0].size == len(data) and entries[0].path.read_bytes() == data:
                return
            self.folder.mkdir(parents=True, exist_ok=True)
            name = now().replace(":", "").removesuffix("+0000") + "Z" + SUFFIX
            write_bytes(self.folder / name, data, replace=False, like=self.library)
            self._remove_old(count)

    def _remove_old(self, count: int) -> None:
        """Remove all backups but the last `count`, and the last one of each of the last `count` days."""
        entries = self.entries()
        last_of_day = {backup.made.date(): backup for backup in reversed(entries)}
        last_days = [backup for _, backup in sorted(last_of_day.items(), reverse=True)][:count]
        for backup in entries[count:]:
            if backup not in last_days:
                backup.path.unlink(missing_ok=True)


def _count_to_keep() -> int:
    """Return how many backups to keep. Raises `LibraryError` if the setting is not a number."""
    written = load_settings(settings_path()).get(SETTING, str(USUAL_COUNT))
    if not (written.isascii() and written.isdigit() and len(written) < 5):
        raise LibraryError(f"{path_text(settings_path())}: {SETTING!r} must be a number of backups: correct the file")
    return int(written)
