"""Game trees: statistics compared with the sources and naive recursion, nodes compared with the rules."""

from collections import Counter
from itertools import product
from math import isclose
from random import Random

import pytest

import engine.trees.tree
from engine.game import BadText, Game, IllegalMove, Outcome
from engine.games import GAMES, parse_game
from engine.solve import values
from engine.spaces import space_of
from engine.trees.plies import Plies
from engine.trees.tree import Reduction, Tree, TreeRules
from tests.engine.test_space import perft
from tests.oracles import tree as oracle
from tests.oracles.counting import solve
from tests.oracles.rules import RULES
from tests.sizes import QUICK_GAMES

TICTACTOE = GAMES[0]
CASES = [*product(QUICK_GAMES, [TreeRules.CORRECT], Reduction), *product([TICTACTOE], [TreeRules.PUBLISHED], Reduction)]
every_tree = pytest.mark.parametrize(
    ("game", "rules", "reduction"), CASES, ids=[f"{game.name}-{rules}-{reduction}" for game, rules, reduction in CASES]
)


def naive(game: Game, rules: TreeRules):
    return RULES[game.name] if rules is TreeRules.CORRECT else oracle.PUBLISHED


@pytest.mark.sample(4)
@every_tree
def test_statistics_agree_with_the_oracle(game: Game, rules: TreeRules, reduction: Reduction):
    counted, plain = Tree(game, rules, reduction).statistics(), naive(game, rules)
    found = oracle.gathered(plain, reduction, plain.start, {})
    states = (*plain.marks, "draw")
    depths = range(1 + max(depth for depth, _ in found))
    assert list(counted.by_ply) == [sum(found[depth, state] for state in (*states, "running")) for depth in depths]
    assert [(games.first_wins, games.second_wins, games.draws) for games in counted.games_by_ply] == [
        tuple(found[depth, state] for state in states) for depth in depths
    ]
    lengths = [(depth, count) for (depth, state), count in found.items() if state != "running"]
    assert counted.leaves == counted.games.total == sum(count for _, count in lengths)
    assert isclose(counted.mean_length, sum(depth * count for depth, count in lengths) / counted.leaves)
    assert counted.nodes == sum(counted.by_ply) == sum(found.values())
    inner = sum(count for (_, state), count in found.items() if state == "running")
    assert isclose(counted.mean_branching, (counted.nodes - 1) / inner)


@pytest.mark.sample(3)
@every_tree
def test_nodes_agree_with_the_rules(game: Game, rules: TreeRules, reduction: Reduction):
    tree, plain = Tree(game, rules, reduction), naive(game, rules)
    value, known = solve(plain), dict[str, oracle.Gathered]()
    random, node, text = Random(1), tree.root, plain.start
    for _ in range(250):
        below = oracle.gathered(plain, reduction, text, known)
        assert tree.played.to_text(node.position) == text
        assert node.nodes == sum(below.values())
        for outcome in Outcome:
            state = "draw" if outcome is Outcome.DRAW else plain.marks[outcome]
            assert node.games.ending(outcome) == sum(n for (_, how), n in below.items() if how == state)
        assert (node.outcome is None) == bool(plain.moves(text))
        assert node.value == value[text] * (1 if text[-1] == plain.marks[0] else -1)
        assert game.mark(node.side) == text[-1]
        children = {game.move_name(child.path[-1]): child for child in node.children}
        assert list(children) == oracle.moves_of(plain, reduction, text)
        if children:
            assert sum(child.nodes for child in children.values()) == node.nodes - 1
            move = random.choice(list(children))
            assert children[move].parent == node
            node, text = children[move], plain.play(text, move)
        else:
            node, text = tree.root, plain.start


@every_tree
def test_every_position_is_found_in_its_tree(game: Game, rules: TreeRules, reduction: Reduction):
    tree = Tree(game, rules, reduction)
    in_tree = set(tree.space.position[tree.reached].tolist())
    for position in Random(1).sample(tree.space.position.tolist(), min(60, len(tree.space.position))):
        wanted = {position} if reduction is Reduction.NONE else in_tree.intersection(tree.space.twins(position))
        if wanted:
            node = tree.find(position)
            assert node.position in wanted
            assert tree.node(node.path) == node
        else:
            assert (rules, reduction) == (TreeRules.PUBLISHED, Reduction.FIRST_MOVE)
            with pytest.raises(BadText, match="no play in this tree"):
                tree.find(position)
    unreached = game.null_move(game.start)
    if unreached is not None and not tree.space.holds(unreached):
        with pytest.raises(BadText, match="no play in this tree leads to"):
            tree.find(unreached)


