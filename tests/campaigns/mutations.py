"""Strategies of hypothesis that damage valid inputs: bytes, texts, JSON trees, and libraries by SQL statements."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import count

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

MAX_LENGTH = 2**17
"""The largest damaged input, in bytes."""
LENGTHS = (0, 1, 1, 2, 4, 8, 16, 64, 400)
NUMBERS = (
    *("0", "-0", "00", "1", "2", "-1", "7", "8", "100", "255", "256", "65535", "1000000", "2147483647", "2147483648"),
    *("4294967296", "1000000000001", "9223372036854775807", "9223372036854775808", "-9223372036854775808"),
    *("18446744073709551616", "9" * 400, "1.5", "1e3", "1e999", "NaN", "Infinity", "1_000", "0x10", "\uff11", "\u00b2"),
)
SIGNS = (
    *"\0\t\n\r\x0b\x1b\x7f\x85\xa0\xad ,:;./\\-_+|()[]{}'\"@#",
    *"\u0130\u00df\u0149\u00e9\u0301\u200b\u200d\u2028\u202e\u2066\u3000\ufeff\uffff\U0001f600\ud800\udfff",
)
"""Characters that parsers may treat differently; some change their length in upper case."""
NO_TEXT = (b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0", b"\xc0\x80")
"""Bytes that are no valid UTF-8, or begin a file with a mark of their order."""


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def damaged(seeds: Sequence[bytes], words: Sequence[str | bytes] = ()) -> SearchStrategy[bytes]:
    """One of the seeds after some edits: parts are deleted, repeated, moved, or replaced by words and other parts."""
    tokens = [each if isinstance(each, bytes) else encoded(each) for each in (*words, *NUMBERS, *SIGNS)] + [*NO_TEXT]

    @st.composite
    def strategy(draw: st.DrawFn) -> bytes:
        data = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(data)))
            end = start + draw(st.sampled_from(LENGTHS))
            kind = draw(st.integers(0, 5))
            if kind == 0:
                piece = draw(st.sampled_from(tokens))
            elif kind == 1:
                other = draw(st.sampled_from(seeds))
                begin = draw(st.integers(0, len(other)))
                piece = other[begin : begin + draw(st.sampled_from((*LENGTHS, MAX_LENGTH)))]
            elif kind == 2:
                piece = data[start:end] * draw(st.sampled_from((0, 2, 3, 9, 100, 5000)))
            elif kind == 3:
                piece = draw(st.binary(max_size=8))
            elif kind == 4:
                piece, end = b"", len(data)
            else:
                place = draw(st.integers(0, len(data)))
                piece = data[place : place + end - start]
            if draw(st.booleans()):  # insert instead of replacing
                end = start
            data = (data[:start] + piece + data[end:])[:MAX_LENGTH]
        return data

    return strategy()


def junk(words: Sequence[str]) -> SearchStrategy[object]:
    """Any JSON value, numbers and texts at the limits among them."""
    leaves = st.one_of(
        st.sampled_from((None, True, False, 0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 1e15, 1.5, 10**400)),
        st.sampled_from((float("nan"), float("inf"), "", "\ud800", "\ufeff", "a\0b", "\x1b[31m", "\u202e", "x" * 5000)),
        st.sampled_from(words),
        st.sampled_from(NUMBERS),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(st.sampled_from((*words, *NUMBERS)), inner, max_size=4),
            inner.flatmap(lambda value: st.sampled_from((2, 8, 900)).map(lambda depth: nested(value, depth))),
        ),
        max_leaves=8,
    )


def nested(value: object, depth: int) -> object:
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value


def damaged_json(seeds: Sequence[bytes], words: Sequence[str]) -> SearchStrategy[bytes]:
    """One of the JSON texts after some changes: members are deleted, renamed, exchanged, or replaced by anything."""
    trees = [json.loads(seed) for seed in seeds]
    values = junk(words)

    @st.composite
    def strategy(draw: st.DrawFn) -> bytes:
        tree = json.loads(json.dumps(draw(st.sampled_from(trees))))
        for _ in range(draw(st.integers(0, 3))):
            tree = changed(draw, tree)
        comma, colon = draw(st.sampled_from(((", ", ": "), (",", ":"), (" ,\n", "\t:\r\n"))))
        with suppress(RecursionError):
            text = json.dumps(tree, separators=(comma, colon), ensure_ascii=draw(st.booleans()))
            return encoded(draw(st.sampled_from(("", "", "\ufeff", "\n", " "))) + text)
        return b"[" * 1000 + b"]" * 1000

    def changed(draw: st.DrawFn, tree: object) -> object:
        """Walk down from the root, and change the tree at some place; the outer places are the likelier ones."""
        if isinstance(tree, (dict, list)) and tree and draw(st.integers(0, 3)):
            keys = list(tree) if isinstance(tree, dict) else range(len(tree))
            key = draw(st.sampled_from(keys))
            kind = draw(st.integers(0, 9))
            if kind == 0:
                del tree[key]
            elif kind == 1 and isinstance(tree, dict):
                tree[draw(st.sampled_from((*words, *NUMBERS)))] = tree.pop(key)
            elif kind == 2 and isinstance(tree, list):
                tree.insert(draw(st.integers(0, len(tree))), tree[key])
            elif kind == 3:
                tree[key] = tree[draw(st.sampled_from(keys))]
            else:
                tree[key] = changed(draw, tree[key])
            return tree
        if isinstance(tree, int) and draw(st.booleans()):
            return tree + draw(st.sampled_from((-1, 1, 2, 10, -tree, 2**31, 2**62)))
        return draw(values)

    return st.one_of(strategy(), damaged(seeds, words))


HEADER_FIELDS = ((16, 2), *((place, 1) for place in range(18, 24)), *((place, 4) for place in range(24, 100, 4)))
"""Offset and width of fields in the header of an SQLite file (https://www.sqlite.org/fileformat.html, section 1.3)."""
PAGE_FIELDS = ((0, 1), (1, 2), (3, 2), (5, 2), (7, 1), (8, 4), *((place, 2) for place in range(12, 32, 2)))
"""Offset and width of fields at the head of a page, with its first cell pointers (section 1.6)."""
SQL_VALUES = (
    *("NULL", "0", "1", "-1", "1.5", "9e999", "2147483648", "9223372036854775807", "''", "'a'", "x'ff'"),
    *("zeroblob(3000)", "CAST(x'ff' AS TEXT)", "CAST(x'610062' AS TEXT)", "char(0xd800)", "char(27,91,51)"),
    *("char(0x202e)", "char(10,10)", "replace(hex(zeroblob(9000)), '0', '[')", "'{}'", "'[]'", "'[0, 0]'"),
    *("'{\"games\": 1}'", "'{\"games\": 1e999}'", "'hexapawn'", "'tictactoe'", "'failures'", "'genetic'", "'self'"),
    *("'human'", "'draw'", "'b2'", "'a1a2'", "'BBB/.../WWW W'", "'0001-01-01'", "'9999-12-31T23:59:59-12:00'"),
)
ENDLESS = "WITH RECURSIVE e (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e) SELECT n FROM e"
STATEMENTS = (
    *("UPDATE {table} SET {column} = {value} WHERE {one}",) * 4,
    "UPDATE {table} SET {column} = {value}",
    "UPDATE {table} SET {column} = {column} + 1",
    "DELETE FROM {table} WHERE {one}",
    "INSERT INTO {table} ({column}) VALUES ({value})",
    "UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '')",
    "UPDATE sqlite_schema SET type = {value} WHERE name = '{table}'",
    "UPDATE sqlite_schema SET rootpage = 2 WHERE name = '{table}'",
    "DELETE FROM sqlite_schema WHERE name = '{table}'",
    "DROP TABLE {table}",
    "ALTER TABLE {table} RENAME TO other; CREATE VIEW {table} AS SELECT * FROM other, other AS again",
    "ALTER TABLE {table} RENAME TO other; CREATE VIEW {table} AS SELECT other.* FROM other, ({endless})",
    "ALTER TABLE {table} ADD COLUMN more DEFAULT {value}",
    "ALTER TABLE {table} DROP COLUMN {column}",
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    "CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT count(*) FROM ({endless}); END",
    "CREATE UNIQUE INDEX i ON {table} ({column})",
    "PRAGMA user_version = {version}",
    "PRAGMA application_id = {version}",
    "DROP TABLE game; VACUUM",
)
MAX_STEPS = 1000
"""A statement is stopped after the square of this number of instructions of SQLite's virtual machine."""


def damaged_libraries(seeds: Sequence[bytes]) -> SearchStrategy[bytes]:
    """One of the libraries after SQL statements, changes of SQLite's own structures, or edits of its bytes."""

    @st.composite
    def by_sql(draw: st.DrawFn) -> bytes:
        library = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(1, 2))):
            library = after_statement(draw, library)
        return library

    @st.composite
    def by_structure(draw: st.DrawFn) -> bytes:
        data = bytearray(draw(st.sampled_from(seeds)))
        size = max(512, int.from_bytes(data[16:18]))
        pages = max(1, len(data) // size)
        for _ in range(draw(st.integers(1, 3))):
            page = draw(st.integers(0, pages - 1)) * size
            kind = draw(st.integers(0, 3))
            if kind == 0:
                put_number(draw, data, *draw(st.sampled_from(HEADER_FIELDS)))
            elif kind == 1:
                place, width = draw(st.sampled_from(PAGE_FIELDS))
                put_number(draw, data, (page or 100) + place, width)
            elif kind == 2:
                put_number(draw, data, page + draw(st.integers(0, size - 1)), draw(st.sampled_from((1, 2, 4))))
            else:
                other = draw(st.integers(0, pages - 1)) * size
                data[page : page + size] = draw(st.sampled_from((bytes(size), data[other : other + size], b"")))
        return bytes(data)

    return st.one_of(by_sql(), by_structure(), damaged(seeds, (b"CREATE TABLE", b"STRICT", b"save", b"\xff" * 9)))


def put_number(draw: st.DrawFn, data: bytearray, place: int, width: int) -> None:
    """Replace a number by one that is near, special or random."""
    old = int.from_bytes(data[place : place + width])
    near = st.sampled_from((old + 1, old - 1, old * 2, old // 2, 0, 1, 2, 5, 10, 13, 255, 512, len(data), 2**31 - 1))
    number = draw(st.one_of(near, st.integers(0, 256**width - 1)))
    data[place : place + width] = (number % 256**width).to_bytes(width)


def after_statement(draw: st.DrawFn, library: bytes) -> bytes:
    """Run a random statement on a library; return the library that SQLite writes."""
    modes = library[18:20]
    with (
        closing(sqlite3.connect(":memory:", isolation_level=None)) as db,
        suppress(sqlite3.Error, UnicodeError, MemoryError),
    ):
        db.deserialize(library[:18] + b"\1\1" + library[20:])  # no log, since a database in memory cannot have one
        columns = {
            table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            for (table,) in db.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
        }
        if not columns:
            return library
        table = draw(st.sampled_from(sorted(columns)))
        column = draw(st.sampled_from(columns[table]))
        statement = draw(st.sampled_from(STATEMENTS)).format(
            table=table,
            column=column,
            value=draw(st.sampled_from(SQL_VALUES)),
            one=f"{column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {draw(st.integers(0, 11))})",  # noqa: S608
            endless=ENDLESS,
            version=draw(st.sampled_from((-1, 0, 1, 2, 2**31 - 1))),
        )
        steps = count()  # a trigger of an earlier statement may never end
        db.set_progress_handler(lambda: next(steps) > MAX_STEPS, MAX_STEPS)
        db.executescript("PRAGMA writable_schema = 1; PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
        with suppress(sqlite3.Error, UnicodeError, MemoryError):
            db.executescript(statement)
        library = db.serialize()
    return library[:18] + modes + library[20:]
