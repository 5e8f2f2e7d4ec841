import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.__main__ import COMMANDS
from cli.shared.common import print_error
from engine.games import parse_game
from lab.board.seating import seating_for
from lab.board.session import GameReview
from learners.failures.learner import Failures
from saves.library.library import Library
from tests.cli.cli_run import run


def library() -> Library:
    return Library(Path(os.environ["NOUGHTS_LIBRARY"]))


@pytest.fixture
def opened(monkeypatch) -> list[tuple[Path, dict[str, str]]]:
    """How the app was opened, each time."""
    times: list[tuple[Path, dict[str, str]]] = []

    def run_app(path: Path, *choices: str | int | None, learning: bool, review: GameReview | None) -> int:
        names = ("game", "first", "second", "seed", "learning", "review")
        given = zip(names, (*choices, learning or None, review), strict=True)
        times.append((path, {name: choice for name, choice in given if choice is not None}))
        return 0

    monkeypatch.setitem(sys.modules, "tui.app", SimpleNamespace(run_app=run_app))
    return times


def test_help_lists_every_command_with_its_summary():
    ran = run("--help")
    assert ran.code == 0
    for name, (place, summary) in COMMANDS.items():
        assert f"{name} " in ran.out
        assert summary in ran.out
        module, _, attribute = place.partition(":")
        command = getattr(import_module(module), attribute)
        assert command.name == name
        assert command.help.splitlines()[0] == summary


def test_version_is_the_version_of_the_package():
    ran = run("--version")
    assert (ran.code, ran.out.split()[0]) == (0, "noughts")


def test_without_a_command_the_app_opens(opened):
    assert run(terminal=True).code == 0
    assert run("--library", "x.sqlite", terminal=True).code == 0
    assert opened == [(library().path, {}), (Path("x.sqlite"), {})]


def test_play_opens_the_app_with_the_choices_made(opened):
    library().save("mine", Failures(parse_game("misere"), "literal", 1).snapshot())
    assert run("play", terminal=True).code == 0
    assert run("play", "--game", "hexapawn", terminal=True).code == 0
    assert run("play", "--first", "save:mine", terminal=True).code == 0
    assert run("play", "--learn", "--second", "save:mine", terminal=True).code == 0
    assert [choices for _, choices in opened] == [
        {},
        {"game": parse_game("hexapawn")},
        {"game": parse_game("misere"), "first": "save:mine", "second": "human"},
        {"game": parse_game("misere"), "first": "human", "second": "save:mine", "learning": True},
    ]


def test_without_a_terminal_the_app_is_not_opened(opened):
    ran = run()
    assert ran.code == 1
    assert "noughts play --plain" in ran.err
    assert opened == []


@pytest.mark.parametrize(
    ("first", "second", "seats"),
    [
        (None, None, ("human", "perfect")),
        ("human", None, ("human", "perfect")),
        (None, "human", ("perfect", "human")),
        ("random", None, ("random", "human")),
        (None, "random", ("human", "random")),
        ("random", "perfect", ("random", "perfect")),
        ("human", "human", ("human", "human")),
    ],
)
def test_a_side_without_a_player_is_the_person_or_the_machine(first, second, seats):
    seating = seating_for(parse_game("misere"), first, second)
    assert (seating.first, seating.second) == seats


def test_plain_play_saves_finished_games():
    ran = run("play", "--plain", "--first", "human", "--second", "human", lines="a3\nb3\nb2\nb1\nc1\n")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("Score: a person (X) 1, a person (O) 0, draws 0\n")
    assert library().path.exists()


def test_plain_play_is_against_the_reasoner_of_the_gallery_or_perfect_play():
    assert "X is you, O is save:riechel." in run("play", "--plain").out
    assert "W is perfect, B is you." in run("play", "--plain", "--game", "hexapawn").out
    assert not library().path.exists()


def test_a_save_determines_the_game():
    library().save("pawns", Failures(parse_game("hexapawn"), "literal", 1).snapshot())
    assert run("play", "--plain", "--second", "save:pawns").out.startswith("Hexapawn")
    assert json.loads(run("evaluate", "save:pawns", "--json").out)["game"] == "hexapawn"


