"""Nim: the contract, Bouton's theory, and names that are refused."""

from collections.abc import Callable
from functools import reduce
from math import prod
from operator import xor

import pytest

from engine.game import BadText, Game
from engine.games import parse_game
from engine.solve import values
from engine.spaces import space_of
from noughts.testing.games import GAME_CHECKS

PLAYED = (
    "nim:1",
    "nim:4",
    "nim:1,1,1",
    "nim:3,4,5",
    "nim:3,4,5+misere",
    "nim:2,2,3+misere",
    "nim:1,9",
    "nim:9,8,7,6,5,4",
)


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_every_game_of_the_family_fulfils_the_contract(check: Callable[[Game], None], name: str):
    check(parse_game(name))


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


@pytest.mark.parametrize(
    "name", ["nim:", "nim:0,3", "nim:10", "nim:1,1,1,1,1,1,1", "nim:3,4,", "nim:3+miser", "nim:-1"]
)
def test_an_impossible_name_is_refused_with_an_example(name: str):
    with pytest.raises(BadText, match="for example nim:3,4,5"):
        parse_game(name)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OOO../OO.O./OOOOO B", "without a gap"),
        ("OOOO./OOOO./OOOOO B", "more stones than"),
        ("OO.../OOOO./OOOOO A", "A cannot be to move: each stone"),
    ],
)
def test_a_board_that_play_cannot_reach_is_refused(text: str, words: str):
    with pytest.raises(BadText, match=words):
        parse_game("nim:3,4,5").from_text(text)
