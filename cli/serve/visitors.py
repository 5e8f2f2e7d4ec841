"""Who visits at the moment: one page each, and no more visitors than there are places."""

import asyncio
import errno
from dataclasses import dataclass, field
from pathlib import Path
from shutil import disk_usage
from typing import Final

FOLDER: Final = "visitors"
"""Beside the library; holds one folder for each visitor."""
MOST_FOLDERS: Final = 1000
"""Visitors that may have a folder: anybody who has the token can pose as a new one."""
LEAST_SPACE: Final = 512 * 2**20
"""Bytes of the disk that must be free for an app to start."""


class Full(Exception):
    """Every place is taken."""


class TakenOver(Exception):
    """The visitor has opened yet another page."""


@dataclass(eq=False)
class Place:
    leave: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the page is to close."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when its app has ended."""


class Visitors:
    """The places, by visitor. A visitor's new page takes the place of the last one, once the app behind that ended."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._places: dict[str, Place] = {}
        self._newest: dict[str, Place] = {}
        self.closed = False

    def __len__(self) -> int:
        return len(self._places)

    def has_room(self, visitor: str | None) -> bool:
        return visitor in self._places or len(self._places) < self._most

    async def enter(self, visitor: str) -> Place:
        """Take a place. Raises `Full`, or `TakenOver` when a still newer page came while this one waited."""
        place = self._newest[visitor] = Place()
        try:
            while visitor in self._places:
                self._places[visitor].leave.set()
                await self._places[visitor].left.wait()
                if self._newest[visitor] is not place:
                    raise TakenOver
            if self.closed or not self.has_room(visitor):
                raise Full
        finally:
            if self._newest.get(visitor) is place:
                del self._newest[visitor]
        self._places[visitor] = place
        return place

    def go(self, visitor: str, place: Place) -> None:
        """Give a place back."""
        del self._places[visitor]
        place.left.set()

    async def close(self) -> None:
        """Send everybody away, and wait until every app has ended."""
        self.closed = True
        while self._places:
            for place in self._places.values():
                place.leave.set()
            await next(iter(self._places.values())).left.wait()


def visitor_folder(library: Path, visitor: str) -> Path:
    """The folder of a visitor, made where it is missing; nobody else may look into it.

    Raises `OSError`, also where the disk is almost full, or where a new visitor would be one too many.
    """
    folders = library.absolute().parent / FOLDER
    folders.mkdir(mode=0o700, parents=True, exist_ok=True)
    if disk_usage(folders).free < LEAST_SPACE:
        raise OSError(errno.ENOSPC, f"less than {LEAST_SPACE // 2**20:,} MiB of the disk are free")
    folder = folders / visitor
    if not folder.exists() and len(list(folders.iterdir())) >= MOST_FOLDERS:
        raise OSError(errno.EDQUOT, f"{MOST_FOLDERS:,} visitors have a folder in {folders}: remove some")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