def test_a_bare_name_is_a_save_unless_a_player_has_that_name(opened):
    for name in ("pawns", "perfect", "human"):
        library().save(name, Failures(parse_game("hexapawn"), "literal", 1).snapshot())
    assert run("play", "--plain", "--second", "pawns").out == run("play", "--plain", "--second", "save:pawns").out
    assert run("play", "--first", "pawns@0", terminal=True).code == 0
    assert run("play", "--first", "human", "--second", "perfect", terminal=True).code == 0
    assert [choices for _, choices in opened] == [
        {"game": parse_game("hexapawn"), "first": "save:pawns@0", "second": "human"},
        {"game": parse_game("tictactoe"), "first": "human", "second": "perfect"},
    ]
    told = [json.loads(run("evaluate", name, "--json").out) for name in ("pawns", "save:pawns", "perfect")]
    assert told[0] == told[1]
    assert [each["player"] for each in told[1:]] == ["save:pawns", "perfect"]
    trained = run("train", "menace", "--game", "tictactoe", "--opponent", "riechel", "--games", "1", "--json")
    assert json.loads(trained.out)["opponent"] == "save:riechel"


def test_locate_prints_both_paths():
    told = json.loads(run("locate", "--json").out)
    assert told == {
        "library": {"path": os.environ["NOUGHTS_LIBRARY"], "exists": False},
        "settings": {"path": os.environ["NOUGHTS_SETTINGS"], "exists": False},
    }
    library().save("a", Failures(parse_game("hexapawn"), "literal", 1).snapshot())
    assert json.loads(run("locate", "--json").out)["library"]["exists"]
    assert "settings" in run("locate").out


