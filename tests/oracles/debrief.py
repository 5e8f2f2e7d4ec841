"""What is true about a move, computed from the definitions: slow, naive, and independent of the engine.

A position is a value of the rules of an oracle; moves are names, sides are marks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from tests.oracles.counting import ends
from tests.oracles.rules import RULES, Rules, read

Here = Any
"""A position of some oracle."""


class Foreseen(NamedTuple):
    """The result of a move, for the side that makes it."""

    worth: int | None
    """1, 0, −1, or unknown."""
    plies: int
    """The number of plies until the game is over, if a side wins."""
    estimate: int
    """The heuristic estimate, if the value is unknown."""


@dataclass(frozen=True)
class Oracle:
    start: Here
    text: Callable[[Here], str]
    outcome: Callable[[Here], str | None]
    moves: Callable[[Here], Sequence[str]]
    play: Callable[[Here, str], Here]
    mover: Callable[[Here], str]
    passed: Callable[[Here], Here]
    """The position with the other side to move, or `None`."""
    goal: Callable[[Here, str], object]
    """The square where a move ends. Threats with the same goal are the same threat."""
    foreseen: Callable[[Here], dict[str, Foreseen]]
    """The result of every move of a position."""


def wins(oracle: Oracle, here: Here) -> list[str]:
    return [move for move in oracle.moves(here) if oracle.outcome(oracle.play(here, move)) == oracle.mover(here)]


def threats(oracle: Oracle, here: Here) -> list[str]:
    passed = oracle.passed(here)
    return [] if passed is None or oracle.outcome(here) or oracle.outcome(passed) else wins(oracle, passed)


def answers(oracle: Oracle, here: Here) -> list[Here]:
    return [oracle.play(here, move) for move in oracle.moves(here)]


def winning_forks(oracle: Oracle, here: Here) -> list[str]:
    """The moves that make two threats or more, one of which can be carried out after any answer."""
    won = wins(oracle, here)
    after = {move: oracle.play(here, move) for move in oracle.moves(here) if move not in won}
    return [
        move
        for move, there in after.items()
        if len(threats(oracle, there)) >= 2 and all(wins(oracle, answer) for answer in answers(oracle, there))
    ]


def best(foreseen: dict[str, Foreseen]) -> list[str]:
    """The quickest wins; without a win, the moves with the best estimate that are not lost; else the slowest losses."""
    won = {move: each.plies for move, each in foreseen.items() if each.worth == 1}
    held = {move: each.estimate for move, each in foreseen.items() if each.worth in (0, None)}
    lost = {move: each.plies for move, each in foreseen.items() if each.worth == -1}
    if won:
        return [move for move, plies in won.items() if plies == min(won.values())]
    if held:
        return [move for move, estimate in held.items() if estimate == max(held.values())]
    return [move for move, plies in lost.items() if plies == max(lost.values())]


def claims(oracle: Oracle, here: Here, move: str) -> dict[str, object]:
    """The claims of a debrief about a move, by the names of the fields of `Turn`."""
    foreseen = oracle.foreseen(here)
    after = oracle.play(here, move)
    over = oracle.outcome(after) is not None
    known = [each.worth or 0 for each in foreseen.values()]
    worth, kept = max(known), foreseen[move].worth or 0
    at_once, by_fork = wins(oracle, here), winning_forks(oracle, here)
    allowed = [] if over else wins(oracle, after)
    return {
        "position": oracle.text(here),
        "side": oracle.mover(here),
        "played": (move, *foreseen[move]),
        "best": [(each, *foreseen[each]) for each in best(foreseen)],
        "moves": len(oracle.moves(here)),
        "as_good": known.count(worth),
        "wins": at_once,
        "forks": by_fork,
        "unmet_threats": [
            each
            for each in threats(oracle, here)
            if each in allowed and oracle.goal(here, each) == oracle.goal(after, each)
        ],
        "allowed_wins": allowed,
        "allowed_forks": [] if over or allowed else winning_forks(oracle, after),
        "value": worth,
        "cost": worth - kept,
        "is_only_move": kept == worth and known.count(worth) == 1 and len(known) > 1,
        "wins_late": foreseen[move].worth == 1 and move not in best(foreseen),
        "has_missed_win": bool(at_once) and move not in at_once,
        "has_missed_fork": bool(by_fork) and kept != 1,
    }


def solved(rules: Rules) -> Callable[[str], dict[str, Foreseen]]:
    """The result of each move if the winner is as quick and the loser as slow as possible."""

    @cache
    def foreseen(here: str) -> dict[str, Foreseen]:
        after = {move: ends(rules)(rules.play(here, move)) for move in rules.moves(here)}
        return {move: Foreseen(-worth, plies + 1 if worth else 0, 0) for move, (worth, plies) in after.items()}

    return foreseen


def of_strings(rules: Rules) -> Oracle:
    return Oracle(
        start=rules.start,
        text=lambda here: here,
        outcome=rules.outcome,
        moves=rules.moves,
        play=rules.play,
        mover=lambda here: read(here)[1],
        passed=rules.passed,
        goal=lambda _, move: move,
        foreseen=solved(rules),
    )


@cache
def oracle_of(name: str) -> Oracle:
    """The oracle of a game that is small enough for plain recursion."""
    return of_strings(RULES[name])
