"""Exact values and counts by plain recursion over the string rules."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from typing import Any, TypeVar

from tests.oracles.rules import DRAW, Rules, move_through, read

T = TypeVar("T", bound=Hashable)


def walked(start: T, after: Callable[[T], Iterable[T]]) -> list[T]:
    """Everything that a walk from a start comes to, itself included."""
    found, waiting = {start}, [start]
    for here in waiting:  # grows while it is iterated
        new = [there for there in dict.fromkeys(after(here)) if there not in found]
        found.update(new)
        waiting += new
    return waiting


def reachable(rules: Rules) -> dict[str, int]:
    """Every position of the game, and the most moves that lead to it."""
    ply = {rules.start: 0}
    waiting = [rules.start]
    for position in waiting:  # grows while it is iterated; a position is appended again for each longer path to it
        for move in rules.moves(position):
            after = rules.play(position, move)
            if ply.get(after, -1) < ply[position] + 1:
                ply[after] = ply[position] + 1
                waiting.append(after)
    return ply


def pairs(rules: Rules) -> list[tuple[str, str]]:
    return [(position, move) for position in reachable(rules) for move in rules.moves(position)]


@cache
def ends(rules: Rules) -> Callable[[str], tuple[int, int]]:
    """A function that tells how a position ends if the winner is as quick and the loser as slow as possible.

    It returns the value for the side to move, 1, 0 or −1, and the number of plies until a side has won.
    """

    @cache
    def end(position: str) -> tuple[int, int]:
        outcome = rules.outcome(position)
        if outcome is not None:
            return (0 if outcome == DRAW else 1 if outcome == read(position)[1] else -1), 0
        after = [end(rules.play(position, move)) for move in rules.moves(position)]
        if won := [plies for value, plies in after if value == -1]:
            return 1, min(won) + 1
        if all(value == 1 for value, _ in after):
            return -1, max(plies for _, plies in after) + 1
        return 0, 0

    return end


def solve(rules: Rules) -> dict[str, int]:
    """The value of every position to the side to move."""
    return {position: ends(rules)(position)[0] for position in reachable(rules)}


def losing_pairs(rules: Rules) -> set[tuple[str, str]]:
    """The (position, move) pairs after which best play wins for the opponent."""
    value = solve(rules)
    return {(position, move) for position, move in pairs(rules) if value[rules.play(position, move)] == 1}


def lost_at_once(rules: Rules) -> set[tuple[str, str]]:
    """The pairs after which the opponent wins with its very next move, or has won already."""
    found = set()
    for position, move in pairs(rules):
        _, mover = read(position)
        after = rules.play(position, move)
        ends = [rules.outcome(rules.play(after, reply)) for reply in rules.moves(after)] or [rules.outcome(after)]
        if any(outcome not in (None, DRAW, mover) for outcome in ends):
            found.add((position, move))
    return found


def same_position(rules: Rules, position: str) -> str:
    """The same text for a position and all its symmetric twins."""
    return min(image for image, _ in rules.seen(position))


def same_pair(rules: Rules, position: str, move: str) -> tuple[str, str]:
    return min((image, move_through(move, goes)) for image, goes in rules.seen(position))


def games_up_to_symmetry(rules: Rules) -> int:
    """The games that remain when symmetric moves of a position count as one."""
    known: dict[str, int] = {}

    def games(position: str) -> int:
        name = same_position(rules, position)
        if name not in known:
            distinct = {same_pair(rules, position, move) for move in rules.moves(position)}
            known[name] = sum(games(rules.play(*pair)) for pair in distinct) if distinct else 1
        return known[name]

    return games(rules.start)


def by_ply(positions: dict[str, int]) -> list[int]:
    count = Counter(positions.values())
    return [count[ply] for ply in range(max(count) + 1)]


@cache
def counts(rules: Rules) -> dict[str, Any]:
    """The content of a file of `tests/data/perft`, without the name of the game."""
    positions = reachable(rules)
    running = [position for position in positions if rules.moves(position)]
    ways, sequences, games = Counter({rules.start: 1}), list[int](), Counter[str]()
    while ways:  # by length
        longer = Counter[str]()
        for position, count in ways.items():
            games[rules.outcome(position) or "running"] += count
            for move in rules.moves(position):
                longer[rules.play(position, move)] += count
        ways = longer
        sequences.append(ways.total())
    classes = {same_position(rules, position): ply for position, ply in positions.items()}
    losing = losing_pairs(rules)
    first, second = rules.marks
    return {
        "positions": len(positions),
        "running": len(running),
        "positions_by_ply": by_ply(positions),
        "classes": len(classes),
        "running_classes": sum(bool(rules.moves(position)) for position in classes),
        "classes_by_ply": by_ply(classes),
        "pairs": len(pairs(rules)),
        "pair_classes": len({same_pair(rules, *pair) for pair in pairs(rules)}),
        "perft": sequences[:-1],
        "games": {"first_wins": games[first], "second_wins": games[second], "draws": games[DRAW]},
        "games_up_to_symmetry": games_up_to_symmetry(rules),
        "value": solve(rules)[rules.start],
        "losing_pairs": {
            "first": sum(read(position)[1] == first for position, _ in losing),
            "second": sum(read(position)[1] == second for position, _ in losing),
            "at_once": len(lost_at_once(rules)),
        },
    }
