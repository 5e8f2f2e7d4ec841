"""Games with parameters: the contract, and names that are refused."""

from collections.abc import Callable

import pytest

from engine.game import BadText, Game
from engine.games import find_game, parse_game
from noughts.testing.games import GAME_CHECKS

PLAYED = (
    "mnk:4,2,3 mnk:1,4,2 mnk:4,1,2+misere mnk:3,3,3+gravity mnk:3,2,2+wild mnk:5,5,4 hexapawn:3,4 hexapawn:2,5 "
    "hexapawn:1,4 nim:1 nim:4 nim:1,1,1 nim:3,4,5 nim:3,4,5+misere nim:2,2,3+misere nim:1,9 nim:9,8,7,6,5,4"
)
LARGER = (
    "mnk:3,3,3 mnk:3,3,3+misere mnk:4,3,3+misere+gravity mnk:3,4,4+gravity mnk:3,3,3+misere+wild+gravity "
    "hexapawn:4,3 hexapawn:5,4 notakto:2 notakto:3"
)


def fills_its_board(game: Game) -> bool:
    """Whether a game can be as long as its `longest`: not where rows are short, or pawns soon block each other."""
    return not game.name.startswith("mnk:") and (not game.name.startswith("hexapawn:") or game.board.columns > 2)


@pytest.mark.sample(46)
@pytest.mark.parametrize("name", [*PLAYED.split(), *(pytest.param(e, marks=pytest.mark.long) for e in LARGER.split())])
@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_every_game_of_a_family_fulfils_the_contract(check: Callable[[Game], None], name: str):
    game = parse_game(name)
    if check.__name__ != "check_longest" or fills_its_board(game):
        check(game)


MNK, HEXAPAWN = "it takes columns, rows", "it takes columns and rows"
SHAPE, BOARDS = "a board has 1 to 9 columns and 3 to 9 rows", "it takes the number of boards, 1 to 3"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        *((name, MNK) for name in ("mnk", "mnk:", "mnk:4,3", "mnk:4,3,3 ")),
        *((name, "a board has 1 to 9 columns and rows") for name in ("mnk:0,3,9", "mnk:10,3,3")),
        ("mnk:4,3,5", "a row of 5 is not from 2 to 4"),
        ("mnk:4,3,1", "a row of 1 is not from 2 to 4"),
        ("mnk:1,1,1", "a row of 1 is not from 2 to 1"),
        ("mnk:4,3,3+tame", "'+tame' is not one of +misere, +wild, +gravity, each at most once"),
        ("mnk:4,3,3+misere+misere", "'+misere' is not one of"),
        *((name, HEXAPAWN) for name in ("hexapawn:", "hexapawn:4", "hexapawn:4,4,4", "hexapawn:4,-4")),
        *((name, SHAPE) for name in ("hexapawn:0,9", "hexapawn:10,4", "hexapawn:4,2")),
        *(
            (name, "")
            for name in ("nim:", "nim:0,3", "nim:10", "nim:1,1,1,1,1,1,1", "nim:3,4,", "nim:3+miser", "nim:-1")
        ),
        *((name, BOARDS) for name in ("notakto:", "notakto:0", "notakto:4", "notakto:x", "notakto:2+misere")),
    ],
)
def test_an_impossible_name_is_refused_with_an_example(name: str, reason: str):
    examples = {"mnk": "mnk:4,3,3", "hexapawn": "hexapawn:4,4", "nim": "nim:3,4,5", "notakto": "notakto:2"}
    with pytest.raises(BadText) as error:
        parse_game(name)
    assert str(error.value).startswith(f"no game '{name}': {reason}")
    assert str(error.value).endswith(f"; for example {examples[name.partition(':')[0]]}")
    assert "\n" not in str(error.value)
    assert find_game(name) is None
