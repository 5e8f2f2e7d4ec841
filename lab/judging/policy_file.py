"""Policies in files of other programs: CSV or JSON, with probabilities or with values of moves.

rows    a line or an object for each (position, move, number), or for each (position, move)
wide    a line for each position, with a column for each move
tables  a JSON object that gives for each position a move, or numbers by move: as an object or as a list
"""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.game import BadText, Game, Position, quoted
from lab.judging.notation import NUMBER, Unreachable, read_move, read_position, whole
from lab.judging.reply import Reply, greedy, number, weighted
from saves.errors import LibraryError
from saves.files import read_text
from saves.strict_json import parse_json

SUFFIXES: Final = (".csv", ".tsv", ".json")
"""The suffixes of the files that can be read."""
POSITION: Final = ("position", "state", "board", "observation")
MOVE: Final = ("move", "action", "square")
PROBABILITY: Final = ("probability", "prob", "chance", "p", "pi")
VALUE: Final = ("value", "q", "q_value", "qvalue")
SIDE: Final = ("side", "player", "turn", "to_move")
"""The names that each of these five columns can have."""
WRAPPERS: Final = ("policy", "q_table", "qtable", "q", "table", "values")
"""The keys under which an outer JSON object with no other key may hold the table."""
FIRST_NUMBERS: Final = (0, 1)
"""The numbers that the first square can have in a file."""

Written = list[tuple[Any, Any]]
"""(move, number) pairs as they are written."""


@dataclass(frozen=True)
class PolicyFile:
    """A policy that was read from a file."""

    replies: Mapping[Position, Reply]
    """Its answer in each position that is not over."""
    unreachable: int
    """The number of its positions that play cannot reach."""
    first_number: int
    """The number that the file gives the first square."""


@dataclass
class _Rows:
    """A file with its positions parsed and its moves not parsed yet."""

    pairs: dict[Position, Written]
    single: dict[Position, Any]
    """The move of each position, in a file that has no numbers for moves."""
    unreachable: int = 0
    values: bool = False
    """Whether the numbers are values of moves, not probabilities."""


def read_policy(path: Path, game: Game, *, values: bool = False) -> PolicyFile:
    """Read a policy from a file; with `values`, its numbers are values, and the best move is played.

    Raises `BadText`, which says where and gives an example, and `LibraryError` if the file cannot be read.
    """
    try:
        text = read_text(path)
        rows = _json_rows(text, game) if path.suffix.lower() == ".json" else _csv_rows(text, game)
        return _policy(rows, game, values=values or rows.values)
    except BadText as error:
        raise BadText(f"{path.name}: {error}") from error
    except RecursionError as error:
        raise LibraryError(f"{path.name} is nested too deeply") from error


def _policy(rows: _Rows, game: Game, *, values: bool) -> PolicyFile:
    first = _first_number(rows, game)
    replies: dict[Position, Reply] = {}
    for position, pairs in rows.pairs.items():
        if game.outcome(position) is not None:
            continue
        try:
            reply = (greedy if values else weighted)(pairs, game, position, first)
        except BadText as error:
            hint = "" if values else "\nIf the numbers are values of moves, add --values"
            raise BadText(f"{error}{hint}") from error
        if reply is not None:
            replies[position] = reply
    for position, written in rows.single.items():
        if game.outcome(position) is None:
            move = read_move(written, game, position, first)
            replies[position] = Reply({}, (str(written),)) if move is None else Reply({move: 1.0})
    if not replies:
        raise BadText(f"it has no position of {game.title} that is not over: is it a policy of another game?")
    return PolicyFile(replies, rows.unreachable, first)


def _first_number(rows: _Rows, game: Game) -> int:
    """The number of the first square: 1 if the numbers in the file go from 1 to our largest one plus 1, else 0."""
    written = [move for pairs in rows.pairs.values() for move, _ in pairs] + list(rows.single.values())
    numbers = {whole(text.strip()) for text in map(str, written) if NUMBER.fullmatch(text.strip())}
    last = max(game.moves(game.start), default=0)
    return FIRST_NUMBERS[bool(numbers) and min(numbers) == 1 and max(numbers) == last + 1]


