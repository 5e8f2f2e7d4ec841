"""MENACE against a naive machine, game by game."""

from collections.abc import Callable

import pytest

from engine.game import Game
from engine.games import GAMES
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer, RandomPlayer
from tests.learners.matchboxes import written
from tests.oracles.generator import Generator
from tests.oracles.menace import MACHINES, NaiveMenace, moves_that_keep_the_value, perfect_moves
from tests.oracles.rules import RULES
from tests.sizes import QUICK_GAMES, marks_of_game, short_and_long
from tests.small_games import NOT_LISTED

TICTACTOE = GAMES[0]
CASES = [
    pytest.param(game, preset, id=f"{game.name}-{preset}", marks=marks_of_game(game))
    for game in (*QUICK_GAMES, *NOT_LISTED)
    for preset in Menace.spec.presets_for(game)
]
every_case = pytest.mark.parametrize(("game", "preset"), CASES)


def assert_same_games(learner: Menace, naive: NaiveMenace, games: int) -> None:
    for number in range(games):
        moves = naive.play_game()
        learner.train(1)
        assert [learner.game.move_name(move) for move in learner.last_game] == moves
        if number % 100 == 0 or number == games - 1:
            assert_same_beads(learner, naive)
    assert learner.generator.tolist() == [naive.generator.first, naive.generator.second]


def assert_same_beads(learner: Menace, naive: NaiveMenace) -> None:
    beads = written(learner, learner.memory)
    for box, inside in naive.boxes.items():
        assert {bead: beads[box, bead] for bead in inside} == inside
    begun = written(learner, learner.matchboxes.begun)
    assert all(count == begun[key] for key, count in beads.items() if key[0] not in naive.boxes)
    assert {key: count for key, count in written(learner, learner.times).items() if count} == naive.drawn
    stats = learner.stats()
    assert [stats["first_wins"], stats["second_wins"], stats["draws"]] == list(naive.outcomes.values())
    assert (stats["plies"], stats["resigned"], stats["refilled"]) == (naive.plies, naive.resigned, naive.refilled)
    assert [stats["gained_first"], stats["gained_second"]] == naive.gained


def opponent_of(learner: Menace) -> Callable[[str], list[str]] | None:
    name = learner.game.name
    others = {
        "self": None,
        "random": RULES[name].moves,
        "perfect": lambda position: perfect_moves(name, position),
        "perfect:any": lambda position: moves_that_keep_the_value(name, position),
    }
    return others[learner.opponent]


@pytest.mark.sample(11)
@short_and_long("games", 120, 2000)
@every_case
def test_the_games_are_those_of_the_naive_machine(game: Game, preset: str, games: int):
    learner = Menace(game, preset, 3)
    naive = NaiveMenace(game.name, MACHINES[preset], Generator.seeded(3), opponent_of(learner))
    assert_same_games(learner, naive, games)
    assert naive.plies > 0


RULES_CHANGED = {
    "refill": ({"empty": "refill"}, {"empty": "refill"}),
    "keep": ({"empty": "keep", "loss": -3}, {"empty": "keep", "loss": -3}),
    "unmerged": ({"merge": False}, {"merge": False}),
    "singles, last, least": (
        {"singles": True, "teaches": "last", "least": 2},
        {"singles": True, "last only": True, "least": 2},
    ),
    "fullest, refill": ({"pick": "fullest", "empty": "refill"}, {"fullest": True, "empty": "refill"}),
    "last": ({"teaches": "last"}, {"last only": True}),
    "winner": ({"credit": "winner", "draw": -2}, {"winner's reward": True, "draw": -2}),
    "beads": ({"beads": "1,7", "win": 5}, {"beads": [1, 7], "win": 5}),
}


@pytest.mark.sample(16)
@short_and_long("games", 100, 600)
@pytest.mark.parametrize("game", [*QUICK_GAMES, *NOT_LISTED], ids=lambda game: game.name)
@pytest.mark.parametrize("changed", list(RULES_CHANGED))
def test_each_rule_is_that_of_the_naive_machine(game: Game, changed: str, games: int):
    settings, machine = RULES_CHANGED[changed]
    learner = Menace(game, "scroggs", 8, settings)
    naive = NaiveMenace(game.name, {**MACHINES["scroggs"], **machine}, Generator.seeded(8))
    assert_same_games(learner, naive, games)


@pytest.mark.parametrize("preset", ["michie", "scroggs", "blog"])
@pytest.mark.parametrize("opponent", [RandomPlayer, PerfectPlayer])
def test_games_against_others_are_those_of_the_naive_machine(preset: str, opponent: type[RandomPlayer]):
    learner = Menace(TICTACTOE, preset, 5)
    learner.set_opponent(opponent(TICTACTOE))
    naive = NaiveMenace("tictactoe", MACHINES[preset], Generator.seeded(5), opponent_of(learner))
    assert_same_games(learner, naive, 150)
