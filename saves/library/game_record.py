"""Finished games as rows of the table `game` of a library: insert, read, delete and restore them."""

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
"""The outcomes by their written form."""
LARGEST_NUMBER: Final = 2**63 - 1
"""The largest row number of SQLite."""
OPPONENT: Final = f"CASE first WHEN '{PERSON}' THEN second ELSE first END"
"""SQL for the opponent of the person in a row; `human` if two people played."""
ROW_ERRORS: Final = (ValueError, TypeError, AttributeError)
"""What reading a damaged row may raise: its columns can hold values of any type."""
COLUMNS: Final = "id, played, game, first, second, moves, outcome"
SELECT_ONE: Final = f"SELECT {COLUMNS} FROM game WHERE id = ?"  # noqa: S608  constants

DeletedGame = tuple[int | bytes, ...]
"""The values of a deleted row in the order of `COLUMNS`. Texts are bytes, so that damaged rows can be restored, too."""


@dataclass(frozen=True)
class StoredGame:
    """A finished game in which a person played."""

    id: int
    played: datetime
    """The end of the game, in UTC."""
    record: Record


@dataclass(frozen=True)
class DamagedGame:
    """A row that cannot be read as a game."""

    id: int
    trouble: str
    """The reason, in one line."""


@dataclass(frozen=True)
class GameFilter:
    """A filter for finished games. `None` accepts every value."""

    game: str | None = None
    """The name of the game."""
    opponent: str | None = None
    """The label of the player opposite the person."""


@dataclass(frozen=True)
class Score:
    """The games of a person against one opponent."""

    won: int
    """By the person."""
    lost: int
    drawn: int
    last: str
    """When the last one was played, as it is stored."""


ALL: Final = GameFilter()
Tally = Mapping[GameFilter, int]
"""The number of finished games for each pair of a game and an opponent."""


def insert_game(db: sqlite3.Connection, played: str, record: Record) -> int:
    """Insert a finished game that ended at the time `played`; return its number."""
    moves = " ".join(record.game.move_name(move) for move in record.moves)
    number = db.execute(
        "INSERT INTO game (played, game, first, second, moves, outcome) VALUES (?, ?, ?, ?, ?, ?)",
        (played, record.game.name, *record.players, moves, record.outcome.name.lower()),
    ).lastrowid
    return int(number or 0)


def read_tally(db: sqlite3.Connection) -> Tally:
    """Count the games, by game and opponent."""
    rows = db.execute(f"SELECT game, {OPPONENT}, count(*) FROM game GROUP BY 1, 2").fetchall()  # noqa: S608  constants
    return {GameFilter(game, opponent): count for game, opponent, count in rows}


def read_scores(db: sqlite3.Connection) -> dict[str, Score]:
    """Return the score of the person against each opponent, by label."""
    rows = db.execute(
        f"SELECT {OPPONENT}, count(*), sum(outcome = 'draw'), "  # noqa: S608  constants
        f"sum(outcome = CASE '{PERSON}' WHEN first THEN 'first_wins' ELSE 'second_wins' END), max(played) "
        f"FROM game WHERE first <> second AND '{PERSON}' IN (first, second) GROUP BY 1"
    ).fetchall()
    return {label: Score(won, count - won - drawn, drawn, str(last)) for label, count, drawn, won, last in rows}


def read_beaten(db: sqlite3.Connection, game: str) -> frozenset[str]:
    """Return the opponents that a person has beaten in a game."""
    rows = db.execute(
        f"SELECT DISTINCT {OPPONENT} FROM game WHERE game = ? AND first <> second AND "  # noqa: S608  constants
        f"outcome = CASE '{PERSON}' WHEN first THEN 'first_wins' WHEN second THEN 'second_wins' END",
        (game,),
    ).fetchall()
    return frozenset(label for (label,) in rows)


def read_numbers(db: sqlite3.Connection, wanted: GameFilter) -> list[int]:
    """Return the numbers of the games that pass a filter, the newest first: later games have higher numbers."""
    rows = db.execute(
        "SELECT id FROM game WHERE (:game IS NULL OR game = :game) "  # noqa: S608  constants
        f"AND (:opponent IS NULL OR {OPPONENT} = :opponent) ORDER BY id DESC",
        {"game": wanted.game, "opponent": wanted.opponent},
    ).fetchall()
    return [number for (number,) in rows]


def read_games(db: sqlite3.Connection, numbers: Sequence[int]) -> list[StoredGame | DamagedGame]:
    """Return the games with these numbers, the newest first; numbers without a game are skipped."""
    places = ", ".join("?" * len(numbers))
    rows = db.execute(
        f"SELECT {COLUMNS} FROM game WHERE id IN ({places}) ORDER BY id DESC",  # noqa: S608  constants
        tuple(numbers),
    ).fetchall()
    return [_read_row(row) for row in rows]


def read_game(db: sqlite3.Connection, key: int) -> StoredGame | DamagedGame:
    """Return the game with the number `key`. Raises `NoSuchGame`."""
    row = db.execute(SELECT_ONE, (key,)).fetchone()
    if row is None:
        raise _no_game(key)
    return _read_row(row)


def delete_game(db: sqlite3.Connection, key: int) -> DeletedGame:
    """Delete a game; return its row. Raises `NoSuchGame`."""
    db.text_factory = bytes
    row = db.execute(SELECT_ONE, (key,)).fetchone()
    if row is None:
        raise _no_game(key)
    db.execute("DELETE FROM game WHERE id = ?", (key,))
    return tuple(row)


def restore_game(db: sqlite3.Connection, deleted: DeletedGame) -> int:
    """Insert a deleted game again; return its number, a new one if another game has taken the old one."""
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


def _no_game(key: int) -> NoSuchGame:
    return NoSuchGame(f"no game {key:,} in the library")


def _read_row(row: sqlite3.Row) -> StoredGame | DamagedGame:
    try:
        game = parse_game(row["game"])
        record = Record(
            game, (row["first"], row["second"]), _read_moves(game, row["moves"]), _read_outcome(row["outcome"])
        )
        _require_outcome(record)
        return StoredGame(row["id"], parse_time(row["played"]), record)
    except ROW_ERRORS as error:
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


def _require_outcome(record: Record) -> None:
    """Raise `BadText` unless the moves lead to the outcome, directly or by resignation or an agreed draw after them."""
    try:
        replayed(record)
    except ValueError as error:
        moves = " ".join(record.game.move_name(move) for move in record.moves)
        outcome = record.outcome.name.lower()
        raise BadText(f"the outcome {outcome} does not follow from the moves {quoted(moves)}") from error
