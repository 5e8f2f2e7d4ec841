"""`noughts plugins`, and the line about a plug-in that was left out."""

import json
from dataclasses import replace

import pytest

from engine.game import Game
from engine.games.tictactoe import TicTacToe
from learners.core.player import Choice
from learners.players.plain import RandomPlayer
from learners.q import QLearner
from tests.cli.cli_run import as_json, run
from tests.plugins import added, point
from tests.small_games import DOMINOES

GOOD = point("games", "dominoes", lambda: DOMINOES)
BROKEN = point("games", "bad\x1b[31m", lambda: TicTacToe, package="other\x07s", version="2")
LINE = "noughts: plug-in game bad[31m of others 2 is left out: the name tictactoe is taken\n"


def test_plugins_are_listed_with_their_packages_and_why_they_are_left_out():
    with added(GOOD, BROKEN):
        ran, told = run("plugins"), as_json("plugins")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "game  bad[31m   others 2    left out: the name tictactoe is taken",
        "game  dominoes  boards 1.0",
    ]
    keys = {"kind": "game", "name": "dominoes", "package": "boards", "version": "1.0", "problem": None, "failure": None}
    assert told["plugins"][1] == keys
    assert told["plugins"][0]["problem"] == "the name tictactoe is taken"


class Sudden(TicTacToe):
    """Its rules fail after the second move: it is in the list before anybody notices."""

    name = "sudden"
    title = "Sudden"

    def outcome(self, position):
        return super().outcome(position) if (position & self.full).bit_count() < 2 else 1 / 0


class Indebted(QLearner):
    """Counts below 0."""

    spec = replace(QLearner.spec, name="indebted")

    def train(self, rounds):
        self.memory[0] = -rounds


class Overdoing(RandomPlayer):
    """A player whose policy sums to 2."""

    label = "overdoing"

    def policy(self):
        return 2 * super().policy()

    def choose(self, position, random):
        return Choice(-1, "nothing better")


@pytest.mark.parametrize(
    ("plugin", "fails"),
    [
        (point("games", "sudden", lambda: Sudden), "ZeroDivisionError: division by zero (tests.cli.test_plugins, line"),
        (point("learners", "indebted", lambda: Indebted), "the number of a3 in .../.../... X is -1, below 0"),
        (point("players", "overdoing", lambda: Overdoing), "it chooses the illegal move -1 in .../.../... X"),
        (GOOD, None),
    ],
    ids=["game", "learner", "player", "good"],
)
def test_the_list_says_what_fails_when_it_is_tried(plugin, fails):
    with added(plugin):
        (told,) = as_json("plugins")["plugins"]
        listed = run("plugins").out
    assert told["problem"] is None
    assert (told["failure"] or "").startswith(fails or "")
    assert ("fails: " in listed) == (told["failure"] is not None) == (fails is not None)


class Loyal(Overdoing):
    """Fits only the game of its package."""

    label = "loyal"

    @classmethod
    def fits(cls, game: Game) -> bool:
        return game.name == DOMINOES.name


def test_a_player_that_fits_only_the_game_of_a_plugin_is_tried_in_it():
    with added(GOOD, point("players", "loyal", lambda: Loyal)):
        (told,) = (each for each in as_json("plugins")["plugins"] if each["name"] == "loyal")
    assert told["failure"].startswith("it chooses the illegal move -1")


def test_without_plugins_the_list_says_so():
    with added():
        assert run("plugins").out == "no other package adds anything\n"
        assert as_json("plugins") == {"plugins": []}


def test_a_game_of_a_plugin_is_used_by_commands():
    with added(GOOD):
        ran = run("evaluate", "perfect", "--game", "dominoes", "--json")
    assert (ran.code, json.loads(ran.out)["game"]) == (0, "dominoes")


FAILED = "plug-in player overdoing of boards 1.0 failed: "


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "overdoing"],
        ["evaluate", "overdoing", "--json"],
        ["judge", "overdoing"],
        ["train", "menace", "--opponent", "overdoing", "--games", "10"],
        ["race", "menace/overdoing", "--games", "10", "--seeds", "1"],
        ["play", "--plain", "--first", "overdoing", "--second", "random"],
        ["play", "--plain", "--game", "connectfour", "--first", "overdoing", "--second", "random"],
        ["evaluate", "overdoing", "--game", "connectfour"],
    ],
    ids=" ".join,
)
def test_a_player_that_goes_wrong_is_named_in_one_line(words: list[str]):
    with added(point("players", "a", lambda: Overdoing)):
        ran = run(*words)
    assert ran.code == 1
    assert f"noughts: {FAILED}" in ran.err
    assert ran.err.count("\n") == 1


def test_a_player_that_goes_wrong_does_not_keep_the_others_from_the_list():
    with added(point("players", "a", lambda: Overdoing)):
        listed = as_json("players", "--game", "hexapawn")["players"]
    found = {each["player"]: each for each in listed}
    assert found["overdoing"]["level"] is None
    assert FAILED in found["overdoing"]["sentence"]
    assert found["perfect"]["level"] is not None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["search", "--game", "hexapawn", "--json"], LINE),
        (["search", "--game", "bad"], LINE),
        (["--help"], ""),
        (["play", "--help"], ""),
        (["locate"], ""),
    ],
)
def test_a_plugin_that_was_left_out_is_named_where_games_are_used(words: list[str], told: str):
    with added(BROKEN):
        ran = run(*words)
    assert ran.err.startswith(told)
    assert ("is left out" in ran.err) == bool(told)
    if "--json" in words:
        json.loads(ran.out)
