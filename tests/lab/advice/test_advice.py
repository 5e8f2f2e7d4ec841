"""Hints and the evaluation bar in words."""

import re
from random import Random

import pytest

from engine.analysis import rating
from engine.analysis.debrief import assess
from engine.analysis.rating import RatedMove, best_of, rate_moves
from engine.games import GAMES, parse_game
from lab.advice import advice

TICTACTOE, HEXAPAWN, FOUR = (parse_game(name) for name in ("tictactoe", "hexapawn", "connectfour"))


def position(text, game=TICTACTOE):
    return game.from_text(text)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("XX./OO./... X", "You can win at once.", "c3 completes the top row and wins."),
        ("XO./.O./.X. X", "You can make a fork: two threats at once.", "a1 makes a fork: it threatens a2 and c1 and"),
        ("X../.../... O", "1 of 8 moves does not lose.", "b2 keeps the draw"),
        ("X../.O./..X O", "Look out for a fork that X could make next.", " keeps the draw"),
        (
            "X.O/.../X.. O",
            "X threatens to win in the left column, and every move loses against best play: make it last.",
            "a2 loses in 2",
        ),
        (
            "X../XO./... O",
            "X threatens to win in the left column.",
            "a1 stops X in the left column, threatens c3 and keeps the draw",
        ),
        (
            ".../.../... X",
            "Nothing is decided yet: no move loses.",
            " keeps the draw. 7 of O's 8 answers lose, though not at once.",
        ),
        (".X./OXO/..X O", "X threatens to win in 2 ways.", "loses at once; no other"),
        ("XOX/OXX/O.O X", "There is only one move.", "and keeps the draw."),
    ],
)
def test_a_hint_first_tells_what_to_look_for_and_then_the_move(text, where, what):
    found = advice.find_hint(TICTACTOE, position(text))
    assert advice.hint_text(found) == where
    assert what in advice.hint_move_text(found)
    assert advice.hint_move_text(found).startswith(TICTACTOE.move_name(found.move))


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_hint_is_a_best_move_and_true(game):
    random = Random(3)
    for _ in range(15 if game.numbered else 1):
        now = game.start
        while game.outcome(now) is None:
            rated = rate_moves(game, now)
            found = advice.find_hint(game, now)
            where = advice.hint_text(found)
            assert found.move in [each.move for each in best_of(rated)]
            if "Only" in where:
                holding, every = map(int, re.findall("[0-9]+", where))
                assert (holding, every) == (sum(each.value != -1 for each in rated), len(rated))
            if "win" in where and "You" in where:
                assert best_of(rated)[0].value == 1
            now = game.play(now, random.choice(game.moves(now)))


@pytest.mark.parametrize(
    ("game", "squares", "name"),
    [
        (TICTACTOE, (2, 5, 8), "the right column"),
        (FOUR, (35, 36, 37, 38), "row 1"),
        (FOUR, (3, 10, 17, 24), "column d"),
        (FOUR, (0, 8, 16, 24), "the diagonal a6–d3"),
        (FOUR, (3, 9, 15, 21), "the diagonal a3–d6"),
        (TICTACTOE, (0, 4, 8), "a diagonal"),
    ],
)
def test_a_row_is_named_by_its_place(game, squares, name):
    assert advice.row_name(game, squares) == name


def test_moves_are_listed():
    assert [advice.names_text(TICTACTOE, TICTACTOE.start, moves) for moves in ([0], [0, 4], [0, 4, 8])] == [
        "a3",
        "a3 or b2",
        "a3, b2 or c1",
    ]


def test_a_rated_move_is_put_into_words():
    known = {
        RatedMove(0, 1, 1): "wins at once",
        RatedMove(0, 1, 3): "wins in 2 moves",
        RatedMove(0, -1, 2): "loses at once",
        RatedMove(0, 0): "draws",
        RatedMove(0, None, estimate=-3): "value −3",
    }
    assert {each: advice.rated_move_text(each) for each in known} == known


@pytest.mark.parametrize(
    ("game", "text", "move", "warning"),
    [
        (TICTACTOE, "XO./.X./O.. X", "b1", "b1 misses an immediate win."),
        (TICTACTOE, "X.O/.../X.. O", "b1", None),
        (TICTACTOE, "X../XO./... O", "b3", "b3 lets X win at once."),
        (TICTACTOE, "X../.../... O", "b3", "b3 loses in 3 moves."),
        (TICTACTOE, "X.O/.../... X", "b2", "b2 gives a win away."),
        (HEXAPAWN, "BBB/.W./W.W B", "c3c2", "c3 to c2 lets W win at once."),
    ],
)
def test_a_warning_before_a_mistake_is_played(game, text, move, warning):
    now = position(text, game)
    turn = assess(game, now, game.parse_move(now, move))
    assert (advice.warning_text(game, turn) if turn.cost else None) == warning


def test_the_bar_tells_who_is_ahead(monkeypatch):
    monkeypatch.setattr(rating, "shape_of", lambda _: None)  # as in a game that has no solver

    def bar(text, game=TICTACTOE):
        now = position(text, game)
        rated = rate_moves(game, now)
        best = best_of(rated)[0] if rated else None
        return advice.first_side_share(game, now, best), advice.bar_text(game, now, best, 40, ("", "dim")).plain

    assert bar(".../.../... X") == (0.5, "X " + "█" * 14 + "▓" * 14 + " O   draw")
    assert bar("XX./OO./X.. O") == (0.0, "X " + "▓" * 18 + " O   O wins at once")
    assert bar("XXX/OO./... O")[1].endswith("X has won")
    assert bar("XOX/XOO/OXX O")[0] == 0.5
    share, text = bar("......./......./......./......./......./...X... O", FOUR)
    assert 0.4 < share < 0.8
    assert text.endswith(("X looks ahead", "even"))


def test_an_answer_that_is_still_looked_for_says_so():
    bar = advice.bar_text(FOUR, FOUR.start, RatedMove(0, None, estimate=3), 60, ("", "dim"), looking=True)
    assert bar.plain.endswith("X looks ahead, still looking")
