"""The steps of a search: compared with its result."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from engine.analysis.lecture import EXAMPLES
from engine.game import Game, MoveSequence, Position, Side
from engine.move_order import ORDERS
from engine.search import Search, search
from engine.search_result import Algorithm, SearchResult, Step, StepKind, plies_to_win
from engine.space import RUNNING
from engine.spaces import space_of
from tests.sizes import QUICK_GAMES

TICTACTOE = QUICK_GAMES[0]


def late(game: Game, count: int) -> list[Position]:
    """Positions near enough to the end for a whole walk."""
    space = space_of(game)
    after = space.ply[-1] // 4
    rows = [row for row, ply in enumerate(space.ply) if ply > after and space.outcome[row] == RUNNING]
    return [int(space.position[row]) for row in Random(1).sample(rows, min(count, len(rows)))]


def position_at(found: SearchResult, path: MoveSequence) -> Position:
    position = found.position
    for move in path:
        position = found.game.play(position, move)
    return position


@pytest.mark.sample(4)
@pytest.mark.parametrize("algorithm", Algorithm)
@pytest.mark.parametrize("order", [*ORDERS, (4, 8, 0)], ids=str)
@pytest.mark.parametrize("depth", [2, None])
def test_the_steps_agree_with_the_result(algorithm: Algorithm, order, depth):
    for game in QUICK_GAMES:
        if depth is not None and depth > game.longest:
            continue
        for position in late(game, 8):
            found = search(game, position, algorithm=algorithm, depth=depth, order=order)
            assert_steps_describe(
                found, list(Search(game, algorithm, depth, order=order, root=position).steps(position))
            )


def assert_steps_describe(found: SearchResult, reported: Sequence[Step]) -> None:
    """The steps describe a complete tree: each node is entered or skipped once, with the value of its children."""
    game, kinds = found.game, Counter(step.kind for step in reported)
    assert kinds[StepKind.ENTER] == found.nodes
    assert kinds[StepKind.LEAF] == found.leaves
    assert kinds[StepKind.SKIP] == found.skipped
    assert kinds[StepKind.BACK] == found.nodes - 1
    value: dict[tuple[int, ...], int] = {}
    fate: dict[tuple[int, ...], StepKind] = {}
    for step in reported:
        position = position_at(found, step.path)
        assert step.position == position
        if step.kind in (StepKind.ENTER, StepKind.SKIP):
            assert step.path not in fate
            assert not step.path or fate[step.path[:-1]] is StepKind.ENTER
            fate[step.path] = step.kind
        elif step.kind is StepKind.LEAF:
            value[step.path] = step.value
        else:
            child = value[(*step.path, step.move)]
            pick = max if game.side(position) is Side.FIRST else min
            value[step.path] = pick(value.get(step.path, child), child)
            assert step.value == value[step.path]
        if step.kind is StepKind.SKIP:
            assert_cut(game, found, step, value)
    children = Counter(path[:-1] for path in fate if path)
    inner = {step.path: step.position for step in reported if step.kind is StepKind.BACK}
    assert children == {path: len(game.moves(position)) for path, position in inner.items()}
    score = value[()]
    assert found.plies == plies_to_win(score, found.depth)
    assert found.value == (score if found.depth is not None else (score > 0) - (score < 0))
    assert len({step.path[:-1] for step in reported if step.kind is StepKind.SKIP}) == found.cutoffs
    position = found.position
    for ply, move in enumerate(found.line, 1):
        position = game.play(position, move)
        assert value[found.line[:ply]] == score
    assert game.outcome(position) is not None or len(found.line) == found.depth


def assert_cut(game: Game, found: SearchResult, step, value) -> None:
    """The parent of a skipped node cannot improve on the bound that was set at the owner."""
    assert step.value == value[step.path[:-1]]
    assert step.low >= step.high
    assert step.owner is not None
    assert step.path[: len(step.owner)] == step.owner
    assert len(step.owner) < len(step.path) - 1
    if game.side(position_at(found, step.owner)) is Side.FIRST:
        assert step.value <= step.low == value[step.owner]
    else:
        assert step.value >= step.high == value[step.owner]


def test_the_lecture_skips_the_sixth_leaf():
    example = EXAMPLES[1]
    position = TICTACTOE.from_text(example.position)
    whole, pruned = (search(TICTACTOE, position, algorithm=algorithm, depth=2) for algorithm in Algorithm)
    assert (whole.leaves, whole.nodes, pruned.leaves, pruned.nodes) == (6, 10, 5, 9)
    reported = list(Search(TICTACTOE, Algorithm.ALPHABETA, 2).steps(position))
    leaves = [(TICTACTOE.to_text(step.position)[:-2], step.value) for step in reported if step.kind is StepKind.LEAF]
    assert leaves == [
        ("OXX/OO./XOX", 0), ("OXX/.OO/XOX", -1), ("OXO/XO./XOX", 0), ("OX./XOO/XOX", 0), ("OXO/.OX/XOX", 0),
    ]  # fmt: skip
    (skipped,) = [step for step in reported if step.kind is StepKind.SKIP]
    assert TICTACTOE.to_text(skipped.position) == "OX./OOX/XOX X"
    assert (skipped.value, skipped.low, skipped.owner) == (0, 0, ())
