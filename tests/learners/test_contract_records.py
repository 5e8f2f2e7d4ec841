"""What every learner promises when it learns from games that others played."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.game import BadText, Game, Outcome
from engine.games import GAMES
from engine.match import Match, Record, play_match
from engine.solve import edge_values
from learners import revive
from learners.core.spec import COMMON_STATS
from tests.learners.cases import (
    assert_same,
    every_case,
    every_record_case,
    fresh,
    replayed,
    trained,
)
from tests.sizes import short_and_long


@pytest.mark.sample(9)
@short_and_long("games", 400, 1500)
@every_record_case
def test_records_of_another_learner_teach_the_same(kind: str, preset: str, game: Game, games: int):
    teacher, pupil = fresh(kind, preset, game), fresh(kind, preset, game, seed=2)
    for _ in range(games):
        teacher.train(1)
        outcome = replayed(teacher)
        pupil.learn_record(Record(game.name, ("a", "b"), teacher.last_game, outcome))
        assert pupil.last_game == teacher.last_game
    assert teacher.stats()[teacher.spec.size_statistic] > 0
    assert np.array_equal(pupil.memory, teacher.memory)
    for key in (*COMMON_STATS, teacher.spec.size_statistic):
        assert pupil.stats()[key] == teacher.stats()[key]


@pytest.mark.sample(9)
@every_record_case
def test_learning_from_games_of_others_survives_a_snapshot(kind: str, preset: str, game: Game):
    random = Random(1)

    def choose(position: int) -> int:
        return random.choice(game.moves(position))

    records = [play_match(game, (choose, choose)).record(("random", "random")) for _ in range(100)]
    once, twice = trained(kind, preset, game), trained(kind, preset, game)
    for record in records[:50]:
        once.learn_record(record)
        twice.learn_record(record)
    twice = revive(twice.snapshot(), game)
    for learner in (once, twice):
        for record in records[50:]:
            learner.learn_record(record)
        learner.train(100)
    assert_same(once.snapshot(), twice.snapshot())


@every_record_case
def test_only_finished_games_of_its_own_game_are_learned_from(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    learner.train(1)
    before, last = learner.snapshot(), learner.last_game
    right = Record(game.name, ("a", "b"), last, replayed(learner))
    wrong = [
        replace(right, moves=(*last[:-1], 81), outcome=Outcome.DRAW),
        replace(right, moves=(*last, 81)),
        replace(right, moves=(81, *last[1:])),
        replace(right, moves=(), outcome=Outcome.FIRST_WINS),  # only the side to move can resign
        replace(right, outcome=next(outcome for outcome in Outcome if outcome is not right.outcome)),
        replace(right, game=next(other.name for other in GAMES if other is not game)),
    ]
    if not game.has_draws:
        wrong.append(replace(right, moves=last[:-1], outcome=Outcome.DRAW))  # then none can be agreed either
    for record in wrong:
        with pytest.raises(KeyError):
            learner.learn_record(record)
    assert_same(learner.snapshot(), before)
    assert learner.last_game == last


@every_record_case
def test_a_resignation_and_an_agreed_draw_are_learned_from_and_prove_no_move_bad(kind: str, preset: str, game: Game):
    learner = fresh(kind, preset, game)
    random, endings = Random(6), Counter[Outcome]()
    for _ in range(200):
        match = Match(game)
        while match.outcome is None and random.random() > 0.2:
            match.play(random.choice(game.moves(match.position)))
        if match.outcome is None and game.has_draws and random.random() < 0.3:
            match.agree()
        elif match.outcome is None:
            match.resign()
        endings[match.record(("a", "b")).outcome] += 1
        learner.learn_record(match.record(("a", "b")))
    stats = learner.stats()
    assert (stats["first_wins"], stats["second_wins"], stats["draws"]) == tuple(endings[each] for each in Outcome)
    if kind == "failures":
        assert np.all(edge_values(learner.space)[learner.memory > 0] == -1)


@every_case
def test_a_learner_that_cannot_learn_from_a_single_game_says_so(kind: str, preset: str, game: Game):
    learner = trained(kind, preset, game)
    record = play_match(game, (lambda position: game.moves(position)[0],) * 2).record(("a", "b"))
    before = learner.snapshot()
    if learner.spec.learns_records:
        learner.learn_record(record)
        assert learner.stats()["games"] == before.stats["games"] + 1
    else:
        with pytest.raises(BadText, match=f"^{kind} learns from .* train it$"):
            learner.learn_record(record)
        assert_same(learner.snapshot(), before)
