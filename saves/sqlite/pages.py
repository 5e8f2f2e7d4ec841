"""What can be read of an SQLite file whatever has become of it: the rows on those of its pages that are whole.

SQLite finds a page by the page above it, and gives up where that is damaged. Here every page is looked at by itself, as
the description of the file format has it (https://www.sqlite.org/fileformat2.html, sections 1.3 to 2.3).

    leaf of a table      0x0D   cells: size, rowid, payload
    leaf of an index     0x0A   cells: size, payload; a table WITHOUT ROWID is an index of its own rows
    inside of an index   0x02   cells: left child, size, payload
    inside of a table    0x05   no rows
"""

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

Value = int | float | str | bytes | None

LEAF: Final = 0x0D
INDEX_LEAF: Final = 0x0A
INDEX_INSIDE: Final = 0x02
INSIDE: Final = 0x05
HEADER: Final = {LEAF: 8, INDEX_LEAF: 8, INDEX_INSIDE: 12, INSIDE: 12}
"""The kinds of pages, and the bytes before the places of their cells."""
KINDS: Final = {bytes((kind,)) for kind in HEADER}
FILE_HEADER: Final = 100
"""Bytes that stand before the first page's own header."""
PAGE_SIZES: Final = {2**power for power in range(9, 17)}
USUAL_SIZE: Final = 4096
AT_ONCE: Final = 1024
"""Pages that are processed between two calls of `advance`."""
SAMPLE: Final = 4096
"""Pages that are looked at, at most, to tell their size."""
LARGEST: Final = 2**32
"""Bytes of the largest file whose header is believed."""
WIDTHS: Final = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""Bytes of a value by its serial type, up to the type 9."""
UNREADABLE: Final = (IndexError, ValueError, struct.error)
"""What reading garbage raises."""


class FileContent:
    """The bytes of an open file, read when a part of them is asked for."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.seek(0, os.SEEK_END)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        start, stop, _ = part.indices(self._size)
        self._file.seek(start)
        return self._file.read(max(0, stop - start))


Data = bytes | FileContent


@dataclass
class Found:
    """What there was, told while the rows are read."""

    pages: int = 0
    missing: int = 0
    """How many more the file had, as its header has it."""
    damaged: set[int] = field(default_factory=set)
    """The numbers of pages with anything that could not be read, but for the blank ones."""
    blank: int = 0
    """How many pages are all zeros, as in a hole of the file, and are no part of a row."""

    @property
    def unreadable(self) -> int:
        """How many pages could not be read, or not wholly."""
        return len(self.damaged) + self.blank


@dataclass(frozen=True)
class Row:
    rowid: int | None
    """`None` on the page of an index."""
    values: tuple[Value, ...]


def rows_of(data: Data, found: Found, advance: Callable[[int], None] = lambda _size: None) -> Iterator[Row]:
    """Every row on a page in use, as the pages lie. Raises nothing, whatever the data.

    `advance` is called now and then with the number of bytes that were processed since; what it raises ends the work.
    """
    file = _File(data)
    free = _free_pages(file)
    found.pages = file.count
    found.missing = max(0, _told_pages(file) - file.count)
    odd, zeros = [], bytes(file.size)
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
            odd.append(number)
    found.blank -= sum(number not in free and file.page(number) == zeros for number in file.continued)
    for place, number in enumerate(odd):
        if place % AT_ONCE == 0:
            advance(0)
        if number not in file.continued:
            found.damaged.add(number)
            yield from _guessed(file, number)


class _File:
    """The bytes of a file in pages."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.size = _page_size(data)
        self.count = -(-len(data) // self.size)
        self.continued: set[int] = set()
        """The pages on which rows that were read go on."""

    def page(self, number: int) -> bytes:
        if not 1 <= number <= self.count:
            raise IndexError(number)
        return self.data[(number - 1) * self.size : number * self.size]


def _page_size(data: Data) -> int:
    """That of which the header tells, unless the usual one fits the file better."""
    told = int.from_bytes(data[16:18])
    fits = {}
    for size in {USUAL_SIZE, 65536 if told == 1 else told} & PAGE_SIZES:
        starts = range(size, len(data), size * max(1, len(data) // size // SAMPLE))
        fits[size] = sum(data[at : at + 1] in KINDS for at in starts) / max(1, len(starts))
    return min(size for size, fit in fits.items() if fit >= 0.6 * max(fits.values()))


def _told_pages(file: _File) -> int:
    """How many pages the header tells of; 0 where it may err, or tells of more than any library ever had."""
    counted, told, written, believed = (int.from_bytes(file.data[at : at + 4]) for at in (24, 28, 96, 92))
    return told if counted == believed and written and told * file.size <= LARGEST else 0


def _free_pages(file: _File) -> set[int]:
    """The pages on the list of those that are not in use, as far as it can be followed."""
    free: set[int] = set()
    try:
        trunk = int.from_bytes(file.data[32:36])
        while trunk and trunk not in free and file.page(trunk)[0] == 0:  # else it is one in use
            page = file.page(trunk)
            more, count = struct.unpack_from(">II", page)
            leaves = struct.unpack_from(f">{count}I", page, 8)
            free.update((trunk, *leaves))
            trunk = more
    except UNREADABLE:
        pass  # it ends here
    return free


def _guessed(file: _File, number: int) -> Iterator[Row]:
    """The rows of a page whose kind cannot be read: those of a kind as which all of it can be."""
    for kind in HEADER:
        found = Found()
        rows = list(_rows(file, number, kind, found, strict=True))
        if rows and not found.damaged:
            yield from rows
            return


def _rows(file: _File, number: int, kind: int, found: Found, *, strict: bool = False) -> Iterator[Row]:
    """The rows of a page of that kind; `strict` ends at the first that cannot be read."""
    page = file.page(number)
    begin = (FILE_HEADER if number == 1 else 0) + HEADER[kind]
    count = int.from_bytes(page[begin - HEADER[kind] + 3 :][:2])
    places = page[begin : begin + 2 * count]
    if len(places) < 2 * count or len(page) < file.size:
        found.damaged.add(number)
    if kind == INSIDE or (strict and found.damaged):
        return
    for (cell,) in struct.iter_unpack(">H", places[: len(places) // 2 * 2]):
        try:
            yield _row(file, page, cell, kind)
        except UNREADABLE:
            found.damaged.add(number)
            if strict:
                return


def _row(file: _File, page: bytes, at: int, kind: int) -> Row:
    at += 4 if kind == INDEX_INSIDE else 0
    size, at = _varint(page, at)
    rowid = None
    if kind == LEAF:
        rowid, at = _varint(page, at)
    return Row(rowid, _values(_payload(file, page, at, size, kind)))


def _payload(file: _File, page: bytes, at: int, size: int, kind: int) -> bytes:
    """The whole of a row, that part of it too that lies on pages of its own."""
    usable = file.size  # nothing is reserved on the pages of a library
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
    """The values of a record: first the types of all, then all."""
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
    """The value of that serial type that stands there, and where the next one does."""
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
    """A number of one to nine bytes that begins there, and where the next thing does."""
    number = 0
    for offset in range(8):
        byte = data[at + offset]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + offset + 1
    number = number << 8 | data[at + 8]
    return number - 2**64 if number >= 2**63 else number, at + 9
