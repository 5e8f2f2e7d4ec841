"""The checkpoints of a save in words: a move that was given up and came back."""

from engine.games import parse_game
from engine.stop import never
from lab.results.exact_results import Timeline
from lab.training.checkpoints import find_next_given_up
from learners.core.training import TrainingPlan, run
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer

HEXAPAWN = parse_game("hexapawn")


def test_of_a_bead_that_came_back_it_is_told_that_its_box_was_refilled():
    learner = Menace(HEXAPAWN, "michie", 1, {"empty": "refill", "beads": "1"})
    learner.set_opponent(PerfectPlayer(HEXAPAWN))
    list(run(learner, TrainingPlan(50)))
    timeline = Timeline(learner.snapshot())
    back = next(each for each in timeline.switches(range(len(learner.space.move))) if not each.given_up)
    _, text = find_next_given_up(timeline, 0, [back.edge], never)
    assert text.endswith(f"empty box refilled by {back.rounds}")
