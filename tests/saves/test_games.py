"""Finished games: read in pages and by opponent, reported if damaged, deleted and restored."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from engine.game import Outcome, Side
from engine.games import GAMES, parse_game
from engine.match import Record
from saves.errors import LibraryError, NoSuchGame
from saves.library import game_record as games
from saves.library.game_record import DamagedGame, GameFilter
from tests.libraries import sql
from tests.random_games import random_match

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
WON = Record(TICTACTOE, ("human", "perfect"), (0, 3, 1, 4, 2), Outcome.FIRST_WINS)


def keep_many(library, count):
    """Games of every kind, against three opponents, in the order in which they were stored."""
    random, records = Random(1), []
    for nth in range(count):
        foe, game = ("perfect", "save:a b", "human")[nth % 3], GAMES[nth % len(GAMES)]
        match = random_match(game, random, random.choice((None, 3)), ends=True)
        records.append(match.record(("human", foe) if nth % 2 else (foe, "human")))
        library.games.add(records[-1])
    return records


def newest(library, *wanted):
    return library.games.read(library.games.numbers(*wanted))


def test_stored_games_are_read_newest_first(library):
    assert (newest(library), library.games.tally()) == ([], {})
    assert not library.path.exists()
    records = keep_many(library, 30)
    seen, numbers = newest(library), library.games.numbers()
    assert [kept.record for kept in seen] == records[::-1]
    assert [kept.id for kept in seen] == numbers
    assert library.games.read(numbers[10:20]) == seen[10:20]
    assert library.games.read([numbers[3], 99, numbers[2]]) == seen[2:4]
    assert [kept.played for kept in seen] == sorted((kept.played for kept in seen), reverse=True)
    assert timedelta() <= datetime.now(UTC) - seen[0].played < timedelta(minutes=1)
    assert library.games.read_one(seen[4].id) == seen[4]
    with pytest.raises(NoSuchGame, match="no game 31 in the library"):
        library.games.read_one(31)


def test_games_are_found_by_game_and_opponent(library):
    records = keep_many(library, 24)
    tally = library.games.tally()
    assert sum(tally.values()) == 24

    def opponent(record):
        return next((label for label in record.players if label != "human"), "human")

    for wanted in (
        GameFilter("hexapawn"),
        GameFilter(opponent="save:a b"),
        GameFilter("tictactoe", "human"),
        GameFilter("chess"),
    ):
        expected = [
            record
            for record in reversed(records)
            if wanted.game in (None, record.game.name) and wanted.opponent in (None, opponent(record))
        ]
        assert [kept.record for kept in newest(library, wanted)] == expected
        assert len(expected) == sum(
            count
            for which, count in tally.items()
            if wanted.game in (None, which.game) and wanted.opponent in (None, which.opponent)
        )


DAMAGE = {
    "moves = 'a3 a2 b3 b2 a3'": "a3 cannot be played in XX./OO./... X; legal: c3, c2, a1, b1, c1",
    "moves = 'a3 a2 b3 b2 c3 c2'": "c2 cannot be played in XXX/OO./... O; legal: none, the game is over",
    "moves = 'a3 " + "x" * 1000 + "'": "is not a move of Tic-tac-toe",
    "moves = 'a3 a2 b3 b2'": "outcome first_wins does not follow",
    "outcome = 'draw'": "outcome draw does not follow from the moves 'a3 a2 b3 b2 c3'",
    "game = 'chess'": "no game 'chess'",
    "game = 'hexapawn'": "'a3' is not a move of Hexapawn; legal here: a1a2",
    "played = 'yesterday'": "'yesterday' is not a date and time",
    "played = '9999-12-31T23:59:59+00:00'": "is not between the years",
    "played = '" + "9" * 1000 + "'": "is not a date and time",
}


@pytest.mark.parametrize("change", DAMAGE)
def test_a_damaged_game_is_reported_and_hides_no_other(library, change):
    for _ in range(3):
        library.games.add(WON)
    sql(library, f"UPDATE game SET {change} WHERE id = 2")  # noqa: S608
    last, damaged, first = newest(library)
    assert isinstance(damaged, DamagedGame)
    assert damaged.id == 2
    assert DAMAGE[change] in damaged.trouble
    assert damaged.trouble.isprintable()
    assert len(damaged.trouble) < 180
    assert (last.record, first.record) == (WON, WON)
    assert library.games.read_one(2) == damaged
    assert sum(library.games.tally().values()) == 3


def test_deleted_games_are_restored_one_by_one(library):
    keep_many(library, 6)
    sql(library, "UPDATE game SET moves = CAST(x'ff6232' AS TEXT), played = 'never' WHERE id = 3")
    before = newest(library)
    for number in (3, 5):
        library.games.delete(number)
    assert [kept.id for kept in newest(library)] == [6, 4, 2, 1]
    with pytest.raises(NoSuchGame, match="no game 5"):
        library.games.delete(5)
    assert [library.games.undelete(), library.games.undelete()] == [5, 3]
    assert newest(library) == before
    with pytest.raises(NoSuchGame, match="no game was deleted since"):
        library.games.undelete()
    assert sql(library, "SELECT hex(moves), played FROM game WHERE id = 3") == [("FF6232", "never")]


def test_a_deleted_game_whose_number_is_taken_gets_a_new_one(library):
    library.games.add(WON)
    library.games.delete(1)
    lost = Record(HEXAPAWN, ("human", "random"), (), Outcome.won_by(Side.SECOND))
    library.games.add(lost)
    assert library.games.undelete() == 2
    assert [kept.record for kept in newest(library)] == [WON, lost]


def test_a_table_that_lacks_a_column_is_a_damaged_library(library):
    number = library.games.add(WON)
    sql(library, "ALTER TABLE game RENAME COLUMN played TO other")
    for attempt in (lambda: library.games.read_one(number), lambda: library.games.read([number])):
        with pytest.raises(LibraryError, match="is damaged"):
            attempt()


def test_a_row_with_wrong_types_is_reported_as_damaged(library):
    library.games.add(WON)
    ((ours,),) = sql(library, "SELECT sql FROM sqlite_schema WHERE name = 'game'")
    for shape in (ours.replace(" STRICT", "").replace("TEXT", ""), ours):
        quoted = shape.replace("'", "''")
        schema = f"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '{quoted}' WHERE name = 'game'"  # noqa: S608
        sql(library, schema)
        if shape != ours:
            sql(library, "INSERT INTO game VALUES (7, 1.5, 'tictactoe', x'00', 3, 4, 'draw')")
    damaged, kept = newest(library)
    assert isinstance(damaged, DamagedGame)
    assert kept.record == WON


def test_a_failed_restore_can_be_repeated(library, monkeypatch):
    library.games.add(WON)
    library.games.delete(1)
    with monkeypatch.context() as patch:
        patch.setattr(games, "COLUMNS", "this is no SQL")
        with pytest.raises(LibraryError):
            library.games.undelete()
    assert library.games.undelete() == 1
