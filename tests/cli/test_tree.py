"""`noughts tree`: the counts of the data.tree post, the correct ones, and those of every other game."""

import json

import pytest

from engine.game import Game
from engine.games import parse_game
from engine.spaces import space_of
from engine.trees.plies import Plies
from engine.trees.tree import Reduction, Tree
from tests.cli.cli_run import as_json, refused, run
from tests.engine.test_space import perft

KEYS = ["nodes", "leaves", "first_wins", "second_wins", "draws", "mean_length", "mean_branching", "by_ply"]


def test_the_published_figures_are_reproduced_with_their_slip():
    document = as_json("tree", "--rules", "published")
    assert (document["reduce"], document["nodes"], document["leaves"]) == ("first-move", 203_716, 89_796)
    assert "a3 b2 c1 do not win" in document["why"]


def test_the_whole_tree():
    document = as_json("tree")
    assert [document[key] for key in KEYS[:5]] == [549_946, 255_168, 131_184, 77_904, 46_080]
    assert document["by_ply"] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert as_json("tree", "--reduce", "symmetry")["leaves"] == 26_830


@pytest.mark.parametrize("reduction", [each.value for each in Reduction])
@pytest.mark.parametrize("game", [parse_game("hexapawn"), parse_game("mnk:3,2,2")], ids=lambda game: game.name)
def test_the_document_is_the_statistics(game: Game, reduction):
    document, exact = (
        as_json("tree", "--game", game.name, "--reduce", reduction),
        Tree(game, reduction=Reduction(reduction)).statistics(),
    )
    assert (document["game"], document["rules"], document["reduce"]) == (game.name, "correct", reduction)
    assert list(document)[3 : 3 + len(KEYS)] == KEYS
    assert (document["nodes"], document["leaves"]) == (exact.nodes, exact.leaves)
    assert {key: document[key] for key in ("first_wins", "second_wins", "draws")} == vars(exact.games)
    reached = positions_of(game, Reduction(reduction))
    assert document["positions"] == len(reached)
    assert document["running_positions"] == sum(game.outcome(each) is None for each in reached)
    assert document["games"] == document["leaves"]
    assert sum(document["by_ply"]) == document["nodes"]
    assert sum(document["leaves_by_ply"]) == document["leaves"]
    assert [branch["move"] for branch in document["by_first_move"]] == [
        game.move_name(branch.move) for branch in exact.by_first_move
    ]
    assert sum(branch["nodes"] for branch in document["by_first_move"]) == document["nodes"] - 1
    for key in ("leaves", "first_wins", "second_wins", "draws"):
        assert sum(branch[key] for branch in document["by_first_move"]) == document[key]


def positions_of(game: Game, reduction: Reduction) -> set[int]:
    """The positions of a tree, one of each class if symmetric moves count as one."""
    found, waiting = set[int](), [game.start]
    while waiting:
        position = waiting.pop()
        if position not in found:
            found.add(position)
            below = Plies(game, reduction=reduction).children(position, ply=int(position != game.start))
            waiting += [reached for _, reached, _ in below]
    if reduction is not Reduction.SYMMETRY:
        return found
    return {min(space_of(game).twins(position)) for position in found}


def test_the_text_output_has_its_layout():
    lines = run("tree", "--rules", "published").out.splitlines()
    assert lines[0] == "Tic-tac-toe, complete tree, symmetric first moves count as one"
    assert lines[2].startswith("As published: the data.tree post tests one diagonal twice")
    assert lines[3] == "By the correct rules: 83,196 leaves, 179,116 nodes."
    assert lines[5].split()[0] == "positions"
    assert [line.split() for line in lines[6:13]] == [
        ["nodes", "203,716"],
        ["leaves", "89,796"],
        ["X", "wins", "39,588", "44.1", "%"],
        ["O", "wins", "21,408", "23.8", "%"],
        ["draws", "28,800", "32.1", "%"],
        ["mean", "length", "8.400775"],
        ["mean", "branching", "1.788229"],
    ]
    assert lines[14].split() == ["moves", "nodes", "games", "X", "wins", "O", "wins", "draws"]
    assert lines[24].split() == ["9", "54,144", "54,144", "25,344", "0", "28,800"]
    assert lines[-1].split() == ["b2", "65,105", "28,692", "13,860", "5,616", "9,216", "a", "draw"]
    assert max(map(len, lines)) < 120
    assert "As published" not in run("tree").out


