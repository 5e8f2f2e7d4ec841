from itertools import chain
from random import Random

import pytest

from engine.game import IllegalMove, Outcome
from engine.games import GAMES, parse_game
from engine.match import Match
from lab.board.event_sentences import no_square_text, refusal_text
from lab.board.seating import Seating, Sides, seating_choices, seating_from_choices
from lab.board.session import Session, Undoable, read_unfinished, score_text, unfinished_text
from learners import parse_player
from learners.core.player import MAX_REASON
from tests.small_games import DOMINOES

TICTACTOE = parse_game("tictactoe")
X_WINS = [0, 3, 1, 4, 2]
O_WINS = [0, 3, 1, 4, 8, 5]
DRAW = [0, 4, 8, 1, 7, 6, 2, 5, 3]


def session(first="human", second="human", game=TICTACTOE):
    seats = [None if label == "human" else parse_player(label, game) for label in (first, second)]
    return Session(game, (seats[0], seats[1]), Random(1))


def play(session, moves):
    for move in moves:
        session.play(move)


def test_the_score_counts_each_way_that_a_game_ends():
    match = session()
    for moves in (X_WINS, O_WINS, DRAW, X_WINS):
        play(match, moves)
        match.new_game()
    assert (match.points, match.draws) == ([2, 1], 1)


def test_an_illegal_move_changes_nothing():
    match = session()
    match.play(4)
    with pytest.raises(IllegalMove):
        match.play(4)
    assert (match.match.moves, match.current.reasons) == ([4], [""])


@pytest.mark.parametrize(("moves", "left"), [([4, 0], []), ([4, 0, 8, 1], [4, 0]), ([4], []), ([4, 0, 8], [4, 0])])
def test_a_person_takes_back_its_own_move_and_the_answer(moves, left):
    match = session("human", "random")
    play(match, moves)
    assert match.take_back()
    assert match.match.moves == left
    assert len(match.current.reasons) == len(left)
    assert match.player is None


def test_before_a_persons_first_move_there_is_nothing_to_take_back():
    match = session("random", "human")
    assert not match.take_back()
    match.play(4, "why not")
    assert not match.take_back()
    assert (match.match.moves, match.current.reasons) == ([4], ["why not"])


@pytest.mark.parametrize("moves", [X_WINS, O_WINS, DRAW])
def test_taking_back_the_last_move_takes_back_the_result(moves):
    match = session()
    play(match, moves)
    assert match.take_back()
    assert (match.points, match.draws) == ([0, 0], 0)
    match.play(moves[-1])
    assert sum(match.points) + match.draws == 1


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_legal_move_has_squares_of_its_own(game):
    match = session(game=game)
    random = Random(2)
    while match.match.outcome is None:
        squares = match.moves_by_squares()
        assert sorted({*chain.from_iterable(squares.values())}) == list(game.moves(match.match.position))
        assert all(0 <= square < game.board.rows * game.board.columns for chosen in squares for square in chosen)
        match.play(random.choice(random.choice(list(squares.values()))))
    assert match.moves_by_squares() == {}


def test_a_domino_is_placed_from_either_end():
    moves = session(game=DOMINOES).moves_by_squares()
    assert len(moves) == 2 * len(DOMINOES.moves(DOMINOES.start))
    assert moves[0, 1] == moves[1, 0] == [1]


def test_a_resignation_counts_and_is_taken_back_with_the_moves_before_it():
    match = session("human", "random")
    match.play(4)
    assert match.play(None, "no bead is left") is Outcome.FIRST_WINS
    assert (match.points, match.current.reasons) == ([1, 0], ["", "no bead is left"])
    assert match.take_back()
    assert (match.points, match.match.moves, match.current.reasons, match.match.resigned) == ([0, 0], [], [], False)


def test_a_player_is_replaced_on_either_side():
    match = session("human", "random")
    other = parse_player("random", TICTACTOE)
    match.replace_player(other)
    assert match.seats == (None, other)
    match.swap()
    match.replace_player(parse_player("perfect", TICTACTOE))
    assert match.seats == (other, None)


def test_a_person_takes_back_only_a_resignation_or_an_agreed_draw():
    match = session("human", "random")
    play(match, [4, 0])
    assert match.play(None) is Outcome.SECOND_WINS
    assert match.take_back()
    assert (match.points, match.match.moves, match.match.outcome) == ([0, 0], [4, 0], None)
    assert match.agree() is Outcome.DRAW
    assert match.draws == 1
    assert match.take_back()
    assert (match.draws, match.match.moves, match.match.outcome) == (0, [4, 0], None)


def test_a_new_game_is_taken_back_with_score_and_sides():
    match = session("human", "random")
    play(match, X_WINS)
    match.new_game()
    play(match, [4, 0])
    machine = match.seats[1]
    match.swap()
    assert match.points == [0, 1]
    assert match.take_back()
    assert (match.points, match.seats, match.match.moves) == ([1, 0], (None, machine), [4, 0])


def seated(sides, length=0):
    return Session(TICTACTOE, (None, parse_player("random", TICTACTOE)), Random(1), sides, length)


