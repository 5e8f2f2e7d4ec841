"""Differences between two memories: move by move, and when a move was given up."""

import numpy as np
import pytest

from engine.game import BadText, Side
from engine.games import parse_game
from engine.solve import edge_values
from learners import revive
from learners.comparison import Switch, differences, narrow_switch, shifts, switches
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.rewind import moments, rewind_to
from tests.saves.brains import train

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")


def chance(learner, position, move):
    return next(thought.chance for thought in learner.thoughts(position) if thought.move == move)


def test_two_moments_of_a_failure_database_differ_by_what_was_recorded_between():
    whole = train(Failures(TICTACTOE, "literal", 1), 2000)
    one, other = (revive(rewind_to(whole, rounds)) for rounds in (500, 2000))
    found = {each.edge: each for each in differences(one, other)}
    recorded = np.flatnonzero((one.memory == 0) & (other.memory > 0)).tolist()
    assert recorded
    assert {edge for edge, each in found.items() if each.numbers == (0, 1)} == set(recorded)
    assert not [each for each in found.values() if each.numbers == (1, 0)]
    space, value = one.space, edge_values(one.space)
    for each in list(found.values())[::97]:
        position, move = int(space.position[space.source[each.edge]]), int(space.move[each.edge])
        assert each.chances == (chance(one, position, move), chance(other, position, move))
        assert each.given_up == (each.chances[0] > 0 == each.chances[1])
        assert each.value == value[each.edge]
    plies = [int(space.ply[space.source[edge]]) for edge in found]
    assert plies == sorted(plies)


def test_symmetric_moves_that_share_beads_are_listed_once():
    one, other = (Menace(TICTACTOE, "michie", seed) for seed in (1, 2))
    for learner in (one, other):
        train(learner, 5)
    cell = one.cell
    for each in differences(one, other):
        assert cell[each.edge] == each.edge
        assert each.numbers == (one.memory[each.edge], other.memory[each.edge])
    start = [each for each in differences(one, other) if one.space.source[each.edge] == 0]
    changed = [abs(each.chances[0] - each.chances[1]) for each in start]
    assert changed == sorted(changed, reverse=True)
    for column in (0, 1):
        assert sum(each.chances[column] for each in start) == pytest.approx(1)


def test_learners_of_different_kinds_differ_in_what_they_play():
    one, other = Failures(TICTACTOE, "literal", 1), Menace(TICTACTOE, "michie", 1)
    found = differences(one, other)
    assert {each.numbers for each in found} == {None}
    assert {int(one.space.side[one.space.source[each.edge]]) for each in found} == {Side.FIRST}
    corner = next(each for each in found if each.edge == 0)
    assert corner.chances == pytest.approx((1 / 9, 1 / 12))


def test_learners_without_a_common_move_are_refused():
    with pytest.raises(BadText, match="no move in common"):
        differences(Failures(TICTACTOE, "literal", 1), Failures(HEXAPAWN, "literal", 1))
    with pytest.raises(BadText, match="play different sides"):
        differences(Menace(HEXAPAWN, "her", 1), Menace(HEXAPAWN, "michie", 1))


def test_a_move_is_given_up_and_returned_to():
    kept_open = [(0, [True, True]), (10, [True, False]), (20, [True, False]), (50, [True, True])]
    known = [(rounds, np.array(edges)) for rounds, edges in kept_open]
    assert switches(known, [0]) == []
    assert switches(known, [0, 1]) == [Switch(10, 0, 1, given_up=True), Switch(50, 20, 1, given_up=False)]


@pytest.mark.parametrize("kind", [Failures, Menace])
def test_training_again_finds_the_exact_game(kind):
    learner = kind(TICTACTOE, next(iter(kind.spec.presets)), 3)
    given_up = {}
    was = learner.view.open_edges()
    for game in range(1, 161):
        train(learner, 1)
        now = learner.view.open_edges()
        given_up |= {int(edge): game for edge in np.flatnonzero(was & ~now)}
        was = now
    whole = learner.snapshot()
    known = [(rounds, revive(rewind_to(whole, rounds)).view.open_edges()) for rounds in moments(whole)]
    found = [switch for switch in switches(known, given_up) if switch.given_up]
    assert len(found) > 5
    for switch in found[:: len(found) // 5]:
        exact = narrow_switch(whole, switch)
        assert (exact.rounds, exact.since) == (given_up[switch.edge], given_up[switch.edge] - 1)


def test_a_population_gives_an_allele_up_when_nobody_has_it():
    whole = train(Genetic(HEXAPAWN, "hochmuth", 1, {"population": 20, "until": "end"}), 50)
    learners = {rounds: revive(rewind_to(whole, rounds)) for rounds in moments(whole)}
    found = switches([(rounds, each.view.open_edges()) for rounds, each in learners.items()], range(len(whole.memory)))
    switch = next(each for each in found if each.given_up and each.rounds - each.since > 1)
    then = learners[switch.rounds]
    assert not then.view.shown_numbers(then.memory)[then.cell[switch.edge]]
    exact = narrow_switch(whole, switch)
    assert switch.since < exact.rounds <= switch.rounds
    assert exact.rounds - exact.since == 1
    assert narrow_switch(whole, switch, lambda: True) == switch


def test_positions_that_are_the_same_by_symmetry_are_one_change_and_what_matters_most_comes_first():
    whole = train(Failures(TICTACTOE, "literal", 1), 2000)
    one, other = (revive(rewind_to(whole, rounds)) for rounds in (500, 2000))
    found, space = shifts(one, other), one.space
    assert len({int(space.position_class[shift.row]) for shift in found}) == len(found)
    mattering = [shift for shift in found if shift.reach > 0 and not shift.lost]
    assert found[: len(mattering)] == mattering, "lost positions, and those that nobody reaches, come last"
    assert 0 < len(mattering) < len(found)
    weights = [round(shift.weight, 6) for shift in mattering]
    assert weights == sorted(weights, reverse=True)
    assert weights[0] > 0
    for shift in found:
        assert 0 < shift.size <= 1
        assert 0 <= shift.reach <= 1 + 1e-9
        assert all(-1 - 1e-9 <= value <= 1 + 1e-9 for value in shift.values)
        assert not shift.lost or shift.values == pytest.approx((-1, -1))
    for shift in found[::29]:
        position = int(space.position[shift.row])
        twins = space.twins(position)
        for chances, learner in ((shift.before, one), (shift.after, other)):
            assert sum(chances.values()) == pytest.approx(1)
            best = max(chances, key=lambda edge: chances[edge])
            images = [
                (TICTACTOE.transform(position, symmetry), TICTACTOE.transform_move(int(space.move[best]), symmetry))
                for symmetry in TICTACTOE.symmetries
            ]
            assert {image for image, _ in images} == set(twins)
            assert chances[best] == pytest.approx(np.mean([chance(learner, *image) for image in images]))
        assert shift.gives_up == any(shift.before[edge] > 0 == shift.after[edge] for edge in shift.before)
    assert shifts(one, one) == []
