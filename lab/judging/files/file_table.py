"""The rows of a file: what is written about each position."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, Self

from engine.game import BadText
from lab.judging.notation.reply import Numbers
from lab.judging.notation.written_moves import move_text

FILE_SIGNATURES: Final = {
    ".npy": (b"\x93NUMPY",),
    ".pkl": tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6)),
    ".gz": (b"\x1f\x8b",),
}
"""How files of numpy, pickles and compressed files begin, by their suffix."""


class Row(NamedTuple):
    """What a file has about one position, as it is written."""

    board: Any
    side: Any
    """The side to move, as it is written; `None` if it is not written."""
    pairs: list[tuple[Any, Any]] | None = None
    """The (move, number) pairs, as they are written; `None` if the row has a single value."""
    single: Any = None
    """The move, or the value of the position, if the row has no pairs."""
    where: str = ""
    """The place of the row in the file, for messages."""


@dataclass
class FileTable:
    rows: list[Row] = field(default_factory=list)
    kind: Numbers | None = None
    """The kind of the numbers, from the name of a column; `None` if no name tells."""
    has_lists: bool = False
    """Whether numbers are in lists with one for each square, so that no numbers of squares are written."""
    has_position_values: bool = False
    """Whether the file has values of positions instead of moves."""
    unused_column: str = ""
    """The name of a column that is not used, and may be a count; empty without one."""
    other_names: dict[str, None] = field(default_factory=dict)
    """The names of other things in the file, in their order: neither positions, nor moves, nor their numbers."""
    known_words: frozenset[str] = frozenset()
    """The words of the convention that the file itself settles."""
    unvisited_rows: list[Row] = field(default_factory=list)
    """The rows of an array whose numbers are all equal, as if never visited; they do not tell the convention."""

    def rewrite_moves(self, meanings: Mapping[str, Any]) -> Self:
        """Return the table with each move whose text is in `meanings` replaced by the move there."""
        rows = list[Row]()
        for row in self.rows:
            if row.pairs is None:
                single = meanings.get(move_text(row.single), row.single)
                rows.append(row._replace(single=single))
            else:
                pairs = [(meanings.get(move_text(move), move), number) for move, number in row.pairs]
                rows.append(row._replace(pairs=pairs))
        return replace(self, rows=rows)


@contextmanager
def name_place(where: str) -> Iterator[None]:
    """Add the place of a row to the message of a `BadText`."""
    try:
        yield
    except BadText as error:
        raise BadText(f"{where}: {error}") from error
