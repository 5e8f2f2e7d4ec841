"""Everything there is of any learner, as JSON: one position and one checkpoint a line, so that two files compare well.

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
  }
}
"""

import json
from typing import Any, Final

from engine import parse_game
from engine.game import BadText, Game, quoted
from learners.learner import Memory, Snapshot
from saves.check import checked
from saves.formats.format import Format
from saves.memory import empty_memory, put, to_rows
from saves.strict import line_of, parse_json

NAME: Final = "noughts"
VERSION: Final = 1
FIELDS: Final[dict[str, type]] = {
    "learner": str,
    "game": str,
    "preset": str,
    "settings": dict,
    "seed": int,
    "generator": list,
    "stats": dict,
    "history": list,
    "memory": dict,
}
KINDS: Final = {str: "a text", int: "a whole number", dict: "an object", list: "an array"}
MEMORY_BEGINS: Final = ',\n  "memory": {'


def write(snapshot: Snapshot) -> str:
    memory: dict[str, dict[str, int]] = {}
    for position, move, number in to_rows(parse_game(snapshot.game), snapshot.memory):
        memory.setdefault(position, {})[move] = number
    fields = {
        "format": NAME,
        "version": VERSION,
        "learner": snapshot.learner,
        "game": snapshot.game,
        "preset": snapshot.preset,
        "settings": dict(snapshot.settings),
        "seed": snapshot.seed,
        "generator": list(snapshot.generator),
        "stats": dict(snapshot.stats),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items()]
    lines.append(f'"history": {_block("[]", [json.dumps(dict(stats)) for stats in snapshot.history])}')
    rows = [f"{json.dumps(position)}: {json.dumps(moves)}" for position, moves in memory.items()]
    lines.append(f'"memory": {_block("{}", rows)}')
    return "{\n  " + ",\n  ".join(lines) + "\n}\n"


def _block(brackets: str, rows: list[str]) -> str:
    return brackets[0] + "\n    " + ",\n    ".join(rows) + "\n  " + brackets[1] if rows else brackets


def read(text: str, game: Game | None) -> Snapshot:
    fields = _fields(text)
    if game is not None and fields["game"] != game.name:
        raise BadText(f"{line_of(text, 'game')}a learner of {quoted(fields['game'])}, not of {game.name}")
    if not all(isinstance(stats, dict) for stats in fields["history"]):
        raise BadText(f"{line_of(text, 'history')}every checkpoint should be an object of statistics")
    memory = _memory(text, parse_game(fields["game"]), fields.pop("memory"))
    generator, history = tuple(fields.pop("generator")), tuple(fields.pop("history"))
    return checked(Snapshot(**fields, generator=generator, history=history, memory=memory))


def read_head(text: str) -> dict[str, Any]:
    """The fields of a text that `write` wrote, except for the memory, which is empty: as fast as the text is short."""
    head, _, _ = text.partition(MEMORY_BEGINS)
    return _fields(f"{head}{MEMORY_BEGINS}}}}}")


def _fields(text: str) -> dict[str, Any]:
    """The fields of a snapshot, each of its type."""
    document = parse_json(text)
    if not isinstance(document, dict) or document.pop("format", None) != NAME:
        raise BadText(f'no learner of Noughts: the file must hold an object with "format": "{NAME}"')
    version = document.pop("version", None)
    if type(version) is not int or version != VERSION:
        raise BadText(f"{line_of(text, 'version')}version {quoted(str(version))}; this Noughts reads {VERSION}")
    for key in document.keys() ^ FIELDS.keys():
        raise BadText(f"{line_of(text, key)}{quoted(key)} is {'missing' if key in FIELDS else 'no field of a learner'}")
    for key, kind in FIELDS.items():
        if type(document[key]) is not kind:
            raise BadText(f"{line_of(text, key)}{quoted(key)} is not {KINDS[kind]}")
    return document


def _memory(text: str, game: Game, positions: dict[str, Any]) -> Memory:
    memory = empty_memory(game)
    for position, moves in positions.items():
        if not isinstance(moves, dict):
            raise BadText(f"{line_of(text, position)}{quoted(position)} should have an object of moves and numbers")
        try:
            for move, number in moves.items():
                put(game, memory, position, move, number)
        except BadText as error:
            raise BadText(f"{line_of(text, position)}{error}") from error
    return memory


FORMAT: Final = Format(".json", "everything, as JSON", read, write)
