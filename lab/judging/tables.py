"""Tables of other programs, read into rows: CSV, JSON, lines of JSON, numpy arrays, and pickled dicts and lists.

    rows    a line or an object for each (position, move, number), or for each (position, move)
    wide    a line for each position, with a column for each move; or one for each square, and the move
    tables  an object that gives for each position a move, a value, or numbers by move: as an object or as a list

Nothing is decided here about what positions, moves and numbers mean: see `lab.judging.conventions`.
"""

import csv
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, Final, NamedTuple

from engine.game import BadText, Game, quoted
from lab.judging.notation import NAME, NUMBER, PAIR, elements_of, names_move, read_board, read_side, whole
from lab.judging.packed_boards import numbers_of, packings_of
from lab.judging.reply import MOVE_KEYS, SCORE_KEYS, check_size, number
from saves.files import LARGEST, read_bytes, text_of
from saves.strict_json import parse_json

SUFFIXES: Final = (".csv", ".tsv", ".json", ".jsonl", ".npy", ".npz", ".pkl", ".pickle", ".gz")
"""The suffixes of the files that can be read; `.gz` may follow another one."""
BEGINNINGS: Final = {
    ".npy": (b"\x93NUMPY",),
    ".pkl": tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6)),
    ".gz": (b"\x1f\x8b",),
}
"""How files of numpy, pickles and compressed files begin."""
POSITION: Final = (
    *("position", "state", "board", "observation", "grid"),
    *(
        "stellung",
        "brett",
        "spielfeld",
        "zustand",
        "plateau",
        "état",
        "etat",
        "tablero",
        "posición",
        "posicion",
        "estado",
    ),
)
MOVE: Final = (
    *("move", "action", "square", "decision", "choice", "cell", "play", "answer", "reply", "label", "target"),
    *("zug", "spielzug", "feld", "aktion", "antwort", "coup", "jugada", "movimiento", "casilla", "acción", "accion"),
)
SIDE: Final = ("side", "player", "turn", "to_move", "seite", "spieler", "joueur", "jugador")
"""The names that each of these columns can have, also after another word: `best_move`."""
ROW: Final = ("row", "r", "zeile")
COORDINATES: Final = ((ROW, ("column", "col", "c", "spalte")), (("x",), ("y",)))
"""The names of the two columns that a move can have instead. Of `x` and `y`, either may be the row."""
INDEX: Final = ("", "unnamed: 0", "index")
"""The names of a column that numbers the lines, as pandas writes it."""
WRAPPERS: Final = ("policy", "q_table", "qtable", "q", "table", "values", "states")
"""The keys under which an outer object with no other key may hold the table."""
KEYED: Final = re.compile(rf"(.+?)\s*[_|:;/@-]\s*({NUMBER.pattern}|{NAME.pattern}|{PAIR.pattern})", re.DOTALL)
"""A key with a board and a move, such as `XO..X...._8`."""
HEADER: Final = "position,move,probability"
"""The usual names of the columns, for messages."""
ROOM: Final = 20
"""How many times larger than a file of this program a table in JSON can be."""


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
    known: frozenset[str] = frozenset()
    """Words of the convention that the file itself tells."""
    unvisited: list[Row] = field(default_factory=list)
    """The rows of an array whose numbers are all equal, as where positions were never visited: they tell nothing of the
    convention."""


def read_table(path: Path, game: Game) -> FileTable:
    """Read a file. Raises `BadText`, which says where and gives an example, and `LibraryError`."""
    data, suffix = read_bytes(path), path.suffix.lower()
    if data.startswith(BEGINNINGS[".gz"]):
        data, suffix = _inflated(data), Path(path.stem).suffix.lower()
    suffix = suffix if suffix in SUFFIXES and suffix not in (".npy", ".npz") else suffix_by(data) or suffix
    if suffix in (".npy", ".npz"):
        arrays = _numpy(data)
        return _object(arrays[""], game) if "" in arrays else _arrays(arrays, game)
    if suffix in (".pkl", ".pickle"):
        return _object(_unpickled(data), game)
    text = text_of(data)
    if suffix == ".jsonl":
        lines = [parse_json(line, fractions=True, room=ROOM) for line in text.splitlines() if line.strip()]
        return _object(lines, game)
    if suffix == ".json":
        return _object(parse_json(text, fractions=True, room=ROOM), game)
    return _csv(text, game)


