"""The lines about the game at the board."""

from random import Random

import pytest

from engine.games import parse_game
from lab.board.event_sentences import refusal_text
from lab.board.session import Session
from learners.menace.learner import Menace
from tui.play.board_sentences import moves_text, seats_text

TICTACTOE = parse_game("tictactoe")
X_WINS = (0, 3, 1, 4, 2)


def session(name="a"):
    machine = Menace(TICTACTOE, "steady", 1)
    machine.label = f"save:{name}"
    return Session(TICTACTOE, (None, machine), Random(1))


@pytest.mark.parametrize("room", [30, 36, 38, 44])
def test_the_score_fits_with_any_names_and_any_points(room):
    match = session("a very long name of a machine that learns " * 3)
    match.draws, match.points = 120, [99, 120]
    assert max(map(len, seats_text(match, room).plain.split("\n"))) <= room
    for move in X_WINS:
        match.play(move)
    match.points = [100, 120]
    assert max(map(len, seats_text(match, room).plain.split("\n"))) <= room
    assert "99 → 100" in seats_text(match, room).plain


@pytest.mark.parametrize(
    ("moves", "room", "xray", "line"),
    [
        ((), 38, "", "No moves yet"),
        ((), 38, "X-ray: what riechel would play", "X-ray: what riechel would play"),
        ((4, 8), 38, "X-ray: what riechel would play", "X-ray: what riechel would play"),
        ((4, 8), 45, "X-ray: what riechel would play", "X-ray: what riechel would play   1. b2 c1"),
        ((4, 8, 0), 18, "", "1. b2 c1   2. a3"),
        ((4, 8, 0), 12, "", "…   2. a3"),
    ],
)
def test_the_line_of_moves_never_cuts_a_move(moves, room, xray, line):
    match = session()
    for move in moves:
        match.play(move)
    assert moves_text(match, room, xray).plain == line


@pytest.mark.parametrize(
    ("game", "position", "square", "words"),
    [
        ("tictactoe", "X../.../... O", "a3", "a3 is taken"),
        ("notakto", "X../.../... B", "a3", "a3 is taken"),
        ("hexapawn", "BBB/.../WWW W", "a1", "what stands on a1 cannot move now"),
        ("hexapawn", "BBB/.../WWW W", "a3", "what stands on a3 belongs to B"),
        ("hexapawn", "BBB/.../WWW W", "a2", "a2 cannot be played here"),
    ],
)
def test_why_a_square_is_refused(game, position, square, words):
    rules = parse_game(game)
    where = rules.from_text(position)
    assert refusal_text(rules, where, rules.board.grid.names.index(square)) == words
