"""Nim, a game with a complete mathematical theory: the safe combinations, by the rule and by search.

heaps   the number of stones in each heap, sorted
safe    whoever leaves this combination wins
"""

from functools import cache, reduce
from itertools import combinations_with_replacement
from operator import xor
from typing import Final

from engine.games.nim import NIM
from engine.solve import values
from engine.space import RUNNING
from engine.spaces import space_of
from learners.papers.report import UNPRINTED, Finding, FindingTable, Source, number
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "nim",
    "Nim, a game with a complete mathematical theory",
    "C. L. Bouton, Annals of Mathematics 3, 1901",
    "The numbers of stones, added in binary without carrying, tell who wins.",
    topic="nim, Bouton 1901",
)
HEAPS: Final = 3
LARGEST: Final = 15
WHOLE: Final = "7,7,7"

Heaps = tuple[int, ...]


@cache
def is_safe(heaps: Heaps, *, misere: bool = False) -> bool:
    """Return whether heaps are a safe combination, by search. With `misere`, whoever takes the last stone loses."""
    if not any(heaps):
        return not misere
    return not any(
        is_safe(tuple(sorted((*heaps[:place], left, *heaps[place + 1 :]))), misere=misere)
        for place, heap in enumerate(heaps)
        for left in range(heap)
    )


def by_rule(heaps: Heaps, *, misere: bool) -> bool:
    """Return whether heaps are a safe combination, by the rule of the paper."""
    even = reduce(xor, heaps) == 0
    return not even if misere and max(heaps) <= 1 else even


def combinations() -> FindingTable:
    every = list(combinations_with_replacement(range(LARGEST + 1), HEAPS))
    safe = [heaps for heaps in every if all(heaps) and is_safe(heaps)]
    wrong = [sum(is_safe(each, misere=last) != by_rule(each, misere=last) for each in every) for last in (False, True)]
    return FindingTable.of(
        "Safe combinations",
        f"three heaps of at most {LARGEST} stones, searched",
        Finding("safe combinations of three heaps", number("35", "list of safe combinations"), (len(safe),)),
        Finding("combinations", UNPRINTED, (len(every),)),
        Finding("of these, combinations where the rule is wrong", number("0", "theorem"), (wrong[0],)),
        Finding("the same where the last stone loses", number("0", "the modified game"), (wrong[1],)),
    )


def whole_games() -> FindingTable:
    findings = []
    for parameters, printed in ((WHOLE, "theorem"), (f"{WHOLE}+misere", "the modified game")):
        game, misere = NIM.parse(parameters), parameters != WHOLE
        space = space_of(game)
        running = (space.outcome == RUNNING).nonzero()[0].tolist()
        worth = values(space)
        wrong = 0
        for row in running:
            cells = game.board.cells(int(space.position[row]))
            columns = game.board.columns
            heaps = tuple(columns - cells[at : at + columns].count(None) for at in range(0, len(cells), columns))
            mover_wins = bool(worth[row] > 0) == bool(space.side[row] == 0)
            wrong += int(mover_wins == by_rule(heaps, misere=misere))
        label = f"{game.title}: positions where the rule is wrong"
        findings.append(Finding(label, number("0", printed), (wrong,)))
        findings.append(Finding(f"{game.title}: positions", UNPRINTED, (len(running),)))
    return FindingTable.of("Whole games", "every position of play, with its exact value", *findings)


def nim() -> Paper[FindingTable]:
    return paper_without_chance(SOURCE, {"safe combinations": combinations, "whole games": whole_games})
