"""The visitors that are connected: one page each, and at most a given number of visitors."""

import asyncio
import errno
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from shutil import disk_usage
from typing import Final, TypeVar

Result = TypeVar("Result")

FOLDER: Final = "visitors"
"""The folder beside the library with one folder for each visitor."""
MAX_FOLDERS: Final = 1000
"""The maximum number of visitors' folders, needed since anybody with the token can appear as a new visitor."""
MIN_FREE_SPACE: Final = 512 * 2**20
"""Bytes that must be free on the disk for an app to start."""


class Full(Exception):
    """The allowed number of visitors are connected."""


class TakenOver(Exception):
    """The visitor has opened a newer page, or the server is shutting down."""


@dataclass(eq=False)
class VisitorPlace:
    close: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to ask the page to close."""
    closed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the app of the page has ended."""

    async def unless_asked_to_close(self, work: Coroutine[object, object, Result]) -> Result:
        """Return the result of work. Cancels it and raises `TakenOver` if the page is asked to close meanwhile."""
        working, asked = asyncio.ensure_future(work), asyncio.ensure_future(self.close.wait())
        try:
            await asyncio.wait([working, asked], return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise TakenOver
            return working.result()
        finally:
            working.cancel()
            asked.cancel()
            await asyncio.gather(working, asked, return_exceptions=True)


class Visitors:
    """The places by visitor. A visitor's new page closes the previous one, and takes the place when its app has ended.

    At most one page of each visitor waits for the place: a newer one replaces it.
    """

    def __init__(self, max_visitors: int) -> None:
        self._max_visitors = max_visitors
        self._places: dict[str, VisitorPlace] = {}
        self._newest: dict[str, VisitorPlace] = {}
        self.closed = False

    def __len__(self) -> int:
        return len(self._places)

    def has_room(self, visitor: str | None) -> bool:
        return visitor in self._places or len(self._places) < self._max_visitors

    async def enter(self, visitor: str) -> VisitorPlace:
        """Take a place. Raises `Full`, or `TakenOver` if a newer page came while this one waited."""
        if visitor in self._newest:
            self._newest[visitor].close.set()
        place = self._newest[visitor] = VisitorPlace()
        try:
            while visitor in self._places:
                self._places[visitor].close.set()
                await place.unless_asked_to_close(self._places[visitor].closed.wait())
            if self.closed or not self.has_room(visitor):
                raise Full
        finally:
            if self._newest.get(visitor) is place:
                del self._newest[visitor]
        self._places[visitor] = place
        return place

    def leave(self, visitor: str, place: VisitorPlace) -> None:
        del self._places[visitor]
        place.closed.set()

    async def close(self) -> None:
        """Close all pages, and wait until every app has ended."""
        self.closed = True
        while self._places:
            for place in self._places.values():
                place.close.set()
            await next(iter(self._places.values())).closed.wait()


def visitor_folder(library: Path, visitor: str) -> Path:
    """Return the folder of a visitor, created if missing, with access for the owner only.

    Raises `OSError`, also if the disk is almost full or there are `MAX_FOLDERS` folders already.
    """
    folders = library.absolute().parent / FOLDER
    folders.mkdir(mode=0o700, parents=True, exist_ok=True)
    if disk_usage(folders).free < MIN_FREE_SPACE:
        raise OSError(errno.ENOSPC, f"less than {MIN_FREE_SPACE // 2**20:,} MiB of the disk are free")
    folder = folders / visitor
    if not folder.exists() and len(list(folders.iterdir())) >= MAX_FOLDERS:
        raise OSError(errno.EDQUOT, f"{MAX_FOLDERS:,} visitors have a folder in {folders}: remove some")
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
