from collections import Counter

from engine.games import parse_game
from engine.known_positions import known_positions

CONNECT_FOUR = parse_game("connectfour")


def test_the_known_positions_are_those_of_six_sets_and_each_has_a_move_that_keeps_its_value():
    positions = known_positions(CONNECT_FOUR)
    assert Counter(each.set for each in positions) == dict.fromkeys(
        ("begin-easy", "begin-medium", "begin-hard", "middle-easy", "middle-medium", "end-easy"), 100
    )
    for each in positions:
        assert tuple(each.moves) == CONNECT_FOUR.moves(each.position)
        assert max(each.scores.values()) == each.score
    assert known_positions(parse_game("tictactoe")) == ()


def test_a_move_keeps_a_value_and_a_resignation_keeps_nothing():
    lost = next(each for each in known_positions(CONNECT_FOUR) if each.value < 0)
    won = next(each for each in known_positions(CONNECT_FOUR) if each.value > 0 and min(each.moves.values()) < 1)
    assert all(lost.keeps(move) for move in lost.moves)
    assert {won.keeps(move) for move in won.moves} == {True, False}
    assert not won.keeps(None)
    assert not lost.keeps(None)
