import numpy as np
import pytest

from engine.game import BadText
from engine.games import parse_game
from engine.spaces import space_of
from learners.core.generator import seed_words
from saves.formats.riechel_text import LARGEST, read, write
from tests.saves.brains import made_up
from tests.sizes import quick_game

TICTACTOE, HEXAPAWN, MORRIS = map(parse_game, ("tictactoe", "hexapawn", "morris"))
STRICT = """\
3 failures
O to play
X . O
X X O
O X .
(0, 1)
O to play
X . .
X . O
. O X
(0, 2)
X to play
X . X
. . .
O . O
(1, 1)
"""
GIVEN = [("X.O/XXO/OX. O", "b3"), ("X../X.O/.OX O", "c3"), ("X.X/.../O.O X", "b2")]
ONE = "1 failures\nX to play\nX . X\n. . .\nO . O\n(1, 1)\n"


def test_moves_to_the_same_square_are_told_apart_by_their_piece():
    game = parse_game("wild")
    snapshot = made_up(game, 200)
    text = write(snapshot)
    assert {"(1, 1) X", "(1, 1) O"} <= set(text.splitlines())
    assert np.array_equal(read(text, game).memory, snapshot.memory)
    with pytest.raises(BadText, match=r"line 6: '\(1, 1\)' is not a legal move"):
        read("1 failures\nA to play\n. . .\n. . .\n. . .\n(1, 1)\n", game)


def entries(snapshot, game=TICTACTOE):
    space = space_of(game)
    edges = [edge for edge in np.argsort(snapshot.memory).tolist() if snapshot.memory[edge]]
    return [
        (game.to_text(int(space.position[space.source[edge]])), game.move_name(int(space.move[edge]))) for edge in edges
    ]


def test_the_strict_form_is_written_in_the_order_of_recording():
    snapshot = read(STRICT, None)
    assert entries(snapshot) == GIVEN
    assert write(snapshot) == STRICT


def test_an_imported_reasoner_is_literal_and_has_played_no_game():
    snapshot = read(ONE, None)
    assert (snapshot.learner, snapshot.game.name, snapshot.preset, snapshot.seed) == (
        "failures",
        "tictactoe",
        "literal",
        0,
    )
    assert snapshot.generator == seed_words(0)
    assert snapshot.history == ()
    assert {key: count for key, count in snapshot.stats.items() if count} == {"entries": 1}


@pytest.mark.sample(4)
@quick_game
def test_every_game_has_its_text(game):
    brain = made_up(game, 100)
    assert np.array_equal(read(write(brain), game).memory, brain.memory)


def test_a_move_from_to_is_its_two_squares():
    text = "1 failures\nW to play\nB B B\n. . .\nW W W\n(2, 0) (1, 0)\n"
    assert entries(read(text, HEXAPAWN), HEXAPAWN) == [("BBB/.../WWW W", "a1a2")]
    assert write(read(text, HEXAPAWN)) == text
    assert entries(read(text.replace(") (", ")("), HEXAPAWN), HEXAPAWN) == [("BBB/.../WWW W", "a1a2")]


def test_no_failures_are_a_database_too():
    assert write(read("0 failures\n", None)) == "0 failures\n"


@pytest.mark.parametrize(
    "text",
    [
        ONE.replace("O", "0"),
        ONE.lower(),
        ONE.replace(".", "-"),
        ONE.replace("X . X\n. . .\nO . O", "X.X\n...\nO.O"),
        ONE.replace("X . X\n. . .\nO . O", "X   X\n\nO   O"),
        ONE.replace("X . X\n. . .\nO . O", "x_x\r\n\r\n0-0  "),
        ONE.replace("(1, 1)", "(1,1)"),
        ONE.replace("(1, 1)", " ( 1 , 1 ) "),
        ONE.replace("\n", "\r\n"),
        "\ufeff" + ONE,
        "\n\n" + ONE.replace("failures\n", "failures\n\n \n\n") + "\n\n",
        ONE.replace("1 failures", " 1 failure "),
        ONE.rstrip("\n"),
    ],
)
def test_variants_of_the_form_are_read(text):
    assert write(read(text, None)) == ONE


