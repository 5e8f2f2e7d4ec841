"""The smallest machines: Lomont's counts of tic-tac-toe trees, and the fewest answers of the other games."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from engine.evaluate import best_response, uniform_policy
from engine.game import Game, Side
from engine.games import parse_game
from engine.games.tictactoe import TICTACTOE
from engine.smallest.answers import Counting, FewestAnswers
from engine.smallest.shipped import Case, cases, read_answers
from engine.spaces import space_of
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, Source, number_figure
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "smallest",
    "Minimal size tic tac toe trees",
    "C. Lomont, 2024",
    "How many boards a player must know by heart never to lose, as either side.",
    topic="smallest trees, Lomont 2024",
)
PRINTED: Final[Mapping[str, tuple[tuple[Side, ...], str]]] = {
    "X": ((Side.FIRST,), "22"),
    "O": ((Side.SECOND,), "74"),
    "both": (tuple(Side), "96"),
}
"""The sides, and the number that the paper prints for them."""
ENTRY_WORDS: Final = {
    Counting.PUBLISHED: "boards met with the move, finished ones included",
    Counting.BOARDS: "the same without finished boards",
    Counting.DECISIONS: "answers, with any legal move elsewhere",
}
GAMES: Final = ("misere", "notakto", "nim:3,4,5", "wild", "hexapawn", "mnk:4,3,3", "morris", "hexapawn:4,4")


def never_loses(game: Game, side: Side, answers: FewestAnswers) -> bool:
    """Return whether a player that gives these answers and their images, and else plays at random, never loses."""
    space = space_of(game)
    allowed = np.ones(len(space.move), np.bool_)
    for position, move in answers.moves.items():
        same = space.position_class == space.position_class[space.row(position)]
        allowed[same[space.source]] = False
        allowed[space.edge_class == space.edge_class[space.edge(position, move)]] = True
    return best_response(space, side, uniform_policy(space, allowed)).loss == 0


def _finding(what: str, figure: Figure, cases: list[Case]) -> Finding:
    """Return the finding for several cases taken together, once their machines have been played out."""
    entries = bound = 0
    for case in cases:
        answers = read_answers(case)
        if not never_loses(case.game, case.side, answers):
            raise ValueError(f"the smallest machine of {case} can lose")
        entries += answers.entries
        bound += answers.bound
    if entries == bound:
        return Finding(what, figure, (entries,))
    return Finding(what, figure, f"at most {entries}, at least {bound}")


def tictactoe() -> FindingTable:
    findings = []
    for counting, description in ENTRY_WORDS.items():
        for name, (sides, printed) in PRINTED.items():
            figure = number_figure(printed, "abstract") if counting is Counting.PUBLISHED else UNPRINTED
            cases = [Case(TICTACTOE, side, counting) for side in sides]
            findings.append(_finding(f"{name}: {description}", figure, cases))
    return FindingTable.of("Tic-tac-toe", "proved minima; symmetric boards count as one", *findings)


def other_games() -> FindingTable:
    wanted = [Case(game, side) for game in map(parse_game, GAMES) for side in Side]
    proved = set(cases())
    findings = [
        _finding(f"{case.game.title}, {case.game.mark(case.side)}", UNPRINTED, [case])
        for case in wanted
        if case in proved
    ]
    return FindingTable.of("Other games", "the fewest answers, with any legal move elsewhere", *findings)


def smallest() -> Paper[FindingTable]:
    return paper_without_chance(SOURCE, {"tic-tac-toe": tictactoe, "other games": other_games})
