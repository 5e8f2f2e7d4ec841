"""Rows are read page by page, with the same result as SQLite; damaged pages do not stop the reading."""

import sqlite3
from contextlib import closing
from random import Random

import pytest

from saves.sqlite.pages import PageCounts, rows_of

TABLES = {
    "numbers": "CREATE TABLE numbers (a INTEGER PRIMARY KEY, b, c, d)",
    "texts": "CREATE TABLE texts (a TEXT, b TEXT, c INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID",
}


def size(random):
    return random.choice((0, 1, 10, 100, 500, 5_000, 60_000))


VALUES = (
    lambda _: None,
    lambda random: random.choice((0, 1, -1)),
    lambda random: random.randint(-(2**63), 2**63 - 1) >> random.randrange(64),
    lambda random: random.random() * 10.0 ** random.randint(-20, 20),
    lambda random: "".join(random.choices("aé名😀\0", k=size(random))),
    lambda random: random.randbytes(size(random)),
)
"""Functions that make a value of each kind."""


def value(random):
    return random.choice(VALUES)(random)


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The bytes of a database, and its rows."""
    path = tmp_path_factory.mktemp("usual") / "file"
    written = write(path, 1)
    return path.read_bytes(), {repr(row) for rows in written.values() for row in rows}


def write(path, seed, page_size=4096):
    """A database with values of all kinds and free pages, and its rows."""
    random = Random(seed)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA page_size = {page_size}")
        for table in TABLES.values():
            db.execute(table)
        for number in sorted(random.sample(range(-(2**40), 2**40), 60)):
            db.execute("INSERT INTO numbers VALUES (?, ?, ?, ?)", (number, *(value(random) for _ in range(3))))
        for _ in range(200):
            row = (str(random.random()), "x" * random.choice((1, 50, 700)), random.getrandbits(40))
            db.execute("INSERT INTO texts VALUES (?, ?, ?)", row)
        db.execute("DELETE FROM numbers WHERE rowid % 3 = 0")
        db.execute("DELETE FROM texts WHERE c % 4 = 0")
        return {
            "numbers": [(row[0], (None, *row[1:])) for row in db.execute("SELECT * FROM numbers")],
            "texts": [(None, row) for row in db.execute("SELECT * FROM texts")],
        }


@pytest.mark.sample(2)
@pytest.mark.parametrize("page_size", [512, 1024, 4096, 65536])
@pytest.mark.parametrize("seed", range(3))
def test_the_rows_are_those_that_sqlite_reads(tmp_path, page_size, seed):
    written = write(tmp_path / "file", seed, page_size)
    found = PageCounts()
    rows = [(row.rowid, row.values) for row in rows_of((tmp_path / "file").read_bytes(), found)]
    schema = [row for row in rows if row[1][0] == "table"]
    assert len(schema) == len(TABLES)
    wanted = [*written["numbers"], *written["texts"]]
    assert sorted(map(repr, (row for row in rows if row not in schema))) == sorted(map(repr, wanted))
    assert found.damaged == set()
    assert found.pages == (tmp_path / "file").stat().st_size // page_size


@pytest.mark.parametrize("seed", [*range(15), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(15, 60))])
def test_whatever_is_overwritten_the_rest_is_read(usual, seed):
    random = Random(seed)
    whole, wanted = usual
    data = bytearray(whole)
    page = random.randrange(len(data) // 4096)
    start = page * 4096 + random.randrange(4096)
    length = random.choice((1, 20, 4096))
    data[start : start + length] = random.randbytes(len(data[start : start + length]))
    found = PageCounts()
    rows = {repr((row.rowid, row.values)) for row in rows_of(bytes(data), found)}
    assert len(rows & wanted) > len(wanted) // 3


@pytest.mark.parametrize("told", [0, 512, 8192, 7])
def test_a_wrong_page_size_in_the_header_is_not_used(usual, told):
    whole, wanted = usual
    data = bytearray(whole)
    data[16:18] = told.to_bytes(2)
    rows = {repr((row.rowid, row.values)) for row in rows_of(bytes(data), PageCounts())}
    assert rows >= wanted


@pytest.mark.parametrize("size", [0, 1, 19, 21, 99, 100, 107, 512, 5_000, 20_000])
def test_garbage_raises_nothing(size):
    for seed in range(20):
        random = Random(seed)
        data = bytearray(random.randbytes(size))
        for start in range(0, size, 4096):
            data[start : start + 1] = bytes([random.choice((2, 5, 10, 13))])
        found = PageCounts()
        list(rows_of(bytes(data), found))
        assert len(found.damaged) <= found.pages


def test_a_cycle_of_overflow_pages_ends():
    page = bytearray(4096)
    page[0:8] = bytes((13, 0, 0, 0, 1, 0, 0, 0))
    page[8:10] = (2000).to_bytes(2)
    page[2000:2004] = bytes((0x81, 0xFF, 0x7F, 1))  # a payload of 32,767 bytes in row 1
    page[2004:] = (2).to_bytes(4) * ((4096 - 2004) // 4)  # it continues on page 2, which names itself as the next page
    ring = (2).to_bytes(4) * 1024
    found = PageCounts()
    assert list(rows_of(bytes(page) + ring, found)) == []
    assert found.damaged
