"""A complete save of any learner as JSON, with one line for each position, so that two files can be compared by line.

{
  "format": "noughts",
  "version": 1,
  "learner": "failures",
  …
  "stats": {"games": 1000, …},
  "history": [
    {"games": 1, …}
  ],
  "memory": {
    "XO./.X./... O": {"a1": 17, "b1": 4}
  },
  "times": {},
  "checkpoints": {
    "1": {
      "generator": [1, 2],
      "opponent": "self",
      "memory": {
        "XO./.X./... O": {"a1": 18, "b1": 5}
      },
      "times": {}
    }
  }
}

The memory and the times of a checkpoint are differences to the checkpoint before; at the first checkpoint, to zeros.
A memory that is parameters, such as the weights of a network, is a string instead: the bytes of the parameters,
compressed by zlib and written in base 64. Such a memory is complete at each checkpoint. The last field is `bulk`, such
as a population: a string of the same form, or an empty one. `docs/formats.md` describes all fields.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from engine.game import BadText, Game, quoted
from engine.games import parse_game
from learners.core.snapshot import Checkpoint, Memory, Snapshot, checkpoint_of
from saves.encoding.check import check_head, check_snapshot
from saves.encoding.memory import (
    LARGEST_NUMBER,
    Row,
    TextRow,
    add_change,
    changes,
    check_by_rules,
    compress,
    compress_parameters,
    decompress,
    decompress_parameters,
    empty_memory,
    from_rows,
    has_parameters,
    require_few_checkpoints,
    to_rows,
)
from saves.formats.format import Format
from saves.strict_json import Json, line_of, parse_json

NAME: Final = "noughts"
VERSION: Final = 1
FIELDS: Final[dict[str, type]] = {
    "learner": str,
    "game": str,
    "preset": str,
    "opponent": str,
    "settings": dict,
    "seed": int,
    "generator": list,
    "stats": dict,
    "history": list,
    "memory": dict,
    "times": dict,
    "checkpoints": dict,
    "bulk": str,
}
CHECKPOINT_FIELDS: Final[dict[str, type]] = {"generator": list, "opponent": str, "memory": dict, "times": dict}
KINDS: Final = {str: "a string", int: "a whole number", dict: "an object", list: "an array"}
T = TypeVar("T")
TABLES: Final = ("memory", "times")
"""The fields of a save, and of a checkpoint, that may be tables of numbers by position and move."""
LARGE_FIELDS: Final = ("memory", "times", "checkpoints", "bulk")
"""The large fields. They are written last, so that `read_head` can leave them out."""
MEMORY_BEGINS: Final = ',\n  "memory": '
COUNT: Final = re.compile(r"0|[1-9][0-9]{0,15}")


def write(snapshot: Snapshot) -> str:
    """Return a snapshot as JSON."""
    fields = {
        "format": NAME,
        "version": VERSION,
        "learner": snapshot.learner,
        "game": snapshot.game.name,
        "preset": snapshot.preset,
        "opponent": snapshot.opponent,
        "settings": dict(snapshot.settings),
        "seed": snapshot.seed,
        "generator": list(snapshot.generator),
        "stats": dict(snapshot.stats),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()]
    lines.append(f'"history": {_block("[]", [json.dumps(dict(stats)) for stats in snapshot.history])}')
    if has_parameters(snapshot.learner):
        lines.append(f'"memory": {_parameters_text(snapshot.memory)}')
    else:
        lines.append(f'"memory": {_positions_text(to_rows(snapshot.game, snapshot.memory))}')
    times = [] if snapshot.times is None else to_rows(snapshot.game, snapshot.times)
    lines.append(f'"times": {_positions_text(times)}')
    lines.append(f'"checkpoints": {_block("{}", list(_checkpoint_lines(snapshot)))}')
    lines.append(f'"bulk": "{b64encode(compress(snapshot.bulk)).decode()}"')
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def _checkpoint_lines(snapshot: Snapshot) -> Iterator[str]:
    checkpoints, game = snapshot.checkpoints, snapshot.game
    moments = checkpoints.values()
    if has_parameters(snapshot.learner):
        memories: Iterable[str] = (_parameters_text(each.memory) for each in moments)
        times: Iterable[str] = ("{}" for _ in moments)
    else:
        memory_changes = changes(game, (each.memory for each in moments))
        times_changes = changes(game, (each.times for each in moments))
        memories = (_positions_text(to_rows(game, change), 4) for change in memory_changes)
        times = (_positions_text(to_rows(game, change), 4) for change in times_changes)
    for (rounds, checkpoint), memory_text, times_text in zip(checkpoints.items(), memories, times, strict=True):
        fields = (
            f'"generator": {json.dumps(checkpoint.generator)}',
            f'"opponent": {json.dumps(checkpoint.opponent)}',
            f'"memory": {memory_text}',
            f'"times": {times_text}',
        )
        yield f'"{rounds}": {_block("{}", list(fields), 3)}'


def _parameters_text(memory: Memory | None) -> str:
    data = b"" if memory is None else compress_parameters(memory)
    return f'"{b64encode(data).decode()}"'


def _positions_text(rows: list[Row], depth: int = 2) -> str:
    positions: dict[str, dict[str, int]] = {}
    for position, move, number in rows:
        positions.setdefault(position, {})[move] = number
    lines = [f"{json.dumps(position)}: {json.dumps(moves)}" for position, moves in positions.items()]
    return _block("{}", lines, depth)


def _block(brackets: str, rows: list[str], depth: int = 2) -> str:
    """Return a JSON array or object with a line for each row, indented by `depth` levels."""
    if not rows:
        return brackets
    opening, closing = brackets[0], brackets[1]
    new_line, last_line = "\n" + "  " * depth, "\n" + "  " * (depth - 1)
    return opening + new_line + f",{new_line}".join(rows) + last_line + closing


def read(text: str, game: Game | None) -> Snapshot:
    """Parse JSON. If `game` is given, the save must be of that game. Raises `BadText`."""
    fields = _read_fields(text)
    if game is not None and fields["game"] != game.name:
        raise BadText(f"{line_of(text, 'game')}a learner of {quoted(fields['game'])}, not of {game.name}")
    if not all(isinstance(stats, dict) for stats in fields["history"]):
        raise BadText(f"{line_of(text, 'history')}every entry must be an object of statistics")
    rules, learner = parse_game(fields["game"]), fields["learner"]
    if rules.is_large:
        _check_before_building(text, rules, fields)
    if has_parameters(learner):
        fields["memory"] = _decompress_field(text, decompress_parameters, "parameters", fields["memory"], "memory")
        if fields["times"]:
            raise BadText(f"{line_of(text, 'times')}{learner} does not count how often a move is chosen")
        fields["times"] = None
    else:
        fields["memory"] = _read_numbers(text, rules, fields["memory"], "memory")
        fields["times"] = _read_numbers(text, rules, fields["times"], "times")
    fields["checkpoints"] = _read_checkpoints(text, rules, learner, fields["checkpoints"])
    fields["bulk"] = _decompress_field(text, decompress, "bulk", fields["bulk"], "bulk")
    fields["generator"], fields["history"] = tuple(fields["generator"]), tuple(fields["history"])
    return check_snapshot(Snapshot(**{**fields, "game": rules}))


def read_head(text: str) -> dict[str, Json]:
    """Return the fields of a text made by `write`, except the large ones, which are not parsed."""
    head, _, _ = text.partition(MEMORY_BEGINS)
    return _read_fields(f"{head}\n}}", left_out=LARGE_FIELDS)


def _read_fields(text: str, left_out: Collection[str] = ()) -> dict[str, Json]:
    document = parse_json(text)
    if not isinstance(document, dict) or document.pop("format", None) != NAME:
        raise BadText(f"not a save of Noughts: the file must hold an object whose format is {NAME}")
    version = document.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise BadText(f"{line_of(text, 'version')}version {quoted(str(version))}; this Noughts reads version {VERSION}")
    wanted = FIELDS.keys() - set(left_out)
    for key in sorted(document.keys() ^ wanted):
        fault = "missing" if key in wanted else "not a field of a save"
        raise BadText(f"{line_of(text, key)}{quoted(key)} is {fault}")
    for key in sorted(wanted):
        kind = _type_of(key, FIELDS[key], document["learner"])
        if type(document[key]) is not kind:
            raise BadText(f"{line_of(text, key)}{quoted(key)} is not {KINDS[kind]}")
    return document


def _type_of(key: str, usual: type, learner: Json) -> type:
    """Return the type of a field: the type of `memory` depends on the learner, the others have the `usual` type."""
    if key == "memory" and isinstance(learner, str) and has_parameters(learner):
        return str
    return usual


@contextmanager
def _at_line(text: str, *keys: str) -> Iterator[None]:
    try:
        yield
    except BadText as error:
        raise BadText(f"{line_of(text, *keys)}{error}") from error


def _decompress_field(text: str, unpack: Callable[[bytes], T], what: str, written: str, *keys: str) -> T:
    """Return the decompressed data of a string in base 64; `keys` are the path to the string. Raises `BadText`."""
    try:
        return unpack(b64decode(written, validate=True))
    except ValueError as error:  # from `b64decode`, or `BadText` from `unpack`
        raise BadText(f"{line_of(text, *keys)}the {what} cannot be unpacked: {error}") from error


def _check_before_building(text: str, game: Game, fields: Mapping[str, Json]) -> None:
    """Check what can be checked before the space of a large game is built. Raises `BadText`, `TooLarge`."""
    placeholders: dict[str, Any] = {
        "memory": np.zeros(0, np.int64),
        "times": None,
        "checkpoints": {},
        "bulk": b"",
        "game": game,
    }
    check_head(Snapshot(**{**fields, **placeholders}))
    tables: dict[tuple[str, ...], Json] = {(key,): fields[key] for key in TABLES}
    for rounds, checkpoint in fields["checkpoints"].items():
        if isinstance(checkpoint, dict):
            tables |= {("checkpoints", rounds, key): checkpoint.get(key) for key in TABLES}
    for keys, positions in tables.items():
        if isinstance(positions, dict):  # the numbers of a checkpoint are differences
            minimum = 1 if len(keys) == 1 else -LARGEST_NUMBER
            _with_rows(text, positions, *keys, use=partial(check_by_rules, game, minimum=minimum))


def _read_numbers(text: str, game: Game, positions: dict[str, Json], *keys: str, minimum: int = 1) -> Memory:
    """Return the memory in a JSON object of positions, with numbers of at least `minimum`. Raises `BadText`."""
    return _with_rows(text, positions, *keys, use=partial(from_rows, game, minimum=minimum))


def _with_rows(text: str, positions: dict[str, Json], *keys: str, use: Callable[[Iterator[TextRow]], T]) -> T:
    """Return the result of `use` for the rows of a JSON object of positions.

    Messages have the line of a row; `keys` are the path to the object. Raises `BadText`.
    """
    last_position = ""

    def rows() -> Iterator[TextRow]:
        nonlocal last_position
        for last_position, moves in positions.items():
            if not isinstance(moves, dict):
                raise BadText(f"the value of {quoted(last_position)} must be an object of moves and numbers")
            for move, number in moves.items():
                yield last_position, move, number

    try:
        return use(rows())
    except BadText as error:
        raise BadText(f"{line_of(text, *keys, last_position)}{error}") from error


def _read_checkpoints(text: str, game: Game, learner: str, written: dict[str, Json]) -> dict[int, Checkpoint]:
    sums: dict[str, Memory] = {}
    checkpoints: dict[int, Checkpoint] = {}
    for rounds, fields in written.items():
        if not COUNT.fullmatch(rounds):
            raise BadText(f"{line_of(text, 'checkpoints', rounds)}{quoted(rounds)} is not a number of rounds")
        if not isinstance(fields, dict) or fields.keys() != CHECKPOINT_FIELDS.keys():
            wanted = ", ".join(CHECKPOINT_FIELDS)
            raise BadText(f"{line_of(text, 'checkpoints', rounds)}a checkpoint must be an object of {wanted}")
        for key, usual in CHECKPOINT_FIELDS.items():
            kind = _type_of(key, usual, learner)
            if type(fields[key]) is not kind:
                where = line_of(text, "checkpoints", rounds, key)
                raise BadText(f"{where}{quoted(key)} is not {KINDS[kind]}")
        with _at_line(text, "checkpoints", rounds):
            require_few_checkpoints(len(checkpoints) + 1)
        if has_parameters(learner):
            path = ("checkpoints", rounds, "memory")
            sums["memory"] = _decompress_field(text, decompress_parameters, "parameters", fields["memory"], *path)
        else:
            for key in TABLES:
                change = _read_numbers(text, game, fields[key], "checkpoints", rounds, key, minimum=-LARGEST_NUMBER)
                with _at_line(text, "checkpoints", rounds):
                    sums[key] = add_change(game, sums.get(key, empty_memory(game)), change)
        checkpoints[int(rounds)] = checkpoint_of(
            sums["memory"],
            sums.get("times"),
            generator=tuple(fields["generator"]),
            opponent=fields["opponent"],
            before=None if has_parameters(learner) else next(reversed(checkpoints.values()), None),
        )
    return checkpoints


FORMAT: Final = Format(".json", "everything, as JSON", read, write)
