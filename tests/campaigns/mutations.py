"""Strategies of hypothesis that damage valid inputs: bytes, texts, JSON trees, and libraries by SQL statements."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import count

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

UNHURRIED = settings(suppress_health_check=list(HealthCheck))
"""For inputs that are large or take long."""
MAX_BYTES = 2**17
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


JSON_VALUES = (
    *(None, True, False, *range(-1, 13), *(2**power for power in (31, 32, 62, 63, 64)), -(2**63), 10**15, 10**400),
    *(
        1.5,
        1e15,
        float("nan"),
        float("inf"),
        [],
        {},
        [[]],
        [1, None],
        {"a": [0, {}]},
        json.loads("[" * 900 + "]" * 900),
    ),
    *("", "\ud800", "\ufeff", "a\0b", "\x1b[31m", "\u202e", "x" * 5000),
)


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def damaged(seeds: Sequence[bytes], words: Sequence[str] = ()) -> st.SearchStrategy[bytes]:
    """Edit one of the seeds: parts are deleted, repeated, moved, or replaced by words and parts of other seeds."""
    known = st.sampled_from([b"", *map(encoded, (*words, *NUMBERS, *SIGNS)), *NO_TEXT])
    pieces = known | st.binary(max_size=8) | st.sampled_from(seeds)

    @st.composite
    def change(draw: st.DrawFn) -> bytes:
        data = draw(st.sampled_from(seeds))
        for _ in range(draw(st.integers(0, 4))):
            start, piece = draw(st.integers(0, len(data))), draw(pieces)
            length = draw(st.sampled_from((0, 0, 0, 1, 1, 2, 4, 8, 64, MAX_BYTES)))
            if len(piece) > 8:
                at = draw(st.integers(0, len(piece)))
                piece = piece[at : at + draw(st.sampled_from((1, 4, 16, 400, MAX_BYTES)))]
            piece *= draw(st.sampled_from((1, 1, 1, 1, 2, 9, 5000)))
            data = (data[:start] + piece + data[start + length :])[:MAX_BYTES]
        return data

    return change()


def damaged_json(seeds: Sequence[bytes], words: Sequence[str]) -> st.SearchStrategy[bytes]:
    """Edit JSON texts, or their trees: members are deleted, renamed, repeated, or replaced by anything."""
    keys = st.sampled_from((*words, *NUMBERS))
    values = st.sampled_from(list(map(json.dumps, JSON_VALUES))).map(json.loads) | keys

    @st.composite
    def change(draw: st.DrawFn) -> bytes:
        tree = [json.loads(draw(st.sampled_from(seeds)))]
        for _ in range(draw(st.integers(0, 3))):
            inner, place = tree, 0
            while isinstance(inner[place], (dict, list)) and inner[place] and draw(st.integers(0, 3)):
                inner = inner[place]
                place = draw(st.sampled_from(list(inner) if isinstance(inner, dict) else range(len(inner))))
            edit = draw(st.sampled_from((*["replace"] * 5, "change", "delete", "move")))
            if edit == "change" and isinstance(inner[place], int):
                inner[place] += draw(st.sampled_from((-1, 1, 2, 10)))
            elif edit == "delete" and inner is not tree:
                del inner[place]
            elif edit == "move" and isinstance(inner, dict):
                inner[draw(keys)] = inner.pop(place)
            elif edit == "move":
                inner.insert(place, inner[place])
            else:
                inner[place] = draw(values)
        text = json.dumps(tree[0], ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from((None, None, 1))))
        return encoded(draw(st.sampled_from(("", "", "", "\ufeff", "\n", " "))) + text)

    return change() | damaged(seeds, words)


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


@st.composite
def changed_by_sql(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """Run a random statement on one of the libraries; return the library that SQLite writes."""
    library = draw(st.sampled_from(seeds))
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.deserialize(library[:18] + b"\1\1" + library[20:])  # no log, since a database in memory cannot have one
        tables = db.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        (table,) = draw(st.sampled_from(tables))
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        column = draw(st.sampled_from(columns))
        statement = draw(st.sampled_from(STATEMENTS)).format(
            table=table,
            column=column,
            value=draw(st.sampled_from(SQL_VALUES)),
            one=f"{column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {draw(st.integers(0, 11))})",  # noqa: S608
            endless=ENDLESS,
            version=draw(st.sampled_from((-1, 0, 1, 2, 2**31 - 1))),
        )
        steps = count()
        db.set_progress_handler(lambda: next(steps) > MAX_STEPS, MAX_STEPS)
        db.executescript("PRAGMA writable_schema = 1; PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
        with suppress(sqlite3.Error, UnicodeError, MemoryError):
            db.executescript(statement)
        changed = db.serialize()
    return changed[:18] + library[18:20] + changed[20:]
