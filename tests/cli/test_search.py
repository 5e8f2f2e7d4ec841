"""`noughts search`: its output for people and for programs."""

import pytest

from engine.analysis.lecture import EXAMPLES
from engine.games import parse_game
from engine.search import search
from engine.search_result import Algorithm
from learners.uct.search import Uct
from tests.cli.cli_run import as_json, refused, run

SOLVER = ("--algorithm", "solver", "--game", "connectfour")


@pytest.mark.parametrize("algorithm", [each.value for each in Algorithm])
@pytest.mark.parametrize(("name", "depth"), [("hexapawn", None), ("tictactoe", 4)])
def test_the_document_is_the_result(name: str, depth, algorithm):
    game = parse_game(name)
    limit = [] if depth is None else ["--depth", str(depth)]
    document = as_json("search", "--game", game.name, "--algorithm", algorithm, *limit)
    found = search(game, game.start, algorithm=Algorithm(algorithm), depth=depth)
    assert document.pop("moves") == [
        {
            "move": game.move_name(rated.move),
            "value": rated.value,
            "plies": rated.plies,
            "exact": rated.exact,
            "guessed": rated.estimated,
            "line": [game.move_name(move) for move in rated.line],
        }
        for rated in found.moves
    ]
    assert document == {
        "game": game.name,
        "position": game.to_text(game.start),
        "side": "first",
        "algorithm": algorithm,
        "depth": depth,
        "order": "ascending",
        "value": found.value,
        "plies": found.plies,
        "best": [game.move_name(move) for move in found.best],
        "line": [game.move_name(move) for move in found.line],
        "nodes": found.nodes,
        "leaves": found.leaves,
        "guesses": found.estimates,
        "cutoffs": found.cutoffs,
        "skipped": found.skipped,
    }


def test_the_order_of_moves_changes_the_work_and_not_the_value():
    orders = ["ascending", "descending", "centre", "b2 a1,c3"]
    seen = [as_json("search", "--position", "X../.../... O", "--order", order) for order in orders]
    assert {document["value"] for document in seen} == {0}
    assert len({document["nodes"] for document in seen}) > 1
    assert [document["order"] for document in seen] == [*orders[:3], ["b2", "a1", "c3"]]


def test_the_help_gives_the_examples_of_the_lecture():
    shown = run("search", "--help").out
    assert all(f"--position '{each.position}'" in shown for each in EXAMPLES)


def test_the_text_output_has_its_layout():
    lines = run("search", "--position", "OX./.O./XOX X", "--depth", "2").out.splitlines()
    assert lines[0] == "Alpha-beta, Tic-tac-toe, 2 moves ahead, X to move"
    assert lines[2:6] == ["3  O X .", "2  . O .", "1  X O X", "   a b c"]
    assert lines[7] == "Value: even"
    assert lines[9:13] == [
        "move  value   expected play",
        "c3    -1      c3 c2",
        "a2    even    a2 c3",
        "c2    ≤ even  c2 c3",
    ]
    assert lines[13] == "≤ a bound, not the value: for X this move is no better"
    assert [line.split()[-1] for line in lines[15:21]] == ["ascending", "9", "5", "5", "1", "1"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Value: a draw"),
        (["--position", "XOO/X../OX. X"], "Value: X wins in 2 moves\n"),
        (["--position", "XOO/X../OX. X", "--depth", "9"], "Value: X wins in 2 moves\n"),
        (["--position", "XX./OO./X.. O"], "Value: O wins at once\n"),
        (["--position", "XX./OO./X.. O", "--depth", "1"], "Value: O wins at once\n"),
        (["--position", "X../.../... O", "--depth", "3"], "Value: -1\n"),
        (["--position", "X../.../... O", "--depth", "3"], "≥ a bound, not the value: for O this move is no better\n"),
        (["--position", "X../.../... O", "--depth", "3", "--order", "c1"], "c1 first\n"),
    ],
)
def test_values_in_words(arguments, words):
    assert words in run("search", *arguments).out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--depth", "0"], 1, "depth 0 is not from 1 to 9"),
        (["--depth", "deep"], 2, "not a valid integer"),
        (["--position", "XXX/XXX/XXX"], 1, "9 X and 0 O"),
        (["--position", "XXX/OO./... O"], 1, "the game is over in XXX/OO./... O"),
        (["--position", "BBB/.../WWW W"], 1, "'B' on a3 is not X, O or ."),
        (["--order", "sideways"], 1, "or an order: ascending, descending, centre"),
        (["--algorithm", "mcts"], 2, "uct"),
        (["--algorithm", "uct", "--depth", "3"], 1, "uct has no option --depth"),
        (["--algorithm", "uct", "--position", "XXX/OO./... O"], 1, "the game is over in XXX/OO./... O"),
        (["--algorithm", "solver", "--game", "hexapawn"], 1, "no solver knows Hexapawn"),
        ([*SOLVER, "--depth", "4"], 1, "solver has no option --depth"),
        ([*SOLVER, "--position", f"{'......./' * 2}{'X....../' * 3}XOOO... O"], 1, "the game is over"),
        (["--playouts", "5"], 1, "alphabeta has no option --playouts"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments, code, words):
    refused(words, "search", *arguments, code=code, most=code)


