"""The contract of every game and of families, invalid texts and names, and the messages about them."""

from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import QUOTED, BadText, Game, IllegalMove, Outcome, quoted
from engine.games import GAMES, find_game, parse_game
from engine.spaces import space_of
from noughts.testing.games import GAME_CHECKS, generators, positions
from tests.oracles.rules import WRITTEN
from tests.sizes import QUICK_GAMES, with_games

TICTACTOE = parse_game("tictactoe")
every_game = with_games(*GAMES)
written_game = pytest.mark.parametrize("game", [parse_game(name) for name in WRITTEN], ids=lambda game: game.name)
games = st.sampled_from(GAMES)


@cache
def all_texts(game: Game) -> set[str]:
    return {game.to_text(position) for position in positions(game)}


@every_game
@pytest.mark.parametrize("check", GAME_CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_every_game_fulfils_the_contract(check: Callable[[Game], None], game: Game):
    check(game)


@every_game
def test_symmetric_moves_point_at_symmetric_squares(game: Game):
    size = game.board.rows * game.board.columns
    for position in positions(game):
        for symmetry in generators(game.symmetries):
            image = game.transform(position, symmetry)
            for move in game.moves(position):
                way = tuple(symmetry[square] % size for square in game.board.squares(position, move))
                assert game.board.squares(image, game.transform_move(move, symmetry)) == way


@written_game
def test_a_move_is_named_after_its_squares(game: Game):
    for position in positions(game):
        for move in game.moves(position):
            squares = game.board.squares(position, move)
            assert "".join(game.board.grid.names[square] for square in squares) == game.move_name(move)


def test_the_side_to_move_is_optional_if_the_pieces_imply_it():
    for game in (TICTACTOE, parse_game("misere")):
        for position in positions(game):
            assert game.from_text(game.to_text(position)[:-2]) == position


BOARD_LETTERS = "XOWBxowb.-_/ \t\n0]["


@given(games, st.text() | st.text(BOARD_LETTERS, max_size=16))
def test_any_text_is_a_position_or_raises_bad_text(game: Game, text: str):
    try:
        position = game.from_text(text)
    except BadText as error:
        assert_fit_to_show(error)
    else:
        assert game.from_text(game.to_text(position)) == position


@st.composite
def boards(draw: st.DrawFn) -> tuple[Game, str]:
    """Squares with any letters of the game, and a side to move. Most of these boards cannot be reached by play."""
    game = draw(st.sampled_from(QUICK_GAMES))
    columns, size = game.board.columns, game.board.grid.size
    pieces = "." + "".join(piece.mark for piece in game.board.pieces)
    letters = draw(st.text(pieces, min_size=size, max_size=size))
    rows = [letters[start : start + columns] for start in range(0, size, columns)]
    return game, f"{'/'.join(rows)} {draw(st.sampled_from(game.marks))}"


@given(boards())
def test_a_board_is_accepted_if_and_only_if_play_can_reach_it(board: tuple[Game, str]):
    game, text = board
    try:
        position = game.from_text(text)
    except BadText as error:
        assert text not in all_texts(game)
        assert_fit_to_show(error)
    else:
        assert game.to_text(position) == text
        assert space_of(game).holds(position)


def assert_fit_to_show(error: Exception) -> None:
    message = str(error)
    assert message.isprintable()
    assert len(message) < 4 * QUOTED + 120


AIR = "......./......./......./......./"
"""The upper rows of Connect Four."""
REFUSED = {
    "tictactoe": {
        "XO./.X./..": "3 rows of 3 squares",
        "XO./.X./.../... X": "3 rows of 3 squares",
        "XO./.Z./... X": "'Z' on b2 is not X, O or .",
        "XO./.X./... Z": "end with a space and the side to move, X or O",
        "XO./.X./... X": "X cannot be to move with 2 X and 1 O",
        "XXX/.../... O": "3 X and 0 O: X must have as many as O or one more",
        "OO./.../... X": "0 X and 2 O",
        "XXX/OOO/... X": "both sides have three in a row",
        "XXX/OO./O.. X": "the game went on after three in a row",
        "\x1b[31mXO": "Tic-tac-toe has",
    },
    "hexapawn": {
        "BBB/.../.W. W": "no play from the start leads to it",
        "BBB/BBB/WWW W": "a side has more than 3 pawns",
        ".W./.../... W": "W cannot be to move: it has reached the far edge",
        "BBB/.../WWW B": "no play from the start leads to it",
        "BBB/.../WWW": "end with a space and the side to move, W or B",
    },
    "hexapawn:4,4": {"BBBB/..../..../WWWW B": "no play from the start leads to it"},
    "connectfour": {
        f"{AIR}X....../.......": "a piece hangs in the air",
        f"{AIR}......./X.X....": "2 X and 0 O: X must have as many as O or one more",
        f"{AIR}X....../O......": "no play from the start leads to it",
        f"{AIR}OOOO.../XXXX...": "both sides have four in a row",
        f"{AIR[8:]}O....../OOO..../XXXX...": "the game went on after four in a row",
        "X../.../...": "Connect Four has 6 rows of 7 squares",
    },
    "morris": {
        "XO./.../... X": "end with the number of moves made, from 0 to 30, as in .../.../... X 0",
        "XO./.../... X 3": "after 3 moves there are 2 X and 1 O",
        "XO./.../... O 2": "O cannot be to move after 2 moves",
        "XXX/OO./O.. X 6": "the game went on after three in a row",
        "XXX/XOO/O.. X 8": "after 8 moves there are 3 X and 3 O",
    },
    "nim:3,4,5": {
        "OOO../OO.O./OOOOO B": "the stones of a heap stand at the left of its row, without a gap",
        "OOOO./OOOO./OOOOO B": "no heap may have more stones than",
        "OO.../OOOO./OOOOO A": "A cannot be to move: each stone",
    },
    "mnk:4,4,3": {"XXX./OO.O/OO../XXX. O": "no single move completes all the rows"},
    "mnk:3,3,3+gravity": {
        ".../.X./... O": "a piece hangs in the air",
        ".X./.X./OO. X": "no play from the start leads to it",
    },
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in REFUSED.items() for text in texts])
def test_a_text_that_is_no_position_is_refused_with_the_reason(name: str, text: str):
    with pytest.raises(BadText) as caught:
        parse_game(name).from_text(text)
    begin, _, reason = str(caught.value).partition(": ")
    assert begin == quoted(text)
    assert REFUSED[name][text] in reason
    assert_fit_to_show(caught.value)


