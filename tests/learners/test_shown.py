"""What screens show of a learner besides its cards."""

import pytest

from engine.games import parse_game
from engine.space import RUNNING
from engine.spaces import space_of
from learners.core.view import number_text
from learners.genetic.learner import Genetic
from learners.genetic.view import turn_words
from tests.sizes import quick_game

TICTACTOE = parse_game("tictactoe")


def bred(game, generations=3, **settings):
    learner = Genetic(game, "hochmuth", 1, {"population": 20, **settings})
    learner.train(generations)
    return learner


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *((0, "0"), (12, "12"), (-7, "−7"), (0.43, ".43"), (-0.43, "−.43"), (2.5, "2.5"), (99.96, "100"), (999, "999")),
        *((1000, "1k"), (1840, "1.8k"), (9960, "10k"), (999_499, "999k"), (3_000_000, "3M"), (-12_345, "−12k")),
        *((10**9, "1G"), (10**13, "∞"), (-(10**13), "−∞")),
    ],
)
def test_a_number_has_at_most_four_characters(number: float, text: str):
    assert number_text(number) == text


def test_the_words_of_a_symmetry_describe_what_it_does_to_the_board():
    position = TICTACTOE.from_text("XO./.../...")
    seen = {
        turn_words(TICTACTOE, each): TICTACTOE.to_text(TICTACTOE.transform(position, each))
        for each in TICTACTOE.symmetries
    }
    assert seen == {
        "as it is": "XO./.../... X",
        "given a quarter turn clockwise": "..X/..O/... X",
        "given a half turn": ".../.../.OX X",
        "given a quarter turn anticlockwise": ".../O../X.. X",
        "with left and right exchanged": ".OX/.../... X",
        "with top and bottom exchanged": ".../.../XO. X",
        "mirrored in the falling diagonal": "X../O../... X",
        "mirrored in the rising diagonal": ".../..O/..X X",
    }


@quick_game
@pytest.mark.parametrize("genes", ["boards", "decisions"])
def test_the_details_of_a_situation_lead_to_the_move_that_is_played(game, genes):
    learner, space = bred(game, genes=genes), space_of(game)
    policy, running = learner.policy(), (space.outcome == RUNNING).nonzero()[0].tolist()
    for row in running[:: max(1, len(running) // 200)]:
        position = int(space.position[row])
        played = next(edge for edge in space.edges(position) if policy[edge] == 1)
        if position == learner.genome.base[learner.genome.gene[row]]:
            (said,) = learner.view.details(position)
            assert said.startswith(f"Its champion plays {game.move_name(int(space.move[played]))}: move ")
            assert said.endswith(f" of gene {learner.genome.gene[row] + 1}.")
            continue
        turn, gene, move = learner.view.details(position)
        assert move == f"On this board, that is {game.move_name(int(space.move[played]))}."
        images = {turn_words(game, each): game.transform(position, each) for each in game.symmetries}
        words, base = turn.removeprefix("The board, ").split(", is the base case ")
        assert game.to_text(images[words]) + "." == base
        in_base = next(edge for edge in space.edges(images[words]) if policy[edge] == 1)
        assert gene.endswith(f": {game.move_name(int(space.move[in_base]))}.")
        assert gene.startswith(f"Gene {learner.genome.gene[row] + 1} chooses move ")


def test_the_newest_genes_changed_since_the_last_checkpoint():
    learner = bred(TICTACTOE, 1)
    learner.record_checkpoint()
    before = learner.policy()
    assert learner.view.newest(5) == []
    learner.train(4)
    after = learner.policy()
    changed = {
        edge
        for edge in learner.view.cards().tolist()
        if (before != after)[learner.space.edges(learner.view.card(edge).position)].any()
    }
    assert changed
    assert {*learner.view.newest(10_000)} == changed
    assert len(learner.view.newest(2)) == 2
