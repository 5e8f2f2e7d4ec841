"""The data.tree post: its figures by its own rules, and by the correct ones."""

from functools import partial
from time import perf_counter
from typing import Final

from engine.game import Outcome
from engine.games.tictactoe import TICTACTOE
from engine.trees.tree import PUBLISHED_MISTAKE, Node, Reduction, Tree, TreeRules
from learners.papers.report import Figure, Finding, FindingTable, Source, number_figure
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "data-tree",
    "Solving Tic-Tac-Toe with R data.tree",
    "ipub, 2015",
    "Every game is played by brute force, first moves that mirror each other once, and the tree is counted.",
    topic="the game tree in R, ipub 2015",
)
ANALYSIS: Final = "Analysis"
FIRST_TIE: Final = "O2 X3 O4 / X5 O6 X7 / X1 O8 X9"
"""The board that the post prints last: on each square the piece, and the number of its move."""
TITLES: Final = {TreeRules.PUBLISHED: "As published", TreeRules.CORRECT: "Corrected"}


def first_tie(tree: Tree) -> Node:
    """Return the first tie of the tree as the post visits it: after the first move, the squares a1, b1, c1, a2 … c3."""
    stack = list(tree.root.children)[::-1]
    while True:
        node = stack.pop()
        if node.outcome is Outcome.DRAW:
            return node
        stack += sorted(node.children, key=lambda child: _post_order(child.path[-1]), reverse=True)


def _post_order(square: int) -> tuple[int, int]:
    row, column = divmod(square, TICTACTOE.board.columns)
    return -row, column


def printed_board(node: Node) -> str:
    """Return a board as `PrintBoard` prints it, the row of a1 first."""
    columns = TICTACTOE.board.columns
    rows = [node.board[first : first + columns] for first in range(0, len(node.board), columns)]
    return " / ".join(" ".join(row) for row in reversed(rows))


def table(rules: TreeRules) -> FindingTable:
    start = perf_counter()
    tree = Tree(TICTACTOE, rules, Reduction.FIRST_MOVE)
    statistics = tree.statistics()
    seconds = perf_counter() - start
    games = statistics.games
    figures = (
        ("games (leaves)", "89,796", statistics.leaves, 0),
        ("nodes", "203,716", statistics.nodes, 0),
        ("games that X wins", "39,588", games.first_wins, 0),
        ("games that O wins", "21,408", games.second_wins, 0),
        ("ties", "28,800", games.draws, 0),
        ("mean length of a game", "8.400775", statistics.mean_length, 6),
        ("mean branching", "1.788229", statistics.mean_branching, 6),
    )
    findings = [
        Finding(what, number_figure(printed, ANALYSIS), (measured,), decimals, known=PUBLISHED_MISTAKE)
        for what, printed, measured, decimals in figures
    ]
    return FindingTable.of(
        TITLES[rules],
        "by the rules of the post" if rules is TreeRules.PUBLISHED else "by the right rules",
        *findings,
        Finding("first tie", Figure(FIRST_TIE, ANALYSIS), printed_board(first_tie(tree)), known=PUBLISHED_MISTAKE),
        Finding("seconds", Figure("346.445", "Tree creation"), (seconds,), 3),
        correction=rules is TreeRules.CORRECT,
    )


def data_tree() -> Paper[FindingTable]:
    return paper_without_chance(SOURCE, {title: partial(table, rules) for rules, title in TITLES.items()})
