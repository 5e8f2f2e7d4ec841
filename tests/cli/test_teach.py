"""`noughts teach`, `why` and `smallest`: courses, the games behind a number, and the fewest answers."""

import json
import sys
from pathlib import Path

import pytest

from engine.game import Side
from engine.games import GAMES, parse_game
from engine.smallest.integer_program import INSTALL
from learners import revive
from learners.core.boxes import boxes_of
from saves import gallery
from tests.cli.cli_run import as_json, refused, run
from tests.oracles.courses import FollowingMenace, verify
from tests.oracles.remembering import met
from tests.oracles.rules import RULES


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """The file of the course of HER, and what was printed."""
    path = tmp_path_factory.mktemp("courses") / "her.json"
    return path, as_json("teach", "her", "--side", "B", "--out", str(path))


def test_the_printed_course_teaches_an_independent_machine(kept):
    _, told = kept
    assert (told["side"], told["bound"], told["proved"]) == ("second", len(told["games"]), True)
    verify(FollowingMenace("hexapawn", "B", "her"), told["games"])
    assert told["final"]["second"]["best_responder"]["loss"] == 0
    losses = [each["best_responder"] for each in told["losses"]]
    assert losses[-1] == 0 < losses[0]
    assert losses == sorted(losses, reverse=True)
    assert [each["left"] for each in told["losses"]] == [*range(len(told["games"]), -1, -1)]
    assert all(each["best_responder"] > 0 for each in told["without_teacher"]["losses"])


@pytest.mark.long
def test_honest_luck_takes_longer_and_agrees_with_its_simulation():
    told = as_json("teach", "her", "--honest")
    honest = told["honest_luck"]
    assert round(honest["expected"], 3) == 21.529 > len(told["games"])
    assert abs(honest["mean"] - honest["expected"]) < 4 * honest["error"]
    assert len(told["games"]) <= honest["low"] <= honest["mean"] <= honest["high"]


def test_honest_luck_of_other_machines_is_simulated():
    told = as_json("teach", "failures", "--game", "hexapawn", "--honest")
    honest = told["honest_luck"]
    assert (honest["expected"], honest["unfinished"]) == (None, 0)
    assert told["bound"] <= honest["low"] <= honest["median"] <= honest["high"]
    assert honest["runs"] > 1


@pytest.mark.long
def test_a_machine_that_resigns_for_ever_is_told_apart():
    """Michie's machine loses all beads of its first box against such a teacher, and then learns nothing more."""
    told = as_json("teach", "menace:michie", "--side", "X", "--honest", "--seconds", "10")
    assert told["honest_luck"]["unfinished"] > 0


def test_a_machine_is_trained_by_a_course_and_saved(kept, tmp_path):
    path, _ = kept
    library = ["--library", str(tmp_path / "library.db")]
    trained = as_json("train", "--course", str(path), "--save", "taught", *library)
    assert (trained["games"], trained["trained"], trained["opponent"]) == (9, 9, "human")
    assert as_json("evaluate", "save:taught", *library)["second"]["best_responder"]["loss"] == 0
    assert run("train", "failures", "--course", str(path), *library).code == 1
    assert run("train", "--course", str(path), "--games", "5", *library).code == 2


def test_the_results_are_printed_once_and_the_command_that_uses_the_course_is_whole(tmp_path):
    path = tmp_path / "her.json"
    ran = run("teach", "her", "--out", str(path))
    assert ran.out.count("exactly") == 1
    (command,) = [line for line in ran.out.splitlines() if "noughts train" in line]
    words = command.partition("noughts ")[2].replace("NAME", "taught").split()
    assert run(*words, "--library", str(tmp_path / "library.db")).code == 0


