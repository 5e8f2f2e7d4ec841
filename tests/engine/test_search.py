"""Minimax and alpha-beta: compared with textbook recursion over strings, the lecture, and their own steps."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from engine.analysis.lecture import EXAMPLES
from engine.game import BadText, Game, IllegalMove, MoveSequence, Position, Side
from engine.games import GAMES, parse_game
from engine.search import NODES_BETWEEN_STOP_CALLS, ORDERS, Search, can_search_to_end, parse_order, search
from engine.search_result import WON, Algorithm, SearchResult, Step, StepKind, plies_to_win
from engine.spaces import space_of
from engine.stop import Stopped
from tests.oracles.counting import walked
from tests.oracles.debrief import best, oracle_of
from tests.oracles.rules import RULES
from tests.oracles.search import ESTIMATES, UNLIMITED, WRITTEN_ESTIMATES, alphabeta, minimax
from tests.positions import running
from tests.random_games import random_match
from tests.sizes import QUICK_GAMES, quick_game, short_and_long

MINIMAX, ALPHABETA = Algorithm
TICTACTOE = GAMES[0]
every_algorithm = pytest.mark.parametrize("algorithm", Algorithm)


def sample(game: Game, count: int, seed: int = 1) -> list[int]:
    positions = running(game)
    return Random(seed).sample(positions, min(count, len(positions)))


def depths(game: Game, *wanted: int | None) -> list[int | None]:
    """Some depths that are possible in a game."""
    return [depth for depth in wanted if depth is None or depth <= game.longest]


def meaning(score: float, depth: int | None) -> tuple[float, float | None]:
    """The value and the plies to the win that a score of the textbook stands for."""
    value = score if depth is not None else (score > 0) - (score < 0)
    return value, None if abs(score) < WON else WON + (depth or UNLIMITED) - abs(score)


def late(game: Game, count: int) -> list[int]:
    """Positions near enough to the end for naive recursion."""
    space = space_of(game)
    after = space.ply[-1] // 4
    return [position for position in sample(game, 3 * count) if space.ply[space.row(position)] > after][:count]


@pytest.mark.parametrize("game", [parse_game(name) for name in WRITTEN_ESTIMATES], ids=lambda game: game.name)
def test_the_heuristic_agrees_with_the_oracle(game: Game):
    estimate = game.heuristic.estimate
    assert [estimate(position) for position in running(game)] == [
        ESTIMATES[game.name](game.to_text(position)) for position in running(game)
    ]


@quick_game
def test_values_and_counts_agree_with_the_textbook(game: Game):
    rules, estimate = RULES[game.name], ESTIMATES[game.name]
    cases = [(position, depth) for depth in depths(game, 1, 2, 3, 4) for position in sample(game, 12, depth)]
    cases += [(position, depth) for depth in depths(game, None, 7) for position in late(game, 25)]
    for position, depth in cases:
        for naive, algorithm in ((minimax, MINIMAX), (alphabeta, ALPHABETA)):
            seen = Counter[str]()
            score = naive(rules, estimate, game.to_text(position), depth or UNLIMITED, seen)
            found = search(game, position, algorithm=algorithm, depth=depth)
            assert (found.value, found.plies) == meaning(score, depth)
            assert (found.nodes, found.leaves, found.cutoffs, found.skipped) == (
                seen["nodes"], seen["leaves"], seen["cutoffs"], seen["skipped"],
            )  # fmt: skip


@short_and_long("some", 80, 1_000)
@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("depth", [2, 3, 6, None])
def test_alphabeta_agrees_with_minimax(game: Game, depth: int | None, some: int):
    if depth and depth > game.longest:
        return
    whole, pruned = (Search(game, algorithm, depth) for algorithm in Algorithm)
    for position in sample(game, some, depth or 1):
        one, two = whole.result(position), pruned.result(position)
        assert one.value == two.value
        assert two.nodes <= one.nodes
        assert two.leaves <= one.leaves
        assert (two.nodes == one.nodes) == (two.skipped == 0)
        assert (one.plies, one.line[0]) == (two.plies, two.line[0])
        by_move = {rated.move: rated.value for rated in one.moves}
        worse = 1 if game.side(position) is Side.FIRST else -1
        for rated in two.moves:
            assert worse * rated.value >= worse * by_move[rated.move]
            assert not rated.exact or rated.value == by_move[rated.move]
        assert set(two.best) <= set(one.best)
        assert two.best


@every_algorithm
def test_every_move_makes_all_root_values_exact(algorithm: Algorithm):
    for game in QUICK_GAMES:
        for depth in (None, 3):
            looking = Search(game, algorithm, depth, every_move=True)
            plain = Search(game, MINIMAX, depth)
            for position in sample(game, 20):
                found = looking.result(position)
                assert all(rated.exact for rated in found.moves)
                assert [rated.value for rated in found.moves] == [rated.value for rated in plain.result(position).moves]
                assert found.best == plain.result(position).best


@quick_game
@every_algorithm
def test_searches_to_the_end_find_the_soonest_win_and_the_latest_loss(game: Game, algorithm: Algorithm):
    looking, oracle = Search(game, algorithm, every_move=True), oracle_of(game.name)
    for position in running(game)[::5]:
        found, foreseen = looking.result(position), oracle.foreseen(game.to_text(position))
        worth, plies, _ = foreseen[best(foreseen)[0]]
        assert [game.move_name(move) for move in found.best] == best(foreseen)
        assert found.value == (worth if game.side(position) is Side.FIRST else -worth)
        assert found.plies == (plies if worth else None)
        assert found.plies in (None, len(found.line))


def test_a_position_that_play_cannot_reach_can_be_searched():
    position = TICTACTOE.pack(0b001_000_001, 0b010_001_010, Side.FIRST)
    found = search(TICTACTOE, position, algorithm=ALPHABETA)
    assert len(found.moves) == 4
    score = minimax(RULES["tictactoe"], ESTIMATES["tictactoe"], TICTACTOE.to_text(position), UNLIMITED, Counter())
    assert (found.value, found.plies) == meaning(score, None)


@pytest.mark.parametrize("name", ["hexapawn:5,4", "nim:9,9,9,9,9,9", "nim:9,9,9,9,9,9+misere", "notakto:3"])
def test_late_positions_of_a_large_game_are_searched_to_the_end(name: str):
    game = parse_game(name)

    def after(position: int) -> list[int]:
        return [] if game.outcome(position) is not None else [reached for _, reached, _ in game.successors(position)]

    @cache
    def winner(position: int) -> Side | None:
        ended, side = game.outcome(position), game.side(position)
        return ended.winner if ended is not None else max(map(winner, after(position)), key=lambda won: won is side)

    assert not can_search_to_end(game, game.start)
    late = [here for here in random_match(game, Random(4)).positions[:-1] if can_search_to_end(game, here)][-4:]
    assert len(late) == 4
    for position in late:
        assert len(walked(position, after)) == game.most_left(position)
        assert search(game, position, algorithm=ALPHABETA).value == (1, -1)[winner(position)]


def test_orders():
    def searched(order) -> str:
        found = search(TICTACTOE, TICTACTOE.start, algorithm=MINIMAX, depth=1, order=order)
        return " ".join(TICTACTOE.move_name(rated.move) for rated in found.moves)

    assert searched("ascending") == "a3 b3 c3 a2 b2 c2 a1 b1 c1"
    assert searched("descending") == "c1 b1 a1 c2 b2 a2 c3 b3 a3"
    assert searched("centre") == "b2 a3 c3 a1 c1 b3 a2 c2 b1"
    assert searched((8, 3)) == "c1 a2 a3 b3 c3 b2 c2 a1 b1"
    assert parse_order("centre", TICTACTOE, TICTACTOE.start) == "centre"
    assert parse_order("c1, a2 c1", TICTACTOE, TICTACTOE.start) == (8, 3)
    with pytest.raises(BadText, match=r"'sideways' is not a move .* or an order: ascending, descending, centre"):
        parse_order("sideways", TICTACTOE, TICTACTOE.start)
    with pytest.raises(IllegalMove, match="a3 cannot be played"):
        parse_order("a3", TICTACTOE, TICTACTOE.from_text("X../.../... O"))


@pytest.mark.parametrize("depth", [0, -1, 10, 99])
def test_an_impossible_depth_is_refused(depth: int):
    with pytest.raises(BadText, match=f"depth {depth} is not from 1 to 9"):
        search(TICTACTOE, TICTACTOE.start, algorithm=MINIMAX, depth=depth)


@every_algorithm
def test_a_finished_game_is_refused_at_once(algorithm: Algorithm):
    over = TICTACTOE.from_text("XXX/OO./... O")
    with pytest.raises(BadText, match=r"the game is over in XXX/OO\./\.\.\. O"):
        search(TICTACTOE, over, algorithm=algorithm)
    with pytest.raises(BadText, match="the game is over"):
        Search(TICTACTOE, algorithm).steps(over)


@every_algorithm
def test_a_stopped_search_can_be_repeated(algorithm: Algorithm):
    looking, asked = Search(TICTACTOE, algorithm), []
    with pytest.raises(Stopped):
        looking.result(TICTACTOE.start, lambda: len(asked) == 3 or asked.append(True))
    assert looking.result(TICTACTOE.start) == search(TICTACTOE, TICTACTOE.start, algorithm=algorithm)


@every_algorithm
def test_clearing_the_tables_changes_no_result(algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch):
    game = parse_game("connectfour")
    result_before = Search(game, algorithm, 5).result(game.start)
    monkeypatch.setattr("engine.search.NODES_BETWEEN_STOP_CALLS", 3)
    assert Search(game, algorithm, 5, table_limit=20).result(game.start) == result_before


def test_a_search_asks_often_whether_to_stop():
    game, asked = parse_game("connectfour"), []
    found = search(game, game.start, algorithm=ALPHABETA, depth=6, stop=lambda: asked.append(True))
    assert len(asked) > (found.nodes - found.leaves) / NODES_BETWEEN_STOP_CALLS / 4


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
