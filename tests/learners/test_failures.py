"""Failure-based reasoning against a naive reasoner, game by game, and what must hold of every failure."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.evaluate import scoreboard
from engine.game import BadText, Game
from engine.games import GAMES
from learners import parse_player, revive
from learners.failures.learner import FAILURE, OPEN, Failures, pick_chances
from tests.learners.naive import name_of, opponent_of
from tests.oracles.counting import losing_pairs
from tests.oracles.failures import NaiveReasoner
from tests.oracles.generator import Generator
from tests.oracles.rules import DRAW, RULES
from tests.sizes import QUICK_GAMES, marks_of_game, short_and_long

PRESETS = list(Failures.spec.presets)
CASES = [
    pytest.param(game, preset, id=f"{game.name}-{preset}", marks=marks_of_game(game))
    for game in QUICK_GAMES
    for preset in PRESETS
]
every_case = pytest.mark.parametrize(("game", "preset"), CASES)


def written(learner: Failures) -> dict[tuple[str, str], int]:
    """The failures in the form in which the naive reasoner stores them."""
    return {name_of(learner.space, edge): int(learner.memory[edge]) for edge in np.flatnonzero(learner.memory).tolist()}


def assert_same_games(learner: Failures, naive: NaiveReasoner, games: int) -> None:
    for _ in range(games):
        before = learner.memory.copy()
        known = len(naive.failures)
        moves = naive.play_game()
        learner.train(1)
        assert [learner.game.move_name(move) for move in learner.last_game] == moves
        changed = np.flatnonzero(learner.memory != before).tolist()
        new = {name_of(learner.space, edge): int(learner.memory[edge]) for edge in changed}
        assert new == dict(list(naive.failures.items())[known:])
    stats = learner.stats()
    assert stats["avoided"] == naive.avoided
    assert stats["plies"] == naive.plies
    assert stats["entries"] == len(naive.failures)
    assert [stats["first_wins"], stats["second_wins"], stats["draws"]] == list(naive.outcomes.values())
    assert learner.generator.tolist() == [naive.generator.first, naive.generator.second]
    assert written(learner) == naive.failures


@pytest.mark.sample(2)
@pytest.mark.parametrize("opponent", ["random", "perfect"])
@pytest.mark.parametrize("preset", PRESETS)
def test_games_against_others_are_those_of_the_naive_reasoner(preset: str, opponent: str):
    learner = Failures(GAMES[0], preset, 5)
    learner.set_opponent(parse_player(opponent, GAMES[0]))
    naive = NaiveReasoner(RULES["tictactoe"], preset, Generator.seeded(5), opponent_of("tictactoe", opponent))
    assert_same_games(learner, naive, 800)
    assert naive.rule_1 > 0, "somebody has lost"
    at_once = Failures(GAMES[0], preset, 5)
    at_once.set_opponent(parse_player(opponent, GAMES[0]))
    at_once.train(800)
    assert np.array_equal(at_once.memory, learner.memory)


@short_and_long("games", 800, 2500)
@every_case
def test_the_games_are_those_of_the_naive_reasoner(game: Game, preset: str, games: int):
    naive = NaiveReasoner(RULES[game.name], preset, Generator.seeded(3))
    assert_same_games(Failures(game, preset, 3), naive, games)
    assert naive.rule_1 > 0
    assert naive.rule_2 > 0 or game.longest < 4


@pytest.mark.sample(3)
@every_case
def test_every_failure_truly_loses(game: Game, preset: str):
    losing = losing_pairs(RULES[game.name])
    for seed in range(2):
        learner = Failures(game, preset, seed)
        learner.train(20_000)
        assert written(learner)
        assert set(written(learner)) <= losing


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", GAMES[:2], ids=lambda game: game.name)
def test_a_failure_database_that_never_loses_to_itself_loses_to_other_opponents(game: Game, preset: str):
    """Once learning has stopped it never loses to itself, but it does to a random opponent and to one that knows it."""
    learner = Failures(game, preset, 1)
    learner.train(400_000)
    before, database = learner.stats(), learner.memory.copy()
    learner.train(200_000)
    assert np.array_equal(learner.memory, database)
    assert learner.stats()["draws"] == before["draws"] + 200_000
    for row in scoreboard(learner.space, learner.policy()).values():
        assert row.against["self"].draw == pytest.approx(1, abs=1e-9)
        assert row.against["random"].loss > 0.005
        assert row.against["best_responder"].loss > (0.5 if game is GAMES[0] else row.against["random"].loss)


def test_words_of_a_reasoner_that_knows_nothing():
    learner = Failures(GAMES[0], "literal", 1)
    assert {(thought.symbol, thought.words) for thought in learner.thoughts(GAMES[0].start)} == {(OPEN, "open")}
    choice = learner.choose(GAMES[0].start, Random(1))
    name = GAMES[0].move_name(choice.move)
    assert choice.reason == f"no failure is recorded here: {name} is one of 9 open moves"


@pytest.mark.parametrize(
    ("recorded", "reason"),
    [
        (["c3"], "1 of 3 moves is a recorded failure: {} is one of 2 still open"),
        (["c3", "c1"], "2 of 3 moves are recorded failures: {} is the only open move"),
        (["c3", "c2", "c1"], "every move here is a recorded failure: it plays {} at random"),
        ([], "no failure is recorded here: {} is one of 3 open moves"),
    ],
)
@pytest.mark.parametrize("preset", PRESETS)
def test_reasons(preset: str, recorded: list[str], reason: str):
    game = GAMES[0]
    position = game.from_text("XO./OX./OX. X")
    learner = Failures(game, preset, 1)
    for number, name in enumerate(recorded, start=1):
        learner.memory[learner.space.edge(position, game.parse_move(position, name))] = number
    choice = learner.choose(position, Random(1))
    name = game.move_name(choice.move)
    assert choice.reason == reason.format(name)
    assert len(recorded) == 3 or name not in recorded
    thoughts = {game.move_name(thought.move): thought for thought in learner.thoughts(position)}
    for number, name in enumerate(recorded, start=1):
        assert (thoughts[name].symbol, thoughts[name].words) == (FAILURE, f"failure {number}")
    assert {name for name, thought in thoughts.items() if thought.symbol == OPEN} == {"c3", "c2", "c1"} - set(recorded)


def test_chances_of_the_two_ways_to_pick():
    assert pick_chances(1, rounded=False) == pick_chances(1, rounded=True) == [1]
    assert pick_chances(2, rounded=True) == [0.5, 0.5]
    assert pick_chances(4, rounded=False) == [0.25] * 4
    assert pick_chances(4, rounded=True) == pytest.approx([1 / 6, 1 / 3, 1 / 3, 1 / 6])


# What it takes back


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ([1, 3], "the failures are not numbered 1, 2, 3 … in the order of recording"),
        ([1, 1], "not numbered"),
        ([-1, 1], "not numbered"),
        ([2, 3], "not numbered"),
        ([1, 2, 3], "the statistics count 2 failures, the memory has 3"),
    ],
)
def test_a_memory_of_another_kind_is_refused(numbers: list[int], says: str):
    learner = Failures(GAMES[0], "literal", 1)
    snapshot = learner.snapshot()
    snapshot.memory[: len(numbers)] = numbers
    with pytest.raises(BadText, match=says):
        revive(replace(snapshot, stats={**snapshot.stats, "entries": 2}))


def naive_of(learner: Failures) -> NaiveReasoner:
    """A naive reasoner that continues from the present state of `learner`."""
    naive = NaiveReasoner(RULES[learner.game.name], learner.preset, Generator(*learner.generator.tolist()))
    naive.failures = dict(sorted(written(learner).items(), key=lambda item: item[1]))
    stats, rules = learner.stats(), RULES[learner.game.name]
    naive.avoided, naive.plies = stats["avoided"], stats["plies"]
    counts = (stats["first_wins"], stats["second_wins"], stats["draws"])
    naive.outcomes = dict(zip((*rules.marks, DRAW), counts, strict=True))
    return naive


@pytest.mark.long
@short_and_long("games", 250, 1000)
@every_case
def test_late_games_are_those_of_the_naive_reasoner(game: Game, preset: str, games: int):
    """After many games mostly rule 2 records; with the preset `riechel-2007` it also walks back."""
    learner = Failures(game, preset, 4)
    learner.train(12_000)
    assert_same_games(learner, naive_of(learner), games)
