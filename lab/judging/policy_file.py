"""Policies in files of other programs: CSV or JSON, with probabilities, with counts or with values of moves.

rows    a line or an object for each (position, move, number), or for each (position, move)
wide    a line for each position, with a column for each move
tables  a JSON object that gives for each position a move, or numbers by move: as an object or as a list

What could be read in two ways is refused, or a note says how it was read.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from pathlib import Path
from typing import Any, Final

from engine.game import BadText, Game, Position, Side, quoted
from lab.judging.notation import (
    NUMBER,
    PAIR,
    Unreachable,
    last_number,
    names_move,
    read_move,
    read_position,
    whole,
)
from lab.judging.reply import TOLERANCE, Reply, check_size, greedy, number, weighted
from learners.core.plural import counted_noun
from saves.errors import LibraryError
from saves.files import read_text
from saves.strict_json import parse_json

SUFFIXES: Final = (".csv", ".tsv", ".json")
"""The suffixes of the files that can be read."""
POSITION: Final = ("position", "state", "board", "observation")
MOVE: Final = ("move", "action", "square", "decision", "choice", "cell", "play", "answer", "reply")
SIDE: Final = ("side", "player", "turn", "to_move")
"""The names that each of these columns can have, also after another word: `best_move`."""
INDEX: Final = ("", "unnamed: 0", "index")
"""The names of a column that numbers the lines, as pandas writes it."""
WRAPPERS: Final = ("policy", "q_table", "qtable", "q", "table", "values")
"""The keys under which an outer JSON object with no other key may hold the table."""
HEADER: Final = "position,move,probability"
"""The usual names of the columns, for messages."""
ONES: Final = frozenset((-1, 0, 1))
"""The values that positions have in many tables."""


class Kind(Enum):
    """What the numbers of a file are. The value has the names of their column, which may also follow another word.

    Of several such columns, the first of these counts.
    """

    PROBABILITY = ("probability", "prob", "chance", "p", "pi")
    COUNT = ("count", "counts", "beads", "visits", "frequency", "weight", "n")
    VALUE = ("value", "q", "q_value", "qvalue")


Written = list[tuple[Any, Any]]
"""(move, number) pairs as they are written."""


@dataclass(frozen=True)
class PolicyFile:
    """A policy that was read from a file."""

    replies: Mapping[Position, Reply]
    """Its answer in each position that is not over."""
    notes: tuple[str, ...]
    """What a person should know about how it was read, in sentences."""


@dataclass
class _Rows:
    """A file with its positions parsed and its moves not parsed yet."""

    owned: bool = False
    """Whether pieces written as 1 belong to the side to move, not to the first side."""
    pairs: dict[Position, Written] = field(default_factory=dict)
    single: dict[Position, list[Any]] = field(default_factory=dict)
    """The moves of each position, in a file that has no numbers for moves."""
    unreachable: int = 0
    """The number of positions that play cannot reach, however their pieces are read."""
    exchanged: list[tuple[Any, bool]] = field(default_factory=list)
    """The positions that play can reach only if the pieces are exchanged, and whether they are written in letters."""
    kind: Kind | None = None
    """What the numbers are, as the name of a column says; `None` if nothing says it."""
    more_columns: tuple[str, ...] = ()
    """The columns that are not used."""


def read_policy(path: Path, game: Game, *, values: bool = False) -> PolicyFile:
    """Read a policy from a file; with `values`, its numbers are values, and the best move is played.

    Raises `BadText`, which says where and gives an example, and `LibraryError` if the file cannot be read.
    """
    try:
        text = read_text(path)
        read = _json_rows if path.suffix.lower() == ".json" else _csv_rows
        rows = read(text, game, _Rows())
        if rows.exchanged and not rows.unreachable:  # else it lists all boards, and has those of play among them
            _check_owned(rows, game)
            rows = read(text, game, _Rows(owned=True))
        return _policy(rows, game, values=values)
    except BadText as error:
        raise BadText(f"{path.name}: {error}") from error
    except RecursionError as error:
        raise LibraryError(f"{path.name} is nested too deeply") from error


def _check_owned(rows: _Rows, game: Game) -> None:
    """Raise `BadText` unless the pieces of a file can only be those of the side to move and those of the other one."""
    written, lettered = rows.exchanged[0]
    first, second = game.marks
    if lettered or any(game.side(position) is Side.SECOND for position in (*rows.pairs, *rows.single)):
        raise BadText(
            f"{quoted(str(written))} can be reached only if {second} moves first, or if {first} is the side to move\n"
            f"Write {first} or 1 for a piece of the side that moves first, and {second} or 2 for one of the other side"
        )


def _policy(rows: _Rows, game: Game, *, values: bool) -> PolicyFile:
    first, notes = _first_number(rows, game)
    pairs = {position: each for position, each in rows.pairs.items() if game.outcome(position) is None}
    replies: dict[Position, Reply] = {}
    values = values or rows.kind is Kind.VALUE
    counts = not values and (rows.kind is Kind.COUNT or (rows.kind is None and _are_counts(pairs)))
    for position, written in pairs.items():
        try:
            numbers = _in_proportion(written, game, position) if counts else written
            reply = (greedy if values else weighted)(numbers, game, position, first) if numbers else None
        except BadText as error:
            hint = "" if values or counts else "\nIf the numbers are values of moves, add --values"
            raise BadText(f"{error}{hint}") from error
        if reply is not None:
            replies[position] = reply
    if counts:
        notes.append("Its numbers are counts: each move is played in proportion (values of moves need --values)")
    if rows.single:
        replies |= _observed(rows, game, first, values=values)
        if any(len(moves) > 1 for moves in rows.single.values()):
            notes.append("Where a position has several rows, each move is played as often as it stands there")
    if not replies:
        raise BadText(f"it has no position of {game.title} that is not over: is it a policy of another game?")
    if rows.owned:
        notes.append("In its positions, 1 is a piece of the side to move")
    left_out = rows.unreachable + len(rows.exchanged) * (not rows.owned)
    if left_out:
        were = "was" if left_out == 1 else "were"
        notes.append(f"{counted_noun(left_out, 'position')} that play cannot reach {were} left out")
    return PolicyFile(replies, tuple(notes))


def _are_counts(pairs: Mapping[Position, Written]) -> bool:
    """Whether all numbers are whole, and those of some positions do not sum to 1 or 0, as probabilities do."""
    numbers = [[number(each) for _, each in written] for written in pairs.values()]
    whole_ones = all(each >= 0 and each.is_integer() for row in numbers for each in row)
    return whole_ones and any(abs(sum(row) - 1) > TOLERANCE and sum(row) > 0 for row in numbers)


def _in_proportion(written: Written, game: Game, position: Position) -> Written:
    """Counts as probabilities; nothing if all are 0. Raises `BadText` for a negative one."""
    total = sum(number(count) for _, count in written)
    if any(number(count) < 0 for _, count in written):
        raise BadText(f"a count in {game.to_text(position)} is negative")
    if not isfinite(total):
        raise BadText(f"the counts in {game.to_text(position)} are too large to be added up")
    return [(move, number(count) / total) for move, count in written] if total else []


def _observed(rows: _Rows, game: Game, first: int, *, values: bool) -> dict[Position, Reply]:
    """The replies of a file that has moves and no numbers. Raises `BadText` if these are no moves."""
    if values:
        raise BadText(
            "with --values, each position needs a number for each move; this file has one entry for each position\n"
            "Values of positions cannot be read: give the value of each move, or leave out --values if these are moves"
        )
    replies: dict[Position, Reply] = {}
    for position, written in rows.single.items():
        if game.outcome(position) is not None:
            continue
        if len(written) > 1 and rows.more_columns:
            raise BadText(
                f"{game.to_text(position)} has several rows, and {quoted(rows.more_columns[0])} may count them\n"
                "Call the column with the numbers 'probability', 'count' or 'value', or remove it"
            )
        moves = [read_move(each, game, position, first) for each in written]
        legal = Counter(move for move in moves if move is not None)
        wrong = dict.fromkeys(str(each) for each, move in zip(written, moves, strict=True) if move is None)
        replies[position] = Reply({move: count / len(written) for move, count in legal.items()}, tuple(wrong))
    numbers = {str(each) for written in rows.single.values() for each in written}
    if numbers <= {str(each) for each in ONES} and any(reply.illegal for reply in replies.values()):
        raise BadText(
            "its numbers are all -1, 0 or 1, and some are no legal moves: they look like values of positions\n"
            "Values of positions cannot be read: give the value of each move, and add --values"
        )
    return replies


def _first_number(rows: _Rows, game: Game) -> tuple[int, list[str]]:
    """The number of the first square, row and column: 1 if none is 0 and one is too large otherwise, else 0.

    Also a note, if that is 1, or if nothing in the file says which.
    """
    written = [move for pairs in rows.pairs.values() for move, _ in pairs]
    written += [move for moves in rows.single.values() for move in moves]
    texts = {" ".join(map(str, each)) if isinstance(each, list) else str(each).strip() for each in written}
    numbers = {whole(text) for text in texts if NUMBER.fullmatch(text)}
    pairs = {tuple(map(whole, found.groups())) for text in texts if (found := PAIR.fullmatch(text))}
    rows_and_columns = game.board.rows, game.board.columns
    lowest = min([*numbers, *(each for pair in pairs for each in pair)], default=0)
    beyond = last_number(game) + 1 in numbers or any(
        each == last for pair in pairs for each, last in zip(pair, rows_and_columns, strict=True)
    )
    if lowest < 1:
        return 0, []
    what = "squares" if numbers else "rows and columns"
    if beyond:
        return 1, [f"Its {what} are numbered from 1"]
    doubt = "if they begin at 1, subtract 1 and judge it again"
    return 0, [f"Its {what} are read as numbered from 0, although none is 0: {doubt}"]


def _position(rows: _Rows, position: Any, game: Game, side: Any = None) -> Position | None:  # noqa: ANN401
    """The position that is written; `None` for one that play cannot reach."""
    try:
        return read_position(position, game, side)
    except Unreachable as error:
        if error.exchanged is None:
            rows.unreachable += 1
            return None
        rows.exchanged.append((position, error.lettered))
        return error.exchanged if rows.owned else None


def _column(names: Iterable[str], known: Iterable[str]) -> str | None:
    """The column with a known name; else one whose last word is known. Raises `BadText` if there are several."""
    known, words = tuple(known), {name: "_".join(name.strip().lower().replace("-", " ").split()) for name in names}
    found = [name for name, word in words.items() if word in known]
    found = found or [name for name, word in words.items() if word.rpartition("_")[2] in known]
    if len(found) > 1:
        raise BadText(f"{quoted(found[0])} and {quoted(found[1])} may both be the {known[0]}: leave one of them out")
    return found[0] if found else None


def _check_new(rows: _Rows, position: Position, written: Any) -> None:  # noqa: ANN401
    """Raise `BadText` for a position that the file has already."""
    if position in rows.pairs or position in rows.single:
        raise BadText(f"{quoted(str(written))} is given twice")


# CSV.


def _csv_rows(text: str, game: Game, rows: _Rows) -> _Rows:
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
    header = lines[0]
    if _column(header, POSITION) is None:
        usual = HEADER.split(",")
        if not 2 <= len(header) <= len(usual):
            raise BadText(
                f"{quoted(','.join(header))} has no column 'position'\n"
                f"Begin the file with '{HEADER}', or 'position,move,value'"
            )
        lines.insert(0, header := list(usual[: len(header)]))
    for count, line in enumerate(lines[1:], 1):
        if any(map(str.strip, line[len(header) :])):
            raise BadText(f"row {count:,} has more columns than the header")
    return _objects([dict(zip(header, line, strict=False)) for line in lines[1:]], header, game, rows)


def _objects(objects: list[dict[str, Any]], header: list[str], game: Game, rows: _Rows) -> _Rows:
    """Read rows with named columns. Raises `BadText`."""
    if len(set(header)) < len(header):
        raise BadText(f"two columns are called {quoted(Counter(header).most_common(1)[0][0])}")
    position, side = _column(header, POSITION), _column(header, SIDE)
    named = {kind: _column(header, kind.value) for kind in Kind}
    move = _column([name for name in header if name not in {position, side}], MOVE)
    rows.kind = next((kind for kind in Kind if named[kind]), None)
    others = [name for name in header if name not in {position, side, move, *named.values()}]
    wide = [name for name in others if names_move(name, game)]
    rows.more_columns = tuple(name for name in others if name.strip().lower() not in INDEX)
    _check_moves(move, wide, rows.more_columns)
    for count, each in enumerate(objects, 1):
        if position not in each or (move is not None and move not in each):
            raise BadText(f"row {count:,} has too few columns")
        try:
            here = _position(rows, each[position], game, each.get(side) if side is not None else None)
            if here is None:
                continue
            if move is None:
                _check_new(rows, here, each[position])
                rows.pairs[here] = [(name, number(each[name])) for name in wide if str(each.get(name, "")).strip()]
            elif rows.kind is None:
                rows.single.setdefault(here, []).append(each[move])
            else:
                rows.pairs.setdefault(here, []).append((each[move], number(each.get(named[rows.kind] or "", ""))))
        except BadText as error:
            raise BadText(f"row {count:,}: {error}") from error
    return rows


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


# JSON.


def _json_rows(text: str, game: Game, rows: _Rows) -> _Rows:
    found = parse_json(text, fractions=True)
    if isinstance(found, dict) and len(found) == 1 and next(iter(found)).lower() in WRAPPERS:
        (found,) = found.values()
    if isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        return _objects(found, list(dict.fromkeys(name for each in found for name in each)), game, rows)
    if not found and isinstance(found, (dict, list)):
        raise BadText("it is empty: there is no position in it")
    if not isinstance(found, dict):
        raise BadText(
            "it is neither a list of objects nor an object by position\n"
            f"""Write {{"{game.to_text(game.start)}": {{"{game.move_name(game.moves(game.start)[0])}": 1.0}}, …}}"""
        )
    for written, answer in found.items():
        here = _position(rows, written, game)
        if here is None:
            continue
        _check_new(rows, here, written)
        if isinstance(answer, dict):
            rows.pairs[here] = list(answer.items())
        elif isinstance(answer, list) and not (len(answer) == 2 and all(type(each) is int for each in answer)):
            check_size(answer, game)
            rows.pairs[here] = [(index, each) for index, each in enumerate(answer) if each is not None]
        else:
            rows.single[here] = [answer]
    return rows
