"""The games that people have finished, as rows of the table `game` of a library."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engine.game import BadText, Game, Outcome, quoted
from engine.games import parse_game
from engine.match import Record, parse_moves, replay_record
from learners.core.learner import PERSON
from saves.errors import NoSuchGame
from saves.library.library_file import LibraryFile
from saves.sqlite.database import reading
from saves.times import now, parse_time

OUTCOMES: Final = {outcome.name.lower(): outcome for outcome in Outcome}
LARGEST_NUMBER: Final = 2**63 - 1
OPPONENT: Final = f"CASE first WHEN '{PERSON}' THEN second ELSE first END"
"""An SQL expression for the opponent of the person in a row; `human` if two people played."""
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
    """The time when the game ended, in UTC."""
    record: Record


@dataclass(frozen=True)
class DamagedGame:
    """A row that cannot be read as a game."""

    id: int
    trouble: str
    """The reason why the game cannot be read, in one line."""


@dataclass(frozen=True)
class GameFilter:
    """A filter for finished games. `None` accepts every value."""

    game: str | None = None
    opponent: str | None = None
    """The label of the person's opponent."""


@dataclass(frozen=True)
class Score:
    """The games of a person against one opponent."""

    won: int
    lost: int
    drawn: int
    last: str
    """The time of the last game, as text."""


ALL: Final = GameFilter()
Tally = Mapping[GameFilter, int]
"""The number of finished games for each pair of a game and an opponent."""