def test_what_cannot_be_counted_is_refused():
    refused("Connect Four is too large for its whole tree: add --depth N", "tree", "--game", "connectfour")
    published = ("--rules", "published")
    refused("those of Tic-tac-toe: Hexapawn has none\n", "tree", "--game", "hexapawn", *published)


@pytest.mark.long
def test_a_large_game_is_counted_to_a_depth():
    document = as_json("tree", "--game", "connectfour", "--depth", "7")
    assert document["by_ply"] == [1, *perft(parse_game("connectfour"))["perft"][:7]]
    assert (document["depth"], document["first_wins"], document["leaves"]) == (7, 13_032, 13_032)
    lines = run("tree", "--game", "connectfour", "--depth", "7").out.splitlines()
    assert lines[0] == "Connect Four, tree to a depth of 7, every move"
    assert lines[-1].split() == ["7", "823,536", "13,032", "13,032", "0", "0"]


def test_a_depth_cuts_off_the_counts_of_the_whole_tree():
    whole, cut, beyond = (as_json("tree", *depth) for depth in ((), ("--depth", "6"), ("--depth", "100")))
    assert beyond == whole | {"depth": 100}
    for key in ("by_ply", "leaves_by_ply"):
        assert cut[key] == whole[key][:7]
    assert [cut["nodes"], cut["leaves"]] == [sum(cut["by_ply"]), sum(cut["leaves_by_ply"])]


def test_the_nodes_are_written_as_json_lines(tmp_path):
    file = tmp_path / "tree.jsonl"
    assert as_json("tree", "--depth", "3", "--reduce", "symmetry", "--export", str(file))["nodes"] == 1 + 3 + 12 + 66
    text = file.read_text()
    assert run("tree", "--depth", "3", "--reduce", "symmetry", "--export", "-").out == text
    nodes = [json.loads(line) for line in text.splitlines()]
    assert [node["id"] for node in nodes] == list(range(82))
    assert nodes[2] == {
        "id": 2,
        "parent": 1,
        "ply": 2,
        "move": "b3",
        "position": "XO./.../... X",
        "outcome": None,
        "value": 1,
        "children": 7,
    }
    ran = run("tree", "--export", str(file))
    assert (ran.code, ran.err) == (1, f"noughts: {file} already exists: choose another name, or add --replace\n")
    assert run("tree", "--depth", "1", "--export", str(file), "--replace").out.endswith(f"10 nodes written to {file}\n")


def test_the_nodes_are_written_as_a_graph(tmp_path):
    file = tmp_path / "tree.dot"
    assert run("tree", "--depth", "1", "--export", str(file)).code == 0
    text = file.read_text()
    assert run("tree", "--depth", "1", "--export", "-", "--format", "dot").out == text
    lines = text.splitlines()
    assert (lines[0], lines[-1]) == ('digraph "tictactoe" {', "}")
    assert r'5 [label="...\n.X.\n... O\na draw"]' in lines
    assert '0 -> 5 [label="b2"]' in lines
    assert sum(" -> " in line for line in lines) == 9
    assert (
        run("tree", "--game", "notakto:2", "--depth", "1", "--export", "-", "--format", "dot").out.count("[label") == 37
    )


def test_an_export_is_bounded(monkeypatch):
    monkeypatch.setattr("cli.commands.tree.MAX_NODES", 200_000)
    for arguments in (["--game", "mnk:4,3,3"], ["--game", "connectfour", "--depth", "12"]):
        told = "has more than 200,000 nodes, the most of an export: choose a smaller --depth"
        refused(told, "tree", *arguments, "--export", "-")
    assert run("tree", "--format", "dot").code == 2
    assert run("tree", "--json", "--export", "-").code == 2