def test_empty_cells_at_either_end_of_a_row_may_be_blank():
    assert entries(read("1 failures\no to play\n    x\n\n\n(1,1)", None)) == [("..X/.../... O", "b2")]
    assert entries(read("1 failures\nx to play\n  x\n0\n\n(2,2)", None)) == [(".X./O../... X", "c1")]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "line 1: the file is empty"),
        ("hello", "line 1: 'hello' should be the number of failures"),
        ("\x00\x01", "line 1: .* should be the number"),
        ("9999999999 failures", "line 1: .* should be the number"),
        ("1 failures\n", "line 1: the number of failures is 1, but 0 follow"),
        ("2" + ONE[1:], "line 1: the number of failures is 2, but 1 follow"),
        (ONE[: ONE.index("O . O")], "line 2: the file ends in the middle of this failure"),
        (ONE[:-4], r"line 6: '\(1,' should be a move, as in '\(0, 0\)'"),
        (ONE.replace("X to", "Z to"), "line 2: 'Z to play' should be 'X to play' or 'O to play'"),
        (ONE.replace("X . X", "X . Q"), "line 3: 'X . Q' has a cell other than X, O or"),
        (ONE.replace("X . X", "X . X O"), "line 3: .* should be 3 cells"),
        (ONE.replace("X . X", "X X X"), "line 2: .* X cannot be to move"),
        (ONE.replace("X . X\n. . .\nO . O", "X X X\n. . .\nO O O"), "line 2: .*both sides have three in a row"),
        (ONE.replace("X to", "O to"), "line 2: .*O cannot be to move"),
        (ONE.replace("O . O", ". . ."), "line 2: .*must have as many"),
        ("1 failures\nO to play\nX X X\n. . .\nO . O\n(1, 1)\n", "line 2: the game is over"),
        (ONE.replace("(1, 1)", "(0, 0)"), r"line 6: '\(0, 0\)' is an occupied square in X\.X/"),
        (ONE.replace("(1, 1)", "(3, 0)"), r"line 6: \(3, 0\) is not on the board"),
        (ONE.replace("(1, 1)", "(1, 1) (0, 1)"), r"line 6: .* is not a legal move"),
        (ONE.replace("(1, 1)", "b2"), "line 6: 'b2' should be a move"),
        (ONE.replace("1 f", "2 f") + ONE[11:], "line 11: this failure is already given in line 6"),
        (ONE + "tail\n", "line 7: 'tail' should be 'X to play'"),
        ("1 failures\nW to play\n", "line 2: 'W to play' should be 'X to play'"),
    ],
)
def test_every_error_is_reported_with_its_line(text, what):
    with pytest.raises(BadText, match=what) as caught:
        read(text, None)
    assert str(caught.value).isprintable()


def test_an_illegal_pawn_move_is_reported_with_its_line():
    text = "1 failures\nW to play\nB B B\n. . .\nW W W\n(2, 0) (0, 0)\n"
    with pytest.raises(BadText, match=r"line 6: .* is not a legal move in BBB/"):
        read(text, HEXAPAWN)
    with pytest.raises(BadText, match=r"line 6: .* is not a legal move"):
        read(text.replace(" (0, 0)", ""), HEXAPAWN)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\n" * (LARGEST + 1), "longer than 2,097,152 characters, too long for a list of failures"),
        ("1 failure\nW to play\nBBB\n...\nWWW\n" + "(0, 0)" * 40, "line 6: .* should be a move"),
    ],
)
def test_a_text_that_would_need_too_much_memory_is_refused(text, what):
    with pytest.raises(BadText, match=what):
        read(text, HEXAPAWN)


def test_only_failure_databases_are_written():
    brain = made_up(TICTACTOE, 1)
    with pytest.raises(BadText, match=r"export it as \.json"):
        write(type(brain)(**{**vars(brain), "learner": "other"}))


def test_a_number_of_moves_follows_the_side_to_move():
    text = "1 failures\nO 7 to play\nO O .\nO X X\n. X .\n(1, 2) (0, 2)\n"
    with pytest.raises(BadText, match=r"line 6: .* is not a legal move in OO\./OXX/\.X\. O 7"):
        read(text, MORRIS)
    text = text.replace("(1, 2) (0, 2)", "(0, 1) (0, 2)")
    assert write(read(text, MORRIS)) == text
    with pytest.raises(BadText, match=r"line 2: .* end with the number of moves made"):
        read(text.replace(" 7", ""), MORRIS)
    with pytest.raises(BadText, match=r"line 2: .* end with a space and the side to move"):
        read(ONE.replace("X to play", "X 3 to play"), None)


def test_a_wrong_text_of_a_large_game_is_refused_before_its_space_is_built(monkeypatch):
    def build(*_):
        raise AssertionError("work has begun")

    monkeypatch.setattr("engine.spaces.build_space", build)
    large, rows = parse_game("mnk:6,4,3+gravity"), "X to play\n" + ". . . . . .\n" * 4
    with pytest.raises(BadText, match=r"line 13: .* is not a legal move"):
        read(f"2 failures\n{rows}(3, 0)\n{rows}(0, 0)\n", large)
    with pytest.raises(AssertionError, match="work has begun"):
        read(f"1 failures\n{rows}(3, 0)\n", large)
