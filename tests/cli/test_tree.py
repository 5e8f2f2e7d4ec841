"""`noughts tree`: the counts of the data.tree post, the correct ones, and those of every other game."""

import json

import pytest

from engine.game import Game
from engine.games import parse_game
from engine.spaces import space_of
from engine.trees.tree import Reduction, Tree
from tests.cli.cli_run import run
from tests.sizes import QUICK_GAMES

KEYS = ["nodes", "leaves", "first_wins", "second_wins", "draws", "mean_length", "mean_branching", "by_ply"]


def document_of(*arguments: str) -> dict:
    ran = run("tree", *arguments, "--json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


def test_the_published_figures_are_reproduced_with_their_slip():
    document = document_of("--rules", "published")
    assert document["reduce"] == "first-move"
    assert [document[key] for key in KEYS[:5]] == [203_716, 89_796, 39_588, 21_408, 28_800]
    assert [round(document[key], 6) for key in KEYS[5:7]] == [8.400775, 1.788229]
    assert "a3 b2 c1 do not win" in document["why"]


def test_the_post_corrected():
    document = document_of("--reduce", "first-move")
    assert [document[key] for key in KEYS[:5]] == [179_116, 83_196, 44_532, 23_688, 14_976]
    assert [round(document[key], 6) for key in KEYS[5:7]] == [8.23929, 1.867337]
    assert "why" not in document


def test_the_whole_tree():
    document = document_of()
    assert [document[key] for key in KEYS[:5]] == [549_946, 255_168, 131_184, 77_904, 46_080]
    assert document["by_ply"] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert document_of("--reduce", "symmetry")["leaves"] == 26_830


@pytest.mark.parametrize("reduction", [each.value for each in Reduction])
@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)
def test_the_document_is_the_statistics(game: Game, reduction):
    document, exact = (
        document_of("--game", game.name, "--reduce", reduction),
        Tree(game, reduction=Reduction(reduction)).statistics(),
    )
    assert (document["game"], document["rules"], document["reduce"]) == (game.name, "correct", reduction)
    assert list(document)[3 : 3 + len(KEYS)] == KEYS
    assert (document["nodes"], document["leaves"]) == (exact.nodes, exact.leaves)
    assert {key: document[key] for key in ("first_wins", "second_wins", "draws")} == vars(exact.games)
    space = space_of(game)
    assert document["positions"] == len(space.position)
    assert document["running_positions"] == sum(game.outcome(each) is None for each in space.position.tolist())
    assert document["games"] == document["leaves"]
    assert sum(document["by_ply"]) == document["nodes"]
    assert sum(document["leaves_by_ply"]) == document["leaves"]
    assert [branch["move"] for branch in document["by_first_move"]] == [
        game.move_name(branch.move) for branch in exact.by_first_move
    ]
    assert sum(branch["nodes"] for branch in document["by_first_move"]) == document["nodes"] - 1
    for key in ("leaves", "first_wins", "second_wins", "draws"):
        assert sum(branch[key] for branch in document["by_first_move"]) == document[key]


def test_the_text_output_has_its_layout():
    lines = run("tree", "--rules", "published").out.splitlines()
    assert lines[0] == "Tic-tac-toe, complete tree, symmetric first moves count as one"
    assert lines[2].startswith("As published: the data.tree post tests one diagonal twice")
    assert lines[3] == "By the correct rules: 83,196 leaves, 179,116 nodes."
    assert [line.split() for line in lines[5:12]] == [
        ["nodes", "203,716"],
        ["leaves", "89,796"],
        ["X", "wins", "39,588", "44.1", "%"],
        ["O", "wins", "21,408", "23.8", "%"],
        ["draws", "28,800", "32.1", "%"],
        ["mean", "length", "8.400775"],
        ["mean", "branching", "1.788229"],
    ]
    assert lines[13].split() == ["moves", "nodes", "games", "X", "wins", "O", "wins", "draws"]
    assert lines[23].split() == ["9", "54,144", "54,144", "25,344", "0", "28,800"]
    assert lines[-1].split() == ["b2", "65,105", "28,692", "13,860", "5,616", "9,216", "a", "draw"]
    assert max(map(len, lines)) < 120
    assert "As published" not in run("tree").out


def test_a_value_is_worded_by_its_winner():
    lines = run("tree", "--game", "hexapawn").out.splitlines()
    assert {line[-6:] for line in lines[-3:]} == {"B wins"}


@pytest.mark.parametrize("game", [game.name for game in QUICK_GAMES if game.name != "tictactoe"])
def test_published_rules_exist_for_tictactoe_only(game):
    ran = run("tree", "--game", game, "--rules", "published")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == f"noughts: the rules as published are those of Tic-tac-toe: {parse_game(game).title} has none\n"


def test_a_large_game_is_not_enumerated():
    ran = run("tree", "--game", "connectfour")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("noughts: Connect Four is too large")
