"""Nim and Notakto: Bouton's theory, two boards, and boards that are refused."""

from collections.abc import Iterator
from functools import reduce
from math import prod
from operator import xor

import pytest

from engine.game import Game
from engine.games import parse_game
from engine.match import Match
from engine.solve import values
from engine.spaces import space_of
from lab.review.debrief import match_ending_text
from tests.oracles.counting import walked


def heaps_of(game: Game, position: int) -> list[int]:
    """The stones left in each heap, read from the board."""
    cells, columns = game.board.cells(position), game.board.columns
    return [sum(each is not None for each in cells[i : i + columns]) for i in range(0, len(cells), columns)]


@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:1,2,3,4", "nim:7", "nim:5,5,6"])
@pytest.mark.parametrize("misere", [False, True])
def test_the_side_to_move_wins_as_the_nim_sum_says(name: str, misere: bool):
    """Bouton (1901): it loses if the nim sum is 0; in misère with heaps of one stone only, if their number is odd."""
    game = parse_game(name + "+misere" * misere)
    space = space_of(game)
    for position, value, side in zip(space.position.tolist(), values(space).tolist(), space.side.tolist(), strict=True):
        heaps = heaps_of(game, position)
        total = reduce(xor, heaps)
        wins = total == 0 if misere and max(heaps) <= 1 else total != 0
        assert (value > 0) is (wins is (side == 0)), game.to_text(position)


def test_a_move_is_called_by_the_stones_that_go_and_their_heap_counted_from_below():
    game = parse_game("nim:3,4,5")
    for move in game.moves(game.start):
        before, after = (heaps_of(game, each) for each in (game.start, game.play(game.start, move)))
        ((heap, taken),) = [
            (3 - nth, was - now) for nth, (was, now) in enumerate(zip(before, after, strict=True)) if was - now
        ]
        assert game.move_label(game.start, move) == f"{taken} of {heap}"
        assert game.move_words(game.start, move) == f"{taken} of heap {heap}"


@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:2,2,2"])
def test_every_position_but_those_of_single_stones_has_either_side_to_move(name: str):
    game = parse_game(name)
    heaps = heaps_of(game, game.start)
    singles = 2 ** len(heaps)  # no heap has lost more than one: the plies are known, so the side is
    assert len(space_of(game).position) == 2 * prod(heap + 1 for heap in heaps) - singles


NOTAKTO = parse_game("notakto")


def test_whoever_completes_a_row_is_named_as_the_loser():
    match = Match(NOTAKTO)
    for name in ("a3", "b2", "c1"):
        match.play(NOTAKTO.parse_move(match.position, name))
    assert match_ending_text(match, ("one", "two")).startswith("B (two) wins: A completed ")


def test_two_boards_are_won_by_the_second_side():
    """Plambeck and Whitehead: with an even number of boards the second side wins."""
    assert values(space_of(parse_game("notakto:2")))[0] == -1


def test_a_board_with_a_row_is_closed():
    game = parse_game("notakto:2")
    match = Match(game)
    for name in ("a3", "b2", "c1"):
        match.play(game.parse_move(match.position, name))
    names = {game.move_name(move) for move in game.moves(match.position)}
    assert names == {f"{column}{row}" for column in "efg" for row in (1, 2, 3)}
    assert game.to_text(match.position) == "X..|.../.X.|.../..X|... B"
    assert game.board.completed(match.position) == ((0, 8, 16),)


def slow_positions(boards: int) -> int:
    """How many positions play reaches, each board as a set of squares."""
    rows = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]

    def after(position: tuple[frozenset[int], ...]) -> Iterator[tuple[frozenset[int], ...]]:
        for number, board in enumerate(position):
            if not any(row <= board for row in rows):
                for square in set(range(9)) - board:
                    yield *position[:number], board | {square}, *position[number + 1 :]

    return len(walked((frozenset[int](),) * boards, after))


@pytest.mark.parametrize("boards", [1, pytest.param(2, marks=pytest.mark.long)])
def test_positions_are_those_of_a_slow_program(boards: int):
    assert len(space_of(parse_game("notakto" + ":2" * (boards == 2))).position) == slow_positions(boards)
