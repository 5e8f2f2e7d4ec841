"""The first plies of a tree, compared with the data files and with whole trees."""

from collections import Counter

import pytest

from engine.game import Game
from engine.games import parse_game
from engine.solve import values
from engine.spaces import space_of
from engine.trees.plies import Plies
from engine.trees.tree import Reduction, Tree, TreeRules
from tests.engine.test_space import perft
from tests.engine.test_tree import every_tree


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
