"""A game as it is played, taken back and recorded."""

from random import Random

import pytest

from engine import GAMES
from engine.game import Game, IllegalMove, Outcome, Side
from engine.match import Match, Record, play_match

CENTRE, LEFT_COLUMN = 4, (0, 3, 6)


@pytest.fixture
def won() -> Match:
    match = Match(GAMES[0])
    for move in (0, 1, 3, 4, 6):
        match.play(move)
    return match


def test_a_new_match_stands_at_the_start():
    match = Match(GAMES[0])
    assert match.position == GAMES[0].start
    assert match.side is Side.FIRST
    assert match.outcome is None
    assert match.moves == []


def test_two_matches_share_nothing():
    one, two = Match(GAMES[0]), Match(GAMES[0])
    one.play(CENTRE)
    assert two.position == GAMES[0].start
    assert two.moves == []


def test_a_finished_match_becomes_a_record(won: Match):
    assert won.outcome is Outcome.FIRST_WINS
    assert won.record(("a", "b")) == Record("tictactoe", ("a", "b"), (0, 1, 3, 4, 6), Outcome.FIRST_WINS)


def test_an_unfinished_match_makes_no_record():
    match = Match(GAMES[0])
    match.play(CENTRE)
    with pytest.raises(ValueError, match=r"the game is not over in \.\.\./\.X\./\.\.\. O"):
        match.record(("a", "b"))


def test_an_illegal_move_changes_nothing(won: Match):
    before = (list(won.positions), list(won.moves))
    with pytest.raises(IllegalMove):
        won.play(8)
    assert (won.positions, won.moves) == before


def test_moves_are_taken_back(won: Match):
    won.take_back()
    assert won.moves == [0, 1, 3, 4]
    assert won.outcome is None
    won.take_back(2)
    assert won.moves == [0, 1]
    assert len(won.positions) == 3
    won.take_back(10)
    assert won.moves == []
    assert won.position == GAMES[0].start


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_side_moves_by_its_own_function(game: Game):
    random = Random(1)
    asked: list[Side] = []

    def chooser(side: Side):
        def choose(position: int) -> int:
            assert game.side(position) is side
            asked.append(side)
            return random.choice(game.moves(position))

        return choose

    match = play_match(game, (chooser(Side.FIRST), chooser(Side.SECOND)))
    assert match.outcome is not None
    assert len(asked) == len(match.moves)
    assert asked == [Side(ply % 2) for ply in range(len(asked))]
