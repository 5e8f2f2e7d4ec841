"""The finished games of people in a library."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from engine.match import Record
from saves.errors import NoSuchGame
from saves.library import game_record as games
from saves.library.library_file import LibraryFile, now
from saves.sqlite.database import reading


class Played(LibraryFile):
    """A library as it keeps finished games."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.deleted_games: list[games.DeletedGame] = []
        """Those that can be brought back."""

    def keep_game(self, record: Record) -> int:
        """Keep a finished game in which a person played; returns its number. Raises `LibraryError`."""
        with self._writing(create=True) as db:
            return games.insert_game(db, now(), record)

    def withdraw_game(self, number: int) -> None:
        """Take a finished game out whose end was taken back, if it is still there. Raises `LibraryError`."""
        with self._writing() as db, suppress(NoSuchGame):
            games.take_out(db, number)

    def tally(self) -> games.Tally:
        """How many finished games are kept, of each game and against each opponent. Raises `LibraryError`."""
        with reading(self.path) as db:
            return games.read_tally(db)

    def game_numbers(self, wanted: games.Which = games.ALL) -> list[int]:
        """The numbers of the finished games that are wanted, the newest first. Raises `LibraryError`."""
        with reading(self.path) as db:
            return games.read_numbers(db, wanted)

    def kept_games(self, numbers: Sequence[int]) -> list[games.KeptGame | games.DamagedGame]:
        """The games of these numbers, the newest first, without those that are gone. Raises `LibraryError`."""
        with reading(self.path) as db:
            return games.read_games(db, numbers)

    def kept_game(self, number: int) -> games.KeptGame | games.DamagedGame:
        """One finished game. Raises `NoSuchGame`, `LibraryError`."""
        with reading(self.path) as db:
            return games.read_game(db, number)

    def delete_game(self, number: int) -> None:
        """Delete a finished game: while the program runs it can come back. Raises `NoSuchGame`, `LibraryError`."""
        with self._writing() as db:
            deleted = games.take_out(db, number)
        self.deleted_games.append(deleted)

    def undelete_game(self) -> int:
        """Bring back the game deleted last; returns its number. Raises `NoSuchGame`, `LibraryError`."""
        if not self.deleted_games:
            raise NoSuchGame("no game was deleted since the program was started")
        with self._writing(create=True) as db:
            number = games.put_back(db, self.deleted_games[-1])
        self.deleted_games.pop()
        return number
