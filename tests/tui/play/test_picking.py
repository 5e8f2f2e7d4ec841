"""Moves by pointing at squares."""

from tui.play.picking import Picking, pick

PAWNS = {(6, 3): (57,), (7, 4): (67,), (7, 3): (66,)}
PIECES = {(4,): (4, 13), (5,): (5, 14)}


def test_one_square_is_a_move_or_several():
    assert pick({(4,): (4,)}, (), 4) == Picking(moves=(4,))
    assert pick(PIECES, (), 4) == Picking(moves=(4, 13))


def test_a_square_without_a_move_is_none():
    assert pick(PIECES, (), 0) == Picking()
    assert pick(PAWNS, (7,), 8) == Picking()


def test_a_move_of_two_squares_begins_with_the_first():
    assert pick(PAWNS, (), 7) == Picking((7,))
    assert pick(PAWNS, (7,), 4) == Picking(moves=(67,))


def test_another_piece_can_be_picked_instead_and_the_same_one_again_drops_it():
    assert pick(PAWNS, (7,), 6) == Picking((6,))
    assert pick(PAWNS, (7,), 7) == Picking()
