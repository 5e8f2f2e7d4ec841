"""What has changed between two learners, in sentences."""

from dataclasses import replace

import pytest

from engine.evaluate import scoreboard
from engine.games import parse_game
from engine.spaces import space_of
from lab.memory.shifts import names_of, shift_text, why_text
from lab.results.exact_results import Timeline
from learners import revive
from learners.comparison import Shift
from learners.rewind import rewind_to
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import her, train

TICTACTOE = parse_game("tictactoe")
SPACE = space_of(TICTACTOE)
EMPTY, CENTRE, EDGE = (TICTACTOE.from_text(text) for text in (".../.../... X", ".../.X./... O", "OX./.../... X"))
SEVEN = dict.fromkeys(("c3", "a2", "b2", "c2", "a1", "b1", "c1"), 1 / 7)


def shift(position, before, after):
    """A change in a position, given by the probabilities of moves by name; the other moves have 0."""
    row = SPACE.row(position)
    edges = {TICTACTOE.move_name(int(SPACE.move[edge])): edge for edge in SPACE.edges(position)}
    return Shift(row, *({edge: chances.get(name, 0.0) for name, edge in edges.items()} for chances in (before, after)))


CORNERS, SIDES = ("a1", "a3", "c1", "c3"), ("a2", "b1", "b3", "c2")
CORNER, MIXED = dict.fromkeys(CORNERS, 0.25), dict.fromkeys(CORNERS + SIDES, 0.125)


def mixed(corner, side, **others):
    return {**dict.fromkeys(CORNERS, corner), **dict.fromkeys(SIDES, side), **others}


CHANGES = [
    (EMPTY, MIXED, {"b2": 1.0}, "X now always opens with b2, which draws; never before."),
    (CENTRE, MIXED, CORNER, "O now always answers a3, c3, a1 or c1, which draws; before 50 % of the time."),
    (
        CENTRE,
        MIXED,
        mixed(0.01, 0.24),
        "O now nearly always answers b3, a2, c2 or b1, which loses; before 50 % of the time.",
    ),
    (
        EMPTY,
        MIXED,
        mixed(0.125, 0, b2=0.5),
        "X no longer opens with b3, a2, c2 or b1, which draws; before 50 % of the time.",
    ),
    (CENTRE, MIXED, mixed(0.2, 0.05), "O answers a3, c3, a1 or c1 80 % of the time, before 50 %."),
    (
        EDGE,
        SEVEN,
        dict.fromkeys(("a2", "b2", "a1", "c1"), 1 / 4),
        "X no longer answers c3, which loses; before 14.3 % of the time.",
    ),
    (CENTRE, MIXED, {}, "O now resigns here: it has no move."),
]


@pytest.mark.parametrize(("position", "before", "after", "sentence"), CHANGES)
def test_the_sentence_tells_what_has_changed_most(position, before, after, sentence):
    assert shift_text(SPACE, shift(position, before, after)) == sentence


OTHERS = [
    (EMPTY, MIXED, {"b2": 1.0}, "b always opens with b2 as X, which draws; a never."),
    (CENTRE, MIXED, CORNER, "b always answers a3, c3, a1 or c1 as O, which draws; a 50 % of the time."),
    (
        EMPTY,
        MIXED,
        mixed(0.125, 0, b2=0.5),
        "b never opens with b3, a2, c2 or b1 as X, which draws; a 50 % of the time.",
    ),
    (CENTRE, MIXED, mixed(0.2, 0.05), "b answers a3, c3, a1 or c1 as O 80 % of the time, a 50 %."),
    (CENTRE, MIXED, {}, "b resigns here as O: it has no move."),
]


@pytest.mark.parametrize(("position", "one", "other", "sentence"), OTHERS)
def test_two_saves_are_compared_by_name(position, one, other, sentence):
    assert shift_text(SPACE, shift(position, one, other), ("a", "b")) == sentence


def test_a_comparison_says_whose_games_reach_a_position_that_the_other_never_reaches():
    here = shift(CENTRE, MIXED, CORNER)
    only_first, only_second = (replace(here, reaches=each, values=(0.5, 0.0)) for each in ((0.5, 0.0), (0.0, 0.5)))
    told = "Reached in 1 of 2 games by a, never by b; b would give away 25 points in 100 such games (a draw: ½)."
    assert why_text(only_first, ("a", "b")) == told
    assert (
        why_text(only_second, ("a", "b"))
        == "Reached in 1 of 2 games by b, never by a; b gives away 25 points in 100 such games (a draw: ½)."
    )
    less = why_text(replace(only_second, values=(0.0, 0.01)), ("a", "b"))
    assert less.endswith("b gains 0.5 points in 100 such games (a draw: ½).")
    assert (
        why_text(only_second)
        == "Reached in 1 of 2 games now, never before; its value falls by 25 points in 100 such games (a draw: ½)."
    )


def test_pairs_are_named_unless_they_are_checkpoints_of_one_save_in_order():
    assert names_of("mine@5", "mine") is names_of("mine@5", "mine@10") is None
    assert names_of("mine@10", "mine@5") == ("mine@10", "mine@5")
    assert names_of("mine", "other") == ("mine", "other")


def test_the_size_of_a_change_is_the_share_of_games_that_are_played_differently():
    assert shift(CENTRE, MIXED, CORNER).size == pytest.approx(0.5)
    assert shift(EMPTY, MIXED, {"b2": 1.0}).size == pytest.approx(1)
    assert shift(EMPTY, MIXED, {}).size == pytest.approx(1)


HEXAPAWN = parse_game("hexapawn")
MOMENTS = (0, 1, 2, 5, 10, 20)


def test_a_timeline_has_the_learner_at_each_checkpoint():
    timeline = Timeline(her())
    assert timeline.moments == MOMENTS
    assert timeline.computed_at(5) is None
    then, learner = timeline.at(5), revive(rewind_to(her(), 5))
    assert timeline.computed_at(5) is timeline.at(5) is then
    assert then.exact == {"second": scoreboard(learner.space, learner.policy())["second"]}
    assert then.loss("perfect") == then.exact["second"].against["perfect"].loss
    assert [timeline.next_to(5, step) for step in (-9, -1, 0, 1, 9)] == [0, 2, 5, 10, 20]


def test_a_reference_to_a_checkpoint_is_parsed_and_written():
    library = Library(library_path())
    library.save("her", her())
    player = library.player("save:her@1,0", HEXAPAWN)
    assert (player.label, player.rounds) == ("save:her@10", 10)
    assert train(player, 10).stats == her().stats
