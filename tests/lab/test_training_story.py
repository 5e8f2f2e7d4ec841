"""The story of a training: the same whether it is followed step by step or looked at once at the end."""

from engine.games import parse_game
from lab.training import training_story
from lab.training.training_story import TrainingStory
from learners import parse_learner
from tests.saves.brains import train


def test_each_checkpoint_is_evaluated_once(monkeypatch):
    judged = []
    original = training_story.point_at
    monkeypatch.setattr(
        training_story, "point_at", lambda snapshot, rounds: (judged.append(rounds), original(snapshot, rounds))[1]
    )
    learner, story = parse_learner("failures")(parse_game("hexapawn"), "literal", 1), TrainingStory()
    train(learner, 30)
    story.update(learner.snapshot())
    assert judged == [0, 1, 2, 5, 10, 20, 30]
    story.update(learner.snapshot())
    assert len(judged) == 7


def test_a_stopped_update_keeps_earlier_results():
    learner, story = parse_learner("failures")(parse_game("hexapawn"), "literal", 1), TrainingStory()
    story.update(learner.snapshot())
    before = story.turning_points
    train(learner, 30)
    story.update(learner.snapshot(), lambda: True)
    assert story.turning_points is before
    assert story.turning_points == ()


def test_a_machine_that_has_stopped_learning_has_a_last_line_that_says_so():
    learner, story = parse_learner("menace")(parse_game("tictactoe"), "blog-fixed", 3), TrainingStory()
    for games in (100, 400):
        train(learner, games)
        story.update(learner.snapshot())
        *others, last = story.lines("game")
        assert last.warning
        assert not any(line.warning for line in others)
        assert last.text.startswith("Since game ")
        assert "draws every game with itself" in last.text
    alive = TrainingStory()
    alive.update(parse_learner("menace")(parse_game("tictactoe"), "steady", 3).snapshot())
    assert alive.lines("game") == []
