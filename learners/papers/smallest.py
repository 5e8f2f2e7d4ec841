"""The smallest machines: Lomont's counts of tic-tac-toe trees, and the fewest answers of the other games."""

from typing import Final

import numpy as np

from engine.evaluate import best_response, uniform_policy
from engine.game import Game, Side
from engine.games import parse_game
from engine.games.tictactoe import TICTACTOE
from engine.smallest.answers import Counting, FewestAnswers
from engine.smallest.shipped import Case, cases, shipped
from engine.spaces import space_of
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, Source, number
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "smallest",
    "Minimal size tic tac toe trees",
    "C. Lomont, 2024",
    "How many boards a player must know by heart never to lose, as either side.",
    topic="smallest trees, Lomont 2024",
)
PRINTED: Final = {"first": "22", "second": "74", "both": "96"}
COUNTED: Final = {
    Counting.PUBLISHED: "boards met with the move, finished ones included",
    Counting.BOARDS: "the same without finished boards",
    Counting.DECISIONS: "answers, with any legal move elsewhere",
}
GAMES: Final = ("misere", "notakto", "nim:3,4,5", "wild", "hexapawn", "mnk:4,3,3", "morris", "hexapawn:4,4")


def never_loses(game: Game, side: Side, found: FewestAnswers) -> bool:
    """Return whether a player that gives these answers and their images, and else plays at random, never loses."""
    space = space_of(game)
    allowed = np.ones(len(space.move), np.bool_)
    for position, move in found.moves.items():
        same = space.position_class == space.position_class[space.row(position)]
        allowed[same[space.source]] = False
        allowed[space.edge_class == space.edge_class[space.edge(position, move)]] = True
    return best_response(space, side, uniform_policy(space, allowed)).loss == 0


def _finding(what: str, figure: Figure, cases: list[Case]) -> Finding:
    """Return the finding for several cases taken together, once their machines have been played out."""
    entries = bound = 0
    for case in cases:
        found = shipped(case)
        if not never_loses(case.game, case.side, found):
            raise ValueError(f"the smallest machine of {case} can lose")
        entries, bound = entries + found.entries, bound + found.bound
    if entries == bound:
        return Finding(what, figure, (entries,))
    return Finding(what, figure, f"at most {entries}, at least {bound}")


def tictactoe() -> FindingTable:
    findings = []
    for counting, counted in COUNTED.items():
        for side, printed in PRINTED.items():
            sides = tuple(Side) if side == "both" else (Side[side.upper()],)
            figure = number(printed, "abstract") if counting is Counting.PUBLISHED else UNPRINTED
            who = {"first": "X", "second": "O", "both": "both"}[side]
            cases = [Case(TICTACTOE, each, counting) for each in sides]
            findings.append(_finding(f"{who}: {counted}", figure, cases))
    return FindingTable.of("Tic-tac-toe", "proved minima; symmetric boards count as one", *findings)


def other_games() -> FindingTable:
    findings = [
        _finding(f"{game.title}, {game.mark(case.side)}", UNPRINTED, [case])
        for game in map(parse_game, GAMES)
        for case in cases()
        if case == Case(game, case.side)
    ]
    return FindingTable.of("Other games", "the fewest answers, with any legal move elsewhere", *findings)


def smallest() -> Paper[FindingTable]:
    return paper_without_chance(SOURCE, {"tic-tac-toe": tictactoe, "other games": other_games})
