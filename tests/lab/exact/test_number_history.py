"""The history of a number in words."""

from dataclasses import replace

from engine.games import parse_game
from lab.exact.number_history import answer_lines, change_lines, history_strip, number_history
from lab.results.exact_results import Timeline
from learners.core.training import TrainingPlan, run
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer
from learners.q import QLearner

HEXAPAWN = parse_game("hexapawn")


def test_a_bead_that_comes_back_came_with_a_refill():
    learner = Menace(HEXAPAWN, "michie", 1, {"empty": "refill", "beads": "1"})
    learner.set_opponent(PerfectPlayer(HEXAPAWN))
    list(run(learner, TrainingPlan(50)))
    edges = range(len(learner.space.move))
    back = next(each for each in Timeline(learner.snapshot()).switches(edges) if not each.given_up)
    position, move = learner.view.position_and_move(back.edge)
    found = number_history(learner.snapshot(), position, move, lambda *_: PerfectPlayer(HEXAPAWN))
    changes = found.history.changes
    refilled = [each.change == each.after > 0 for each in changes]
    assert any(refilled)
    for count, came_back in enumerate(refilled, 1):
        until = replace(found, history=replace(found.history, changes=changes[:count]))
        assert ("box refilled" in history_strip(until, 200)[-1]) == came_back
    assert {len(history_strip(found, 24, height)[-1]) <= 24 for height in (0, 99)} == {True}
    cut, whole = (" ".join(history_strip(found, 24, height)) for height in (0, 99))
    assert whole.endswith(history_strip(found, 200)[-1])
    assert cut.endswith("…")


def test_the_texts_of_a_value_say_what_the_move_is_worth():
    learner = QLearner(HEXAPAWN, "exact", 1)
    list(run(learner, TrainingPlan(500)))
    position = HEXAPAWN.start
    (thought, *_) = learner.thoughts(position)
    found = number_history(learner.snapshot(), position, thought.move, lambda *_: None)
    told = "\n".join([*answer_lines(found), *change_lines(found), *history_strip(found, 200)])
    assert f"began as unknown and is {thought.symbol}: " in told
    assert f"→ {thought.symbol}" in told
    assert str(found.history.number) not in told.replace(",", "")