class PlayedGames:
    """The finished games of a library. Every method is one transaction and raises `LibraryError`."""

    def __init__(self, file: LibraryFile) -> None:
        """Use the games in this file, without touching the disk."""
        self._file = file
        self.deleted: list[DeletedGame] = []
        """The games that this object deleted and can restore, in the order in which they were deleted."""

    def add(self, record: Record) -> int:
        """Store a game that has just ended; return its number."""
        moves = " ".join(map(record.game.move_name, record.moves))
        with self._file.writing(create=True) as db:
            number = db.execute(
                "INSERT INTO game (played, game, first, second, moves, outcome) VALUES (?, ?, ?, ?, ?, ?)",
                (now(), record.game.name, *record.players, moves, record.outcome.name.lower()),
            ).lastrowid
        return int(number or 0)

    def withdraw(self, number: int) -> None:
        """Delete a game whose last move was taken back, if it still exists."""
        with self._file.writing() as db:
            db.execute("DELETE FROM game WHERE id = ?", (number,))

    def tally(self) -> Tally:
        """Return the number of games for each pair of a game and an opponent."""
        rows = self._rows(f"SELECT game, {OPPONENT}, count(*) FROM game GROUP BY 1, 2")  # noqa: S608  constants
        return {GameFilter(game, opponent): count for game, opponent, count in rows}

    def scores(self) -> dict[str, Score]:
        """Return the score of the person against each opponent, by label."""
        rows = self._rows(
            f"SELECT {OPPONENT}, count(*), sum(outcome = 'draw'), "  # noqa: S608  constants
            f"sum(outcome = CASE '{PERSON}' WHEN first THEN 'first_wins' ELSE 'second_wins' END), max(played) "
            f"FROM game WHERE first <> second AND '{PERSON}' IN (first, second) GROUP BY 1"
        )
        return {label: Score(won, count - won - drawn, drawn, str(last)) for label, count, drawn, won, last in rows}

    def beaten_opponents(self, game: Game) -> frozenset[str]:
        """Return the labels of the opponents that a person has beaten in a game."""
        rows = self._rows(
            f"SELECT DISTINCT {OPPONENT} FROM game WHERE game = ? AND first <> second AND "  # noqa: S608  constants
            f"outcome = CASE '{PERSON}' WHEN first THEN 'first_wins' WHEN second THEN 'second_wins' END",
            game.name,
        )
        return frozenset(label for (label,) in rows)

    def numbers(self, wanted: GameFilter = ALL) -> list[int]:
        """Return the numbers of the games that pass a filter, the newest first: later games have higher numbers."""
        rows = self._rows(
            "SELECT id FROM game WHERE game IS coalesce(?, game) "  # noqa: S608  constants
            f"AND {OPPONENT} IS coalesce(?, {OPPONENT}) ORDER BY id DESC",
            wanted.game,
            wanted.opponent,
        )
        return [number for (number,) in rows]

    def read(self, numbers: Sequence[int]) -> list[StoredGame | DamagedGame]:
        """Return the games with these numbers, the newest first; numbers without a game are skipped."""
        places = ", ".join("?" * len(numbers))
        query = f"SELECT {COLUMNS} FROM game WHERE id IN ({places}) ORDER BY id DESC"  # noqa: S608  constants
        return list(map(_read_row, self._rows(query, *numbers)))

    def read_one(self, number: int) -> StoredGame | DamagedGame:
        """Return the game with this number. Raises `NoSuchGame`."""
        rows = self._rows(SELECT_ONE, number)
        if not rows:
            raise _no_game(number)
        return _read_row(rows[0])

    def delete(self, number: int) -> None:
        """Delete a game. `undelete` can restore it. Raises `NoSuchGame`."""
        with self._file.writing() as db:
            db.text_factory = bytes
            row = db.execute(SELECT_ONE, (number,)).fetchone()
            if row is None:
                raise _no_game(number)
            db.execute("DELETE FROM game WHERE id = ?", (number,))
        self.deleted.append(tuple(row))

    def delete_all(self) -> int:
        """Delete all games for good, also those that cannot be read; return how many there were."""
        with self._file.writing() as db:
            self.deleted.clear()
            return db.execute("DELETE FROM game").rowcount

    def undelete(self) -> int:
        """Restore the game that this object deleted last; return its number, a new one if it is taken."""
        if not self.deleted:
            raise NoSuchGame("no game was deleted since the program was started")
        key, *texts = self.deleted[-1]
        text_values = ", ".join("CAST(? AS TEXT)" for _ in texts)
        with self._file.writing(create=True) as db:
            is_taken = db.execute("SELECT 1 FROM game WHERE id = ?", (key,)).fetchone() is not None
            query = f"INSERT INTO game ({COLUMNS}) VALUES (?, {text_values})"  # noqa: S608  constants
            number = db.execute(query, (None if is_taken else key, *texts)).lastrowid
        self.deleted.pop()
        return int(number or 0)

    def _rows(self, query: str, *values: str | int | None) -> list[sqlite3.Row]:
        with reading(self._file.path) as db:
            return db.execute(query, values).fetchall()


def _no_game(key: int) -> NoSuchGame:
    return NoSuchGame(f"no game {key:,} in the library")


def _read_row(row: sqlite3.Row) -> StoredGame | DamagedGame:
    try:
        game = parse_game(row["game"])
        record = Record(
            game, (row["first"], row["second"]), parse_moves(game, row["moves"].split()), _read_outcome(row["outcome"])
        )
        _require_outcome(record)
        return StoredGame(row["id"], parse_time(row["played"]), record)
    except ROW_ERRORS as error:
        return DamagedGame(row["id"], str(error))


def _read_outcome(text: str) -> Outcome:
    if text not in OUTCOMES:
        raise BadText(f"no outcome {quoted(text)}; there are {', '.join(OUTCOMES)}")
    return OUTCOMES[text]


def _require_outcome(record: Record) -> None:
    """Raise `BadText` unless the moves lead to the outcome, perhaps with a resignation or an agreed draw at the end."""
    try:
        replay_record(record)
    except ValueError as error:
        moves = " ".join(record.game.move_name(move) for move in record.moves)
        outcome = record.outcome.name.lower()
        raise BadText(f"the outcome {outcome} does not follow from the moves {quoted(moves)}") from error