@given(games, st.text() | st.text("abc123 ", max_size=5))
def test_any_text_is_a_move_or_raises_an_error_of_one_line(game: Game, text: str):
    names = {game.move_name(move): move for move in game.moves(game.start)}
    if text.strip().lower() in names:
        assert game.parse_move(game.start, text) == names[text.strip().lower()]
    else:
        with pytest.raises((BadText, IllegalMove), match=r"legal|write one of them") as caught:
            game.parse_move(game.start, text)
        assert_fit_to_show(caught.value)


@pytest.mark.parametrize(
    ("game", "position", "text", "error", "says"),
    [
        ("tictactoe", "X../.../... O", "a3", IllegalMove, "a3 cannot be played in X../.../... O; legal: b3, c3"),
        ("tictactoe", "X../.../... O", "d4", BadText, "'d4' is not a move of Tic-tac-toe; legal here: b3, c3"),
        ("tictactoe", "XXX/OO./... O", "c1", IllegalMove, "legal: none, the game is over"),
        ("hexapawn", "BBB/.W./W.W B", "a3", BadText, "a3 can be a3a2 or a3b2: write one of them"),
        ("hexapawn", "BBB/.../WWW W", "a1a3", IllegalMove, "a1a3 cannot be played in BBB/.../WWW W; legal: a1a2, b1b2"),
        ("hexapawn", "BBB/.../WWW W", "a3", BadText, "'a3' is not a move of Hexapawn"),
    ],
)
def test_the_error_for_an_illegal_move_lists_the_legal_ones(
    game: str, position: str, text: str, error: type, says: str
):
    with pytest.raises(error) as caught:
        parse_game(game).parse_move(parse_game(game).from_text(position), text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("connect4", ": nearest connectfour"),
        ("three men's morris", ": nearest morris"),
        ("hexapawm", ": nearest hexapawn"),
        ("nims:3", ": nearest nim:3,4,5"),
        ("mnk4,3,3", ": nearest mnk:4,3,3"),
        ("chess\x1b", ""),
        ("x" * 1000, ""),
    ],
)
def test_the_error_for_an_unknown_game_is_one_short_line(name: str, nearest: str):
    with pytest.raises(BadText) as caught:
        parse_game(name)
    assert str(caught.value) == f"no game {quoted(name)}{nearest}; noughts games playable lists all"


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_is_true_so_that_it_cannot_be_taken_for_a_game_that_goes_on(outcome: Outcome):
    assert outcome


def test_a_quoted_text_is_short_even_if_all_of_it_must_be_escaped():
    assert quoted("b2") == "'b2'"
    assert quoted("x" * (QUOTED + 1)) == repr("x" * (QUOTED - 1) + "…")
    for text in ("\ud800" * 58, "\U000e0001" * 60, "\x1b" * 1000):
        assert len(quoted(text)) <= 2 * QUOTED + len("…")
        assert quoted(text).isprintable()


PLAYED = (
    "mnk:4,2,3 mnk:1,4,2 mnk:4,1,2+misere mnk:3,3,3+gravity mnk:5,5,4 mnk:3,2,2+wild hexapawn:3,4 hexapawn:2,5 "
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
        ("mnk:1,1,1", "a board has 1 to 9 columns and rows, and at least two squares"),
        ("mnk:4,3,5", "a row of 5 is not from 2 to 4"),
        ("mnk:4,3,1", "a row of 1 is not from 2 to 4"),
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
