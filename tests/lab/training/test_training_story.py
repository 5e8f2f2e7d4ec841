"""What is told of a training: its story at every checkpoint, averages of games, and that it has stopped."""

import pytest

from engine.evaluate import chances
from engine.game import Side
from engine.games import parse_game
from engine.stop import never
from lab.race.race_job import earlier_curve, find_earlier, size_text
from lab.race.race_text import ShownMeasure, ranking
from lab.training import training_story
from lab.training.setup import averages_per_game, averages_text
from lab.training.stalled import TRAIN_AGAINST_RANDOM, find_stall
from lab.training.training_story import TrainingStory, find_ghost
from learners import parse_learner, parse_player
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.q import QLearner
from learners.race.entrants import parse_entrant
from learners.race.measures import LOSS_MEASURES, judging_of, parse_measure
from saves.library.library import Library
from saves.paths import library_path
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


def test_a_story_is_complete_once_an_ended_training_was_searched_to_its_end():
    learner, story = parse_learner("failures")(parse_game("hexapawn"), "literal", 1), TrainingStory()
    train(learner, 30)
    for stop, ended, complete in ((never, False, False), (lambda: True, True, False), (never, True, True)):
        story.update(learner.snapshot(), stop, ended=ended)
        assert story.complete is complete


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


PAPER = {
    "games": 100_000,
    "plies": 800_000,
    "first_wins": 3824,
    "second_wins": 2389,
    "draws": 93_787,
    "avoided": 1_571_823,
    "entries": 6409,
}


BOXES = {**PAPER, "resigned": 1360, "refilled": 0, "beads": 160_477, "boxes": 593}


def test_the_averages_are_the_length_and_the_share_of_resigned_games():
    before = dict.fromkeys(BOXES, 0)
    assert averages_text(averages_per_game(before, PAPER)) == "8.00 moves per game"
    assert averages_text(averages_per_game(before, BOXES)) == "8.00 moves per game, 1.4 % resigned"


def test_the_averages_are_those_of_one_run():
    after = {**BOXES, "games": 100_100, "plies": 800_550, "resigned": 1370}
    assert averages_per_game(BOXES, after) == {"plies_per_game": 5.5, "resigned_share": 0.1}


HEXAPAWN = parse_game("hexapawn")


@pytest.fixture
def library():
    library = Library(library_path())
    library.save("a", train(Failures(HEXAPAWN, "literal", 1), 50))
    return library


def test_a_learner_with_a_save_in_this_game_has_a_curve_of_each_measure(library):
    entrants = [parse_entrant(text, HEXAPAWN, library.opponent) for text in ("failures:literal", "q:exact", "perfect")]
    (ghost,) = find_earlier(library, entrants).values()
    assert ghost.name == "a"
    last = ghost.known[50]
    for name, both in (
        ("loss-random", [last[side].against["random"].loss for side in ("first", "second")]),
        ("perfect-moves", [last[side].perfect_moves for side in ("first", "second")]),
    ):
        curve = earlier_curve(ghost, ShownMeasure(parse_measure(name), None))
        assert [rounds for rounds, _ in curve] == [1, 2, 5, 10, 20, 50]
        assert curve[-1][1] == pytest.approx(sum(both) / 2)
        assert earlier_curve(ghost, ShownMeasure(parse_measure(name), Side.SECOND))[-1][1] == pytest.approx(both[1])
    assert earlier_curve(ghost, ShownMeasure(parse_measure("exploitability"), None)) == []


def test_a_save_that_was_never_trained_is_passed_over(library):
    library.save("b", Failures(HEXAPAWN, "literal", 1).snapshot())
    assert find_ghost(library, Failures, HEXAPAWN).name == "a"


def test_without_any_save_the_learners_are_shown_as_they_begin(library):
    nim = parse_game("nim:1,2")
    racing = [parse_entrant(text, nim, library.opponent) for text in ("failures:literal", "q:exact", "perfect")]
    found = find_earlier(library, racing)
    assert {name: ghost.learner.rounds for name, ghost in found.items()} == {"failures": 0, "q": 0}
    for ghost in found.values():
        curve = earlier_curve(ghost, ShownMeasure(parse_measure("loss-best"), Side.SECOND))
        assert [loss for _, loss in curve] == [1, 1]  # it plays every move at times


