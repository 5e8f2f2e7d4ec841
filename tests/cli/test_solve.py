"""`noughts solve`: positions in, scores out."""

import json

import pytest

from tests.cli.cli_run import run

LATE = "23163416124767223154467471272416755633"
"""A position of the published sets: a draw, and 0 in the columns 3 and 5; the others are full."""
WIN = "112233"


def test_the_columns_follow_the_score():
    assert run("solve", "-", "--columns", lines=LATE).out == f"{LATE} 0 - - 0 - -2 - -\n"


def test_json_is_one_array(tmp_path):
    (tmp_path / "positions").write_text(f"{WIN}\n{LATE}\n")
    found = json.loads(run("solve", str(tmp_path / "positions"), "--json").out)
    assert [each["moves"] for each in found] == [WIN, LATE]
    assert [each["score"] for each in found] == [18, 0]
    assert found[1]["columns"] == [None, None, 0, None, -2, None, None]
    assert found[0].keys() == {"moves", "score", "columns", "nodes", "seconds"}
    assert json.loads(run("solve", "-", "--json").out) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("1212121", "the game is over after"),
        ("what", "is not a move"),
        ("tictactoe b2", "a position of Tic-tac-toe, not of Connect Four"),
    ],
)
def test_a_wrong_line_is_named_and_the_rest_goes_on(line: str, reason: str):
    ran = run("solve", "-", lines=f"{WIN}\n{line}\n{WIN}\n")
    assert ran.code == 1
    assert ran.out.splitlines() == [f"{WIN} 18"] * 2
    assert ran.err.startswith("noughts: line 2: ")
    assert reason in ran.err


@pytest.mark.long
def test_other_boards():
    assert run("solve", "-", "--game", "mnk:4,4,4+gravity", lines="1").out == "1 0\n"


def test_boards_without_gravity():
    start = f"{'/'.join(['.' * 5] * 5)} X"
    assert run("solve", "-", "--game", "mnk:5,5,4", lines=start).out == f"{start} 0\n"
    ran = run("solve", "-", "--game", "mnk:5,5,4", "--columns", lines=start)
    assert (ran.code, ran.err) == (
        1,
        "noughts: pieces do not fall in 5×5, four in a row: --moves prints the score of every move there\n",
    )
    assert "no solver knows Hexapawn" in run("solve", "-", "--game", "hexapawn", lines=start).err


def test_the_score_of_every_move_follows_its_name():
    """X completes its row with d4, or stops that of O with d3; after any other move, O wins with d3."""
    position = "....X/XXX.O/OOO../...../..... X"
    ran = run("solve", "-", "--game", "mnk:5,5,4", "--moves", lines=position)
    scores = dict(each.split("=") for each in ran.out.removeprefix(f"{position} 1 ").split())
    assert (len(scores), scores.pop("d4"), scores.pop("d3")) == (17, "1", "0")
    assert {*scores.values()} == {"-1"}
    (found,) = json.loads(run("solve", "-", "--moves", "--json", lines=LATE).out)
    assert found["by_move"] == {"c": 0, "e": -2}


def test_weak_scores_are_signs():
    assert run("solve", "-", "--weak", "--no-book", lines=WIN).out == f"{WIN} 1\n"


def test_other_notations_are_read():
    board = "......./......./......./......./XXX..../OOO.... O"
    moves = "a a b b c c"
    assert run("solve", "-", lines=f"{moves}\n").out == f"{moves} 18\n"
    assert run("solve", "-", lines=f"{board}\n").code == 1, "it is X's turn there"


def test_a_long_game_in_letters_is_not_taken_for_a_board():
    moves = " ".join(LATE.translate(str.maketrans("1234567", "abcdefg")))
    assert run("solve", "-", lines=moves).out == f"{moves} 0\n"


def test_each_line_is_printed_with_its_score_without_comments_and_the_mark_of_order(tmp_path):
    file = tmp_path / "positions"
    file.write_text(f"\ufeff{WIN}\r\n# no position\r\n#none\r\n\r\n{LATE}\r\n", encoding="utf-8", newline="")
    ran = run("solve", str(file))
    assert (ran.code, ran.err, ran.out.splitlines()) == (0, "", [f"{WIN} 18", f"{LATE} 0"])


def test_moves_are_printed_in_their_order():
    said = run("solve", "-", "--moves", "--game", "mnk:4,4,4", lines="..../..../..../.... X").out.split()[3:]
    assert [each.partition("=")[0] for each in said] == [f"{column}{row}" for row in "4321" for column in "abcd"]


def test_a_missing_file_is_named(tmp_path):
    ran = run("solve", str(tmp_path / "none"))
    assert ran.code == 1
    assert "none" in ran.err
