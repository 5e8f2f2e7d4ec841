"""The rows of a file: what it says of each position, as it is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, NamedTuple, Self

from lab.judging.notation.written_moves import written_move

BEGINNINGS: Final = {
    ".npy": (b"\x93NUMPY",),
    ".pkl": tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6)),
    ".gz": (b"\x1f\x8b",),
}
"""How files of numpy, pickles and compressed files begin."""


class Kind(Enum):
    """What the numbers of a file are. The value has the names of their column, which may also follow another word.

    Of several such columns, the first of these counts.
    """

    PROBABILITY = ("probability", "prob", "chance", "p", "pi", "wahrscheinlichkeit")
    COUNT = (
        "count",
        "counts",
        "beads",
        "visits",
        "frequency",
        "weight",
        "n",
        "anzahl",
        "häufigkeit",
        "besuche",
        "perlen",
    )
    VALUE = ("value", "q", "q_value", "qvalue", "q_values", "score", "utility", "wert", "bewertung", "valeur", "valor")


class Row(NamedTuple):
    """What a file says of one position."""

    board: Any
    """The position as it is written."""
    side: Any
    """The side to move as it is written; `None` if it is not."""
    pairs: list[tuple[Any, Any]] | None = None
    """(move, number) pairs as they are written."""
    single: Any = None
    """The move, or the value of the position, if there are no pairs."""
    where: str = ""
    """Where the row stands, for messages."""


@dataclass
class FileTable:
    """The rows of a file."""

    rows: list[Row] = field(default_factory=list)
    kind: Kind | None = None
    """What the numbers are, as the name of a column says; `None` if nothing says it."""
    listed: bool = False
    """Whether numbers stand in lists with one for each square, whose places are no written numbers of squares."""
    of_positions: bool = False
    """Whether it has values of positions instead of moves."""
    uncounted: str = ""
    """The name of a column that is not used."""
    beside: dict[str, None] = field(default_factory=dict)
    """The names of what else the file has, in their order: neither positions, nor moves, nor their numbers."""
    known: frozenset[str] = frozenset()
    """Words of the convention that the file itself tells."""
    unvisited: list[Row] = field(default_factory=list)
    """The rows of an array whose numbers are all equal, as where positions were never visited: they tell nothing of the
    convention."""

    def respelled(self, meant: Mapping[str, Any]) -> Self:
        """Return the table with the moves that `meant` has, by their texts, written as it says."""
        rows = [
            row._replace(single=meant.get(written_move(row.single), row.single))
            if row.pairs is None
            else row._replace(pairs=[(meant.get(written_move(move), move), each) for move, each in row.pairs])
            for row in self.rows
        ]
        return replace(self, rows=rows)
