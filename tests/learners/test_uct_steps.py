"""A Monte-Carlo tree search step by step: the same search as the one that chooses moves."""

import re

import pytest

from engine.game import BadText, Outcome
from engine.games import parse_game
from learners.uct.interpreted import PhaseKind
from learners.uct.search import Uct, UctNode, uct_steps

TICTACTOE = parse_game("tictactoe")
LETTERS = {PhaseKind.SELECTION: "d", PhaseKind.EXPANSION: "e", PhaseKind.SIMULATION: "p", PhaseKind.BACKUP: "b"}


@pytest.mark.parametrize(("name", "playouts"), [("tictactoe", 300), ("hexapawn", 1000), ("mnk:4,4,3+gravity", 100)])
def test_the_steps_end_with_the_result_of_the_search(name: str, playouts: int):
    game = parse_game(name)
    steps = list(uct_steps(game, game.start, playouts))
    assert re.fullmatch(r"e(de?p?b)*", "".join(LETTERS[step.kind] for step in steps))
    seen = {node.path: node for step in steps for node in step.nodes}
    found = Uct(game, playouts).result(game.start)
    assert seen[()].visits == found.playouts
    assert seen[()].proven == found.proven
    for each in found.moves:
        node = seen.get((each.move,), UctNode((), 0))
        assert (each.visits, each.worth, each.proven) == (node.visits, node.worth, node.proven)


def test_each_step_says_what_happens():
    game = TICTACTOE
    for step in uct_steps(game, game.start, 200):
        position = game.start
        for move in step.path:
            position = game.play(position, move)
        assert step.node.position == position
        if step.kind is PhaseKind.EXPANSION:
            assert step.moves == game.moves(position)
            assert all(node.proven for node in step.nodes[1:])
        if step.kind is PhaseKind.SIMULATION:
            for move in step.moves:
                position = game.play(position, move)
            assert game.outcome(position) is step.outcome
            assert isinstance(step.outcome, Outcome)
        if step.kind is PhaseKind.BACKUP:
            assert [node.path for node in step.nodes] == [step.path[:plies] for plies in range(len(step.path) + 1)]


def test_a_proof_needs_no_random_moves():
    kinds = [step.kind for step in uct_steps(TICTACTOE, TICTACTOE.from_text("XOO/OXX/X.. O"), 50)]
    assert "".join(map(LETTERS.get, kinds)) == "e" + 2 * "dpb" + 2 * "deb", "each of two moves is followed, then proven"
    assert [step.node.worth for step in uct_steps(TICTACTOE, TICTACTOE.from_text("XX./OO./... X"), 50)] == [0]
    with pytest.raises(BadText, match="the game is over"):
        uct_steps(TICTACTOE, TICTACTOE.from_text("XXX/OO./... O"), 50)
