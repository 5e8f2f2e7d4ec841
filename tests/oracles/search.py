"""Minimax and alpha-beta as in textbooks, over the string rules, without a table; all nodes are counted."""

from collections import Counter
from collections.abc import Callable
from math import inf

from engine.game import Game
from tests.oracles.rules import DRAW, LINES, RULES, Rules, read
from tests.sizes import QUICK_GAMES

Estimate = Callable[[str], int]
UNLIMITED = 10_000
"""The plies that are left in a search to the end: more than any game has."""


def open_twos(position: str) -> int:
    """The lecture's heuristic: lines with two X and an empty square, minus those with two O and an empty square."""
    board, _ = read(position)
    seen = Counter("".join(sorted(board[line[i : i + 2]] for i in (0, 2, 4))) for line in LINES)
    return seen[".XX"] - seen[".OO"]


def open_twos_are_bad(position: str) -> int:
    return -open_twos(position)


def pawn_steps(position: str) -> int:
    rules = RULES["hexapawn"]
    moves = {read(each)[1]: len(rules.moves(each)) for each in (position, rules.passed(position))}
    return moves["W"] - moves["B"]


def own_estimate(game: Game) -> Estimate:
    return lambda position: game.heuristic.estimate(game.from_text(position))


WRITTEN_ESTIMATES: dict[str, Estimate] = {"tictactoe": open_twos, "misere": open_twos_are_bad, "hexapawn": pawn_steps}
ESTIMATES = {**{game.name: own_estimate(game) for game in QUICK_GAMES}, **WRITTEN_ESTIMATES}


def worth(rules: Rules, outcome: str, left: int) -> int:
    """The score of an outcome: 1, 0 or −1, times a million plus the plies that are left."""
    sign = 0 if outcome == DRAW else 1 if outcome == rules.marks[0] else -1
    return sign * (1_000_000 + left)


def minimax(rules: Rules, estimate: Estimate, position: str, left: int, seen: Counter[str]) -> int:
    """The value to the first side; counts the nodes and the leaves in `seen`."""
    seen["nodes"] += 1
    outcome = rules.outcome(position)
    if outcome is not None or left == 0:
        seen["leaves"] += 1
        return estimate(position) if outcome is None else worth(rules, outcome, left)
    pick = max if read(position)[1] == rules.marks[0] else min
    return pick(minimax(rules, estimate, rules.play(position, move), left - 1, seen) for move in rules.moves(position))


def alphabeta(  # noqa: PLR0917  the node, its window, and what counts it
    rules: Rules, estimate: Estimate, position: str, left: int, seen: Counter[str], low: float = -inf, high: float = inf
) -> float:
    """Fail-soft alpha-beta in the order of the rules."""
    seen["nodes"] += 1
    outcome = rules.outcome(position)
    if outcome is not None or left == 0:
        seen["leaves"] += 1
        return estimate(position) if outcome is None else worth(rules, outcome, left)
    first = read(position)[1] == rules.marks[0]
    best = -inf if first else inf
    moves = list(rules.moves(position))
    while moves:
        value = alphabeta(rules, estimate, rules.play(position, moves.pop(0)), left - 1, seen, low, high)
        if first:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if high <= low and moves:
            seen["cutoffs"] += 1
            seen["skipped"] += len(moves)
            break
    return best
