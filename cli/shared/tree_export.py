"""The nodes of a game tree as text: JSON lines for programs, DOT for Graphviz. `docs/formats.md` describes both."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from engine.game import Game
from engine.trees.plies import WalkedNode
from lab.search import best_play

MAX_NODES: Final = 10_000_000
"""The maximum number of nodes of an export, which takes some minutes and about a gigabyte."""


def json_lines(game: Game, nodes: Iterable[WalkedNode]) -> Iterator[str]:
    """One JSON object a node."""
    for node in nodes:
        fields = {
            "id": node.number,
            "parent": node.parent,
            "ply": node.ply,
            "move": None if node.move is None else game.move_name(node.move),
            "position": game.to_text(node.position),
            "outcome": None if node.outcome is None else node.outcome.name.lower(),
            "value": node.value,
            "children": node.children,
        }
        yield json.dumps(fields) + "\n"


def dot(game: Game, nodes: Iterable[WalkedNode]) -> Iterator[str]:
    """A directed graph: a node shows its board and how the game ends under best play, an edge its move."""
    yield f"digraph {_quoted(game.name)} {{\nnode [shape=box fontname=monospace]\n"
    for node in nodes:
        lines = game.to_text(node.position).split("/")
        known = [] if node.value is None else [best_play(game, node.value)]
        yield f"{node.number} [label={_quoted(*lines, *known)}]\n"
        if node.move is not None:
            yield f"{node.parent} -> {node.number} [label={_quoted(game.move_name(node.move))}]\n"
    yield "}\n"


def _quoted(*lines: str) -> str:
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


FORMATS: Final[dict[str, Callable[[Game, Iterable[WalkedNode]], Iterator[str]]]] = {"jsonl": json_lines, "dot": dot}
"""How to write nodes, by the name of the format."""


def format_of(name: str) -> str:
    """The format that the name of a file asks for: DOT if it ends in `.dot` or `.gv`, else JSON lines."""
    return "dot" if name.lower().endswith((".dot", ".gv")) else "jsonl"
