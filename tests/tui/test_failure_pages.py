from random import Random

import numpy as np
import pytest

from engine import GAMES, parse_game
from engine.game import Side
from engine.space import space_of
from learners.failures import FAILURE
from saves import gallery
from tests.saves.brains import made_up
from tui.failure_pages import Filter, failure_tile, newest, piece_counts, select

TICTACTOE = parse_game("tictactoe")
SPACE = space_of(TICTACTOE)
MEMORY = gallery.load("riechel").memory
SIZE = int(MEMORY.max())


def pieces(game, position):
    return sum(cell is not None for cell in game.cells(position))


def described(edges):
    """The position and the move of each edge."""
    return [(int(SPACE.position[SPACE.source[edge]]), int(SPACE.move[edge])) for edge in edges]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_pieces_are_counted_as_they_stand_on_the_board(game):
    space = space_of(game)
    assert piece_counts(space).tolist() == [pieces(game, int(position)) for position in space.position]


def test_without_a_filter_every_failure_shows_in_the_order_of_recording():
    edges = select(SPACE, MEMORY, Filter())
    assert MEMORY[edges].tolist() == list(range(1, SIZE + 1))


@pytest.mark.parametrize("side", Side)
def test_a_side_is_the_side_to_move(side):
    shown = described(select(SPACE, MEMORY, Filter(side=side)))
    every = described(select(SPACE, MEMORY, Filter()))
    assert shown == [(position, move) for position, move in every if TICTACTOE.side(position) is side]
    assert shown


@pytest.mark.parametrize("count", range(10))
def test_a_number_of_marks(count):
    shown = described(select(SPACE, MEMORY, Filter(pieces=count)))
    every = described(select(SPACE, MEMORY, Filter()))
    assert shown == [(position, move) for position, move in every if pieces(TICTACTOE, position) == count]


@pytest.mark.parametrize("text", ["X../.../... O", "XO./.../..X O", "..X/OX./... O"])
def test_a_position_is_found_with_its_symmetric_twins(text):
    position = TICTACTOE.from_text(text)
    twins = {TICTACTOE.transform(position, symmetry) for symmetry in TICTACTOE.symmetries}
    shown = described(select(SPACE, MEMORY, Filter(position=position)))
    every = described(select(SPACE, MEMORY, Filter()))
    assert shown == [(position, move) for position, move in every if position in twins]
    assert shown


def test_filters_work_together():
    position = TICTACTOE.from_text("X../.../... O")
    assert select(SPACE, MEMORY, Filter(Side.FIRST, None, position)) == []
    assert select(SPACE, MEMORY, Filter(Side.SECOND, 1, position)) == select(SPACE, MEMORY, Filter(position=position))
    assert select(SPACE, MEMORY, Filter(Side.FIRST, 1)) == []


def test_an_empty_memory_has_nothing_to_show():
    assert select(SPACE, np.zeros_like(MEMORY), Filter()) == []
    assert newest(np.zeros_like(MEMORY), 5) == []


@pytest.mark.parametrize("count", [0, 1, 5, 24, SIZE, 10_000])
def test_the_newest_come_first(count):
    numbers = MEMORY[newest(MEMORY, count)].tolist()
    assert numbers == list(range(SIZE, max(0, SIZE - count), -1))


def test_the_newest_of_a_small_memory():
    memory = made_up(TICTACTOE, 3).memory
    assert memory[newest(memory, 24)].tolist() == [3, 2, 1]


def test_sides_follow_each_other_in_a_circle():
    wanted = Filter(pieces=3)
    seen = [wanted := wanted.next_side() for _ in range(3)]
    assert [filter_.side for filter_ in seen] == [Side.FIRST, Side.SECOND, None]
    assert {filter_.pieces for filter_ in seen} == {3}


def test_numbers_of_marks_follow_each_other_in_a_circle_both_ways():
    for step, order in ((1, [None, *range(10), None]), (-1, [None, *range(9, -1, -1), None])):
        wanted = Filter(Side.FIRST)
        seen = [wanted.pieces]
        for _ in range(11):
            wanted = wanted.next_pieces(step, 9)
            seen.append(wanted.pieces)
        assert seen == order
        assert wanted.side is Side.FIRST


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_failure_shows_its_move_its_number_and_its_side(game):
    space, random = space_of(game), Random(1)
    memory = made_up(game, 40, 1).memory
    for edge in random.sample(select(space, memory, Filter()), 20):
        position, move = int(space.position[space.source[edge]]), int(space.move[edge])
        tile = failure_tile(space, memory, edge)
        assert tile.position == position
        assert tile.symbols == {game.squares(position, move)[-1]: FAILURE}
        assert tile.caption == f"{memory[edge]} {game.mark(game.side(position))} {game.move_name(move)}"
