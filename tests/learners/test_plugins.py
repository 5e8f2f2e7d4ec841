"""Games, learners and players of other packages: what is added, what is left out and why, and when it is loaded."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import learners
from engine.game import BadText, Family
from engine.games import FAMILIES, GAMES, SMALL_GAMES, game_names, known_games, parse_game
from engine.games.tictactoe import TicTacToe
from engine.plugins import are_installed
from learners import LEARNERS, PLAYERS, parse_learner, parse_player, plugins
from learners.core.player import Choice
from learners.players.plain import RandomPlayer
from learners.q import QLearner
from learners.sweep import program
from tests.plugins import added, point
from tests.small_games import DOMINOES, PINS


class Strategist(RandomPlayer):
    label = "strategist"
    title = "Strategist"
    summary = "plays the last move"

    def choose(self, position: int, random: Random) -> Choice:
        return Choice(self.game.moves(position)[-1], "the last one")


class Tortoise(QLearner):
    spec = replace(QLearner.spec, name="tortoise", title="Tortoise")


def tower(text: str):
    if text not in {"2", "3"}:
        raise BadText("a tower has 2 or 3 floors")
    return parse_game(f"nim:{text}")


def named(kind: type, **names: object) -> Callable:
    """Load a subclass with other names."""
    return lambda: type("Renamed", (kind,), names)


def test_a_game_a_family_a_learner_and_a_player_are_added_everywhere():
    family = Family("tower", "FLOORS", ("tower:2",), tower)
    before = [*GAMES], [*LEARNERS], [*PLAYERS]
    with added(
        point("games", "anything", lambda: DOMINOES),
        point("games", "pins", lambda: type(PINS)),
        point("games", "tower", lambda: family),
        point("learners", "tortoise", lambda: Tortoise),
        point("players", "strategist", lambda: Strategist),
    ):
        assert [each.name for each in GAMES[len(before[0]) :]] == ["dominoes", "pins"]
        assert parse_game("dominoes") is DOMINOES
        assert parse_game("pins") is parse_game("pins")
        assert parse_game("tower:3") is parse_game("nim:3")
        assert FAMILIES[-1] is family
        assert SMALL_GAMES[-1].name == "pins"
        assert {"dominoes", "pins", "tower:FLOORS"} <= set(game_names())
        assert DOMINOES in known_games()
        assert parse_learner("tortoise") is Tortoise
        assert len(LEARNERS) == len(before[1]) + 1
        assert parse_player("strategist", GAMES[0]).choose(GAMES[0].start, Random(1)).move == 8
        found = [(each.kind, each.name, each.package, each.version, each.problem) for each in plugins()]
        assert found == [
            ("game", "dominoes", "boards", "1.0", ""),
            ("game", "pins", "boards", "1.0", ""),
            ("game", "tower:FLOORS", "boards", "1.0", ""),
            ("learner", "tortoise", "boards", "1.0", ""),
            ("player", "strategist", "boards", "1.0", ""),
        ]
    assert ([*GAMES], [*LEARNERS], [*PLAYERS]) == before


def raising(error: BaseException):
    def load(**_: object):
        raise error

    return load


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class Unready(TicTacToe):
    name = "unready"

    def moves(self, position):
        raise ZeroDivisionError("no moves yet")


class Over(TicTacToe):
    name = "over"

    def moves(self, position):
        return ()


@pytest.mark.parametrize(
    ("group", "load", "problem"),
    [
        ("games", raising(ImportError("no module\nnamed x")), "ImportError: no module named x"),
        ("games", raising(Silent()), "Silent: <exception str() failed>"),
        ("games", lambda: 7, "it is neither a `Game` nor a `Family`: 7"),
        ("games", lambda: TicTacToe, "the name tictactoe is taken"),
        ("games", named(TicTacToe, name="Mine"), "the name 'Mine' is not one word of lower-case letters and digits"),
        ("games", named(TicTacToe, name="a", title="[red]"), "its title is not a line of plain text"),
        ("games", lambda: Unready, "ZeroDivisionError: no moves yet"),
        ("games", lambda: Over, "is over before the first move"),
        ("games", lambda: Family("tower", "N", (), tower), "it has no examples"),
        ("games", lambda: Family("tower", "N", ("tower:9",), tower), "a tower has 2 or 3 floors"),
        ("games", lambda: Family("tower", "N", ("t:1",), lambda _: TicTacToe()), "its example 't:1' is not one"),
        ("learners", lambda: QLearner, "the name q is taken"),
        ("learners", lambda: learners.Learner, "it does not define policy, train"),
        ("learners", named(QLearner, spec=None), "its `spec` is not a `LearnerSpec`"),
        *(
            ("learners", named(QLearner, spec=replace(QLearner.spec, name=name)), f"the name {name} is taken")
            for name in ("random", "human", "fixed", "self")
        ),
        (
            "learners",
            named(QLearner, spec=replace(QLearner.spec, name="a", presets={"b": {}})),
            "its preset b does not give every setting a value",
        ),
        ("players", lambda: RandomPlayer, "the name random is taken"),
        ("players", named(RandomPlayer, label="a", choose=None), "it has no method choose"),
        ("players", lambda: TicTacToe, "AttributeError: type object 'TicTacToe' has no attribute 'label'"),
    ],
)
def test_a_broken_plugin_is_left_out_with_its_reason(group: str, load, problem: str):
    before = [*GAMES], [*FAMILIES], [*LEARNERS], [*PLAYERS]
    with added(point(group, "broken", load), point("games", "whole", lambda: DOMINOES)):
        (found,) = [each for each in plugins() if each.name != "dominoes"]
        assert found.name == "broken"
        assert problem in found.problem
        assert "\n" not in found.problem
        assert ([*GAMES], [*FAMILIES], [*LEARNERS], [*PLAYERS]) == ([*before[0], DOMINOES], *before[1:])


def test_of_two_plugins_with_one_name_the_first_is_taken():
    with added(
        point("games", "dominoes", lambda: DOMINOES, package="second"),
        point("games", "dominoes", lambda: type(DOMINOES), package="first"),
    ):
        assert [(each.package, bool(each.problem)) for each in plugins()] == [("first", False), ("second", True)]


def test_a_plugin_that_asks_for_the_lists_while_it_is_loaded_sees_those_before_it():
    seen = []
    with added(point("games", "a", lambda: DOMINOES), point("games", "b", lambda: seen.append([*GAMES][-1]) or PINS)):
        assert PINS in GAMES
    assert seen == [DOMINOES]


def test_damaged_packages_are_named():
    with added(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("importlib.metadata.entry_points", raising(UnicodeError("bad bytes")))
        assert {each.problem for each in plugins()} == {"UnicodeError: bad bytes"}


def test_what_the_program_has_itself_is_found_without_loading_plugins():
    with added(point("games", "a", raising(AssertionError("loaded")))), pytest.MonkeyPatch.context() as patch:
        patch.setattr("importlib.metadata.entry_points", raising(AssertionError("asked")))
        parse_game("hexapawn")
        parse_game("mnk:4,3,3")
        parse_learner("menace")
        parse_player("random", GAMES[0])
        assert learners.PLUGINS._entries is None


def test_the_name_of_the_program_in_a_sweep_has_the_packages_of_plugins():
    plain = program.program.__wrapped__()
    with added(
        point("players", "a", raising(ImportError()), package="zebras", version="2"),
        point("games", "b", lambda: DOMINOES),
        point("games", "c", lambda: PINS),
    ):
        assert program.program.__wrapped__() == f"{plain[:-1]}, boards 1.0, zebras 2)"


def test_what_a_plugin_prints_does_not_reach_standard_output(capsys: pytest.CaptureFixture[str]):
    with added(point("games", "loud", lambda: sys.stdout.write("hello\n") and DOMINOES)):
        assert DOMINOES in GAMES
    assert capsys.readouterr() == ("", "hello\n")


def test_help_neither_loads_plugins_nor_looks_for_them():
    code = (
        "import json, sys; from cli.__main__ import main; main(['--help']); "
        "print(json.dumps([name for name in ('importlib.metadata', 'learners', 'numpy') if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


@pytest.mark.parametrize(("group", "seen"), [("noughts.games", True), ("console_scripts", False)])
def test_whether_plugins_are_installed_is_read_from_the_files_of_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, group: str, seen: bool
):
    folder = tmp_path / "boards-1.0.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_text(f"[{group}]\nnoughts.boards = boards:BOARDS\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    assert are_installed() is seen