@pytest.mark.long
def test_where_results_are_sampled_the_learners_are_shown_as_they_begin(library):
    game = parse_game("connectfour")
    (ghost,) = find_earlier(library, [parse_entrant("ntuple:small", game, library.opponent)]).values()
    for measure in judging_of(game).measures:
        first, last = earlier_curve(ghost, ShownMeasure(measure, Side.FIRST))
        assert first[1] == last[1]
        assert 0 <= first[1] <= 1
    lost = dict(earlier_curve(ghost, ShownMeasure(LOSS_MEASURES[0], None)))
    assert lost[1] > 0.9, "untrained, it loses to a search"


def test_the_size_of_a_race_is_told():
    assert size_text(5, 20, 1000) == "5 × 20 machines train 1,000 games each: 100,000 in all."


def test_the_ranking_puts_the_better_values_of_a_measure_first():
    lost, won = parse_measure("loss-random"), parse_measure("win-random")
    assert ranking([0.3, float("nan"), 0.1], lost) == [2, 0, 1]
    assert ranking([0.3, float("nan"), 0.1], won) == [0, 2, 1]


TICTACTOE = parse_game("tictactoe")


def trained(learner, rounds, opponent=None):
    learner.set_opponent(None if opponent is None else parse_player(opponent, learner.game))
    return train(learner, rounds)


def test_a_machine_with_an_empty_first_box_has_stopped_in_the_game_that_emptied_it():
    snapshot = next(
        snapshot
        for seed in range(20)
        if (snapshot := trained(Menace(TICTACTOE, "michie", seed), 5000, "perfect")).stats["resigned"] > 1000
    )
    stall = find_stall(snapshot)
    assert stall.is_traced
    assert stall.sentence("game") == (
        f"Since game {stall.rounds:,} it resigns every game as X at its first move, and learns no more. "
        "Train a new one with the setting empty=refill."
    )
    again = Menace(TICTACTOE, "michie", snapshot.seed)
    trained(again, stall.rounds - 1, "perfect")
    first = again.space.edges(TICTACTOE.start)
    assert again.memory[again.cell[first]].any()
    trained(again, 1, "perfect")
    assert not again.memory[again.cell[first]].any()


def test_a_machine_that_learns_has_not_stopped():
    assert find_stall(Menace(TICTACTOE, "steady", 1).snapshot()) is None
    assert find_stall(trained(Menace(TICTACTOE, "steady", 1), 2000)) is None
    assert find_stall(trained(Failures(TICTACTOE, "literal", 1), 2000)) is None
    assert find_stall(trained(Failures(parse_game("hexapawn"), "literal", 1), 2000)) is None


@pytest.mark.parametrize("learner", [Failures(TICTACTOE, "literal", 1), Menace(TICTACTOE, "blog-fixed", 1)])
def test_a_learner_that_draws_all_its_games_with_itself_has_stopped(learner):
    stall = find_stall(trained(learner, 100_000))
    assert 0 < stall.rounds < 100_000
    assert "every game with itself" in stall.reason
    assert stall.remedy == TRAIN_AGAINST_RANDOM


def test_a_learner_that_explores_learns_on_while_it_draws_with_itself():
    learner = QLearner(TICTACTOE, "exact", 1)
    snapshot = trained(learner, 5000)
    policy = learner.policy()
    assert chances(learner.space, policy, policy).draw == 1
    assert find_stall(snapshot) is None


def test_a_population_without_progress_has_stopped():
    settings = {"population": 10, "mutation": "0", "until": "end"}
    snapshot = trained(Genetic(TICTACTOE, "hochmuth", 1, settings), 250)
    stall = find_stall(snapshot)
    assert stall.rounds < 125
    best = {stats["generation"]: stats["best_fitness"] for stats in snapshot.history}
    assert best[stall.rounds] == max(best.values())
    assert stall.sentence("generation").startswith(f"Since generation {stall.rounds} its best strategy has not")
    assert find_stall(trained(Genetic(TICTACTOE, "swift", 1), 60)) is None


def test_a_population_whose_best_draws_with_itself_learns_on():
    learner = Genetic(TICTACTOE, "swift", 1)
    draws = []
    for _ in range(10):
        snapshot = trained(learner, 2)
        draws.append(chances(learner.space, learner.policy(), learner.policy()).draw)
        assert find_stall(snapshot) is None
    assert max(draws) == 1