TRAIN = ["train", "failures"]
REFUSED: list[tuple[list[str], int, str]] = [
    *(([*TRAIN, "--games", games], 2, "1 to 100,000,000") for games in ("0", "-5", "1e9x", "100000001", "", "1,00")),
    (["train"], 2, "a learner"),
    (["train", "--gams", "1"], 2, "--games"),
    ([*TRAIN, "--game", "x" * 10_000], 2, "tictactoe, mnk:4,3,3 and others; noughts play --help lists all"),
    ([*TRAIN, "--seed", "-1"], 2, "whole number"),
    ([*TRAIN, "--set", "pick"], 2, "KEY=VALUE"),
    (["plya"], 2, "play"),
    (["saves", "frob"], 2, "frob"),
    (["saves", "list", "extra"], 2, "extra"),
    (["train", "minimax"], 1, "failures"),
    (["train", "\x1b[31m[red]" * 1000], 1, "no learner"),
    ([*TRAIN, "--preset", "none"], 1, "literal, riechel-2007"),
    ([*TRAIN, "--set", "none=1"], 1, "pick, walk_back"),
    ([*TRAIN, "--save", "a\x1b]0;x\x07b"], 1, "cannot be in a name"),
    ([*TRAIN, "--game", "connectfour"], 1, "remembers every position"),
    (["train", "menace", "--opponent", "human"], 1, "noughts play --learn"),
    (["train", "menace", "--opponent", "nobody"], 1, "random, perfect"),
    (["train", "menace", "--opponent", "save:nobody"], 1, "no save 'nobody'"),
    (["train", "menace", "--preset", "her", "--game", "misere"], 1, "fits hexapawn"),
    (["train", "--from", "nobody"], 1, "no save 'nobody'"),
    (["evaluate", "human"], 1, "human"),
    (["evaluate", "save:riechel", "--game", "misere"], 1, "plays Tic-tac-toe"),
    (["evaluate", "none"], 1, "perfect, perfect:soonest|any|stubborn, minimax, minimax:DEPTH, alphabeta, "),
    (["play", "--first", "save:nobody"], 1, "no save 'nobody'"),
    (["play", "--plain", "--learn"], 1, "--second save:NAME"),
    (["play", "--plain", "--second", "minimax", "--game", "connectfour"], 1, "give a depth"),
    (["play", "--plain", "--second", "alphabeta:99", "--game", "connectfour"], 1, "99"),
    (["judge", "policy.csv", "--game", "connectfour"], 1, "too large"),
    (["race", "menace", "--game", "connectfour"], 1, "remembers every position"),
    (["--library", "/dev/null/x", "saves", "list"], 1, "cannot be used"),
    (["--library", "/", *TRAIN, "--save", "a"], 1, "not a file"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    REFUSED,
    ids=lambda value: " ".join(value)[:40].encode("ascii", "replace").decode() if isinstance(value, list) else "",
)
def test_bad_input_is_refused_in_two_lines_that_say_what_is_valid(arguments, code, words):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("noughts: ")
    assert words in ran.err
    assert ran.err.count("\n") <= 2
    assert ran.err.replace("\n", "").isprintable()
    assert len(ran.err) < 900


def test_an_error_message_has_two_lines_and_no_control_characters(capsys):
    print_error("one\x1b[31m \u202ethere\ntwo\nthree")
    assert capsys.readouterr().err == "noughts: one[31m there\ntwo\n"


def test_an_unexpected_exception_is_raised(monkeypatch):
    monkeypatch.setattr("cli.commands.locate.settings_path", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run("locate")


WRONG_USAGE = [
    *(["train", "failures", "--games", games] for games in ("0", "-5", "1e9x", "10^9", "100000001", "", "1.5", "1,00")),
    ["train", "failures", "--games", "9" * 10_000],
    ["train"],
    ["train", "failures", "--game", "chess"],
    ["train", "failures", "--seed", "-1"],
    ["train", "failures", "--seed", str(2**63)],
    ["train", "failures", "--set", "pick"],
    ["play", "--plain", "--seed", "x"],
    ["train", "failures", "--gmaes", "1"],
    ["plya"],
    ["saves", "frob"],
    ["saves", "list", "extra"],
    ["saves", "show"],
]


ERRORS = [
    ["train", "minimax"],
    ["train", "\x1b[31m[red]" * 1000],
    ["train", "failures", "--preset", "none"],
    ["train", "failures", "--set", "pick=none"],
    ["train", "failures", "--set", "none=1"],
    ["train", "genetic", "--opponent", "random"],
    ["train", "menace", "--opponent", "human"],
    ["train", "menace", "--opponent", "nobody"],
    ["train", "menace", "--opponent", "save:nobody"],
    ["train", "menace", "--preset", "michie", "--opponent", "self"],
    ["train", "menace", "--opponent", "save:riechel", "--game", "misere"],
    ["train", "menace", "--preset", "her", "--game", "misere"],
    ["train", "menace", "--set", "beads=0"],
    ["train", "menace", "--set", "loss=-1001"],
    ["train", "failures", "--save", "a\x1b]0;x\x07b"],
    ["train", "failures", "--save", "\u202eabc"],
    ["train", "failures", "--save", ""],
    ["train", "--from", "nobody"],
    ["evaluate", "human"],
    ["evaluate", "save:nobody"],
    ["evaluate", "save:riechel", "--game", "misere"],
    ["play", "--plain", "--second", "nobody"],
    ["play", "--first", "save:nobody"],
    ["play", "--plain", "--learn"],
    ["play", "--learn", "--second", "perfect"],
    ["--library", "/dev/null/x", "saves", "list"],
    ["--library", "/", "train", "failures", "--save", "a"],
]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [*((wrong, 2) for wrong in WRONG_USAGE), *((error, 1) for error in ERRORS)],
    ids=lambda value: " ".join(value)[:40].encode("ascii", "replace").decode() if isinstance(value, list) else None,
)
def test_bad_input_is_reported_in_two_lines_at_most(arguments, code):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("noughts: ")
    assert ran.err.count("\n") <= 2
    assert ran.err.replace("\n", "").isprintable()
    assert len(ran.err) < 900


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "failures", "--games", "0"], "1 to 100,000,000"),
        (["train", "failures", "--game", "x" * 10_000], "tictactoe, mnk:4,3,3 and others"),
        (["train", "minimax"], "failures"),
        (["train", "failures", "--preset", "none"], "literal, riechel-2007"),
        (["train", "failures", "--game", "chess"], "tictactoe, mnk:4,3,3 and others; noughts play --help lists all"),
        (["train", "failures", "--set", "none=1"], "pick, walk_back"),
        (["train", "menace", "--opponent", "human"], "noughts play --learn"),
        (["train", "menace", "--opponent", "none"], "random, perfect"),
        (["train", "menace", "--preset", "her", "--game", "misere"], "fits hexapawn"),
        (["play", "--plain", "--learn"], "--second save:NAME"),
        (
            ["evaluate", "none"],
            "perfect, perfect:soonest|any|stubborn, minimax, minimax:DEPTH, alphabeta, alphabeta:DEPTH, uct, uct:PLAY",
        ),
        (["plya"], "play"),
        (["train", "--gams", "1"], "--games"),
    ],
)
def test_an_error_lists_the_valid_choices(arguments, words):
    assert words in run(*arguments).err


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "--plain", "--second", "minimax"],
        ["play", "--plain", "--second", "alphabeta:0"],
        ["play", "--plain", "--second", "alphabeta:99"],
        ["judge", "policy.csv"],
        ["race", "menace"],
        ["train", "menace"],
        ["train", "failures"],
    ],
)
def test_commands_that_need_exact_values_refuse_a_large_game(arguments):
    ran = run(*arguments, "--game", "connectfour")
    assert (ran.code, ran.out) == (1, "")
    assert len(ran.err.splitlines()) == 1