def _position(rows: _Rows, position: Any, game: Game, side: Any = None) -> Position | None:  # noqa: ANN401
    """The position that is written; `None` for one that play cannot reach."""
    try:
        return read_position(position, game, side)
    except Unreachable:
        rows.unreachable += 1
        return None


def _column(names: Iterable[str], known: Iterable[str]) -> str | None:
    known = tuple(known)
    return next((name for name in names if name.strip().lower() in known), None)


# CSV.


def _csv_rows(text: str, game: Game) -> _Rows:
    try:
        dialect = csv.Sniffer().sniff(text[:4096], ",;\t") if text.strip() else csv.excel
    except csv.Error:
        dialect = csv.excel
    lines = [line for line in csv.reader(io.StringIO(text, newline=""), dialect) if any(map(str.strip, line))]
    if not lines:
        raise BadText("it is empty\nWrite a line for each move: 'position,move,probability'")
    header = lines[0]
    if _column(header, POSITION) is None:
        usual = ("position", "move", "probability")
        if not 2 <= len(header) <= len(usual):
            raise BadText(
                f"{quoted(','.join(header))} has no column 'position'\n"
                "Begin the file with 'position,move,probability', or 'position,move,value'"
            )
        lines.insert(0, header := list(usual[: len(header)]))
    return _objects([dict(zip(header, line, strict=False)) for line in lines[1:]], header, game)


def _objects(objects: list[dict[str, Any]], header: list[str], game: Game) -> _Rows:
    """Read rows with named columns. Raises `BadText`."""
    rows = _Rows({}, {})
    position, move, side = (_column(header, known) for known in (POSITION, MOVE, SIDE))
    chance, value = _column(header, PROBABILITY), _column(header, VALUE)
    counted = chance or value
    rows.values = chance is None and value is not None
    wide = [name for name in header if name not in {position, side}]
    for count, each in enumerate(objects, 1):
        if position not in each or (move is not None and move not in each):
            raise BadText(f"row {count:,} has too few columns")
        try:
            here = _position(rows, each[position], game, each.get(side) if side is not None else None)
            if here is None:
                continue
            if move is None:
                rows.pairs[here] = [(name, number(each[name])) for name in wide if str(each.get(name, "")).strip()]
            elif counted is None:
                rows.single[here] = each[move]
            else:
                rows.pairs.setdefault(here, []).append((each[move], number(each.get(counted, ""))))
        except BadText as error:
            raise BadText(f"row {count:,}: {error}") from error
    return rows


# JSON.


def _json_rows(text: str, game: Game) -> _Rows:
    found = parse_json(text, fractions=True)
    if isinstance(found, dict) and len(found) == 1 and next(iter(found)).lower() in WRAPPERS:
        (found,) = found.values()
    if isinstance(found, list) and found and all(isinstance(each, dict) for each in found):
        return _objects(found, list(dict.fromkeys(name for each in found for name in each)), game)
    if not isinstance(found, dict) or not found:
        raise BadText(
            "it is neither a list of objects nor an object by position\n"
            f"""Write {{"{game.to_text(game.start)}": {{"{game.move_name(game.moves(game.start)[0])}": 1.0}}, …}}"""
        )
    rows = _Rows({}, {})
    for written, answer in found.items():
        here = _position(rows, written, game)
        if here is None:
            continue
        if isinstance(answer, dict):
            rows.pairs[here] = list(answer.items())
        elif isinstance(answer, list) and not (len(answer) == 2 and all(type(each) is int for each in answer)):
            rows.pairs[here] = [(index, each) for index, each in enumerate(answer) if each is not None]
        else:
            rows.single[here] = answer
    return rows
