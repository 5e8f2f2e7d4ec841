"""Read the rows on the intact pages of a damaged SQLite file.

SQLite finds a page by following pointers from its parent, and gives up if one is damaged. This module reads every page
by itself, following the description of the file format (https://www.sqlite.org/fileformat2.html, sections 1.3 to 2.3).

    leaf of a table      0x0D   cells: size, rowid, payload
    leaf of an index     0x0A   cells: size, payload; a table WITHOUT ROWID is an index of its own rows
    interior of an index 0x02   cells: left child, size, payload
    interior of a table  0x05   no rows
"""

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

Value = int | float | str | bytes | None

LEAF: Final = 0x0D
INDEX_LEAF: Final = 0x0A
INDEX_INTERIOR: Final = 0x02
INTERIOR: Final = 0x05
HEADER: Final = {LEAF: 8, INDEX_LEAF: 8, INDEX_INTERIOR: 12, INTERIOR: 12}
"""The kinds of pages, with the size in bytes of each kind's header. The offsets of the cells follow it."""
KINDS: Final = {bytes((kind,)) for kind in HEADER}
FILE_HEADER: Final = 100
"""Bytes of the file's header, which come before the header of the first page."""
PAGE_SIZES: Final = {2**power for power in range(9, 17)}
USUAL_SIZE: Final = 4096
AT_ONCE: Final = 1024
"""Pages that are processed between two calls of `advance`."""
SAMPLE: Final = 4096
"""The maximum number of pages to examine for the page size."""
LARGEST: Final = 2**32
"""If the page count in the header means more bytes than this, it counts as damaged."""
WIDTHS: Final = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""Bytes of a value for each serial type from 0 to 9."""
UNREADABLE: Final = (IndexError, ValueError, struct.error)
"""What parsing damaged bytes may raise."""


class FileContent:
    """The bytes of an open file, read when a slice of them is used."""

    def __init__(self, file: BinaryIO) -> None:
        """`file` must stay open, and keep its size."""
        self._file = file
        self._size = file.seek(0, os.SEEK_END)

    def __len__(self) -> int:
        """The size of the file in bytes."""
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        """Read the bytes in a slice with step 1."""
        start, stop, _ = part.indices(self._size)
        self._file.seek(start)
        return self._file.read(max(0, stop - start))


Data = bytes | FileContent


@dataclass
class PageCounts:
    """Counts of pages, updated while the rows are read."""

    pages: int = 0
    missing: int = 0
    """Pages that the file should have after its end, according to its header."""
    damaged: set[int] = field(default_factory=set)
    """The numbers of the pages that could not be read completely, except blank ones."""
    blank: int = 0
    """Pages of zeros, as in a hole of the file, that are not part of a row."""

    @property
    def unreadable(self) -> int:
        """The number of pages that could not be read completely."""
        return len(self.damaged) + self.blank


@dataclass(frozen=True)
class Row:
    """A row of an unknown table or index."""

    rowid: int | None
    """`None` in an index."""
    values: tuple[Value, ...]


def rows_of(data: Data, found: PageCounts, advance: Callable[[int], None] = lambda _size: None) -> Iterator[Row]:
    """Every row on the pages in use, in the order of the pages. Raises nothing, whatever the data.

    `advance` is called regularly with the number of bytes processed since the last call; it may raise to end the work.
    """
    file = _File(data)
    free = _free_pages(file)
    found.pages = file.count
    found.missing = max(0, _pages_in_header(file) - file.count)
    unknown, zeros = [], bytes(file.size)
    for number in range(1, file.count + 1):
        if number % AT_ONCE == 0:
            advance(AT_ONCE * file.size)
        page = file.page(number)
        start = FILE_HEADER if number == 1 else 0
        if page == zeros:
            found.blank += number not in free
        elif number in free:
            continue
        elif page[start : start + 1] in KINDS:
            yield from _rows(file, number, page[start], found)
        else:
            unknown.append(number)
    found.blank -= sum(number not in free and file.page(number) == zeros for number in file.continued)
    for place, number in enumerate(unknown):
        if place % AT_ONCE == 0:
            advance(0)
        if number not in file.continued:
            found.damaged.add(number)
            yield from _rows_of_unknown_kind(file, number)


class _File:
    """A file as pages, numbered from 1."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.size = _page_size(data)
        self.count = -(-len(data) // self.size)
        self.continued: set[int] = set()
        """The overflow pages of the rows that were read."""

    def page(self, number: int) -> bytes:
        if not 1 <= number <= self.count:
            raise IndexError(number)
        return self.data[(number - 1) * self.size : number * self.size]


def _page_size(data: Data) -> int:
    """The page size in the header or the usual one: the smaller, unless the larger fits the file far better."""
    written = int.from_bytes(data[16:18])
    fits = {}
    for size in {USUAL_SIZE, 65536 if written == 1 else written} & PAGE_SIZES:
        starts = range(size, len(data), size * max(1, len(data) // size // SAMPLE))
        fits[size] = sum(data[at : at + 1] in KINDS for at in starts) / max(1, len(starts))
    return min(size for size, fit in fits.items() if fit >= 0.6 * max(fits.values()))


def _pages_in_header(file: _File) -> int:
    """The page count in the header; 0 if it is out of date, or larger than any library."""
    changes, pages, version, valid_for = (int.from_bytes(file.data[at : at + 4]) for at in (24, 28, 96, 92))
    return pages if changes == valid_for and version and pages * file.size <= LARGEST else 0


def _free_pages(file: _File) -> set[int]:
    """The pages in the list of free pages, as far as it can be followed."""
    free: set[int] = set()
    try:
        trunk = int.from_bytes(file.data[32:36])
        while trunk and trunk not in free and file.page(trunk)[0] == 0:  # a page that begins otherwise is in use
            page = file.page(trunk)
            more, count = struct.unpack_from(">II", page)
            leaves = struct.unpack_from(f">{count}I", page, 8)
            free.update((trunk, *leaves))
            trunk = more
    except UNREADABLE:
        pass  # the rest of the list is damaged
    return free


def _rows_of_unknown_kind(file: _File, number: int) -> Iterator[Row]:
    """The rows of a page whose kind is damaged, read as the first kind that fits the whole page."""
    for kind in HEADER:
        found = PageCounts()
        rows = list(_rows(file, number, kind, found, strict=True))
        if rows and not found.damaged:
            yield from rows
            return


def _rows(file: _File, number: int, kind: int, found: PageCounts, *, strict: bool = False) -> Iterator[Row]:
    """The rows of a page of this kind; with `strict`, stop at the first that cannot be read."""
    page = file.page(number)
    begin = (FILE_HEADER if number == 1 else 0) + HEADER[kind]
    count = int.from_bytes(page[begin - HEADER[kind] + 3 :][:2])
    places = page[begin : begin + 2 * count]
    if len(places) < 2 * count or len(page) < file.size:
        found.damaged.add(number)
    if kind == INTERIOR or (strict and found.damaged):
        return
    for (cell,) in struct.iter_unpack(">H", places[: len(places) // 2 * 2]):
        try:
            yield _row(file, page, cell, kind)
        except UNREADABLE:
            found.damaged.add(number)
            if strict:
                return


def _row(file: _File, page: bytes, at: int, kind: int) -> Row:
    at += 4 if kind == INDEX_INTERIOR else 0
    size, at = _varint(page, at)
    rowid = None
    if kind == LEAF:
        rowid, at = _varint(page, at)
    return Row(rowid, _values(_payload(file, page, at, size, kind)))


def _payload(file: _File, page: bytes, at: int, size: int, kind: int) -> bytes:
    """The bytes of a row, including those on overflow pages (section 1.6)."""
    usable = file.size  # libraries reserve no bytes at the end of a page
    most = usable - 35 if kind == LEAF else (usable - 12) * 64 // 255 - 23
    if not 0 <= size <= len(file.data):
        raise ValueError(size)
    local = size
    if size > most:
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        local = local if local <= most else least
    parts = [page[at : at + local]]
    if size > local:
        number = int.from_bytes(page[at + local : at + local + 4])
        left = size - local
        while left > 0:
            if number in file.continued:
                raise ValueError(number)
            more = file.page(number)
            file.continued.add(number)
            parts.append(more[4:usable][:left])
            left -= usable - 4
            number = int.from_bytes(more[:4])
    payload = b"".join(parts)
    if len(payload) != size:
        raise ValueError(size)
    return payload


def _values(payload: bytes) -> tuple[Value, ...]:
    """The values of a record, which begins with the serial types of all values (section 2.1)."""
    size, at = _varint(payload, 0)
    types = []
    while at < size:
        kind, at = _varint(payload, at)
        types.append(kind)
    if at != size:
        raise ValueError(size)
    values = []
    for kind in types:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError(at)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    """The value of the serial type `kind` at the offset `at`, and the offset after it."""
    if kind in (10, 11) or kind < 0:
        raise ValueError(kind)
    width = (kind - 12) // 2 if kind >= 12 else WIDTHS[kind]
    end = at + width
    raw = payload[at:end]
    if len(raw) != width:
        raise ValueError(kind)
    if kind >= 12:
        return (raw.decode() if kind % 2 else raw), end
    if kind == 7:
        return struct.unpack(">d", raw)[0], end
    if kind in (0, 8, 9):
        return (None, 0, 1)[(0, 8, 9).index(kind)], end
    return int.from_bytes(raw, signed=True), end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A variable-length integer of one to nine bytes at the offset `at`, and the offset after it (section 1.6)."""
    number = 0
    for offset in range(8):
        byte = data[at + offset]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + offset + 1
    number = number << 8 | data[at + 8]
    return number - 2**64 if number >= 2**63 else number, at + 9
