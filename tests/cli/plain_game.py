"""A game of `play --plain` that records its output, for tests."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from cli.plain.commands import player_for
from cli.plain.dialogue import Dialogue
from cli.plain.presenter import Presenter
from engine.games import parse_game
from engine.match import Record
from lab.board.seating import Sides
from lab.board.session import Session
from lab.board.table import Table
from learners.core.player import Player
from saves.library.game_record import PlayedGames
from saves.library.library import Library


class RecordingGames(PlayedGames):
    """Stores finished games in memory; with `error` it stores none."""

    def __init__(self, library: Library, error: Exception | None) -> None:
        super().__init__(library)
        self.error = error
        self.records: list[Record] = []

    def add(self, record: Record) -> int:
        if self.error is not None:
            raise self.error
        self.records.append(record)
        return len(self.records)

    def withdraw(self, number: int) -> None:
        del self.records[number - 1]


class RecordingLibrary(Library):
    def __init__(self, error: Exception | None = None) -> None:
        super().__init__(Path(os.environ["NOUGHTS_LIBRARY"]))
        self.games = RecordingGames(self, error)


class PlainGame:
    """A dialogue, and all that it has printed."""

    def __init__(
        self,
        game: str = "tictactoe",
        first: str | Player = "human",
        second: str | Player = "human",
        *,
        library: Library | None = None,
        learning: bool = False,
        length: int = 0,
        sides: Sides = Sides.FIXED,
    ) -> None:
        rules, self.library = parse_game(game), library or RecordingLibrary()
        one, other = (
            player_for(label, rules, self.library) if isinstance(label, str) else label for label in (first, second)
        )
        self.said: list[str] = []
        self.table = Table(Session(rules, (one, other), Random(1), sides, length), self.library, learning=learning)
        self.view = Presenter(self.table, self.said.append)

    def write(self, *lines: str) -> list[str]:
        return self.go(lines)

    def go(self, lines: Iterable[str]) -> list[str]:
        """Write lines that may depend on the output; return all output so far."""
        Dialogue(self.view).run(iter(lines))
        return self.said

    def answer(self, *lines: str) -> list[str]:
        """Write these lines, and return the output after the last one, up to the next question."""
        said: list[int] = []

        def spoken() -> Iterator[str]:
            for line in lines:
                said.append(len(self.said))
                yield line
            said.append(len(self.said) - 1)

        self.go(spoken())
        return self.said[said[-2] : said[-1]]

    @property
    def moves(self) -> list[str]:
        return [self.table.game.move_name(move) for move in self.table.match.moves]

    @property
    def records(self) -> list[Record]:
        assert isinstance(self.library.games, RecordingGames)
        return self.library.games.records
