"""The family of m,n,k-games: counts, and boards that are refused."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

import numpy as np
import pytest

from engine.game import Game, SpaceSize
from engine.games import parse_game
from engine.games.mnk import MAX_AT_ONCE, _sizes
from engine.space import RUNNING, TooLarge
from engine.space_building import _space_by_ply as build_space_by_ply
from engine.space_building import build_space, space_by_move
from engine.spaces import space_of
from learners.failures.learner import Failures
from tests.oracles.counting import walked

COUNTED = (
    "mnk:4,2,3",
    "mnk:1,4,2",
    "mnk:4,1,2+misere",
    "mnk:3,3,3+gravity",
    "mnk:3,2,2+wild",
    "mnk:3,3,3",
    "mnk:3,3,3+misere",
    "mnk:4,3,3+misere+gravity",
    "mnk:3,4,4+gravity",
    "mnk:3,3,3+misere+wild+gravity",
    "mnk:2,5,3+gravity",
    "mnk:4,3,3",
    "mnk:5,2,3",
)
"""Games of all shapes and options."""
CONNECT_FOUR = {"mnk:4,4,4+gravity": 161_029, "mnk:4,5,4+gravity": 1_706_255, "mnk:5,4,4+gravity": 3_945_711}
"""John Tromp's numbers of positions of Connect Four on small boards, columns first: OEIS A212693."""


Pieces = frozenset[tuple[tuple[int, int], str]]
"""What stands on a board: pairs of a row and a column, and the mark there."""


def slow_space(name: str) -> dict[str, str | None]:
    """Every position that play reaches, as rows of characters, with its winner, `draw` or `None`."""
    columns, rows, k = map(int, re.findall(r"\d", name))
    squares = list(product(range(rows), range(columns)))

    rows_of_k = [
        {((row + down * i, column + right * i), mark) for i in range(k)}
        for (row, column), (down, right), mark in product(squares, [(0, 1), (1, 0), (1, 1), (1, -1)], "XO")
    ]

    @cache
    def ending(pieces: Pieces) -> str | None:
        if any(row <= pieces for row in rows_of_k):
            return "OX"[len(pieces) % 2 ^ ("misere" in name)]
        return None if len(pieces) < len(squares) else "draw"

    def written(pieces: Pieces) -> str:
        board = dict(pieces)
        return "/".join("".join(board.get((row, column), ".") for column in range(columns)) for row in range(rows))

    def after(pieces: Pieces) -> Iterator[Pieces]:
        taken = dict(pieces)
        for row, column in squares if ending(pieces) is None else ():
            hangs = "gravity" in name and row + 1 < rows and (row + 1, column) not in taken
            if (row, column) not in taken and not hangs:
                for piece in "XO" if "wild" in name else "XO"[len(pieces) % 2]:
                    yield pieces | {((row, column), piece)}

    return {written(each): ending(each) for each in walked(frozenset(), after)}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [name for name in COUNTED if name != "mnk:4,3,3"])
def test_positions_and_outcomes_agree_with_a_slow_program(name: str):
    game, slow = parse_game(name), slow_space(name)
    space = space_of(game)
    marks = {RUNNING: None, 0: "X", 1: "O", 2: "draw"}
    texts = [game.to_text(position).partition(" ")[0] for position in space.position.tolist()]
    assert dict(zip(texts, [marks[each] for each in space.outcome.tolist()], strict=True)) == slow


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", COUNTED)
def test_a_space_built_by_ply_is_the_one_built_by_move(name: str):
    game = parse_game(name)
    by_ply, by_move = space_of(game), space_by_move(game)
    for column in ("position", "ply", "side", "outcome", "first_edge", "source", "move", "target"):
        one, other = getattr(by_ply, column), getattr(by_move, column)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other), column


@pytest.mark.parametrize(
    "name",
    [name if name.startswith("mnk:4,4") else pytest.param(name, marks=pytest.mark.long) for name in CONNECT_FOUR],
)
def test_the_published_numbers_of_positions_of_connect_four(name: str):
    assert len(space_of(parse_game(name)).position) == CONNECT_FOUR[name]


SOLVABLE = {
    "mnk:3,8,3+gravity": 189_798,
    "mnk:3,9,3+gravity": 493_806,
    "mnk:4,6,3+gravity": 844_488,
    "mnk:5,5,3+gravity": 4_176_536,
    "mnk:3,8,4+gravity": 8_424_616,
    "mnk:6,4,3+gravity": 8_466_825,
}
"""Games whose boards could be filled in far more ways than play reaches, counted by another program."""


def test_games_are_solved_however_many_boards_a_row_rules_out():
    games = [parse_game(name) for name in SOLVABLE]
    assert all(game.numbered and game.learnable for game in games)
    assert [game.space_size.positions for game in games] == [*SOLVABLE.values()]


def games_of(size: str) -> tuple[Game, Game]:
    """A game, and the one that has the same positions with another aim."""
    name, _, options = f"mnk:{size}".partition("+")
    return parse_game(f"{name}+{options}" if options else name), parse_game(
        f"{name}+misere{'+' * bool(options)}{options}"
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", sorted(_sizes(), key=lambda size: _sizes()[size].positions))
def test_the_table_has_the_size_of_each_space(size: str):
    game, misere = games_of(size)
    assert game.space_size == misere.space_size == _sizes()[size]
    assert game.most_positions > MAX_AT_ONCE
    for each in (game, misere) if _sizes()[size].positions < 1_000_000 else (game,):
        space = build_space(each)
        assert SpaceSize(len(space.position), len(space.move)) == _sizes()[size]


def refused() -> list[str]:
    """The smallest games that fit in 64 bits but are not in the table: all larger ones have more positions."""
    found = list[str]()
    for options, k in product(("", "+gravity", "+wild", "+wild+gravity"), range(2, 10)):
        large = {
            (columns, rows)
            for columns, rows in product(range(1, 10), repeat=2)
            if columns * rows <= 31 and k <= max(columns, rows)
            if not parse_game(f"mnk:{columns},{rows},{k}{options}").numbered
        }
        smallest = [(c, r) for c, r in large if (c - 1, r) not in large and (c, r - 1) not in large]
        fewer = [] if k == 2 else [name for name in found if name.endswith(f",{k - 1}{options}")]
        found += [
            name
            for name in (f"mnk:{c},{r},{k}{options}" for c, r in sorted(smallest))
            if f"{name.rsplit(',', 1)[0]},{k - 1}{options}" not in fewer
        ]
    return found


@pytest.mark.long
def test_games_that_are_not_in_the_table_have_too_many_positions():
    for name in refused():
        with pytest.raises(TooLarge, match="more than 12,000,000 positions"):
            build_space_by_ply(parse_game(name), lambda: False, lambda _: None)


@pytest.mark.parametrize(("name", "learned"), [("mnk:4,4,4", True), ("mnk:5,4,4+gravity", True), ("mnk:5,4,4", False)])
def test_a_numbered_game_can_be_learned_and_others_are_refused(name: str, learned: bool):
    game = parse_game(name)
    assert game.learnable is learned
    if not learned:
        with pytest.raises(TooLarge, match="which remembers every position"):
            Failures.spec.require_game(game)


def test_exchanging_the_pieces_of_a_wild_game_is_a_symmetry():
    game = parse_game("wild")
    assert len(game.symmetries) == 16
    space = space_of(game)
    cross, nought = (space.row(game.from_text(text)) for text in ("X../.../... B", ".../.../..O B"))
    assert space.position_class[cross] == space.position_class[nought]
