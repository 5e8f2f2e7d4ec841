"""Game trees by plain recursion over strings: the counts below a position are the sums of those of its children."""

from collections import Counter
from dataclasses import replace

from tests.oracles.counting import same_pair
from tests.oracles.rules import LINES, RULES, Rules, read

PUBLISHED_LINES = [line for line in LINES if line != "a3b2c1"]
Gathered = Counter[tuple[int, str]]
"""The numbers of nodes, by depth below the position and by outcome."""


def published_outcome(position: str) -> str | None:
    board, _ = read(position)
    for mark in "XO":
        if any({board[line[i : i + 2]] for i in (0, 2, 4)} == {mark} for line in PUBLISHED_LINES):
            return mark
    return None if "." in board.values() else "draw"


def published_moves(position: str) -> list[str]:
    board, _ = read(position)
    return [] if published_outcome(position) else [square for square, letter in board.items() if letter == "."]


def published_seen(position: str) -> list[tuple[str, dict[str, str]]]:
    """Only the symmetries that map the diagonal that never wins to itself."""
    return [
        (image, goes)
        for image, goes in RULES["tictactoe"].seen(position)
        if {goes["a3"], goes["b2"], goes["c1"]} == {"a3", "b2", "c1"}
    ]


PUBLISHED = replace(RULES["tictactoe"], outcome=published_outcome, moves=published_moves, seen=published_seen)


def moves_of(rules: Rules, reduction: str, position: str) -> list[str]:
    moves = rules.moves(position)
    if reduction == "none" or (reduction == "first-move" and position != rules.start):
        return moves
    seen_by = RULES["tictactoe"] if reduction == "first-move" and rules is PUBLISHED else rules
    first: dict[object, str] = {}
    for move in moves:
        first.setdefault(same_pair(seen_by, position, move), move)
    return list(first.values())


def gathered(rules: Rules, reduction: str, position: str, known: dict[str, Gathered]) -> Gathered:
    """The counts of the nodes below a position, itself included."""
    if position not in known:
        found: Gathered = Counter({(0, rules.outcome(position) or "running"): 1})
        for move in moves_of(rules, reduction, position):
            for (depth, state), count in gathered(rules, reduction, rules.play(position, move), known).items():
                found[depth + 1, state] += count
        known[position] = found
    return known[position]