def spoiled(told: dict, **changed: object) -> str:
    keys = ("noughts", "learner", "preset", "settings", "game", "side", "games_as_first", "games", "bound", "entries")
    return json.dumps({key: told[key] for key in (*keys, "entries_bound")} | changed)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"noughts": "save"}, "bad.json: this is no course"),
        ({"games": [["a1a2", "z9"]]}, "z9"),
        ({"games": [["a1a2"]]}, "game 1 of the course: it stops in"),
        ({"games": [["a1a2"] * 40]}, "game 1 of the course has more than"),
        ({"games": "many"}, "'games'"),
        ({"side": "\x1b[31mB"}, "first, second or both"),
        ({"preset": "him"}, "him"),
        ({"settings": {"beads": "-1"}}, "beads"),
        ({"bound": True}, "'bound'"),
    ],
)
def test_a_bad_file_is_refused_and_nothing_saved(kept, tmp_path, changed, why):
    _, told = kept
    path, library = tmp_path / "bad.json", tmp_path / "library.db"
    path.write_text(spoiled(told, **changed), "utf-8")
    refused(why, "train", "--course", str(path), "--save", "bad", "--library", str(library))
    assert "bad" not in run("saves", "list", "--json", "--library", str(library)).out


@pytest.mark.parametrize(
    "arguments", [("genetic",), ("her", "--side", "W"), ("her", "--side", "third"), ("nobody",), ("q", "--honest")]
)
def test_what_cannot_be_taught_is_refused_in_a_line(arguments):
    refused("", "teach", *arguments, most=1)


START = ".../.../... X"


@pytest.mark.sample(1)
@pytest.mark.parametrize(("save", "position", "move"), [("michie", START, "b2"), ("riechel", "X../.../... O", "a1")])
def test_the_changes_sum_to_the_number(save, position, move):
    told = as_json("why", save, position, move)
    learner = revive(gallery.load(save))
    where = learner.game.from_text(position)
    edge = learner.space.edge(where, learner.game.parse_move(where, move))
    assert told["number"] == learner.memory[learner.cell[edge]]
    assert told["start"] + sum(each["change"] for each in told["changes"]) == told["number"]
    number = told["start"]
    for each in told["changes"]:
        number += each["change"]
        assert each["after"] == number
        at = learner.game.start
        for name in each["record"]:
            at = learner.game.play(at, learner.game.parse_move(at, name))


def test_why_tells_the_number_without_one_of_the_games():
    told = as_json("why", "michie", START, "b2", "--without", "17")
    assert told["without"]["game"] == 17
    assert sum(told["without"]["policy"].values()) == pytest.approx(1)
    assert "Without game 17 the number would be" in run("why", "michie", START, "b2", "--without", "17").out


def test_the_changes_are_listed_only_when_asked_for():
    changes = as_json("why", "michie", START, "b2")["changes"]
    answer, history = (run("why", "michie", START, "b2", *more).out for more in ((), ("--history",)))
    assert len(answer.splitlines()) == 3
    assert history.startswith(answer)
    assert len(history.splitlines()) == 3 + 1 + len(changes)
    (unchanged,) = run("why", "riechel", START, "b2", "--history").out.splitlines()
    assert unchanged.startswith("No game changed b2")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hochmuth", START, "b2"), "genetic keeps no numbers"),
        (("michie", START, "b9"), "b9"),
        (("michie", "nonsense", "b2"), "nonsense"),
        (("michie", START, "b2", "--without", "221"), "there is no game 221"),
    ],
)
def test_a_why_without_an_answer_is_refused(words, message):
    refused(message, "why", *words)


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)


def told(*arguments: str) -> dict:
    return as_json("smallest", *arguments)


def test_of_both_sides_of_hexapawn_one_always_loses():
    told = "noughts: W loses against best play, whatever it remembers: ask for B alone\n"
    refused(told, "smallest", "--game", "hexapawn")


def test_the_fewest_answers_that_it_prints_can_be_played_out():
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
def test_the_fewest_boxes_of_menace_are_numbered_as_its_boxes():
    found = told("--side", "first", "--boxes")
    boxes, game = boxes_of(GAMES[0], (Side.FIRST,), merge=True, singles=False), parse_game("tictactoe")
    assert found["of"] == 304
    for each in found["positions"]:
        assert boxes.own_number[boxes.box[boxes.space.row(game.from_text(each["position"]))]] == each["box"]
    assert run("smallest", "--boxes", "--counting", "boards").code == 2
