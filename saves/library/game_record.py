"""The finished games of people, as rows of the library's table `game`: kept, read in pages, deleted and put back."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.game import BadText, Game, Move, Outcome, Position, quoted
from engine.games import parse_game
from engine.match import Record, replayed
from learners.core.learner import PERSON
from saves.errors import NoSuchGame
from saves.times import parse_time

OUTCOMES: Final = {outcome.name.lower(): outcome for outcome in Outcome}
"""The outcomes as they are written."""
LARGEST_NUMBER: Final = 2**63 - 1
"""The largest that SQLite can give to a game."""
OPPONENT: Final = f"CASE first WHEN '{PERSON}' THEN second ELSE first END"
"""Who sat opposite the person of a row: another person where both were."""
DAMAGES: Final = (ValueError, TypeError, AttributeError)
"""What reading a row may raise: it can hold anything, in columns of any type."""
COLUMNS: Final = "id, played, game, first, second, moves, outcome"
"""Those that a game is read from: one that is missing is a fault of the whole table."""
SELECT_ONE: Final = f"SELECT {COLUMNS} FROM game WHERE id = ?"  # noqa: S608  our own words

DeletedGame = tuple[int | bytes, ...]
"""A deleted row, byte for byte, whether it could be read or not."""


@dataclass(frozen=True)
class KeptGame:
    """A finished game in which a person played."""

    id: int
    played: datetime
    """When it ended, in UTC."""
    record: Record


@dataclass(frozen=True)
class DamagedGame:
    """A row that tells of no game."""

    id: int
    trouble: str
    """Why it cannot be read, in a line."""


@dataclass(frozen=True)
class Which:
    """Which games are meant; `None` leaves a property open."""

    game: str | None = None
    opponent: str | None = None
    """Who sat opposite the person, as players are written."""


ALL: Final = Which()
Tally = Mapping[Which, int]
"""How many games there are of each game against each opponent."""


def insert_game(db: sqlite3.Connection, played: str, record: Record) -> int:
    """Add a finished game; returns its number."""
    game = parse_game(record.game)
    moves = " ".join(game.move_name(move) for move in record.moves)
    added = db.execute(
        "INSERT INTO game (played, game, first, second, moves, outcome) VALUES (?, ?, ?, ?, ?, ?)",
        (played, record.game, *record.players, moves, record.outcome.name.lower()),
    )
    return int(added.lastrowid or 0)


def read_tally(db: sqlite3.Connection) -> Tally:
    """How many games there are, of each game and against each opponent."""
    _take_any_text(db)
    rows = db.execute(f"SELECT game, {OPPONENT}, count(*) FROM game GROUP BY 1, 2")  # noqa: S608  our own words
    return {Which(game, opponent): count for game, opponent, count in rows}


def read_numbers(db: sqlite3.Connection, wanted: Which) -> list[int]:
    """The numbers of the games that are wanted, the newest first: those kept later have higher ones."""
    rows = db.execute(
        "SELECT id FROM game WHERE (:game IS NULL OR game = :game) "  # noqa: S608  our own words
        f"AND (:opponent IS NULL OR {OPPONENT} = :opponent) ORDER BY id DESC",
        {"game": wanted.game, "opponent": wanted.opponent},
    )
    return [number for (number,) in rows]


def read_games(db: sqlite3.Connection, numbers: Sequence[int]) -> list[KeptGame | DamagedGame]:
    """The games of these numbers, the newest first; those that are gone are left out."""
    _take_any_text(db)
    places = ", ".join("?" * len(numbers))
    rows = db.execute(
        f"SELECT {COLUMNS} FROM game WHERE id IN ({places}) ORDER BY id DESC",  # noqa: S608  our own words
        tuple(numbers),
    )
    return [_read(row) for row in rows]


def read_game(db: sqlite3.Connection, key: int) -> KeptGame | DamagedGame:
    """Raises `NoSuchGame`."""
    _take_any_text(db)
    row = db.execute(SELECT_ONE, (key,)).fetchone()
    if row is None:
        raise _no_game(key)
    return _read(row)


def take_out(db: sqlite3.Connection, key: int) -> DeletedGame:
    """Delete a game; returns its row. Raises `NoSuchGame`."""
    db.text_factory = bytes
    row = db.execute(SELECT_ONE, (key,)).fetchone()
    if row is None:
        raise _no_game(key)
    db.execute("DELETE FROM game WHERE id = ?", (key,))
    return tuple(row)


def put_back(db: sqlite3.Connection, deleted: DeletedGame) -> int:
    """Put a deleted game in its place again; returns its number: another one where that was given anew meanwhile."""
    key, *texts = deleted
    taken = db.execute("SELECT 1 FROM game WHERE id = ?", (key,)).fetchone() is not None
    written = ", ".join("CAST(? AS TEXT)" for _ in texts)
    return int(
        db.execute(
            f"INSERT INTO game ({COLUMNS}) VALUES (?, {written})",  # noqa: S608
            (None if taken else key, *texts),
        ).lastrowid
        or 0
    )


def _take_any_text(db: sqlite3.Connection) -> None:
    """Let a text that is no Unicode be read all the same: it damages its own row alone."""
    db.text_factory = lambda text: text.decode("utf-8", "replace")


def _no_game(key: int) -> NoSuchGame:
    return NoSuchGame(f"no game {key:,} in the library")


def _read(row: sqlite3.Row) -> KeptGame | DamagedGame:
    try:
        game = parse_game(row["game"])
        record = Record(
            game.name, (row["first"], row["second"]), _read_moves(game, row["moves"]), _read_outcome(row["outcome"])
        )
        _require_such_an_end(game, record)
        return KeptGame(row["id"], parse_time(row["played"]), record)
    except DAMAGES as error:
        return DamagedGame(row["id"], str(error))


def _read_moves(game: Game, text: str) -> tuple[Move, ...]:
    moves: list[Move] = []
    position: Position = game.start
    for name in text.split():
        moves.append(game.parse_move(position, name))
        position = game.play(position, moves[-1])
    return tuple(moves)


def _read_outcome(text: str) -> Outcome:
    if text not in OUTCOMES:
        raise BadText(f"no outcome {quoted(text)}; there are {', '.join(OUTCOMES)}")
    return OUTCOMES[text]


def _require_such_an_end(game: Game, record: Record) -> None:
    """Raise `BadText` unless the moves, or giving up or agreeing after them, lead to the outcome."""
    try:
        replayed(game, record)
    except ValueError as error:
        moves = " ".join(game.move_name(move) for move in record.moves)
        outcome = record.outcome.name.lower()
        raise BadText(f"the outcome {outcome} does not follow from the moves {quoted(moves)}") from error
