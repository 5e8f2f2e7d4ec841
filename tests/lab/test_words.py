"""The texts about a learner."""

from dataclasses import replace

import pytest

from engine.evaluate import scoreboard
from engine.games import parse_game
from lab.words.learner_facts import FULL, exact_text, facts_text
from lab.words.numbers import percent_number
from learners import revive
from saves import gallery
from tests.saves.brains import made_up

TICTACTOE = parse_game("tictactoe")
RIECHEL = revive(gallery.load("riechel"), TICTACTOE)


def test_the_facts_of_a_learner():
    snapshot = made_up(TICTACTOE, 3409, seed=7)
    counts = {"games": 9000, "first_wins": 1200, "second_wins": 800, "draws": 7000, "avoided": 571_823}
    learner = revive(replace(snapshot, stats={**snapshot.stats, **counts}), TICTACTOE)
    assert facts_text(learner).plain.splitlines() == [
        "Failure-based reasoner, Tic-tac-toe, literal, seed 7",
        "9,000 games: draws 7,000, X wins 1,200, O wins 800; failures avoided 571,823, failures recorded 3,409",
        "pick uniform, walk back false",
    ]


def test_exact_results_are_aligned():
    lines = exact_text(RIECHEL, scoreboard(RIECHEL.space, RIECHEL.policy()), 80).plain.splitlines()
    assert lines[0].split()[0] == "%"
    assert lines[1].split() == [*["win", "draw", "loss"] * 4, "perfect", "lose"]
    assert [line[:4] for line in lines[2:]] == ["as X", "as O"]
    assert {len(line) for line in lines} == {FULL}
    for line in lines[2:]:
        *shares, perfect, losing = [float(share) for share in line[5:].split()]
        assert len(shares) == 12
        assert 0 < perfect < 100
        assert losing == int(losing) > 0
        assert all(abs(sum(shares[at : at + 3]) - 100) < 0.25 for at in range(0, 12, 3))


@pytest.mark.parametrize(("share", "text"), [(1.0, "100"), (0.0, "0"), (1e-9, "<0.1"), (0.5, "50"), (0.12345, "12.3")])
def test_a_short_share(share, text):
    assert percent_number(share) == text
