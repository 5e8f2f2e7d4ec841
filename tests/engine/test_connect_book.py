"""The book of Connect Four: how many positions it is about, and whether what it holds is right."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from engine.connect_solver.book import PLIES, Book, book_of
from engine.connect_solver.games import Shape, WordBoard, require_shape
from engine.connect_solver.solver import Solver
from engine.game import Position
from engine.games import parse_game
from engine.known_positions import known_positions

GAME = parse_game("connectfour")
BOARD = WordBoard(Shape(7, 6, 4))


def the_book() -> Book:
    book = book_of(GAME)
    assert book is not None
    return book


@pytest.mark.long
def test_the_number_of_positions():
    """Those with 8 pieces and no forced reply are the 67,557 of J. Tromp's database; the book has them all."""
    book, reached = the_book(), BOARD.positions(PLIES)
    quiet = [[each for each in positions.values() if BOARD.is_quiet(*each)] for positions in reached]
    assert [*map(len, quiet)] == [1, 4, 25, 121, 568, 1_922, 7_120, 20_820, 67_557]
    assert len(book.keys) == sum(map(len, quiet))
    assert all(book.score(*each) is not None for positions in quiet for each in positions)


def test_a_position_is_worth_what_its_best_reply_is_worth():
    """Wherever the book has all replies; each score was found by a search of its own."""
    book, compared = the_book(), 0
    for positions in BOARD.positions(4)[:4]:
        for own, taken in positions.values():
            score, replies = book.score(own, taken), [book.score(*each) for each in BOARD.positions_after(own, taken)]
            if score is not None and None not in replies:
                compared += 1
                assert score == max(-reply for reply in replies if reply is not None)
    assert compared >= 5


def test_the_book_is_that_of_every_game_of_its_shape():
    same, other = book_of(parse_game("mnk:7,6,4+gravity")), book_of(parse_game("mnk:6,7,4+gravity"))
    assert same is not None
    assert other is None
    assert np.array_equal(same.keys, the_book().keys)


def test_the_book_knows_mirror_images_and_follows_forced_replies():
    """After a1 b1 a2 b2 a3, the second side must stop the column: what follows is asked for in its place."""
    shape = require_shape(GAME)
    position = GAME.start
    for column in "ababa":
        position = GAME.play(position, GAME.parse_move(position, column))
    own, taken = shape.words(position)
    reply = BOARD.forced_reply(own, taken)
    assert reply is not None
    after = BOARD.key(taken ^ own, taken | reply)
    book = Book(BOARD, np.array([after], np.int64), np.array([5], np.int8))
    assert book.score(own, taken) == -5
    assert book.score(BOARD.mirror_image(own), BOARD.mirror_image(taken)) == -5
    assert book.score(0, 0) is None


def some_positions(count: int, seed: int) -> Iterator[Position]:
    """Yield positions with as many pieces as the last of the book."""
    random = Random(seed)
    while count:
        position = GAME.start
        for _ in range(PLIES):
            if GAME.outcome(position) is None:
                position = GAME.play(position, random.choice(GAME.moves(position)))
        if GAME.outcome(position) is None:
            count -= 1
            yield position


def test_the_positions_before_one_bound_its_score():
    book, shape = the_book(), require_shape(GAME)
    found = [shape.words(position) for position in some_positions(300, seed=5)]
    bounds = [(book.lower_bound(*each), score) for each in found if (score := book.score(*each)) is not None]
    assert all(least <= score for least, score in bounds if least is not None)
    assert sum(least == score for least, score in bounds) > 50


def test_the_positions_before_are_those_from_which_a_move_leads_here():
    for positions in BOARD.positions(5):
        for here in positions.values():
            assert all(here in BOARD.positions_before(*after) for after in BOARD.positions_after(*here))
            assert all(here in BOARD.positions_after(*before) for before in BOARD.positions_before(*here))


@pytest.mark.long
def test_columns_that_the_book_bounds_against_the_solver_without_it():
    bounded, plain = Solver(GAME, 128, book=the_book()), Solver(GAME, 128)
    for position in some_positions(20, seed=6):
        scores, expected = (
            {move: one.score for move, one in each.analyse(position).items()} for each in (bounded, plain)
        )
        assert scores == expected


@pytest.mark.long
def test_a_sample_of_the_book_against_the_solver_without_it():
    book, solver = the_book(), Solver(GAME, 256)
    last = [
        each
        for positions in BOARD.positions(PLIES)[-3:]
        for key, each in positions.items()
        if book.score(*each) is not None
    ]
    for own, taken in Random(4).sample(last, min(20, len(last))):
        assert solver.solve_words(own, taken).score == book.score(own, taken)


def test_the_seven_first_moves():
    scores = [solved.score for solved in Solver(GAME, 1, book=the_book()).analyse(GAME.start).values()]
    assert scores == [-2, -1, 0, 1, 0, -1, -2]


def test_the_known_positions_are_those_of_six_sets_and_each_has_a_move_that_keeps_its_value():
    positions = known_positions(GAME)
    assert Counter(each.set for each in positions) == dict.fromkeys(
        ("begin-easy", "begin-medium", "begin-hard", "middle-easy", "middle-medium", "end-easy"), 100
    )
    for each in positions:
        assert tuple(each.moves) == GAME.moves(each.position)
        assert max(each.scores.values()) == each.score
    assert known_positions(parse_game("tictactoe")) == ()


def test_a_move_keeps_a_value_and_a_resignation_keeps_nothing():
    lost = next(each for each in known_positions(GAME) if each.value < 0)
    won = next(each for each in known_positions(GAME) if each.value > 0 and min(each.moves.values()) < 1)
    assert all(lost.keeps(move) for move in lost.moves)
    assert {won.keeps(move) for move in won.moves} == {True, False}
    assert not won.keeps(None)
    assert not lost.keeps(None)