def _inflated(data: bytes) -> bytes:
    """Return what a file of gzip holds. Raises `BadText` if it is damaged, or too large."""
    inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = inflate.decompress(data, LARGEST)
    except zlib.error as error:
        raise BadText(f"it is no file of gzip that can be read: {error}") from error
    if inflate.unconsumed_tail:
        raise BadText(f"larger than {LARGEST // 1024:,} KiB when it is inflated, too large for a file of Noughts")
    if not inflate.eof or inflate.unused_data:
        raise BadText("it is no file of gzip that can be read: it has been cut, or goes on after its end")
    return found


def suffix_by(data: bytes) -> str:
    """Return the suffix of the files that begin so; empty for others. Programs save a pickle under any name."""
    return next((suffix for suffix, begins in BEGINNINGS.items() if data.startswith(begins)), "")


def column_of(names: Iterable[str], known: Iterable[str]) -> str | None:
    """Return the column with a known name; else one whose last word is known. Raises `BadText` if there are several."""
    known, words = tuple(known), {name: "_".join(name.strip().lower().replace("-", " ").split()) for name in names}
    found = [name for name, word in words.items() if word in known]
    found = found or [name for name, word in words.items() if word.rpartition("_")[2] in known]
    if len(found) > 1:
        raise BadText(f"{quoted(found[0])} and {quoted(found[1])} may both be the {known[0]}: leave one of them out")
    return found[0] if found else None


# Rows with named columns.


def _csv(text: str, game: Game) -> FileTable:
    try:
        dialect = csv.Sniffer().sniff(text[:4096], ",;\t") if text.strip() else csv.excel
    except csv.Error:
        dialect = csv.excel
    reader = csv.reader(io.StringIO(text, newline=""), dialect)
    try:
        lines = [line for line in reader if any(map(str.strip, line))]
    except csv.Error as error:  # such as a field of more than 131,072 characters
        raise BadText(f"line {reader.line_num:,}: {error}\nIs a quotation mark not closed?") from error
    if not lines:
        raise BadText(f"it is empty\nWrite a line for each move: '{HEADER}'")
    header, size = lines[0], game.board.grid.size
    shown = _bitboards(header, lines[1:], game) or column_of(header, POSITION) or _squares(header, lines[1:], game)
    if not shown:
        usual = HEADER.split(",")
        if len(header) == size + 1 and all(len(line) == size + 1 for line in lines):
            header = [*(f"square {index}" for index in range(size)), "move"]
        elif 2 <= len(header) <= len(usual):
            if len(lines) > 1 and _is_board(lines[1][0], game) and not _is_board(header[0], game):
                raise BadText(
                    f"its columns are called {', '.join(map(quoted, header))}\n"
                    f"Call them {', '.join(map(quoted, usual[: len(header)]))}, or 'value' for values"
                )
            header = list(usual[: len(header)])
        else:
            raise BadText(
                f"{quoted(','.join(header))} has no column 'position'\n"
                f"Begin the file with '{HEADER}', or 'position,move,value'"
            )
        lines.insert(0, header)
    for count, line in enumerate(lines[1:], 1):
        if any(map(str.strip, line[len(header) :])):
            raise BadText(f"row {count:,} has more columns than the header")
    return _named([dict(zip(header, line, strict=False)) for line in lines[1:]], header, game)


def _is_board(written: str, game: Game) -> bool:
    try:
        read_board(written, game)
    except BadText:
        return False
    return True


def _unnamed(header: Sequence[str]) -> list[str]:
    """Return the columns that have no known name, and so may show a board."""
    known = (*MOVE, *SIDE, *(name for kind in Kind for name in kind.value))
    others = [name for name in header if name.strip().lower() not in INDEX and not column_of([name], known)]
    return [name for name in others if name not in _coordinates(header)]


