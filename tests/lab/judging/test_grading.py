"""Grading: what can be required, what is no submission, which object of a file is the agent, and the reasons."""

import re
from pathlib import Path
from random import Random

import pytest

from engine.game import BadText, Game, Position, Side
from engine.games import parse_game
from engine.solve import values
from engine.spaces import space_of
from lab.judging.asking.agent import Agent, agent_of, player_agent
from lab.judging.asking.ask_all import ask_all
from lab.judging.grading import (
    Grade,
    find_agent_object,
    grade_agent,
    junit_text,
    non_submission_reason,
    parse_requirement,
)
from lab.judging.judge import judge
from lab.judging.notation.reply import Reply
from learners import parse_player

TICTACTOE, HEXAPAWN, ROW = map(parse_game, ("tictactoe", "hexapawn", "mnk:4,1,2"))


def keeping(position: Position) -> Reply:
    """What never loses in a row of four squares, but gives the win away."""
    space = space_of(ROW)
    sign = 1 if ROW.side(position) is Side.FIRST else -1
    kept = [edge for edge in space.edges(position) if sign * values(space)[space.target[edge]] >= 0]
    return Reply(dict.fromkeys((int(space.move[edge]) for edge in kept), 1 / max(len(kept), 1)))


def player(label: str) -> Agent:
    return player_agent(parse_player(label, TICTACTOE))


def listed(text: str, move: str) -> Agent:
    """An agent that has an answer in one position only."""
    position = TICTACTOE.from_text(text)
    return agent_of({position: Reply({TICTACTOE.parse_move(position, move): 1.0})}.get, is_certain=True)


def wrong(_position: Position) -> Reply:
    return Reply({}, ("z9",))


def graded(game: Game, agent: Agent, required: str, sides: str) -> Grade:
    given = tuple(Side["SECOND" if each in "OB" else "FIRST"] for each in sides)
    return grade_agent("it", game, judge(game, ask_all(game, agent, given)), [parse_requirement(required)])


@pytest.mark.parametrize(
    ("agent", "required", "sides", "reason"),
    [
        (player("perfect"), "never-loses", "XO", ""),
        (player("perfect"), " Optimal ", "XO", ""),
        (player("random"), "legal", "XO", ""),
        (player("random"), "beats random 50 %", "X", ""),
        (player("random"), "beats random 59", "X", "as X it beats random in 58.5 % only"),
        (player("random"), "optimal", "O", "as O it loses 99.5 % of the games to a player that has read its memory"),
        (player("random"), "beats best 1%", "XO", "as O it beats best_responder in 0 % only"),
        (listed(".../.../... X", "b2"), "legal", "X", "as X it gives no move in O../.X./... X"),
        (listed("X../.../... O", "b2"), "never-loses", "O", "as O it gives no move in .X./.../... O"),
        (agent_of(wrong), "legal", "O", "as O it answers 'z9' in X../.../... O: not a legal move there"),
    ],
)
def test_a_requirement_is_kept_or_the_reason_says_how_not(agent: Agent, required: str, sides: str, reason: str):
    grade = graded(TICTACTOE, agent, required, sides)
    assert grade.reason == (reason or f"{' '.join(required.lower().split())}: as required")
    assert (grade.passed, bool(grade.lost_game)) == (not reason, bool(reason))


@pytest.mark.parametrize(("required", "passed"), [("never-loses", True), ("optimal", False)])
def test_an_agent_that_gives_wins_away_is_not_optimal(required: str, passed: bool):
    grade = graded(ROW, agent_of(keeping, is_certain=True), required, "X")
    assert (grade.passed, "gives away a won game" in grade.reason) == (passed, not passed)


@pytest.mark.usefixtures("asked_briefly")
def test_the_shares_of_a_random_agent_are_told_as_intervals():
    rng = Random(1)
    agent = agent_of(lambda position: Reply({rng.choice(HEXAPAWN.moves(position)): 1.0}, single=True))
    for required in ("never-loses", "beats random 60 %"):
        grade = graded(HEXAPAWN, agent, required, "B")
        low, high = (float(each) for each in re.findall(r"([0-9.]+) %", grade.reason))
        assert (grade.passed, low < high, "not shown" in grade.reason) == (False, True, False)
    grade = graded(HEXAPAWN, agent, f"beats random {(low + high) / 2:.1f} %", "B")
    assert (grade.passed, "it is not shown to reach" in grade.reason) == (False, True)
    grade = graded(HEXAPAWN, agent, "legal", "B")
    assert (grade.passed, "legal: as required, going by 50 answers in each position") == (True, grade.reason)


@pytest.mark.parametrize(
    "text", ["wins", "beats", "beats random", "beats random 101 %", "beats minimax 5 %", "never loses"]
)
def test_what_cannot_be_required_is_refused_with_what_can(text: str):
    with pytest.raises(BadText, match=f"'{text}' is nothing that can be required: write never-loses"):
        parse_requirement(text)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("agent.py", ""),
        ("agent", ""),
        ("table.csv", ""),
        ("README.md", "it is a text, no agent"),
        ("LICENSE", "it is a text, no agent"),
        ("board.PNG", "it is a picture, no agent"),
        ("Makefile", "it is settings, no agent"),
        ("__init__.py", "it is part of a package, no agent"),
        (".", "it is no file"),
    ],
)
def test_files_that_are_plainly_no_submission(tmp_path: Path, name: str, reason: str):
    assert non_submission_reason(tmp_path / name) == reason


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "def minimax(): 0\ndef get_computer_move(): 0",
            ("get_computer_move", "get_computer_move is graded, not minimax"),
        ),
        ("def first(): 0\nclass Player: 0", ("Player", "")),
        ("def first(): 0\nclass Player: 0\nplayer = Player()", ("player", "player is graded, not Player")),
        ("def findBestMove(): 0\nbestMove = findBestMove()", ("findBestMove", "")),
        ("def anything(): 0\ndef _act(): 0", ("anything", "")),
        ("def choose(): 0\nchoose = choose", ("choose", "")),
        (
            "def first(): 0\nclass Anyone: 0",
            "called choose, agent, policy or the like: name one of first, Anyone, as in .*:Anyone",
        ),
        ("number = 3", "or the like: name one, as in .*:NAME"),
        ("".join(f"def f{each}(): 0\n" for each in range(9)), "f6, f7, …, as in"),
        ("def choose(", "it is no Python that can be read: SyntaxError: "),
    ],
)
def test_the_agent_in_a_file_goes_by_its_name(tmp_path: Path, text: str, found: str | tuple[str, str]):
    path = tmp_path / "many.py"
    path.write_text(text)
    if isinstance(found, str):
        with pytest.raises(BadText, match=found):
            find_agent_object(path)
    else:
        assert find_agent_object(path) == (f"{path}:{found[0]}", found[1])


def test_grades_are_written_as_junit():
    lost = graded(TICTACTOE, listed(".../.../... X", "b2"), "legal", "X")
    assert junit_text([lost, Grade('a"<\x1b', True, "kept"), Grade("c", None, "a text")], "all").splitlines() == [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuite name="all" tests="3" failures="1" skipped="1">',
        f'  <testcase name="it"><failure message="{lost.reason}. A game that it loses as X: b2 a3"/></testcase>',
        "  <testcase name='a\"&lt;'/>",
        '  <testcase name="c"><skipped message="a text"/></testcase>',
        "</testsuite>",
    ]
