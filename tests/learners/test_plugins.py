"""Games, learners and players of other packages: what is added, what is left out and why, and when it is loaded."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

import learners
from engine.game import BadText, Family, Game, Heuristic, IllegalMove, PluginFailed
from engine.games import FAMILIES, GAMES, SMALL_GAMES, game_names, known_games, parse_game
from engine.games.tictactoe import TicTacToe
from engine.grid_game import GridBoard
from engine.plugins import are_installed
from engine.spaces import space_of
from learners import LEARNERS, PLAYERS, offers, parse_learner, parse_player, plugins
from learners.core.player import Choice
from learners.core.settings import Whole
from learners.players.fallible import FalliblePlayer
from learners.players.plain import RandomPlayer
from learners.q import QLearner
from learners.sweep import program
from tests.plugins import added, point
from tests.small_games import DOMINOES, PINS, Pins


class Strategist(RandomPlayer):
    label = "strategist"
    title = "Strategist"
    summary = "plays the last move"

    def choose(self, position: int, random: Random) -> Choice:
        return Choice(self.game.moves(position)[-1], "the last one")


class OnlyHexapawn(Strategist):
    label = "onlyhexapawn"

    def __init__(self, game: Game) -> None:
        assert game.name == "hexapawn"
        super().__init__(game)

    @classmethod
    def fits(cls, game: Game) -> bool:
        return game.name == "hexapawn"


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
        assert (FAMILIES[-1].name, FAMILIES[-1].examples) == (family.name, family.examples)
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


def test_a_player_that_does_not_fit_a_game_is_refused_by_name():
    with added(point("players", "onlyhexapawn", lambda: OnlyHexapawn)):
        assert parse_player("onlyhexapawn", parse_game("hexapawn")).label == "onlyhexapawn"
        with pytest.raises(BadText, match=r"^onlyhexapawn cannot play Tic-tac-toe: choose another player$"):
            parse_player("onlyhexapawn", GAMES[0])


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


class Halved(TicTacToe):
    name = "halved"

    def __init__(self) -> None:
        super().__init__()
        self.heuristic = Heuristic("nothing", lambda _: 0.5)


@pytest.mark.parametrize(
    ("group", "load", "problem"),
    [
        ("games", raising(ImportError("no module\nnamed x")), "ImportError: no module named x"),
        ("games", raising(Silent()), "Silent: <exception str() failed>"),
        ("games", lambda: 7, "it is neither a `Game` nor a `Family`: 7"),
        ("games", lambda: TicTacToe, "the name tictactoe is taken"),
        ("games", named(TicTacToe, name="Mine"), "the name 'Mine' is not a lower-case letter followed by such"),
        ("games", named(TicTacToe, name="a", title="[red]"), "its title is not a line of plain text"),
        ("games", lambda: Unready, f"ZeroDivisionError: no moves yet ({__name__}, line "),
        ("games", lambda: Over, "is over before the first move"),
        ("games", lambda: Halved, "its heuristic estimates 0.5, which is not an int"),
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
        ("players", named(FalliblePlayer, label="a", parameter=7), "its `parameter` is not a `Parameter`: 7"),
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


class Wrong(RandomPlayer):
    """A player whose policy is changed by `spoil`."""

    spoil: Callable[[np.ndarray], object]

    def policy(self):
        return type(self).spoil(super().policy())

    def choose(self, position, random):
        return super().choose(position, random)

    def thoughts(self, position):
        return super().thoughts(position)


def spoilt(label: str, **methods: object) -> type[Wrong]:
    """A player that goes wrong in some methods, and not in the others."""
    return type("Wrong", (Wrong,), {"label": label, "spoil": staticmethod(lambda policy: policy), **methods})


def put(edge: int, number: float) -> Callable[[np.ndarray], np.ndarray]:
    def change(policy: np.ndarray) -> np.ndarray:
        policy[edge] = number
        return policy

    return staticmethod(change)


def stumble(*_):
    raise ZeroDivisionError("so\nmany")


@pytest.mark.parametrize(
    ("method", "wrong", "problem"),
    [
        ("policy", {"spoil": put(1, -0.5)}, "the policy gives b3 in .../.../... X the probability -0.5"),
        ("policy", {"spoil": put(0, float("nan"))}, "the policy gives a3 in .../.../... X the probability nan"),
        ("policy", {"spoil": put(0, float("inf"))}, "the policy sums to inf, not 1, in .../.../... X"),
        ("policy", {"spoil": lambda policy: 2 * policy}, "the policy sums to 2, not 1, in .../.../... X"),
        ("policy", {"spoil": lambda policy: policy[:5]}, "the policy has shape (5,); Tic-tac-toe has 16,167 edges"),
        ("policy", {"spoil": lambda policy: [*policy]}, "the policy is not an array of float64, but a list"),
        (
            "policy",
            {"spoil": lambda _: 1 / 0},
            "ZeroDivisionError: division by zero (tests.learners.test_plugins, line ",
        ),
        ("choose", {"choose": stumble}, "ZeroDivisionError: so many (tests.learners.test_plugins, line "),
        ("choose", {"choose": lambda *_: 4}, "its choice in .../.../... X is not a `Choice`: 4"),
        ("choose", {"choose": lambda *_: Choice(9, "")}, "it chooses the illegal move 9 in .../.../... X"),
        ("choose", {"choose": lambda *_: Choice(np.int64(4), "")}, "it chooses a int64 in .../.../... X, not an int"),
        ("choose", {"choose": lambda *_: Choice(4, "[\n")}, "is not a line of at most 200 characters: '[\\n'"),
        ("thoughts", {"thoughts": lambda *_: []}, "its thoughts in .../.../... X are not a tuple of `Thought`"),
        ("thoughts", {"thoughts": lambda *_: ()}, "the thoughts in .../.../... X are about the moves ()"),
    ],
)
def test_a_player_that_goes_wrong_in_use_is_named(method: str, wrong: dict[str, object], problem: str):
    position = GAMES[0].start
    arguments = {"policy": (), "choose": (position, Random(1)), "thoughts": (position,)}[method]
    with added(point("players", "odd", lambda: spoilt("odd", **wrong))):
        player = parse_player("odd", GAMES[0])
        with pytest.raises(PluginFailed) as caught:
            getattr(player, method)(*arguments)
    told = str(caught.value)
    assert told.startswith("plug-in player odd of boards 1.0 failed: ")
    assert problem in told
    assert "\n" not in told


def later(game: Pins, position: int) -> bool:
    """Whether two pins are gone: a plug-in that goes wrong earlier is left out."""
    return (position & game.full).bit_count() < 3


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"moves": lambda self, at: Pins.moves(self, at)[: 9 * (at == self.start)]}, "are none, although"),
        ({"moves": lambda self, at: Pins.moves(self, at)[::-1]}, "the moves in IIII A do not ascend: (6, 5"),
        ({"after": lambda self, at, move: Pins.after(self, at, move) + later(self, at) * 2**70}, "the position is 118"),
        ({"moves": lambda self, at: Pins.moves(self, at) if at == self.start else None}, "0 to 2147483647: None"),
        ({"moves": lambda self, at: (*Pins.moves(self, at), 2**40)}, f"{2**40})"),
        ({"outcome": lambda self, at: None if at == self.start else "draw"}, "is 'draw', not an `Outcome`"),
        (
            {"pass_turn": lambda self, at: at if later(self, at) else Pins.pass_turn(self, at)},
            "not the other side's turn",
        ),
    ],
)
def test_a_game_that_breaks_its_contract_in_use_is_named(wrong: dict[str, object], problem: str):
    broken = type("Broken", (Pins,), {"name": "broken", "title": "Broken", **wrong})
    with added(point("games", "broken", lambda: broken)):
        game = parse_game("broken")
        with pytest.raises(PluginFailed) as caught:
            space_of(game)
    assert re.fullmatch(f"plug-in game (broken|pins) of boards 1.0 failed: .*{re.escape(problem)}.*", str(caught.value))


class Mute(Whole):
    def parse(self, text):
        return 1 / (len(text) - 3)


class Vague(FalliblePlayer):
    label, title = "vague", "Vague"
    parameter = replace(FalliblePlayer.parameter, form=lambda _: 1 / 0, offered=lambda _: 1 / 0)


def test_a_game_a_board_a_family_and_a_learner_that_go_wrong_in_use_are_named():
    class Board(GridBoard):
        def squares(self, position, move):
            raise LookupError("no square")

    class Sudden(TicTacToe):
        name = "sudden"

        def __init__(self) -> None:
            super().__init__()
            self.board = Board(self)
            self.heuristic = Heuristic("nothing", lambda position: 0 if position == self.start else 1 / 0)

        def moves(self, position):
            if position != self.start:
                raise RuntimeError("no moves")
            return super().moves(position)

        @property
        def longest(self):
            raise OSError("no length")

    class Deaf(QLearner):
        spec = replace(
            QLearner.spec,
            name="deaf",
            fits=lambda game: game.name == "tictactoe" or 1 / 0,
            settings={**QLearner.spec.settings, "merge": Mute(0, 1, "nothing")},
        )

        def train(self, rounds):
            raise ValueError("no ears")

        def learn_record(self, record, sides=(0, 1)):
            raise KeyError(record)

    def parse(text):
        return Sudden() if text == "1" else 1 / 0

    once = cache(parse)
    with added(
        point("games", "sudden", lambda: Sudden),
        point("games", "hasty", lambda: Family("hasty", "N", ("hasty:1",), once)),
        point("learners", "deaf", lambda: Deaf),
        point("players", "vague", lambda: Vague),
    ):
        assert [each.problem for each in plugins()] == ["", "", "", ""]
        game, learner = parse_game("sudden"), parse_learner("deaf")(GAMES[0], "exact", 1)
        for asked, owner, problem in (
            (lambda: game.moves(game.play(game.start, 4)), "game sudden", "RuntimeError: no moves"),
            (lambda: game.board.squares(game.start, 4), "game sudden", "LookupError: no square"),
            (lambda: game.longest, "game sudden", "OSError: no length"),
            (lambda: game.heuristic.estimate(1), "game sudden", "ZeroDivisionError: division by zero"),
            (lambda: parse_game("hasty:2"), "game hasty:N", "ZeroDivisionError: division by zero"),
            (lambda: learner.train(1), "learner deaf", "ValueError: no ears"),
            (lambda: learner.spec.presets_for(DOMINOES), "learner deaf", "ZeroDivisionError: division by zero"),
            (lambda: learner.spec.parse_setting("merge", "abc"), "learner deaf", "ZeroDivisionError: division by zero"),
            (lambda: offers(GAMES[0]), "player vague", "ZeroDivisionError: division by zero"),
            (lambda: parse_player("vague:x", GAMES[0]), "player vague", "ZeroDivisionError: division by zero"),
        ):
            with pytest.raises(
                BadText, match=f"plug-in {owner} of boards 1.0 failed: {problem} .tests.learners.test_plugins, line "
            ):
                asked()
        with pytest.raises(KeyError):
            learner.learn_record(None)
        guard = parse_game("hasty:1").heuristic.estimate
        assert parse_game("hasty:1").heuristic.estimate is guard  # and no guard around the guard
        with pytest.raises(IllegalMove):
            game.play(game.start, 9)


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