def test_a_large_game_needs_a_depth():
    refused("is too large to search to its ends: give a depth, such as 4\n", "search", "--game", "mnk:7,7,5")
    assert as_json("search", "--game", "connectfour", "--depth", "4", "--order", "centre")["best"] == ["d"]


def test_the_exact_values_of_a_game_that_has_a_solver():
    """At the start, X wins with d1 in 21 moves, draws with c1 or e1, and loses with the others."""
    document = as_json("search", "--game", "connectfour")
    assert [document[key] for key in ("algorithm", "value", "plies", "best")] == ["solver", 1, 41, ["d"]]
    assert {each["move"]: (each["value"], each["plies"]) for each in document["moves"]} == {
        "a": (-1, 40),
        "b": (-1, 42),
        "c": (0, None),
        "d": (1, 41),
        "e": (0, None),
        "f": (-1, 42),
        "g": (-1, 40),
    }
    told = run("search", "--game", "connectfour").out
    assert told.startswith("Solver, Connect Four, exact values, X to move\n")
    assert "\nValue: X wins in 21 moves\n" in told


@pytest.mark.parametrize("name", ["connectfour", pytest.param("notakto:3", marks=pytest.mark.long)])
def test_the_document_of_uct_is_its_result(name: str):
    game = parse_game(name)
    document = as_json("search", "--game", name, "--algorithm", "uct", "--playouts", "300", "--seed", "5")
    found = Uct(game, 300, 5).result(game.start)
    assert document.pop("seconds") > 0
    assert document.pop("playouts_per_second") > 0
    moves = {game.parse_move(game.start, each.pop("move")): each for each in document.pop("moves")}
    assert moves == {
        each.move: {
            "visits": each.visits,
            "value": pytest.approx(2 * each.worth - 1),
            "proven": each.proven,
            "line": [game.move_name(move) for move in each.line],
        }
        for each in found.moves
    }
    assert document == {
        "game": name,
        "position": game.to_text(game.start),
        "side": "first",
        "algorithm": "uct",
        "playouts": 300,
        "seed": 5,
        "value": pytest.approx(2 * found.best.worth - 1),
        "proven": False,
        "best": [game.move_name(found.best.move)],
        "line": [game.move_name(move) for move in found.best.line],
        "nodes": found.nodes,
    }


@pytest.mark.parametrize(
    "text", ["XOO/X../OX. X", "XOOX  OX ", "122100210", "[[1, 2, 2], [1, 0, 0], [2, 1, 0]]", "X,O,O,X,,,O,X,"]
)
def test_a_position_can_be_written_as_other_programs_write_it(text: str):
    told = as_json("search", "--position", text)
    assert (told["position"], told["best"]) == ("XOO/X../OX. X", ["b2"])


@pytest.mark.long
def test_where_the_solver_tells_only_who_wins_no_distance_is_printed():
    """X completes its row with d4, or stops that of O with d3; after any other move, O wins with d3."""
    arguments = "search", "--game", "mnk:5,5,4", "--position", "....X/XXX.O/OOO../...../..... X"
    found = as_json(*arguments)
    assert (found["algorithm"], found["value"], found["plies"], found["best"]) == ("solver", 1, None, ["d4"])
    lines = [" ".join(line.split()) for line in run(*arguments).out.splitlines()]
    assert {"Value: X wins", "d4 X wins", "d3 a draw", "a5 O wins"} <= {*lines}


def test_a_large_game_is_searched_to_the_end_near_its_end():
    position = "XXO.XOX/OXXOOXO/OOXXXOO/XXOOOXX/XXOXOOO/XOXOXOX O"
    document = as_json("search", "--game", "connectfour", "--position", position)
    assert [document[key] for key in ("depth", "value", "best", "line")] == [None, 0, ["d"], ["d"]]
