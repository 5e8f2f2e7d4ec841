import sys

import pytest

from engine.game import Side
from engine.games import GAMES, parse_game
from engine.smallest.integer_program import INSTALL
from learners.core.boxes import boxes_of
from tests.cli.cli_run import as_json, refused, run
from tests.oracles.remembering import met
from tests.oracles.rules import RULES


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)


def told(*arguments: str) -> dict:
    return as_json("smallest", *arguments)


def test_both_sides_of_hexapawn_cannot_hold():
    told = "noughts: W loses against best play, whatever it remembers: ask for B alone\n"
    refused(told, "smallest", "--game", "hexapawn")


def test_what_it_prints_can_be_played_out():
    pytest.importorskip("highspy")
    found = told("--game", "hexapawn", "--side", "second")
    assert (found["proved"], found["source"], found["bound"]) == (True, "solver", found["entries"])
    answers = {each["position"]: each["move"] for each in found["positions"]}
    assert len(answers) == found["entries"]
    rules = RULES["hexapawn"]
    met(rules, "B", answers, lambda position: set(rules.moves(position)), symmetric=True)


@pytest.mark.usefixtures("no_solver")
def test_without_the_solver_what_was_shipped_is_told():
    found = told("--counting", "published")
    assert (found["entries"], found["bound"], found["proved"], found["source"]) == (96, 96, True, "shipped")
    assert {side: each["entries"] for side, each in found["sides"].items()} == {"first": 22, "second": 74}
    assert INSTALL in run("smallest").out
    ran = run("smallest", "--game", "nim:1,2,2")
    assert ran.code == 1
    assert INSTALL in ran.err


@pytest.mark.usefixtures("no_solver")
def test_boxes_of_menace():
    found = told("--side", "first", "--boxes")
    boxes, game = boxes_of(GAMES[0], (Side.FIRST,), merge=True, singles=False), parse_game("tictactoe")
    assert found["of"] == 304
    for each in found["positions"]:
        assert boxes.own_number[boxes.box[boxes.space.row(game.from_text(each["position"]))]] == each["box"]
    assert run("smallest", "--boxes", "--counting", "boards").code == 2
