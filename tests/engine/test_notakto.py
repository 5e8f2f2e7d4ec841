"""Notakto: what theory says about one board."""

from engine.games import parse_game
from engine.match import Match
from engine.solve import edge_values
from engine.space import space_of
from lab.words.debrief import ending_text

NOTAKTO = parse_game("notakto")


def test_only_the_centre_wins():
    """Plambeck and Whitehead, section 2."""
    space = space_of(NOTAKTO)
    winning = [
        NOTAKTO.move_name(int(space.move[edge])) for edge in space.edges(NOTAKTO.start) if edge_values(space)[edge] > 0
    ]
    assert winning == ["b2"]


def test_pieces_belong_to_nobody():
    assert [(piece.mark, piece.side) for piece in NOTAKTO.board.pieces] == [("X", None)]
    position = NOTAKTO.from_text("X../.X./...")
    assert NOTAKTO.to_text(position) == "X../.X./... A"


def test_whoever_completes_a_row_is_named_as_the_loser():
    match = Match(NOTAKTO)
    for name in ("a3", "b2", "c1"):
        match.play(NOTAKTO.parse_move(match.position, name))
    assert ending_text(match, ("one", "two")).startswith("B (two) wins: A completed ")
