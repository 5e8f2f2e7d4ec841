import pytest

from learners import revive
from saves import gallery
from tests.cli.cli_run import as_json, refused, run

START = ".../.../... X"


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


def test_without_a_game():
    told = as_json("why", "michie", START, "b2", "--without", "17")
    assert told["without"]["game"] == 17
    assert sum(told["without"]["policy"].values()) == pytest.approx(1)
    assert "Without game 17 the number would be" in run("why", "michie", START, "b2", "--without", "17").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hochmuth", START, "b2"), "genetic keeps no numbers"),
        (("michie", START, "b9"), "b9"),
        (("michie", "nonsense", "b2"), "nonsense"),
        (("michie", START, "b2", "--without", "221"), "there is no game 221"),
    ],
)
def test_what_cannot_be_told(words, message):
    refused(message, "why", *words)
