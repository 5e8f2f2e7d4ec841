"""Mutate library files: their bytes, SQLite's structures, their rows by SQL, and the log.

An input contains two files: the length of the library in four bytes, the library, and the log, which may be empty.
"""

from collections.abc import Callable
from random import Random

from tests.campaigns.mutator import mutated_bytes
from tests.campaigns.sql_mutator import VARINTS, WORDS, mutated_by_sql

HEADER_FIELDS = (
    *((16, 2), (18, 1), (19, 1), (20, 1), (21, 1), (22, 1), (23, 1), (24, 4), (28, 4), (32, 4), (36, 4), (40, 4)),
    *((44, 4), (48, 4), (52, 4), (56, 4), (60, 4), (64, 4), (68, 4), (92, 4), (96, 4)),
)
"""Offset and width of fields in the header of an SQLite file (https://www.sqlite.org/fileformat.html, section 1.3)."""
PAGE_FIELDS = ((0, 1), (1, 2), (3, 2), (5, 2), (7, 1), (8, 4))
"""Offset and width of fields in the header of a page (section 1.6)."""


def join_files(library: bytes, log: bytes = b"") -> bytes:
    return len(library).to_bytes(4) + library + log


def split_files(data: bytes) -> tuple[bytes, bytes]:
    size = int.from_bytes(data[:4])
    return data[4 : 4 + size], data[4 + size :]


def mutated_library(random: Random, data: bytes, other: bytes) -> bytes:
    (library, log), (foreign, foreign_log) = split_files(data), split_files(other)
    if log and random.random() < 0.5:
        log = _mutated_log(random, log, foreign_log)
        if random.random() < 0.8:
            return join_files(library, log)
    if random.random() < 0.02:
        log = foreign_log
    kind = random.random()
    if kind < 0.3:
        return join_files(mutated_bytes(random, library, foreign, WORDS), log)
    if kind < 0.5:
        return join_files(mutated_by_sql(random, library), log)
    changed = bytearray(library)
    for _ in range(random.choice((1, 1, 2, 3))):
        random.choice(LAYOUT)(random, changed)
    return join_files(bytes(changed), log)


def _number(random: Random, data: bytearray, place: int, width: int) -> None:
    """Replace a number by one that is near, special or random."""
    if place + width > len(data):
        return
    old = int.from_bytes(data[place : place + width])
    near = (
        old + 1,
        old - 1,
        old * 2,
        old // 2,
        0,
        1,
        2,
        5,
        10,
        13,
        255,
        256,
        512,
        4096,
        len(data),
        2**31 - 1,
        2**32 - 1,
    )
    number = random.choice(near) if random.random() < 0.9 else random.getrandbits(32)
    data[place : place + width] = (number % 256**width).to_bytes(width)


def _page_size(data: bytearray) -> int:
    size = int.from_bytes(data[16:18])
    return max(size, 512)


def _a_page(random: Random, data: bytearray) -> tuple[int, int]:
    """Choose a page; return its offset and that of its header, which on the first page follows the file's header."""
    size = _page_size(data)
    start = random.randrange(max(1, len(data) // size)) * size
    return start, start or 100


def _of_header(random: Random, data: bytearray) -> None:
    _number(random, data, *random.choice(HEADER_FIELDS))


def _of_page(random: Random, data: bytearray) -> None:
    _, header = _a_page(random, data)
    place, width = random.choice(PAGE_FIELDS)
    _number(random, data, header + place, width)


def _of_pointers(random: Random, data: bytearray) -> None:
    _, header = _a_page(random, data)
    cells = int.from_bytes(data[header + 3 : header + 5])
    begin = header + (12 if data[header : header + 1] in (b"\2", b"\5") else 8)
    _number(random, data, begin + 2 * random.randrange(max(1, min(cells, 200))), 2)


def _of_cells(random: Random, data: bytearray) -> None:
    """Change the length, the key, or the types of the columns of a row."""
    start, header = _a_page(random, data)
    cells = int.from_bytes(data[header + 3 : header + 5])
    begin = header + (12 if data[header : header + 1] in (b"\2", b"\5") else 8)
    pointer = begin + 2 * random.randrange(max(1, min(cells, 200)))
    place = start + int.from_bytes(data[pointer : pointer + 2]) + random.choice((0, 0, 1, 1, 2, 3, 4, 5, 6, 8))
    if random.random() < 0.5:
        _number(random, data, place, 1)
    else:
        varint = random.choice(VARINTS)
        data[place : place + len(varint)] = varint


def _of_pages(random: Random, data: bytearray) -> None:
    """Replace a page by another one, or by zeros."""
    size = _page_size(data)
    (here, _), (there, _) = _a_page(random, data), _a_page(random, data)
    kind = random.randrange(4)
    one, two = data[here : here + size], data[there : there + size]
    if kind == 0:
        data[here : here + size] = bytes(len(one))
    elif kind == 1 and len(one) == len(two):
        data[here : here + size], data[there : there + size] = two, one
    elif kind == 2:
        data[here : here + len(two)] = two
    else:
        del data[random.choice((here, here + size // 2, len(data) - 1)) :]


def _of_links(random: Random, data: bytearray) -> None:
    """Change the first numbers of a page: links to free or overflow pages."""
    start, _ = _a_page(random, data)
    _number(random, data, start + random.choice((0, 4, 8, 12)) if start else 32, 4)


def _of_schema(random: Random, data: bytearray) -> None:
    """Replace a word of the schema."""
    word, instead = random.choice(WORDS), random.choice(WORDS)
    place = data.find(word, random.randrange(max(1, min(len(data), 8 * 512))))
    if place >= 0:
        data[place : place + len(word)] = instead[: len(word)].ljust(len(word))


Change = Callable[[Random, bytearray], None]
LAYOUT: tuple[Change, ...] = (
    _of_header,
    _of_page,
    _of_pointers,
    _of_cells,
    _of_cells,
    _of_pages,
    _of_links,
    _of_schema,
)


def _mutated_log(random: Random, log: bytes, other: bytes) -> bytes:
    """Cut a log off, replace it, or damage it, mostly with correct checksums."""
    kind = random.randrange(6)
    if kind == 0:
        return log[: random.randrange(len(log) + 1)]
    if kind == 1 and other:
        return other
    changed = bytearray(log)
    if kind == 2:
        _number(random, changed, 4 * random.randrange(8), 4)
    else:
        changed = bytearray(mutated_bytes(random, log, other or log, WORDS))
    return resealed(bytes(changed)) if random.random() < 0.6 else bytes(changed)


def resealed(log: bytes) -> bytes:
    """A log with correct checksums (section 4.1), for little-endian numbers."""
    size = int.from_bytes(log[8:12])
    if len(log) < 32 or not 512 <= size <= 65536:
        return log
    changed = bytearray(log)
    order = "little" if log[3] == 0x82 else "big"
    sums = _checksum(log[:24], (0, 0), order)
    changed[24:32] = b"".join(each.to_bytes(4) for each in sums)
    for start in range(32, len(log) - size - 23, size + 24):
        changed[start + 8 : start + 16] = changed[16:24]
        sums = _checksum(log[start : start + 8] + log[start + 24 : start + 24 + size], sums, order)
        changed[start + 16 : start + 24] = b"".join(each.to_bytes(4) for each in sums)
    return bytes(changed)


def _checksum(data: bytes, sums: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = sums
    for place in range(0, len(data) - 7, 8):
        one = (one + int.from_bytes(data[place : place + 4], order) + two) & 0xFFFFFFFF
        two = (two + int.from_bytes(data[place + 4 : place + 8], order) + one) & 0xFFFFFFFF
    return one, two
