"""The commands `saves history` and `saves diff`."""

from pathlib import Path

import pytest

from cli.commands.saves_history import USUAL_CHANGES
from engine.evaluate import scoreboard
from learners import revive
from learners.comparison import differences
from learners.rewind import rewind_to
from saves.library.library import Library
from saves.paths import library_path
from tests.cli.cli_run import as_json, refused, run
from tests.saves.brains import her


@pytest.fixture(autouse=True)
def _saved():
    Library(library_path()).save("her", her())


def test_history_lists_each_checkpoint_with_exact_results():
    told = as_json("saves", "history", "her")
    assert (told["learner"], told["counted_in"]) == ("menace", "games")
    assert [moment["rounds"] for moment in told["moments"]] == [0, 1, 2, 5, 10, 20]
    for moment in told["moments"]:
        learner = revive(rewind_to(her(), moment["rounds"]))
        exact = scoreboard(learner.space, learner.policy())["second"]
        assert moment["second"]["best_responder"]["loss"] == pytest.approx(exact.against["best_responder"].loss)
        assert moment["second"]["losing_pairs"] == exact.losing_pairs
    lines = run("saves", "history", "her").out.splitlines()
    assert [line.split()[0] for line in lines[-6:]] == ["0", "1", "2", "5", "10", "20"]
    assert max(map(len, lines)) <= 80


def test_history_shows_how_a_position_was_played_and_which_moves_were_given_up():
    position = "OX./.../... X"
    told = as_json("saves", "history", "michie", "--position", position)
    assert told["position"] == position
    for chances in told["chances"]:
        total = sum(chance for move, chance in chances.items() if move != "rounds")
        assert total == pytest.approx(round(total))  # of an empty box it is 0
    assert told["switches"]
    for switch in told["switches"]:
        assert switch["since"] == switch["rounds"] - 1
        later = next(chances for chances in told["chances"] if chances["rounds"] >= switch["rounds"])
        assert (later[switch["move"]] > 0) != switch["given_up"]
    out = run("saves", "history", "michie", "--position", position).out
    first = told["switches"][0]
    assert f"{first['move']} was given up in game {first['rounds']}." in out


def test_diff_lists_every_move_that_differs():
    told = as_json("saves", "diff", "her@1", "her")
    learners = [revive(rewind_to(her(), rounds)) for rounds in (1, 20)]
    found = differences(*learners)
    assert [(each["chances"], each["given_up"]) for each in told["differences"]] == [
        (list(each.chances), each.given_up) for each in found
    ]
    out = run("saves", "diff", "her@1", "her", "--all").out
    assert f"; {len(found)} moves differ, " in out
    assert len(out.splitlines()) > len(found)
    assert "0 moves differ" in run("saves", "diff", "her", "her").out


@pytest.mark.long
def test_diff_tells_what_matters_most_in_sentences_before_any_figures():
    told = as_json("saves", "diff", "riechel@10", "riechel")["positions"]
    weights = [round(each["reached"] * abs(each["values"][1] - each["values"][0]), 6) for each in told[:USUAL_CHANGES]]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0
    out = run("saves", "diff", "riechel@10", "riechel").out
    assert out.startswith("riechel@10 → riechel, Tic-tac-toe: they play differently in ")
    assert max(map(len, out.splitlines())) <= 80
    sentences, figures = out.split("lost, in %")
    said = " ".join(sentences.split())
    assert all(f"{each['position']} {each['sentence']} Reached in " in said for each in told[:USUAL_CHANGES])
    assert f"and {len(told) - USUAL_CHANGES} more: --all tells them" in said
    assert not any(each["position"] in figures for each in told[:USUAL_CHANGES])


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("diff", "her", "nobody"), "no save 'nobody'"),
        (("diff", "her", "riechel"), "no move in common"),
        (("diff", "her@3", "her"), "after 3 games; there are checkpoints after 0, 1, 2, 5, 10, 20"),
        (("show", "her@x"), "write a number of rounds after the @"),
        (("history", "her@"), "write a number of rounds"),
        (("rename", "her@1", "a"), "cannot be in a name"),
        (("delete", "her@1"), "cannot be in a name"),
    ],
)
def test_an_invalid_checkpoint_is_refused_in_one_line(arguments, what):
    refused(what, "saves", *arguments, most=1)


def test_a_save_may_be_named_by_its_label_as_a_player():
    assert as_json("saves", "show", "save:her@5") == as_json("saves", "show", "her@5")
    Library(library_path()).save("mine", her())
    assert run("saves", "rename", "save:mine", "yours").code == 0
    assert run("saves", "delete", "save:yours").code == 0


def test_a_checkpoint_is_used_like_a_save(tmp_path: Path):
    assert as_json("saves", "show", "her@5")["games"] == 5
    assert as_json("evaluate", "save:her@5")["second"] == as_json("saves", "history", "her")["moments"][3]["second"]
    went_on = as_json("train", "--from", "her@5", "--games", "15", "--save", "again")
    assert (went_on["games"], went_on["save"], went_on["opponent"]) == (20, "again", "perfect")
    assert (Library(library_path()).load("again").memory == her().memory).all()
    file = tmp_path / "then.json"
    assert as_json("saves", "export", "her@5", str(file))["file"] == str(file)
    assert as_json("saves", "import", str(file))["games"] == 5
    refused("there is already a save 'her'", "train", "--from", "her@5", "--games", "5", "--save", "her")