def _squares(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the columns of the squares, if the file has them; else nothing."""
    columns = _unnamed(header)
    if len(columns) != game.board.grid.size or len(columns) == len(header):
        return []
    marks = {piece.mark.lower() for piece in game.board.pieces}
    known = {*marks, "", "0", "1", "2", "-1", "0.0", "1.0", "2.0", "-1.0", ".", "-", "_", "b", "none", "nan", "empty"}
    places = [index for index, name in enumerate(header) if name in columns]
    found = {line[index].strip().lower() for line in lines for index in places if index < len(line)}
    return columns if found <= known else []


def _bitboards(header: Sequence[str], lines: Sequence[Sequence[str]], game: Game) -> list[str]:
    """Return the two columns that have a bit for each piece of a side, if the file has them; else nothing."""
    found = _unnamed(header)
    if len(found) != 2 or sum(column_of([name], POSITION) is not None for name in found) == 1:
        return []
    places = [header.index(name) for name in found]
    boards = [numbers_of([line[place] for place in places if place < len(line)]) for line in lines]
    return found if boards and "bits-big" in packings_of(boards, game.board.grid.size) else []


def _joined(
    objects: list[dict[str, Any]], header: list[str], game: Game
) -> tuple[list[dict[str, Any]], list[str], frozenset[str]]:
    """Put columns of squares, or of bitboards, into one for the position, and those of a row and a column into one.

    Returns the rows, their columns, and what the names of the columns tell of the convention.
    """
    lines = [[str(each.get(name, "")) for name in header] for each in objects]
    places = _bitboards(header, lines, game) or _squares(header, lines, game)
    known = frozenset[str]()
    for name, columns in (
        (POSITION[0], places),
        (MOVE[0], _coordinates([each for each in header if each not in places])),
    ):
        if columns:
            objects = [{**each, name: [each.get(column, "") for column in columns]} for each in objects]
            header = [*(each for each in header if each not in columns), name]
            known = frozenset({"y-x"} if name == MOVE[0] and columns[0].strip().lower() in ROW else ())
    return objects, header, known


def _coordinates(header: Sequence[str]) -> list[str]:
    """Return the two columns with the row and the column of a move, if the file has them; else nothing."""
    if column_of(header, MOVE) is not None:
        return []
    pairs = [[[each for each in header if each.strip().lower() in names] for names in pair] for pair in COORDINATES]
    return next(([row[0], column[0]] for row, column in pairs if len(row) == len(column) == 1), [])


def _named(objects: list[dict[str, Any]], header: list[str], game: Game) -> FileTable:
    """Read rows with named columns. Raises `BadText`."""
    if len(set(header)) < len(header):
        raise BadText(f"two columns are called {quoted(Counter(header).most_common(1)[0][0])}")
    objects, header, known = _joined(objects, header, game)
    position, side = column_of(header, POSITION), column_of(header, SIDE)
    if position is None:
        raise BadText(f"it has no column 'position'\nName the columns as in '{HEADER}'")
    named = {kind: column_of(header, kind.value) for kind in Kind}
    move = column_of([name for name in header if name not in {position, side}], MOVE)
    kind = next((kind for kind in Kind if named[kind]), None)
    others = [name for name in header if name not in {position, side, move, *named.values()}]
    wide = [name for name in others if names_move(name, game)]
    unused = [name for name in others if name.strip().lower() not in INDEX]
    column = ((kind and named[kind]) or "") if move is None and not wide else ""
    listed = bool(column) and all(isinstance(each.get(column), (list, tuple)) for each in objects)
    of_positions = not listed and bool(column) and kind is Kind.VALUE
    if not of_positions and not listed:
        _check_moves(move, wide, unused)
    table = FileTable(kind=kind, listed=listed, uncounted=unused[0] if unused else "", known=known)
    grouped = dict[tuple[str, str], Row]()
    for count, each in enumerate(objects, 1):
        where = f"row {count:,}"
        if position not in each or (move is not None and move not in each):
            raise BadText(f"{where} has too few columns")
        board, mover = each[position], each.get(side) if side is not None else None
        try:
            if listed or of_positions:
                pairs = _listed_numbers(each[column], game) if listed else None
                single = number(each.get(column, "")) if of_positions else None
                table.rows.append(Row(board, mover, pairs, single, where))
            elif move is None:
                pairs = [(name, number(each[name])) for name in wide if str(each.get(name, "")).strip()]
                table.rows.append(Row(board, mover, pairs, None, where))
            elif kind is None:
                table.rows.append(Row(board, mover, None, each[move], where))
            else:
                row = grouped.setdefault((str(board), str(mover)), Row(board, mover, [], None, where))
                assert row.pairs is not None  # noqa: S101  as created
                row.pairs.append((each[move], number(each.get(named[kind] or "", ""))))
        except BadText as error:
            raise BadText(f"{where}: {error}") from error
    table.rows += grouped.values()
    return table


def _check_moves(move: str | None, wide: list[str], others: Iterable[str]) -> None:
    """Raise `BadText` unless a file has one column for the move, or only columns that are named after moves."""
    if move is not None and wide:
        raise BadText(f"{quoted(move)} and {quoted(wide[0])} are both columns of moves: leave one of them out")
    strange = [name for name in others if name not in wide]
    if move is None and (strange or not wide):
        raise BadText(
            (f"{quoted(strange[0])} is not the name of a move" if strange else "it has no column with a move") + "\n"
            "Call the column with the move 'move', or name the columns of numbers after moves: 'board,0,1,…'"
        )


# Objects by position.


def _unwrapped(found: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """Return the table in an outer object. Raises `BadText` if that has numbers or texts as well."""
    while isinstance(found, Mapping):
        tables = [str(name) for name, each in found.items() if not isinstance(each, (str, int, float, NoneType))]
        if len(tables) != 1 or tables[0].lower() not in WRAPPERS:
            break
        if len(found) > 1:
            raise BadText(f"it has {quoted(tables[0])} beside other things: leave only the table in it")
        (found,) = found.values()
    return found


def _object(found: Any, game: Game) -> FileTable:  # noqa: ANN401  whatever the file holds
    found = _unwrapped(found)
    if hasattr(found, "dtype"):
        return _arrays({"table": found}, game)
    found = _as_objects(found)
    if isinstance(found, (list, tuple)) and found and all(isinstance(each, Mapping) for each in found):
        objects = [{str(name): value for name, value in each.items()} for each in found]
        return _named(objects, list(dict.fromkeys(name for each in objects for name in each)), game)
    if isinstance(found, (list, tuple)) and found and all(_is_pair(each) for each in found):
        found = dict_of(found)
    if not found and isinstance(found, (Mapping, list, tuple)):
        raise BadText("it is empty: there is no position in it")
    if not isinstance(found, Mapping):
        raise BadText(
            "it is neither a list of objects nor an object by position\n"
            f"""Write {{"{game.to_text(game.start)}": {{"{game.move_name(game.moves(game.start)[0])}": 1.0}}, …}}"""
        )
    if any(hasattr(each, "dtype") and each.ndim > 1 for each in found.values()):
        return _arrays({str(name): each for name, each in found.items()}, game)
    table = FileTable()
    sides = _by_side(found, game)
    for side, entries in sides.items():
        _entries(table, entries, side, game)
    return table


def _as_objects(found: Any) -> Any:  # noqa: ANN401  whatever the file holds
    """Return a table that pandas has written by rows or by columns as a list of objects; anything else as it is."""
    if not isinstance(found, Mapping) or not found or not all(isinstance(each, Mapping) for each in found.values()):
        return found
    if all(column_of(map(str, each), POSITION) for each in found.values()):
        return [*found.values()]
    index = [*next(iter(found.values()))]
    if column_of(map(str, found), POSITION) and all([*each] == index for each in found.values()):
        return [{name: each[row] for name, each in found.items()} for row in index]
    return found


def _is_pair(each: Any) -> bool:  # noqa: ANN401
    return isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[0], (str, list, tuple, bytes))


def _is_scored(each: Any) -> bool:  # noqa: ANN401
    """Return whether this is a move with its number."""
    return isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[1], (int, float))


def dict_of(pairs: Iterable[Sequence[Any]]) -> dict[Any, Any]:
    """Return the entries of a list of (position, answer) pairs."""
    return {str(key) if isinstance(key, list) else key: value for key, value in pairs}


def _by_side(found: Mapping[Any, Any], game: Game) -> dict[Any, Mapping[Any, Any]]:
    """Return the tables of a file that has one for each side, by side; else the file itself, by `None`."""
    if 0 < len(found) <= 2 and all(isinstance(each, Mapping) and each for each in found.values()):
        sides = {}
        for name, entries in found.items():
            word = str(name).lower().removeprefix("player").removeprefix("agent").strip(" _")
            word = {"first": "1", "second": "2"}.get(word, word)
            try:
                sides[read_side(word, game)] = entries
            except BadText:
                return {None: found}
        return {game.mark(side): entries for side, entries in sides.items()}
    return {None: found}


def _entries(table: FileTable, found: Mapping[Any, Any], side: Any, game: Game) -> None:  # noqa: ANN401
    """Read a table by position, or by position and move."""
    split = _state_actions(found, game)
    if split is not None:
        grouped = dict[str, Row]()
        for board, move, value in split:
            row = grouped.setdefault(str(board), Row(board, side, [], None, quoted(str(board))))
            assert row.pairs is not None  # noqa: S101  as created
            row.pairs.append((move, number(value)))
        for row in grouped.values():
            _sort(row.pairs or [])
        table.rows += grouped.values()
        table.kind = table.kind or Kind.VALUE
        return
    for written, answer in found.items():
        where, listed = quoted(str(written)), _move_in(answer.tolist() if hasattr(answer, "tolist") else answer)
        if isinstance(listed, Mapping):
            table.rows.append(Row(written, side, list(listed.items()), None, where))
        elif isinstance(listed, (list, tuple)) and listed and all(_is_scored(each) for each in listed):
            table.rows.append(Row(written, side, [(move, each) for move, each in listed], None, where))
        elif isinstance(listed, (list, tuple)) and not (len(listed) == 2 and all(type(each) is int for each in listed)):
            table.rows.append(Row(written, side, _listed_numbers(listed, game), None, where))
            table.listed = True
        else:
            table.rows.append(Row(written, side, None, listed, where))


def _move_in(answer: Any) -> Any:  # noqa: ANN401
    """Return the move of an object with one, and perhaps its score, or with a row and a column; else what is given."""
    if not isinstance(answer, Mapping):
        return answer
    if pair := _coordinates([*map(str, answer)]) if len(answer) == 2 else []:
        return [answer[name] for name in pair]
    moves = answer.keys() & MOVE_KEYS
    return answer[min(moves)] if len(moves) == 1 and answer.keys() <= MOVE_KEYS | SCORE_KEYS else answer


def _listed_numbers(listed: Sequence[Any], game: Game) -> list[tuple[Any, Any]]:
    """Return a list with a number for each square as (square, number) pairs, without those that are not given."""
    if listed and all(isinstance(row, (list, tuple)) for row in listed):
        listed = [each for row in listed for each in row]
    check_size(listed, game)
    return [(index, each) for index, each in enumerate(listed) if each is not None]


def _sort(pairs: list[tuple[Any, Any]]) -> None:
    """Sort (move, number) pairs by the numbers of their squares, which programs go through in this order.

    A table by position and move has them in the order in which they were first tried.
    """
    written = [(move,) if isinstance(move, (int, str)) else move for move, _ in pairs]
    if all(NUMBER.fullmatch(str(each)) for move in written for each in move):
        places = {id(pair): [*map(whole, map(str, move))] for pair, move in zip(pairs, written, strict=True)}
        pairs.sort(key=lambda pair: places[id(pair)])


def _state_actions(found: Mapping[Any, Any], game: Game) -> list[tuple[Any, Any, Any]] | None:
    """Return the (board, move, number) triples of a table by position and move; `None` for a table by position."""
    if not all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in found.values()):
        return None
    triples, moves = [], set[str]()
    packed = any(isinstance(key, tuple) and len(key) == 2 and _is_large(key[0], game) for key in found)
    for key, value in found.items():
        both = _board_and_move(key, game, packed=packed)
        if both is None:
            return None
        moves.add(str(both[1]))
        triples.append((*both, value))
    sides = all(NUMBER.fullmatch(each) and whole(each) in (0, 1, 2, -1) for each in moves) or moves <= set(game.marks)
    return None if not triples or (sides and len({str(board) for board, _, _ in triples}) == len(triples)) else triples


def _board_and_move(key: Any, game: Game, *, packed: bool) -> tuple[Any, Any] | None:  # noqa: ANN401
    """Return the board and the move of a key; `None` if it has only a board. `packed` boards are numbers."""
    size = game.board.grid.size
    parts = elements_of(key) if isinstance(key, str) else key
    if isinstance(key, str) and (split := KEYED.fullmatch(key)) and _is_board(split[1], game):
        return split[1], split[2]
    if not isinstance(parts, (list, tuple)):
        return None
    if len(parts) == 2:
        apart = packed or (len(parts[0]) >= size if parts is not key else isinstance(parts[0], (str, tuple, bytes)))
        return (parts[0], parts[1]) if apart else None
    if len(parts) == size + 2 and all(str(each).isdecimal() for each in parts[size:]):
        return parts[:size], parts[size:]
    return (parts[:-1], parts[-1]) if len(parts) == size + 1 else None


def _is_large(number: object, game: Game) -> bool:
    """Return whether this is a number that is no bitboard."""
    return isinstance(number, int) and number >= 2**game.board.grid.size


# Arrays.


def _unpickled(data: bytes) -> Any:  # noqa: ANN401  dicts, lists, …
    from lab.judging.data_pickle import unpickled  # few files need it

    return unpickled(data)


def _numpy(data: bytes) -> dict[str, Any]:
    """Return the arrays of a file of numpy; the plain content of one with objects has no name. Raises `BadText`."""
    import numpy as np

    try:
        if data.startswith(BEGINNINGS[".npy"]):
            file = io.BytesIO(data)
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            if read(file)[2].hasobject:
                return {"": _unpickled(file.read())}
        found = np.load(io.BytesIO(data), allow_pickle=False)
        arrays = {"table": found} if isinstance(found, np.ndarray) else {name: found[name] for name in found.files}
    except BadText:
        raise
    except (ValueError, OSError, EOFError, KeyError) as error:
        if "pickle" in str(error):  # numpy advises to load it unsafely
            raise BadText(
                "it has objects, not numbers alone, and building them may run code\n"
                "Save each array with the type of its numbers, as in numpy.savez(file, table.astype(float))"
            ) from error
        raise BadText(f"it is no file of numpy that can be read: {error}") from error
    except Exception as error:  # zipfile raises errors of many types for a damaged archive
        raise BadText(f"it is no file of numpy that can be read: {type(error).__name__}") from error
    return arrays


def _arrays(arrays: Mapping[str, Any], game: Game) -> FileTable:
    """Read a table of all positions, by packed number; or boards, and an array with what to play in each."""
    import numpy as np

    size = game.board.grid.size
    numbers = {name: np.asarray(each) for name, each in arrays.items() if np.asarray(each).dtype.kind in "iufb"}
    shapes = ", ".join(f"{name} {each.shape}" for name, each in numbers.items()) or "none"
    if len(numbers) == 1:
        (only,) = numbers.values()
        known = frozenset[str]()
        if only.ndim in (size, size + 1) and only.shape[:size] == (3,) * size:
            only, known = only.reshape(3**size, -1), frozenset({"big"})
        if only.ndim in (1, 2) and len(only) == 3**size:
            return _by_number(only.reshape(3**size, -1), known, game)
        if only.ndim == 2 and only.shape[1] in (size + 1, 2 * size):
            numbers = {"boards": only[:, :size], "moves": only[:, size:]}
    boards = [
        name
        for name, each in numbers.items()
        if each.ndim > 1 and each.shape[1:] in ((size,), (game.board.rows, game.board.columns))
    ]
    if len(numbers) == 2 and boards:
        name = next(
            (each for each in boards if column_of([each], (*POSITION, "boards", "states", "positions"))), boards[0]
        )
        given, answers = numbers[name], next(each for other, each in numbers.items() if other != name)
        if len(answers) == len(given):
            answers = answers.reshape(len(answers), -1)
            rows = [
                Row(board.ravel().tolist(), None, *_listed(answer.tolist(), game), f"row {count:,}")
                for count, (board, answer) in enumerate(zip(given, answers, strict=True))
            ]
            return FileTable(rows, listed=answers.shape[1] > 1)
    raise BadText(
        f"its arrays are {shapes}: none has {3**size:,} rows, one for each board, and there are no two with a row for "
        f"each position\nSave boards of shape (n, {size}) and moves of shape (n,) or numbers of shape (n, {size})"
    )


def _listed(answer: list[Any], game: Game) -> tuple[list[tuple[Any, Any]] | None, Any]:
    if len(answer) == 1:
        value = answer[0]
        return None, int(value) if isinstance(value, float) and value.is_integer() else value
    check_size(answer, game)
    return list(enumerate(answer)), None


def _by_number(table: Any, known: frozenset[str], game: Game) -> FileTable:  # noqa: ANN401  an array
    """Read an array with a row for each packed board; those whose numbers are all equal were never visited."""
    import numpy as np

    if table.shape[1] > 1:
        check_size(table[0].tolist(), game)
        visited = (table != table[:, :1]).any(axis=1)
    else:
        visited = table[:, 0] != np.median(table[:, 0])
    rows = [Row(index, None, *_listed(row, game), f"entry {index:,}") for index, row in enumerate(table.tolist())]
    return FileTable(
        [row for row, seen in zip(rows, visited, strict=True) if seen],
        listed=True,
        known=known,
        unvisited=[row for row, seen in zip(rows, visited, strict=True) if not seen],
    )
