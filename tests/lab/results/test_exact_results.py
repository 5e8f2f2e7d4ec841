"""The exact results of a learner: against the evaluator, and in words."""

import pytest

from engine.evaluate import scoreboard
from engine.game import Side
from engine.games import parse_game
from engine.spaces import space_of
from lab.results.exact_results import Timeline, exact_of, point_at
from lab.results.portraits import add_losses, curve_of, portrait_of
from lab.results.tables import by_opponent_text, by_opponent_width, untrained_sides, worst_case_text
from lab.text.numbers import decimal_percent
from learners import parse_player, revive
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.rewind import moments, rewind_to
from saves import gallery
from saves.library.library import Library
from tests.saves.brains import train

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")
KINDS = [
    (Failures, "literal", {}),
    (Menace, "her", {}),
    (Menace, "scroggs", {}),
    (Genetic, "hochmuth", {"population": 20, "until": "end"}),
]


@pytest.mark.parametrize(("kind", "preset", "settings"), KINDS)
def test_the_results_at_every_checkpoint_are_those_of_the_evaluator(kind, preset, settings):
    snapshot = train(kind(HEXAPAWN, preset, 1, settings), 30)
    for rounds in moments(snapshot):
        learner = revive(rewind_to(snapshot, rounds))
        board = scoreboard(learner.space, learner.policy())
        point = point_at(snapshot, rounds)
        assert (point.rounds, point.learner.rounds) == (rounds, rounds)
        assert point.exact == {side.name.lower(): board[side.name.lower()] for side in learner.sides}


def test_the_curve_of_a_portrait_has_one_point_for_each_place_on_its_axis(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save("five", train(Failures(HEXAPAWN, "literal", 1), 5))
    portrait = portrait_of(library, library.entries()[0])
    assert portrait.moments == (1, 2, 5)
    assert tuple(rounds for rounds, _ in add_losses(library, "five", portrait).losses) == portrait.moments


@pytest.mark.parametrize("name", gallery.names())
def test_the_curve_that_comes_with_a_save_of_the_gallery_is_the_computed_one(name):
    curve = curve_of(Timeline(gallery.load(name)))
    assert gallery.losses(name) == tuple((rounds, pytest.approx(share, abs=1e-4)) for rounds, share in curve)


def test_the_narrow_table_has_a_line_for_each_opponent_and_fits():
    exact = exact_of(Menace(TICTACTOE, "scroggs", 1))
    for told, marks in ((exact, "XO"), ({"second": exact["second"]}, "O")):
        lines = by_opponent_text(TICTACTOE, told).plain.splitlines()
        assert {len(line) for line in lines} == {by_opponent_width(len(told))}
        assert lines[0].split() == ["%", "against", *" ".join(f"as {mark}" for mark in marks).split()]
        assert [line[:14].strip() for line in lines[2:6]] == ["random", "perfect", "itself", "reader"]
        last = [*told.values()][-1]
        best = last.against["best_responder"]
        assert lines[5].split()[-3:] == [
            decimal_percent(best.win),
            decimal_percent(best.draw),
            decimal_percent(best.loss),
        ]
        assert lines[6].split()[-1] == decimal_percent(last.perfect_moves)
        assert lines[7].split()[-1] == f"{last.losing_pairs:,}"
    assert (by_opponent_width(1), by_opponent_width(2)) == (29, 44)


def test_the_verdict_is_that_of_the_best_responder():
    exact = exact_of(Menace(TICTACTOE, "scroggs", 1))
    first, second = (decimal_percent(exact[side].against["best_responder"].loss) for side in ("first", "second"))
    assert (
        worst_case_text(TICTACTOE, exact)
        == f"As X it loses {first} % of games to a player that has read its memory, as O {second} %."
    )
    perfect = scoreboard(space_of(HEXAPAWN), parse_player("perfect", HEXAPAWN).policy())
    assert worst_case_text(HEXAPAWN, {"second": perfect["second"]}) == "As B it never loses, whoever it plays."


def test_an_untrained_side_is_detected_if_moves_are_counted():
    menace = Menace(HEXAPAWN, "blog-fixed", 1)
    assert untrained_sides(menace) == []
    menace.set_opponent(parse_player("random", HEXAPAWN))
    menace.train(5)
    assert untrained_sides(menace) == [Side.SECOND]
    menace.set_opponent(None)
    menace.train(5)
    assert untrained_sides(menace) == []
    assert untrained_sides(Failures(HEXAPAWN, "literal", 1)) == []
