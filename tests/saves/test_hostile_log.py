"""A log that SQLite would trust, but that would damage the library, is refused before it is used."""

import sqlite3
from contextlib import closing
from struct import pack

import pytest

from saves.library.library import Library
from saves.sqlite.header import page_size_in_log
from tests.saves.brains import same
from tests.saves.refusing import BRAIN, refuse
from tests.saves.tampering import recovered
from tests.saves.write_ahead_log import resealed

MARK = 0x377F_0682


@pytest.fixture
def library(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", BRAIN)
    return library


def write_log(library, log):
    """Put a log beside a library; return what SQLite reads from both, and its page size in bytes."""
    library.path.with_name("library.sqlite-wal").write_bytes(resealed(log))
    with closing(sqlite3.connect(f"{library.path.as_uri()}?mode=ro", uri=True)) as db:
        assert db.execute("SELECT name FROM save").fetchone() == ("a",)
        return tuple(db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))


def refuse_and_recover(library):
    refuse(library.path, "is damaged, cut off or overwritten")
    recovery = recovered(library.path)
    assert [(each.name, each.trouble) for each in recovery.saves] == [("a", "")]
    assert same(library.load("a"), BRAIN)


def test_a_log_that_claims_too_many_pages(library):
    first, pages = bytearray(library.path.read_bytes()[:4096]), 900_000_000
    first[28:32] = pages.to_bytes(4)
    log = pack(">8I", MARK, 3_007_000, 4096, 0, 0, 0, 0, 0) + pack(">6I", 1, pages, 0, 0, 0, 0) + first
    assert write_log(library, log) == (pages, 4096)
    refuse_and_recover(library)


def test_a_log_of_pages_of_another_size(library):
    with closing(sqlite3.connect(library.path, isolation_level=None)) as db:
        db.executescript("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM; PRAGMA journal_mode = WAL")
    assert page_size_in_log(library.path) is None
    data = library.path.read_bytes()
    pages, first = len(data) // 512, data[:512].ljust(4096, b"\0")
    log = pack(">8I", MARK, 3_007_000, 4096, 0, 0, 0, 0, 0) + pack(">6I", 1, pages, 0, 0, 0, 0) + first
    assert write_log(library, log) == (pages, 512)
    assert page_size_in_log(library.path) == 4096
    refuse_and_recover(library)


def test_a_log_that_sqlite_ignores(library):
    log = library.path.with_name("library.sqlite-wal")
    for data in (b"", bytes(100), b"x" * 100, pack(">4I", MARK, 3_007_000, 4096, 0)):
        log.write_bytes(data)
        assert library.load("a").learner == "failures"
