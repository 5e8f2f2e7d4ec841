from cli.shared.board_text import beside, board
from engine.games import parse_game


def test_board_is_drawn_with_its_coordinates():
    game = parse_game("tictactoe")
    assert board(game, game.from_text("X../.O./..X O")) == ["3  X . .", "2  . O .", "1  . . X", "   a b c"]


def test_blocks_stand_beside_each_other():
    assert beside([["ab", "c"], ["d"]], gap=1) == ["ab d", "c"]
    assert beside([]) == []
