"""The depth that is proposed for a search: to the end where the search is short enough to be followed."""

import pytest

from engine.games import parse_game
from tui.tree.search_text import SHALLOW, TO_THE_END, depths_of, first_depth

ONE_LEFT = "XXO.XOX/OXXOOXO/OOXXXOO/XXOOOXX/XXOXOOO/XOXOXOX O"


@pytest.mark.parametrize(
    ("name", "text", "depth"),
    [
        ("tictactoe", ".../.../... X", SHALLOW),
        ("tictactoe", "XO./.X./..O X", TO_THE_END),
        ("hexapawn", "BBB/.../WWW W", TO_THE_END),
        ("hexapawn:4,4", "BBBB/..../..../WWWW W", SHALLOW),
        ("morris", "OO./OXX/..X X 6", SHALLOW),
        ("morris", "OO./OXX/..X X 28", TO_THE_END),
        ("connectfour", "......./......./......./......./......./....... X", SHALLOW),
        ("connectfour", ONE_LEFT, TO_THE_END),
    ],
)
def test_a_search_to_the_end_is_offered_first_where_it_is_short(name: str, text: str, depth: int):
    game = parse_game(name)
    assert first_depth(game, game.from_text(text)) == depth


def test_the_end_can_be_chosen_where_it_is_near():
    game = parse_game("connectfour")
    assert ("to the end", TO_THE_END) in depths_of(game, game.from_text(ONE_LEFT))
    assert ("to the end", TO_THE_END) not in depths_of(game, game.start)