def test_sides_alternate_after_practice_as_well_and_not_after_a_game_taken_back():
    match = seated(Sides.ALTERNATE)
    play(match, X_WINS)
    match.begin_at(match.match.until(2))
    match.new_game()
    assert match.labels == ("random", "human")
    play(match, X_WINS)
    match.take_back()
    match.new_game()
    assert match.labels == ("random", "human")
    assert match.take_back()
    play(match, X_WINS[-2:])
    match.new_game()
    assert match.labels == ("human", "random")


@pytest.mark.parametrize("length", [1, 2])
def test_a_series_ends_after_its_games_and_another_begins(length):
    match = seated(Sides.FIXED, length)
    for finished in (False, True)[-length:]:
        assert not match.series_over
        play(match, X_WINS)
        assert match.series_over is finished
        match.new_game()
    assert (match.points, match.games) == ([0, 0], 0)


def test_a_draw_is_early_until_both_sides_have_moved_except_in_practice():
    match, early = session("human", "random"), []
    for move in X_WINS[:3]:
        early.append(match.draw_is_early)
        match.play(move)
    assert early == [True, True, False]
    match.begin_at(Match(TICTACTOE, [TICTACTOE.from_text("XO./.X./... O")]))
    assert not match.draw_is_early


def test_a_seating_is_restored_from_its_choices_and_invalid_ones_are_refused():
    seating = Seating(parse_game("misere"), "human", "save:a b", Sides.RANDOM, 5, learning=True)
    kept = seating_choices(seating)
    assert seating_from_choices(kept.get) == seating
    for key, value in (("game", "go"), ("first", ""), ("sides", "both"), ("series", "many"), ("series", "-1")):
        assert seating_from_choices({**kept, key: value}.get) is None
    assert seating_from_choices({}.get) is None


def test_the_score_is_kept_as_text_and_nothing_else_is_taken_for_one():
    match, again, over = (session(second="random") for _ in range(3))
    match.play(None)
    kept = score_text(match)
    for text in ("", "1", "1 2", "0 1 0 x", "0 -1 0 ", "0 1 0 -\n", "٣ 1 0 "):
        again.restore_score(text)
        assert (again.points, again.draws, again.results) == ([0, 0], 0, []), text
    again.restore_score(kept)
    assert (again.points, again.draws, again.results) == ([0, 1], 0, [-1])
    over.length = 1
    over.restore_score(kept)
    assert over.points == [0, 0], "the series is over: the next game begins another one"


def test_an_unfinished_game_is_kept_as_text_and_nothing_else_is_taken_for_one():
    session = Session(TICTACTOE, (None, None), Random(1))
    assert unfinished_text(session) == ""
    for move, reason in zip(X_WINS, ("", "it was drawn"), strict=False):
        session.play(move, reason)
    kept = unfinished_text(session)
    assert read_unfinished(kept, TICTACTOE) == session.current
    session.play(X_WINS[2])
    assert read_unfinished(unfinished_text(session), TICTACTOE) == session.current
    long = Session(parse_game("mnk:6,6,6"), (None, None), Random(1))
    for move in range(30):
        long.play(move, "−" * MAX_REASON)
    assert len(unfinished_text(long).encode()) < 5000, "the settings must stay small"
    told = read_unfinished(unfinished_text(long), long.game).reasons
    assert (len(told), sum(map(bool, told)), bool(told[-1])) == (30, 8, True)
    for text in ("", "b2 zz", "misere b2", "tictactoe XO./.X./... O", kept.replace("\n", " resigned\n", 1), "x" * 5000):
        assert read_unfinished(text, TICTACTOE) is None
    session.play(None)
    assert unfinished_text(session) == ""


def test_what_undo_would_undo_is_known_beforehand():
    session = Session(TICTACTOE, (None, parse_player("random", TICTACTOE)), Random(1))
    assert session.undoable is None
    session.play(0)
    assert session.undoable is Undoable.MOVE
    session.new_game()
    assert session.undoable is Undoable.NEW_GAME
    assert session.take_back()
    assert session.undoable is not Undoable.NEW_GAME


def test_why_a_digit_picks_no_square():
    assert no_square_text(parse_game("nim:3,4,5"), 8, 1) == "8: this heap has 1 stone"
    assert no_square_text(parse_game("connectfour"), 8, 7) == "8: the board has 7 columns"
    assert no_square_text(parse_game("mnk:5,5,4"), 6, 5) == "6: a row has 5 squares"


@pytest.mark.parametrize(
    ("game", "position", "square", "words"),
    [
        ("tictactoe", "X../.../... O", "a3", "a3 is taken"),
        ("notakto", "X../.../... B", "a3", "a3 is taken"),
        ("hexapawn", "BBB/.../WWW W", "a1", "a1 cannot move now"),
        ("hexapawn", "BBB/.../WWW W", "a3", "a3 belongs to B"),
        ("hexapawn", "BBB/.../WWW W", "a2", "a2 is empty: pick a piece"),
        ("mnk:3,3,3+gravity", "X../O../X.. O", "a3", "column a is full"),
        ("nim:3,4", "OO../OOOO B", "d2", "no stone lies here"),
    ],
)
def test_why_a_square_is_refused(game, position, square, words):
    rules = parse_game(game)
    where = rules.from_text(position)
    assert refusal_text(rules, where, rules.board.grid.names.index(square)) == words
