"""The names of columns in files of other programs, in several languages, and what a column of such a name holds."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from engine.game import BadText, quoted
from lab.judging.notation.reply import Numbers
from lab.judging.notation.written_moves import DIGITS

POSITION_NAMES: Final = (
    *("position", "state", "board", "observation", "obs", "grid", "key"),
    *("stellung", "brett", "spielfeld", "zustand", "plateau", "état", "etat"),
    *("tablero", "posición", "posicion", "estado"),
)
MOVE_NAMES: Final = (
    *("move", "action", "act", "square", "decision", "choice", "cell", "play", "answer", "reply", "label", "target"),
    *("zug", "spielzug", "feld", "aktion", "antwort", "coup", "jugada", "movimiento", "casilla", "acción", "accion"),
)
SIDE_NAMES: Final = ("side", "player", "turn", "to_move", "seite", "spieler", "joueur", "jugador")
"""The names of columns of positions, moves and sides, which may also be the end of a longer name: `best_move`."""
ROW_NAMES: Final = ("row", "r", "zeile")
COLUMN_NAMES: Final = ("column", "col", "c", "spalte")
COORDINATE_NAMES: Final = ((ROW_NAMES, COLUMN_NAMES), (("x",), ("y",)))
"""The names of two columns that replace a column of moves. With `x` and `y`, either can be the row."""
INDEX_COLUMN: Final = re.compile(r"|index|unnamed: [0-9]+|level_[0-9]+")
"""The names of a column with an index, as pandas writes it: numbers of lines, or the positions and moves."""
KIND_NAMES: Final = {
    Numbers.CHANCES: ("probability", "prob", "chance", "p", "pi", "wahrscheinlichkeit"),
    Numbers.COUNTS: (
        *("count", "counts", "beads", "visits", "frequency", "weight", "n"),
        *("anzahl", "häufigkeit", "besuche", "perlen"),
    ),
    Numbers.VALUES: (
        *("value", "q", "q_value", "qvalue", "q_values", "score", "utility"),
        *("wert", "bewertung", "valeur", "valor"),
    ),
}
"""The names of the columns of numbers, also at the end of a longer name; of several such columns, the first counts."""
NUMBER_NAMES: Final = tuple(name for names in KIND_NAMES.values() for name in names)


def column_of(names: Iterable[str], known: Sequence[str]) -> str | None:
    """Return the column with a known name, or else last word; `None` without one. Raises `BadText` for several."""
    words = {name: "_".join(name.strip().lower().replace("-", " ").split()) for name in names}
    columns = [name for name, word in words.items() if word in known]
    columns = columns or [name for name, word in words.items() if word.rpartition("_")[2] in known]
    if len(columns) > 1:
        raise BadText(
            f"{quoted(columns[0])} and {quoted(columns[1])} may both be the {known[0]}: leave one of them out"
        )
    return columns[0] if columns else None


def coordinate_columns(header: Sequence[str]) -> list[str]:
    """Return the two columns with the row and the column of a move; empty if the file has none."""
    if column_of([name for name in header if not column_of([name], SIDE_NAMES)], MOVE_NAMES) is not None:
        return []
    for row_names, column_names in COORDINATE_NAMES:
        rows = [name for name in header if name.strip().lower() in row_names]
        columns = [name for name in header if name.strip().lower() in column_names]
        if len(rows) == len(columns) == 1:
            return [*rows, *columns]
    return []


def columns_by_kind(names: Sequence[str]) -> dict[Numbers, str | None]:
    return {kind: column_of(names, known) for kind, known in KIND_NAMES.items()}


def kind_in_name(name: str) -> Numbers | None:
    """Return the kind of numbers named before the move in the name of a column, as in `q_3`."""
    word = DIGITS.sub("", name).strip(" _").lower()
    return next((kind for kind, known in KIND_NAMES.items() if word in known), None)


def is_index(name: str) -> bool:
    return INDEX_COLUMN.fullmatch(name.strip().lower()) is not None


def unknown_columns(header: Sequence[str]) -> list[str]:
    """Return the columns whose names are not known, so that they may hold boards."""
    known = (*MOVE_NAMES, *SIDE_NAMES, *NUMBER_NAMES)
    coordinates = coordinate_columns(header)
    return [name for name in header if not is_index(name) and name not in coordinates and not column_of([name], known)]
