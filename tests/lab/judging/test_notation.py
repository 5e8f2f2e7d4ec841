"""Positions and moves as other programs write them."""

import pytest

from engine.game import BadText, Game, Side
from engine.games import GAMES, parse_game
from engine.space import RUNNING
from engine.spaces import space_of
from lab.judging.notation.reply import parse_reading
from lab.judging.notation.written_boards import read_board, read_position
from lab.judging.notation.written_moves import read_move

TICTACTOE, HEXAPAWN, WILD = GAMES[0], parse_game("hexapawn"), parse_game("wild")
SQUARES = "XO..X...."
HERE = TICTACTOE.from_text("XO./.X./... O")


@pytest.mark.parametrize(
    "written",
    [
        *("XO./.X./... O", "xo-/-x-/---", SQUARES, SQUARES.lower(), f"{SQUARES} O", "XO..X.... 2", "XO.\n.X.\n..."),
        *("XO.|.X.|...", "120010000", "X0..X....", "X O _ _ X _ _ _ _", "1 2 0 0 1 0 0 0 0", "1,2,0,0,1,0,0,0,0"),
        *("(1, -1, 0, 0, 1, 0, 0, 0, 0)", "[[1. 2. 0.]\n [0. 1. 0.]\n [0. 0. 0.]]"),
        *("['X', 'O', ' ', ' ', 'X', ' ', ' ', ' ', ' ']", "x,o,b,b,x,b,b,b,b", [[1, -1, 0], [0, 1, 0], [0, 0, 0]]),
        *((1, 2, 0, 0, 1, 0, 0, 0, 0, 2), ["X", "O", None, None, "X", None, None, None, None], "XO  X    "),
        *("XO  X     O", "XO \n X \n   ", "12  1    ", "XO34X6789", ["X", "O", 2, 3, "X", 5, 6, 7, 8]),
        *(f"{SQUARES}:O", f"{SQUARES}_2", f"{SQUARES}, O", "XO--X-----O", "XO__X____:player 2"),
        *("[1, -1, 0, 0, 1, 0, 0, 0, 0]:-1", f"O:{SQUARES}", f"2_{SQUARES}", (SQUARES, "O"), f"('{SQUARES}', 'O')"),
        *((bytes((1, 2, 0, 0, 1, 0, 0, 0, 0)), 2), "X|O| \n-+-+-\n |X| \n-+-+-\n | | "),
        " X │ O │   \n───┼───┼───\n   │ X │   \n───┼───┼───\n   │   │   ",
        "+---+---+---+\n| X | O |   |\n+---+---+---+\n|   | X |   |\n+---+---+---+\n|   |   |   |\n+---+---+---+",
        "|X|O| |\n| |X| |\n| | | |",
    ],
)
def test_the_same_board_is_read_in_many_notations(written: object):
    assert read_position(written, TICTACTOE) == HERE


def numbers(game: Game, position: int, second: int) -> tuple[int, ...]:
    pieces = game.board.pieces
    code = dict(zip(pieces, (1, second), strict=False))
    return tuple(0 if piece is None else code[piece] for piece in game.board.cells(position))


@pytest.mark.long
@pytest.mark.parametrize("second", [2, -1])
@pytest.mark.parametrize("game", [TICTACTOE, parse_game("mnk:3,3,3+misere"), HEXAPAWN], ids=lambda game: game.name)
def test_every_position_is_read_from_its_numbers(game: Game, second: int):
    space = space_of(game)
    for position, outcome in zip(space.position.tolist(), space.outcome.tolist(), strict=True):
        side = (game.mark(game.side(position)),) * (game is HEXAPAWN)
        if outcome == RUNNING:
            assert read_position(str(numbers(game, position, second) + side), game) == position


def test_a_zero_is_empty_where_nothing_else_is():
    assert read_position("X0000000O", TICTACTOE) == TICTACTOE.from_text("X../.../..O")


