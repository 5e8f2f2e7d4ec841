"""Mutate a library by SQL statements: any value in any column, and changes of the schema."""

import sqlite3
from contextlib import closing, suppress
from itertools import count
from random import Random

TABLES = {
    "save": (
        *("id", "name", "learner", "game", "preset", "settings", "seed", "generator", "stats"),
        *("created", "updated", "deleted", "opponent", "bulk"),
    ),
    "memory": ("save", "position", "move", "number", "times"),
    "checkpoint": ("save", "rounds", "games", "stats", "kept", "generator", "opponent"),
    "change": ("save", "rounds", "games", "position", "move", "number", "times"),
    "game": ("id", "played", "game", "first", "second", "moves", "outcome"),
}
"""The columns of the tables, in any version of the schema."""
VALUES = (
    *("NULL", "0", "1", "-1", "2", "1.5", "9e999", "2147483648", "9223372036854775807", "-9223372036854775808"),
    *("''", "'a'", "x''", "x'ff'", "zeroblob(3000)", "CAST(x'ff' AS TEXT)", "CAST(x'610062' AS TEXT)"),
    *("char(0xd800)", "char(27,91,51)", "char(0x202e)", "char(10,10)", "replace(hex(zeroblob(9000)), '0', 'x')"),
    *("'{}'", "'[]'", "'[1, 2]'", "'[0, 0]'", "'{\"games\": 1}'", "'{\"games\": 1e999}'"),
    *("replace(hex(zeroblob(500)), '0', '[')", "'hexapawn'", "'tictactoe'", "'connectfour'", "'failures'"),
    *("'menace'", "'genetic'", "'self'", "'save:a'", "'human'", "'draw'", "'first_wins'", "'b2'", "'BBB/.../WWW W'"),
    *("'a1a2'", "'2026-01-02T03:04:05+00:00'", "'0001-01-01'", "'9999-12-31T23:59:59-12:00'", "'now'"),
)
ENDLESS = "WITH RECURSIVE e (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e) SELECT n FROM e"
STATEMENTS = (
    "UPDATE {table} SET {column} = {value} WHERE {one}",
    "UPDATE {table} SET {column} = {value} WHERE {one}",
    "UPDATE {table} SET {column} = {value} WHERE {one}",
    "UPDATE {table} SET {column} = {value}",
    "UPDATE OR REPLACE {table} SET {column} = {value}",
    "UPDATE {table} SET {column} = {column} {sum}",
    "DELETE FROM {table} WHERE {one}",
    "INSERT OR REPLACE INTO {table} SELECT * FROM {table} WHERE {one}",
    "INSERT INTO {table} ({column}) VALUES ({value})",
    "UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT', ''), 'NOT NULL', ''), ', WITH', ' WITH')",
    "UPDATE sqlite_schema SET sql = replace(sql, '{word}', '{instead}')",
    "UPDATE sqlite_schema SET sql = replace(sql, '{word}', '{instead}') WHERE name = '{table}'",
    "UPDATE sqlite_schema SET {schema} = {value} WHERE name = '{table}'",
    "DELETE FROM sqlite_schema WHERE name = '{table}'",
    "DROP TABLE {table}",
    "DROP VIEW remembered; DROP VIEW changed; DROP INDEX save_name; UPDATE {table} SET {column} = {value}",
    "DROP TABLE {table}; CREATE VIEW {table} AS SELECT {constants}",
    "DROP TABLE {table}; CREATE TABLE {table} ({columns})",
    "ALTER TABLE {table} RENAME TO other; CREATE VIEW {table} AS SELECT * FROM other, other AS again",
    "ALTER TABLE {table} RENAME TO other; CREATE VIEW {table} AS SELECT other.* FROM other, ({endless})",
    "ALTER TABLE {table} ADD COLUMN {more} DEFAULT {value}",
    "ALTER TABLE {table} DROP COLUMN {column}",
    "ALTER TABLE {table} RENAME COLUMN {column} TO other",
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN UPDATE {table} SET {column} = {value}; END",
    "CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT raise({end}, ''); END",
    "CREATE TRIGGER t BEFORE INSERT ON {table} BEGIN SELECT count(*) FROM ({endless}); END",
    "CREATE UNIQUE INDEX i ON {table} ({column})",
    "PRAGMA user_version = {version}",
    "PRAGMA application_id = {version}",
    "DROP TABLE game; VACUUM",
)
VARINTS = (b"\xff" * 9, b"\x80" * 9, b"\x81\x00", b"\x00", b"\x01", b"\x7f", b"\xff\x7f", b"\x8f\xff\xff\xff\x7f")
WORDS = (
    *(b"CREATE TABLE", b"CREATE VIEW", b"CREATE TRIGGER", b"CREATE INDEX", b"STRICT", b"WITHOUT ROWID", b"NOT NULL"),
    *(b"PRIMARY KEY", b"REFERENCES", b"CHECK", b"UNIQUE", b"DEFAULT", b"TEXT", b"INTEGER", b"BLOB", b"ANY", b"save"),
    *(b"memory", b"checkpoint", b"change", b"game", b"remembered", b"changed", b"sqlite_schema", b"GENERATED"),
    *(b"table", b"view", b"index", b"trigger", b"'", b'"', b"(", b")", b"\0" * 8, b"\xff" * 8, b"noug"),
    *(b"SQLite format 3\0", *VARINTS),
)
MAX_STEPS = 1000
"""A statement is stopped after the square of this number of instructions of SQLite's virtual machine."""


def mutated_by_sql(random: Random, library: bytes) -> bytes:
    """Run random statements on a library; return the library that SQLite writes."""
    modes = library[18:20]
    for _ in range(random.choice((1, 1, 2, 3))):
        with (
            closing(sqlite3.connect(":memory:", isolation_level=None)) as db,
            suppress(sqlite3.Error, UnicodeError, MemoryError),
        ):
            db.deserialize(library[:18] + b"\1\1" + library[20:])  # no log, since a database in memory cannot have one
            steps = count()  # a trigger of an earlier mutation may never end
            db.set_progress_handler(lambda steps=steps: next(steps) > MAX_STEPS, MAX_STEPS)
            db.executescript("PRAGMA writable_schema = 1; PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0")
            with suppress(sqlite3.Error, UnicodeError, MemoryError):
                db.executescript(_statement(random))
            library = db.serialize()
    return library[:18] + modes + library[20:]


def _statement(random: Random) -> str:
    table = random.choice(list(TABLES))
    column, value = random.choice(TABLES[table]), random.choice(VALUES)
    word, instead = (random.choice(WORDS).decode("latin-1").strip("\0") for _ in range(2))
    return random.choice(STATEMENTS).format(
        table=table,
        column=column,
        value=value,
        one=f"{column} IS (SELECT {column} FROM {table} LIMIT 1 OFFSET {random.randrange(12)})",  # noqa: S608
        sum=random.choice(("+ 1", "- 1", "* 2", "|| 1", "* -1")),
        word=word,
        instead=instead,
        schema=random.choice(("type", "name", "tbl_name", "rootpage", "sql")),
        constants=", ".join(f"{value} AS {each}" for each in TABLES[table]),
        columns=", ".join(TABLES[table]),
        endless=ENDLESS,
        end=random.choice(("IGNORE", "FAIL", "ROLLBACK", "ABORT")),
        more=random.choice((column, "more")),
        version=random.choice((-1, 0, 1, 2, 3, 4, 5, 2**31 - 1)),
    )
