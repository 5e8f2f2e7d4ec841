"""The score and the line of moves at the board."""

from dataclasses import replace
from random import Random

import pytest
from rich.style import Style

from engine.games import parse_game
from lab.board.session import Session
from learners.core.player import Thought
from learners.menace.learner import Menace
from tui.play.board_sentences import moves_text, reason_texts
from tui.play.news import introduction, news_text, score_text
from tui.widgets.palette import PLAIN

TICTACTOE = parse_game("tictactoe")


def session(name="a"):
    machine = Menace(TICTACTOE, "steady", 1)
    machine.label = f"save:{name}"
    return Session(TICTACTOE, (None, machine), Random(1))


def test_the_score_names_the_person_first_and_draws_only_where_there_are_some():
    match = session()
    match.draws, match.points = 3, [4, 1]
    assert score_text(match) == "you 4 : 1 a · 3 drawn"
    assert score_text(match, with_draws=False) == "you 4 : 1 a"
    match.seats, match.points = match.seats[::-1], [1, 4]
    assert score_text(match) == "you 4 : 1 a · 3 drawn"
    nim = parse_game("nim:3,4,5")
    assert score_text(Session(nim, (None, None), Random(1))) == "A 0 : 0 B"


def test_the_name_of_the_bead_that_was_drawn_is_in_its_colour():
    match, reason = session(), "1 of 9 beads in box 2 are gold"
    match.play(4, reason, Thought(4, 1 / 9, "1", "", hue=5))
    text, *_ = reason_texts(match, replace(PLAIN, beads=tuple(map(Style.parse, ("red",) * 4 + ("yellow",)))))
    assert [(text.plain[span.start : span.end], span.style.color.name) for span in text.spans] == [("gold", "yellow")]


def test_a_new_machine_is_introduced_until_it_has_replied():
    match = session()
    match.swap()
    for move, reason, told in ((4, "the first", False), (0, "", False), (8, "the reply", True), (2, "", True)):
        match.play(move, reason)
        said = news_text(match, (), "", PLAIN, told=True).plain
        assert (said != introduction(match, narrow=False)) == ("the reply" in said) == told


@pytest.mark.parametrize(
    ("moves", "room", "line"),
    [
        ((), 38, "No moves yet"),
        ((4, 8, 0), 19, "1. b2  2. c1  3. a3"),
        ((4, 8, 0), 18, "1. b2 2. c1 3. a3"),
        ((4, 8, 0), 16, "…  2. c1  3. a3"),
    ],
)
def test_the_line_of_moves_never_cuts_a_move(moves, room, line):
    match = session()
    for move in moves:
        match.play(move)
    assert moves_text(match, room) == line