@pytest.mark.parametrize(
    "written",
    [
        *("", "hello", "XO.", "1,2,3,4,5,6,7,8,8", "XOXOXOXOXO.", [1, [2, [3, [4]]]], 7, None),
        *("X.B......", "X-E------", ["X", "B", "", "", "", "", "", "", ""]),  # two ways to be empty
    ],
)
def test_what_is_no_board_is_refused_with_an_example(written: object):
    with pytest.raises(BadText, match=r"(?s)not a position of Tic-tac-toe.*\.\.\./\.\.\./\.\.\. X"):
        read_position(written, TICTACTOE)


@pytest.mark.parametrize("written", ["XXX/.../...", "XX./.../... O", "111000000", "OOOXXX...", "OX--O----"])
def test_a_board_that_play_cannot_reach_is_refused(written: str):
    with pytest.raises(BadText):
        read_position(written, TICTACTOE)


def test_the_side_to_move_can_be_written_separately():
    assert read_board("BBBW...WW", HEXAPAWN, "B").side is Side.SECOND
    with pytest.raises(BadText, match="is not a side"):
        read_board("BBBW...WW", HEXAPAWN, "green")


@pytest.mark.parametrize("written", ["c3", "C3", 2, "2", "2.0", (0, 2), "(0, 2)", "0,2", [0, 2], "2".zfill(30)])
def test_a_move_is_a_name_a_number_or_a_row_and_a_column(written: object):
    assert read_move(written, TICTACTOE, HERE) == 2


def test_squares_have_the_names_of_a_compass():
    words = ["NW", "N", "NE", "W", "C", "E", "SW", "S", "SE"]
    assert [read_move(each, TICTACTOE, TICTACTOE.start) for each in words] == [*range(9)]
    assert read_move("north-east", TICTACTOE, HERE) == read_move("NorthEast", TICTACTOE, HERE) == 2
    falling = parse_game("mnk:3,3,3+gravity")
    with pytest.raises(BadText, match="c can be c1"):  # a column
        read_move("c", falling, falling.start)


def test_in_a_game_of_one_piece_it_does_not_matter_who_has_placed_it():
    notakto = parse_game("notakto")
    assert read_position("120000000", notakto) == read_position("XX.......", notakto)


def test_squares_can_be_numbered_from_one():
    assert read_move(3, TICTACTOE, HERE, first=1) == 2
    assert read_move("c3", TICTACTOE, HERE, first=1) == 2


@pytest.mark.parametrize("written", [0, "a3", 9, -1, (0, 0), "(3, 0)", 10**30, "NW", "n"])
def test_a_move_that_is_not_legal_is_none(written: object):
    assert read_move(written, TICTACTOE, HERE) is None


@pytest.mark.parametrize("written", ["hello", "", "b2 or c3", None])
def test_what_is_not_a_move_is_refused(written: object):
    with pytest.raises(BadText, match="not a move"):
        read_move(written, TICTACTOE, HERE)


def test_columns_and_squares_are_understood_where_pieces_fall():
    connect, four = parse_game("connectfour"), parse_game("mnk:4,4,4+gravity")
    assert read_move(3, connect, connect.start) == 3
    assert read_move("d", connect, connect.start) == 3
    assert read_move(1, four, four.start) == four.moves(four.start)[1]
    assert read_move((0, 1), four, four.start) == four.moves(four.start)[1]


def test_a_square_with_two_moves_needs_the_name():
    assert read_move("b2x", WILD, WILD.start) is not None
    assert read_move((1, 1), WILD, WILD.start) is None


@pytest.mark.parametrize("written", ["last", "1/2", ""])
def test_what_cannot_stand_for_a_missing_answer_is_refused(written: str):
    with pytest.raises(BadText, match=r"--missing takes .* or a number: "):
        parse_reading(values=True, counts=False, ties="all", missing=written)


def test_columns_are_a_position_where_pieces_drop():
    game = parse_game("connectfour")
    assert game.to_text(read_position("4453", game)) == "......./......./......./......./...O.../..OXX.. X"
    assert read_position("0" * 42, game) == game.start
    with pytest.raises(BadText, match="not a position"):
        read_position("4453", parse_game("tictactoe"))
