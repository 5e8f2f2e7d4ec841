"""Everything there is of any learner, as JSON: one position and one checkpoint a line, so that two files compare well.

{
  "format": "noughts",
  "version": 2,
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
  "memories": {
    "1": {
      "XO./.X./... O": {"a1": 18, "b1": 5}
    }
  }
}

Each of the memories is written as its change from the one before; the first, from an empty one. At the end comes, where
a learner has it, its bulk: a population, packed by zlib and written in base 64.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator
from typing import Final

from engine import parse_game
from engine.game import BadText, Game, quoted
from learners.learner import ITSELF, Memory, Snapshot
from saves.bulk import packed, unpacked
from saves.check import checked
from saves.formats.format import Format
from saves.memory import LARGEST_NUMBER, Row, add_changed, from_rows, to_changes, to_rows
from saves.strict import Json, line_of, parse_json

NAME: Final = "noughts"
VERSION: Final = 3
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
    "memories": dict,
    "bulk": str,
}
SINCE: Final[dict[int, dict[str, Json]]] = {2: {"opponent": ITSELF, "times": {}, "memories": {}}, 3: {"bulk": ""}}
"""The fields that came with a version, and what it means that an earlier text has them not."""
KINDS: Final = {str: "a text", int: "a whole number", dict: "an object", list: "an array"}
LONG: Final = ("memory", "times", "memories", "bulk")
"""The fields written last, as long as memories are large."""
MEMORY_BEGINS: Final = ',\n  "memory": {'
COUNT: Final = re.compile(r"0|[1-9][0-9]{0,15}")


def write(snapshot: Snapshot) -> str:
    game = parse_game(snapshot.game)
    fields = {
        "format": NAME,
        "version": VERSION,
        "learner": snapshot.learner,
        "game": snapshot.game,
        "preset": snapshot.preset,
        "opponent": snapshot.opponent,
        "settings": dict(snapshot.settings),
        "seed": snapshot.seed,
        "generator": list(snapshot.generator),
        "stats": dict(snapshot.stats),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()]
    lines.append(f'"history": {_block("[]", [json.dumps(dict(stats)) for stats in snapshot.history])}')
    lines.append(f'"memory": {_positions(to_rows(game, snapshot.memory))}')
    lines.append(f'"times": {_positions([] if snapshot.times is None else to_rows(game, snapshot.times))}')
    memories = [f'"{rounds}": {_positions(rows, 3)}' for rounds, rows in to_changes(game, snapshot.memories)]
    lines.append(f'"memories": {_block("{}", memories)}')
    lines.append(f'"bulk": "{b64encode(packed(snapshot.bulk)).decode()}"')
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def _positions(rows: list[Row], depth: int = 2) -> str:
    """Rows as an object with a line for each position."""
    positions: dict[str, dict[str, int]] = {}
    for position, move, number in rows:
        positions.setdefault(position, {})[move] = number
    lines = [f"{json.dumps(position)}: {json.dumps(moves)}" for position, moves in positions.items()]
    return _block("{}", lines, depth)


def _block(brackets: str, rows: list[str], depth: int = 2) -> str:
    """An array or object with a line for each row, indented so deep."""
    begin, end = "\n" + "  " * depth, "\n" + "  " * (depth - 1)
    return brackets[0] + begin + f",{begin}".join(rows) + end + brackets[1] if rows else brackets


def read(text: str, game: Game | None) -> Snapshot:
    fields = _fields(text)
    if game is not None and fields["game"] != game.name:
        raise BadText(f"{line_of(text, 'game')}a learner of {quoted(fields['game'])}, not of {game.name}")
    if not all(isinstance(stats, dict) for stats in fields["history"]):
        raise BadText(f"{line_of(text, 'history')}every checkpoint should be an object of statistics")
    rules = parse_game(fields["game"])
    fields["memory"] = _numbers(text, rules, fields["memory"], "memory")
    fields["times"] = _numbers(text, rules, fields["times"], "times")
    fields["memories"] = _memories(text, rules, fields["memories"])
    fields["bulk"] = _bulk(text, fields["bulk"])
    fields["generator"], fields["history"] = tuple(fields["generator"]), tuple(fields["history"])
    return checked(Snapshot(**fields))


def read_head(text: str) -> dict[str, Json]:
    """The fields of a text that `write` wrote, without the long ones: as fast as the text is short."""
    head, _, _ = text.partition(MEMORY_BEGINS)
    return _fields(f"{head}\n}}", left_out=LONG)


def _fields(text: str, left_out: Collection[str] = ()) -> dict[str, Json]:
    """The fields of a snapshot, each of its type."""
    document = parse_json(text)
    if not isinstance(document, dict) or document.pop("format", None) != NAME:
        raise BadText(f'no learner of Noughts: the file must hold an object with "format": "{NAME}"')
    version = document.pop("version", None)
    if type(version) is not int or not 1 <= version <= VERSION:
        raise BadText(f"{line_of(text, 'version')}version {quoted(str(version))}; this Noughts reads 1 to {VERSION}")
    later = {key: value for since, fields in SINCE.items() if since > version for key, value in fields.items()}
    wanted = FIELDS.keys() - later.keys() - set(left_out)
    for key in document.keys() ^ wanted:
        raise BadText(f"{line_of(text, key)}{quoted(key)} is {'missing' if key in wanted else 'no field of a learner'}")
    for key in wanted:
        if type(document[key]) is not FIELDS[key]:
            raise BadText(f"{line_of(text, key)}{quoted(key)} is not {KINDS[FIELDS[key]]}")
    return {**document, **later}


def _numbers(text: str, game: Game, positions: dict[str, Json], *keys: str, least: int = 1) -> Memory:
    """The numbers, from `least`, of an object of positions that stands in the text under these keys."""
    reached = ""

    def rows() -> Iterator[tuple[str, str, object]]:
        nonlocal reached
        for reached, moves in positions.items():
            if not isinstance(moves, dict):
                raise BadText(f"{quoted(reached)} should have an object of moves and numbers")
            for move, number in moves.items():
                yield reached, move, number

    try:
        return from_rows(game, rows(), least=least)
    except BadText as error:
        raise BadText(f"{line_of(text, *keys, reached)}{error}") from error


def _memories(text: str, game: Game, checkpoints: dict[str, Json]) -> dict[int, Memory]:
    memories: dict[int, Memory] = {}
    for rounds, positions in checkpoints.items():
        if not COUNT.fullmatch(rounds):
            raise BadText(f"{line_of(text, 'memories', rounds)}{quoted(rounds)} is no number of rounds")
        if not isinstance(positions, dict):
            raise BadText(f"{line_of(text, 'memories', rounds)}{quoted(rounds)} should have an object of positions")
        change = _numbers(text, game, positions, "memories", rounds, least=-LARGEST_NUMBER)
        try:
            add_changed(game, memories, int(rounds), change)
        except BadText as error:
            raise BadText(f"{line_of(text, 'memories', rounds)}{error}") from error
    return memories


def _bulk(text: str, written: str) -> bytes:
    try:
        return unpacked(b64decode(written, validate=True))
    except ValueError as error:  # of base 64, or of what is packed
        raise BadText(f"{line_of(text, 'bulk')}the bulk cannot be unpacked: {error}") from error


FORMAT: Final = Format(".json", "everything, as JSON", read, write)
