"""What is said of a learner beside its memory."""

from dataclasses import replace

from engine.games import parse_game
from learners import revive
from learners.menace.learner import Menace
from tests.saves.brains import made_up
from tui.shell.learner_facts import facts_text

TICTACTOE = parse_game("tictactoe")


def test_the_facts_of_a_learner():
    snapshot = made_up(TICTACTOE, 3409, seed=7)
    counts = {"games": 9000, "first_wins": 1200, "second_wins": 800, "draws": 7000, "avoided": 571_823}
    learner = revive(replace(snapshot, stats={**snapshot.stats, **counts}))
    assert facts_text(learner).plain.splitlines() == [
        "Failure-based reasoner, literal, Tic-tac-toe, seed 7",
        "9,000 games: draws 7,000, X wins 1,200, O wins 800; 571,823 failures avoided, 3,409 failures recorded",
    ]
    beginner = Menace(TICTACTOE, "michie", 1, {"win": 5})
    assert facts_text(beginner).plain.splitlines()[0] == "MENACE, michie, Tic-tac-toe, beads for a win 5, seed 1"
