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
from learners.papers.report import UNPRINTED, Finding, FindingTable, Source, number_figure
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "nim",
    "Nim, a game with a complete mathematical theory",
    "C. L. Bouton, Annals of Mathematics 3, 1901",
    "The numbers of stones, added in binary without carrying, tell who wins.",
    topic="nim, Bouton 1901",
)
HEAPS: Final = 3
MAX_STONES_SEARCHED: Final = 15
FULL_HEAPS: Final = "7,7,7"

Heaps = tuple[int, ...]


@cache
def is_safe(heaps: Heaps, *, misere: bool = False) -> bool:
    """Return whether heaps are a safe combination, by search. With `misere`, whoever takes the last stone loses."""
    if not any(heaps):
        return not misere
    for index, stones in enumerate(heaps):
        for stones_left in range(stones):
            after = sorted((*heaps[:index], stones_left, *heaps[index + 1 :]))
            if is_safe(tuple(after), misere=misere):
                return False
    return True


def is_safe_by_rule(heaps: Heaps, *, misere: bool) -> bool:
    """Return whether heaps are a safe combination, by the rule of the paper."""
    is_even = reduce(xor, heaps) == 0
    if misere and max(heaps) <= 1:
        return not is_even
    return is_even


def combinations_table() -> FindingTable:
    combinations = list(combinations_with_replacement(range(MAX_STONES_SEARCHED + 1), HEAPS))
    safe = [heaps for heaps in combinations if all(heaps) and is_safe(heaps)]

    def count_wrong(*, misere: bool) -> int:
        return sum(is_safe(each, misere=misere) != is_safe_by_rule(each, misere=misere) for each in combinations)

    return FindingTable.of(
        "Safe combinations",
        f"three heaps of at most {MAX_STONES_SEARCHED} stones, searched",
        Finding("safe combinations of three heaps", number_figure("35", "list of safe combinations"), (len(safe),)),
        Finding("combinations", UNPRINTED, (len(combinations),)),
        Finding(
            "of these, combinations where the rule is wrong",
            number_figure("0", "theorem"),
            (count_wrong(misere=False),),
        ),
        Finding(
            "the same where the last stone loses", number_figure("0", "the modified game"), (count_wrong(misere=True),)
        ),
    )


def games_table() -> FindingTable:
    findings = []
    for parameters, printed in ((FULL_HEAPS, "theorem"), (f"{FULL_HEAPS}+misere", "the modified game")):
        game, misere = NIM.parse(parameters), parameters != FULL_HEAPS
        space = space_of(game)
        running = (space.outcome == RUNNING).nonzero()[0].tolist()
        worth = values(space)
        wrong = 0
        for row in running:
            cells = game.board.cells(int(space.position[row]))
            columns = game.board.columns
            heaps = tuple(
                columns - cells[first : first + columns].count(None) for first in range(0, len(cells), columns)
            )
            mover_wins = bool(worth[row] > 0) == bool(space.side[row] == 0)
            wrong += int(mover_wins == is_safe_by_rule(heaps, misere=misere))
        label = f"{game.title}: positions where the rule is wrong"
        findings.append(Finding(label, number_figure("0", printed), (wrong,)))
        findings.append(Finding(f"{game.title}: positions", UNPRINTED, (len(running),)))
    return FindingTable.of("Whole games", "every position of play, with its exact value", *findings)


def nim() -> Paper[FindingTable]:
    return paper_without_chance(SOURCE, {"safe combinations": combinations_table, "whole games": games_table})
