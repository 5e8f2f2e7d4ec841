"""Nim: Bouton's theory, and boards that are refused."""

from functools import reduce
from math import prod
from operator import xor

import pytest

from engine.game import Game
from engine.games import parse_game
from engine.solve import values
from engine.spaces import space_of


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


@pytest.mark.parametrize("name", ["nim:3,4,5", "nim:2,2,2"])
def test_every_position_but_those_of_single_stones_has_either_side_to_move(name: str):
    game = parse_game(name)
    heaps = heaps_of(game, game.start)
    singles = 2 ** len(heaps)  # no heap has lost more than one: the plies are known, so the side is
    assert len(space_of(game).position) == 2 * prod(heap + 1 for heap in heaps) - singles
