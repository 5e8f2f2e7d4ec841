"""A file as one convention reads it: its positions and moves, and whether the convention explains them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from engine.evaluate import faced_decisions
from engine.game import BadText, Game, Move, Position, Side
from engine.spaces import space_of
from lab.judging.files.file_table import FileTable, Row
from lab.judging.notation.packed_boards import PACKINGS
from lab.judging.notation.reply import PERSPECTIVES, sign_of
from lab.judging.notation.written_moves import is_beyond, move_text, read_move

WAYS: Final = {
    "x-first": "{0} or 1 moves first",
    "o-first": "{1}, 2 or −1 moves first",
    "mine": "1 or {0} is the side to move",
    "yours": "{1}, 2 or −1 is the side to move",
}
"""Whose the pieces are, in words with the marks of the two sides."""
ROW_FIRST: Final = "y-x"
COLUMN_FIRST: Final = "x-y"
FROM_BOTTOM: Final = "from-bottom"
FROM_TOP: Final = "from-top"
NUMBER_PAD: Final = "numpad"
TAKEN: Final = "taken"
MOVE_MEANINGS: Final = {
    "": "",
    COLUMN_FIRST: "pairs are column and row",
    FROM_TOP: "a1 is at the top left",
    NUMBER_PAD: "squares as on a number pad",
    TAKEN: "pairs are a heap and how many stones are taken",
}
"""How moves differ from the usual, in words."""
LEAST_EXPLAINED: Final = 0.9
"""The least share of the rows that a convention must explain, unless a person chose the convention."""
LEAST_DECISIVE: Final = 12
"""The least number of positions that can decide which convention stands out."""

NumberedMoves = tuple[tuple[Any, Any], ...]
"""The moves of a row, each with its number as it is written."""


@dataclass(frozen=True)
class Convention:
    """What positions and moves mean: see `lab.judging.files.conventions`."""

    way: str
    packing: str = ""
    first: int = 0
    meaning: str = ""

    def describe(self, game: Game, *, numbered: bool) -> str:
        """Return the convention in words; `numbered` says whether squares are written as numbers."""
        parts = [WAYS[self.way].format(*game.marks)]
        if self.packing:
            parts.append(PACKINGS[self.packing].words)
        if numbered and self.meaning != NUMBER_PAD:
            parts.append(f"squares from {self.first}")
        if self.meaning:
            parts.append(MOVE_MEANINGS[self.meaning])
        return "; ".join(parts)

    @property
    def words(self) -> set[str]:
        """The words for this convention in `--as`."""
        numbers = NUMBER_PAD if self.meaning == NUMBER_PAD else f"from-{self.first}"
        pairs = self.meaning if self.meaning in {COLUMN_FIRST, TAKEN} else ROW_FIRST
        names = FROM_TOP if self.meaning == FROM_TOP else FROM_BOTTOM
        return {self.way, self.packing, numbers, pairs, names} - {""}


@dataclass(frozen=True, eq=False)
class FileReading:
    convention: Convention
    table: FileTable
    """The file, with its moves rewritten as the convention means them."""
    positions: Sequence[Position | None]
    """The position of each row; `None` if play cannot reach it."""
    game: Game
    has_letters: bool = False
    """Whether pieces are written as letters."""
    perspective: str = PERSPECTIVES[0]
    """For whom the values of moves hold, one of `PERSPECTIVES`."""

    @property
    def rank(self) -> int:
        """How unusual this way to read pieces is: 0 is the most usual.

        A letter seldom stands for the side to move; a 2 or a −1 seldom stands for it, or for the side that moves first.
        """
        return {"x-first": 0, "o-first": 1, "mine": 2 if self.has_letters else 1, "yours": 2}[self.convention.way]

    @cached_property
    def reached_rows(self) -> frozenset[int]:
        """The indices of the rows whose positions play can reach."""
        return frozenset(index for index, position in enumerate(self.positions) if position is not None)

    @cached_property
    def explains_all_reached(self) -> bool:
        """Whether the convention explains all rows in `reached_rows`; quick if it does not."""
        return all(map(self.explains, self.reached_rows))

    @cached_property
    def explained_rows(self) -> frozenset[int]:
        """The indices of the rows that the convention explains."""
        return self.reached_rows if self.explains_all_reached else frozenset(filter(self.explains, self.reached_rows))

    @cached_property
    def rows_by_position(self) -> dict[Position, list[Row]]:
        """The rows of each position that play can reach."""
        rows = dict[Position, list[Row]]()
        for position, row in zip(self.positions, self.table.rows, strict=True):
            if position is not None:
                rows.setdefault(position, []).append(row)
        return rows

    @cached_property
    def entries(self) -> dict[int, tuple[Position, NumberedMoves]]:
        """The position, and the moves with their numbers, of each row, by the index of the row."""
        entries = dict[int, tuple[Position, NumberedMoves]]()
        for index, (position, row) in enumerate(zip(self.positions, self.table.rows, strict=True)):
            if position is not None:
                pairs = [(row.single, 1)] if row.pairs is None else self.pairs_for_mover(row, position)
                entries[index] = position, tuple((self.move_of(move, position), number) for move, number in pairs)
        return entries

    @cached_property
    def policy(self) -> dict[Position, list[NumberedMoves]]:
        """The moves with their numbers in each position, one tuple for each row."""
        policy = dict[Position, list[NumberedMoves]]()
        for position, moves in self.entries.values():
            policy.setdefault(position, []).append(moves)
        return policy

    @cached_property
    def is_filled(self) -> bool:
        """Whether squares that are not legal have equal numbers in each row, as those that were never learned.

        If the names of squares may be misread, a few rows may have different ones: those are mistakes of the agent.
        """
        different = 0
        for position, rows in self.rows_by_position.items():
            if self.game.outcome(position) is not None:
                continue
            for row in rows:
                pairs = row.pairs or ()
                fillings = {number for move, number in pairs if self.move_of(move, position) is None}
                different += len(fillings) > 1
        return different < (1 if self.table.has_lists else LEAST_DECISIVE)

    @cached_property
    def positions_met(self) -> frozenset[Position] | None:
        """The positions that the agent meets if it plays the moves with the highest numbers; `None` if one has no row.

        By a wrong convention, they are not the positions in the file.
        """
        game, met = self.game, set[Position]()
        running = [position for position in self.policy if game.outcome(position) is None]
        played = {position: _highest_moves(self.policy[position]) for position in running}
        for side in {*map(game.side, played)}:
            met_as_side = met_positions(side, played, game)
            if self.table.has_position_values or not met_as_side <= played.keys():
                return None
            met |= met_as_side
        return frozenset(met)

    @property
    def is_met(self) -> bool:
        """Whether the positions of the file are exactly those that the agent meets."""
        return self.positions_met is not None and all(
            position in self.positions_met for position in self.policy if self.game.outcome(position) is None
        )

    def running_entries(self, rows: set[int]) -> Iterator[tuple[Position, list[tuple[Move, float]]]]:
        """Yield the unfinished positions of some rows, each with the numbers of its legal moves."""
        for row in rows & self.entries.keys():
            position, moves = self.entries[row]
            if self.game.outcome(position) is None:
                legal = self.game.moves(position)
                yield position, [(move, float(number)) for move, number in moves if move in legal and is_number(number)]

    def pairs_for_mover(self, row: Row, position: Position) -> list[tuple[Any, Any]]:
        """Return the moves of a row with their numbers; values are converted to those for the side to move."""
        pairs = row.pairs or []
        if sign_of(self.perspective, self.game.side(position)) > 0:
            return pairs
        return [(move, -float(number) if is_number(number) else number) for move, number in pairs]

    def explains(self, index: int) -> bool:
        """Return whether play can reach the position of a row, and the moves of the row are legal there."""
        position = self.positions[index]
        if position is None:
            return False
        return self.game.outcome(position) is not None or self._is_legal(self.table.rows[index], position)

    def move_of(self, written: Any, position: Position) -> Any:  # noqa: ANN401
        """Return the move that is written, `None` if it is illegal; what is not a move is returned as text."""
        try:
            return read_move(written, self.game, position, self.convention.first)
        except BadText:
            return move_text(written)

    def _is_legal(self, row: Row, position: Position) -> bool:
        """Return whether all moves of a row are legal; numbers for occupied squares are ignored."""
        if row.pairs is None:
            return self.table.has_position_values or self.move_of(row.single, position) is not None
        if self.table.has_lists:
            return True
        if len(row.pairs) >= self.game.board.grid.size:
            return not any(is_beyond(move, self.game, self.convention.first) for move, _ in row.pairs)
        return all(self.move_of(move, position) is not None for move, number in row.pairs if number)


def _highest_moves(rows: Sequence[NumberedMoves]) -> set[Any]:
    """Return the moves with the highest number in the rows of a position."""
    pairs = [(move, number) for moves in rows for move, number in moves if is_number(number)]
    highest = max((number for _, number in pairs), default=0)
    return {move for move, number in pairs if number == highest}


def met_positions(side: Side, played: Mapping[Position, Collection[Move]], game: Game) -> set[Position]:
    """Return the positions in which an agent that plays these moves decides as a side; it resigns in all others."""
    space = space_of(game)
    policy = np.zeros(len(space.move))
    for position, moves in played.items():
        for edge in space.edges(position):
            policy[edge] = int(space.move[edge]) in moves
    return {*space.position[faced_decisions(space, side, policy)].tolist()}


def is_number(value: Any) -> bool:  # noqa: ANN401
    """Return whether a value is a number, or the text of one."""
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True
