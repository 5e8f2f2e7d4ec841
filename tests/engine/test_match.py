"""A game as it is played, taken back and recorded."""

from random import Random

import pytest

from engine.game import Game, IllegalMove, Outcome, Side
from engine.games import GAMES, parse_game
from engine.games.hexapawn import THREE_BY_THREE as HEXAPAWN
from engine.games.tictactoe import TICTACTOE
from engine.match import Match, Record, play_match, replay_record
from tests.random_games import random_match


@pytest.fixture
def won() -> Match:
    match = Match(GAMES[0])
    for move in (0, 1, 3, 4, 6):
        match.play(move)
    return match


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


every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_game
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


def begun(game: Game, moves: int = 2) -> Match:
    match = Match(game)
    for ply in range(moves):  # the first moves of a wild game would make a row
        legal = game.moves(match.position)
        match.play(legal[-(ply % 2)])
    return match


with_draws = pytest.mark.parametrize("game", [game for game in GAMES if game.has_draws], ids=lambda game: game.name)


@every_game
def test_a_record_is_replayed_to_the_same_match(game: Game):
    random = Random(1)
    for _ in range(20):
        match = random_match(game, random, random.choice((None, random.randrange(4))), ends=True)
        with pytest.raises(ValueError, match="not over"):
            match.until(0).record(("a", "b"))
        assert match.record(("a", "b")) == Record(game, ("a", "b"), tuple(match.moves), match.outcome)
        assert replay_record(match.record(("a", "b"))) == match


@with_draws
def test_after_an_agreed_draw_moves_can_only_be_taken_back(game: Game):
    match = begun(game)
    where = (list(match.positions), list(match.moves))
    match.agree()
    with pytest.raises(IllegalMove, match="a draw was agreed in"):
        match.play(game.moves(match.position)[0])
    with pytest.raises(IllegalMove, match="nobody can resign"):
        match.resign()
    with pytest.raises(IllegalMove, match="no draw can be agreed"):
        match.agree()
    assert (match.positions, match.moves, match.resigned) == (*where, False)
    match.take_back(0)
    assert (match.outcome, match.moves) == (None, where[1])
    match.agree()
    match.take_back()
    assert (match.outcome, match.moves) == (None, where[1][:1])
    match.resign()
    with pytest.raises(IllegalMove, match="no draw can be agreed"):
        match.agree()
    assert match.outcome is Outcome.won_by(match.side.other)


def test_no_draw_can_be_agreed_in_a_game_without_draws():
    hexapawn = parse_game("hexapawn")
    match = begun(hexapawn)
    with pytest.raises(IllegalMove, match="Hexapawn has no draws: none can be agreed in"):
        match.agree()
    assert (match.outcome, match.agreed) == (None, False)
    with pytest.raises(IllegalMove, match="has no draws"):
        replay_record(Record(HEXAPAWN, ("a", "b"), tuple(match.moves), Outcome.DRAW))


@pytest.mark.parametrize("outcome", [Outcome.SECOND_WINS, Outcome.DRAW])
def test_a_record_whose_outcome_contradicts_its_moves_is_refused(won: Match, outcome: Outcome):
    with pytest.raises(ValueError, match="is not a game of tictactoe"):
        replay_record(Record(TICTACTOE, ("a", "b"), tuple(won.moves), outcome))


def test_a_resignation_is_a_win_for_the_side_that_is_not_to_move():
    resigned = begun(GAMES[0], 3)
    resigned.resign()
    with pytest.raises(ValueError, match="is not a game of tictactoe"):
        replay_record(Record(TICTACTOE, ("a", "b"), tuple(resigned.moves), Outcome.SECOND_WINS))
