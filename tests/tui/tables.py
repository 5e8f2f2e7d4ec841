"""A table in lines of text whose every word is kept, for tests."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from cli.plain.dialogue import Dialogue
from cli.plain.seat_words import seated
from cli.plain.table import Table
from engine.games import parse_game
from engine.match import Record
from lab.board.session import Session, Sides
from learners.core.player import Player
from saves.library.library import Library


class Keeping(Library):
    """A library in memory as far as games are kept; with `trouble` none is."""

    def __init__(self, trouble: Exception | None = None) -> None:
        super().__init__(Path(os.environ["NOUGHTS_LIBRARY"]))
        self.trouble = trouble
        self.kept: list[Record] = []

    def keep_game(self, record: Record) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.kept.append(record)


class Held:
    """A dialogue with all that it said."""

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
        rules, self.library = parse_game(game), library or Keeping()
        one, other = (
            seated(label, rules, self.library) if isinstance(label, str) else label for label in (first, second)
        )
        self.said: list[str] = []
        session = Session(rules, (one, other), Random(1), sides, length)
        self.table = Table(session, self.library, self.said.append, learning=learning)

    def hold(self, *lines: str) -> list[str]:
        """What is said to these lines, one after another, and the farewell."""
        return self.go(lines)

    def go(self, lines: Iterable[str]) -> list[str]:
        Dialogue(self.table).hold(iter(lines))
        return self.said

    def answer(self, *lines: str) -> list[str]:
        """What is said to the last of these lines, up to the question that follows."""
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
    def kept(self) -> list[Record]:
        assert isinstance(self.library, Keeping)
        return self.library.kept
