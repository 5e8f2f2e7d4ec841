from random import Random

import pytest

from engine.game import Outcome
from engine.games import parse_game
from engine.match import Match, Record
from lab.memory.matchbox import SquareKind
from lab.memory.open_box import box_after_game, box_before_game, frames_before, open_box
from learners import parse_player
from learners.menace.learner import Menace
from tests.sizes import with_games

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
OPENING = TICTACTOE.play(TICTACTOE.play(TICTACTOE.start, 4), 0)


def machine(game=TICTACTOE, preset="michie"):
    return Menace(game, preset, 1)


@pytest.mark.parametrize("drawn", [None, *TICTACTOE.moves(OPENING)])
def test_squares_that_share_beads_are_one_group_which_the_drawn_move_stands_for(drawn):
    box = open_box(machine(), OPENING, drawn)
    held = [square for square in box.squares if square.beads is not None]
    twins = [square for square in box.squares if square.twin]
    assert len(held) + len(twins) == len(TICTACTOE.moves(OPENING))
    assert {square.twin for square in twins} <= {square.move for square in held}
    assert sum(square.chance for square in held) == pytest.approx(1)
    assert len({(square.beads, round(square.chance, 9)) for square in held}) == 1, "equal counts, equal chances"
    assert [square.move for square in held if square.look.drawn] == (
        [] if drawn is None else [TICTACTOE.move_name(drawn)]
    )


def test_beads_that_came_or_went_are_told_of_their_move():
    learner = machine()
    box = open_box(learner, OPENING, 1, {int(learner.cell[learner.space.edge(OPENING, 1)]): -2})
    assert [(square.move, square.gained) for square in box.squares if square.gained] == [("b3", -2)]
    first, second = frames_before(box)
    now = next(square.beads for square in box.squares if square.gained)
    assert [next(each.beads for each in at.squares if each.move == "b3") for at in (first, second)] == [
        now + 2,
        now + 1,
    ]
    before = box_before_game(box)
    assert sum(square.chance for square in before.squares) == pytest.approx(1)
    assert before.squares[1].beads == now + 2
    assert before.squares[1].look.drawn
    assert not box.squares[1].look.drawn, "the bead that was drawn is gone"


@with_games(TICTACTOE, HEXAPAWN, parse_game("wild"), parse_game("notakto"))
@pytest.mark.parametrize("preset", [each for each in Menace.spec.presets if each not in Menace.spec.preset_games])
def test_a_box_after_the_game_is_the_one_that_learning_leaves(game, preset):
    for settings in (
        {},
        {"pick": "fullest"},
        {"least": 3},
        {"beads": "1", "empty": "refill"},
        {"beads": "1", "empty": "keep"},
    ):
        for outcome, key in ((Outcome.FIRST_WINS, "win"), (Outcome.SECOND_WINS, "loss")):
            assert_learned(Menace(game, preset, 1, {**settings, "plays": "first"}), outcome, key)


def assert_learned(learner, outcome, key):
    """Assert what is said of the box of the first move before and after a game, twice: then its beads differ."""
    game, start = learner.game, learner.game.start
    match, random = Match(game), Random(0)
    while match.outcome is not outcome:
        if match.outcome is not None:
            match = Match(game)
        match.play(random.choice(game.moves(match.position)))
    move = match.moves[0]
    for _ in range(2):
        before = open_box(learner, start, move)
        expected = box_after_game(learner, start, move, int(learner.settings[key]))
        changes = learner.learn_record(Record(game, ("a", "b"), tuple(match.moves), outcome))
        learned = open_box(learner, start, move, {change.edge: change.after - change.before for change in changes})
        assert facts(expected) == facts(learned)
        assert [fact[:3] for fact in facts(box_before_game(learned))] == [fact[:3] for fact in facts(before)]


def facts(box):
    return [
        (each.move, each.beads, pytest.approx(each.chance), each.gained, each.look.drawn)
        for each in box.squares + box.below
    ]


def test_the_opening_that_lies_open_counts_before_it_is_learned():
    learner, record = machine(), Record(TICTACTOE, ("a", "b"), (4, 0, 1, 2, 7), Outcome.FIRST_WINS)
    learner.learn_record(record)
    before = open_box(learner, OPENING, 1)
    learner.learn_record(record)
    after = open_box(learner, OPENING, 1, {})
    assert before.unseen == after.unseen == open_box(learner, OPENING).unseen == "opened 2 times"


def test_a_box_opens_before_the_bead_is_drawn_from_it():
    box = open_box(machine(), OPENING, 1)
    closed, opened = frames_before(box)
    assert not any(square.beads for square in closed.squares)
    assert [square.beads for square in opened.squares] == [square.beads for square in box.squares]
    assert not any(square.look.drawn for square in opened.squares)
    assert (closed.note, opened.note) == (box.unseen, box.unseen) != (box.note, box.note)  # the bead is not seen yet
    assert frames_before(open_box(machine(), OPENING)) == ()


def test_moves_of_pieces_have_their_beads_in_lines_below_the_board():
    start = HEXAPAWN.play(HEXAPAWN.start, HEXAPAWN.moves(HEXAPAWN.start)[0])
    box = open_box(machine(HEXAPAWN, "her"), start)
    assert all(square.look.kind in (SquareKind.PIECE, SquareKind.NOTHING) for square in box.squares)
    assert sum(square.beads for square in box.below) > 0


@pytest.mark.parametrize("player", ["perfect", "random", "minimax:2"])
def test_players_without_beads_tell_words(player):
    box = open_box(parse_player(player, TICTACTOE), OPENING, 1)
    assert [bool(square.words) for square in box.squares if square.move] == [True] * 7
