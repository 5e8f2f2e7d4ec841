"""The lecture on minimax and alpha-beta: its two trees and its bound."""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Final

from engine.analysis.lecture import EXAMPLES
from engine.game import Position
from engine.games.tictactoe import TICTACTOE
from engine.grid import EMPTY
from engine.search import Search
from engine.search_result import Algorithm, StepKind
from engine.trees.tree import Reduction, Tree, tree_of
from learners.genetic.genome import BOARDS
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, Source, number_figure
from learners.papers.running import Paper, paper_without_chance

SOURCE: Final = Source(
    "lecture",
    "Reading: Chapter 11",
    "a lecture on minimax and alpha-beta, undated",
    "Two small trees, one searched to its ends and one two plies deep, and a bound on the size of the whole tree.",
    topic="minimax, alpha-beta, a lecture",
)
TO_THE_ENDS, TWO_DEEP = EXAMPLES
FIRST_TREE: Final = "first tree"
SECOND_TREE: Final = "second tree"


def board_text(position: Position) -> str:
    return TICTACTOE.to_text(position).partition(" ")[0].replace(EMPTY, "-")


def values_text(values: Sequence[int]) -> str:
    return ", ".join(map(str, values)).replace("-", "−")


def first_tree_table() -> FindingTable:
    position = TICTACTOE.from_text(TO_THE_ENDS.position)
    result = Search(TICTACTOE, Algorithm.MINIMAX).result(position)
    return FindingTable.of(
        "The first tree",
        "searched to its ends by minimax",
        Finding(
            "the board at the root",
            Figure("XOO/O--/OX-", FIRST_TREE),
            board_text(position),
            known="as drawn, O would have made four moves and X two; the boards drawn below it have an X there",
        ),
        Finding("value of the root", number_figure("1", FIRST_TREE), (result.value,)),
        Finding(
            "values of the moves, as drawn",
            Figure("1, −1, −1", FIRST_TREE),
            values_text([each.value for each in result.moves]),
        ),
        Finding("boards in the tree", Figure("14 drawn", FIRST_TREE, 14, 14), (result.nodes,)),
    )


def second_tree_table() -> FindingTable:
    position, depth = TICTACTOE.from_text(TWO_DEEP.position), TWO_DEEP.depth
    whole = list(Search(TICTACTOE, Algorithm.MINIMAX, depth).steps(position))
    result = Search(TICTACTOE, Algorithm.MINIMAX, depth).result(position)
    cut = list(Search(TICTACTOE, TWO_DEEP.algorithm, depth, order=TWO_DEEP.order).steps(position))
    leaves = [step for step in whole if step.kind is StepKind.LEAF]
    values = [step.value or 0 for step in leaves]
    looked_at = {step.path for step in cut if step.kind is StepKind.LEAF}
    left_out = [board_text(leaf.position) for leaf in leaves if leaf.path not in looked_at]
    return FindingTable.of(
        "The second tree",
        "two plies deep; minimax, and alpha-beta in the order drawn",
        Finding("value of the root", number_figure("0", SECOND_TREE), (result.value,)),
        Finding(
            "values of the moves, as drawn",
            Figure("−1, 0, 0", SECOND_TREE),
            values_text([each.value for each in result.moves]),
        ),
        Finding("values of the leaves", Figure("0, −1, 0, 0, 0, 1", SECOND_TREE), values_text(values)),
        Finding(
            "the leaves below the second move",
            Figure("OX-/XOO/XOX twice", SECOND_TREE),
            " and ".join(board_text(leaf.position) for leaf in leaves[2:4]),
            known="the lecture draws one leaf twice; both are worth 0",
        ),
        Finding("the leaf that alpha-beta never looks at", Figure("OX-/OOX/XOX", "leaf C"), " and ".join(left_out)),
    )


def size_table() -> FindingTable:
    falling = [1, *accumulate(range(9, 0, -1), mul)]
    boards, played = Tree(BOARDS[TICTACTOE.name]), tree_of(TICTACTOE, reduction=Reduction.NONE)
    return FindingTable.of(
        "The size of the whole tree",
        "counted, not sampled",
        Finding(
            "boards, filled whoever has won",
            Figure("9! + 9! + 9!/2! + … + 9!/9!", "bound", sum(falling), sum(falling)),
            (boards.root.nodes,),
        ),
        Finding("boards, ended when somebody has won", UNPRINTED, (played.root.nodes,)),
        Finding(
            "games, filled whoever has won", Figure("9!", "bound", falling[-1], falling[-1]), (boards.root.games.total,)
        ),
        Finding("games, ended when somebody has won", UNPRINTED, (played.root.games.total,)),
    )


def lecture() -> Paper[FindingTable]:
    return paper_without_chance(
        SOURCE, {"the first tree": first_tree_table, "the second tree": second_tree_table, "the whole tree": size_table}
    )