def test_an_opening_that_the_post_leaves_out_is_not_found():
    tree = Tree(TICTACTOE, TreeRules.PUBLISHED, Reduction.FIRST_MOVE)
    with pytest.raises(BadText, match=r"no play in this tree leads to \.\.X/\.\.\./\.\.\. O"):
        tree.find(TICTACTOE.from_text("..X/.../... O"))
    with pytest.raises(IllegalMove, match=r"c3 in .* is left out of this tree: a symmetric move stands for it"):
        tree.node([2])


@every_tree
def test_the_main_line_keeps_the_value_to_the_end(game: Game, rules: TreeRules, reduction: Reduction):
    tree = Tree(game, rules, reduction)
    line = tree.root.main_line
    assert [len(node.path) for node in line] == list(range(1, len(line) + 1))
    assert {node.value for node in line} == {tree.root.value}
    assert line[-1].outcome is not None
    assert line[-1].main_line == ()


@pytest.mark.long
def test_counts_beyond_64_bits_are_right():
    """Six heaps of five: 9.6 · 10²¹ nodes. A tree with Python's integers agrees with one of 64 bits where both fit."""
    tree = Tree(parse_game("nim:5,5,5,5,5,5"))
    assert tree.below.dtype == object
    assert tree.root.nodes == 9_564_917_731_674_199_602_637
    assert tree.root.games.total == 3_751_591_832_963_936_408_880


def test_counts_of_both_types_agree(monkeypatch):
    narrow = Tree(TICTACTOE).statistics()
    monkeypatch.setattr(engine.trees.tree, "MAX_COUNT", 1_000)
    wide = Tree(TICTACTOE)
    assert wide.below.dtype == object
    assert wide.statistics() == narrow


@pytest.mark.parametrize(
    ("name", "depth"), [("connectfour", 6), pytest.param("connectfour", 8, marks=pytest.mark.long), ("tictactoe", 9)]
)
def test_a_game_of_any_size_is_counted_to_a_depth(name: str, depth: int):
    game = parse_game(name)
    counted = [level.nodes for level in Plies(game).count(depth)]
    assert counted == [1, *perft(game)["perft"][:depth]]


@pytest.mark.sample(8)
@every_tree
def test_the_plies_of_a_small_game_are_those_of_its_tree(game: Game, rules: TreeRules, reduction: Reduction):
    plies, whole = Plies(game, rules, reduction), Tree(game, rules, reduction).statistics()
    counted = list(plies.count(10 * game.longest))
    assert tuple(level.nodes for level in counted) == whole.by_ply
    assert tuple(level.games for level in counted) == whole.games_by_ply
    assert list(plies.count(3)) == counted[:4]


@pytest.mark.sample(8)
@every_tree
def test_a_walk_has_every_node_once_and_parents_first(game: Game, rules: TreeRules, reduction: Reduction):
    plies, depth = Plies(game, rules, reduction), 4
    nodes = list(plies.walk(depth))
    assert [node.number for node in nodes] == list(range(len(nodes)))
    assert [count for _, count in sorted(Counter(node.ply for node in nodes).items())] == [
        level.nodes for level in plies.count(depth)
    ]
    space = space_of(plies.played)
    exact = values(space)
    children = Counter(node.parent for node in nodes)
    for node in nodes:
        assert node.outcome == plies.played.outcome(node.position)
        assert node.value == exact[space.row(node.position)]
        assert node.ply == depth or node.children == children[node.number]
        if node.parent is None or node.move is None:
            assert (node.number, node.position) == (0, plies.played.start)
        else:
            parent = nodes[node.parent]
            assert (parent.number < node.number, parent.ply) == (True, node.ply - 1)
            assert node.position == plies.played.play(parent.position, node.move)
