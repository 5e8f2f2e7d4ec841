"""What all commands share: help, usage, libraries, completion, and boards as text."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.__main__ import COMMANDS, main
from cli.shared.board_text import join_blocks
from cli.shared.common import print_error
from engine.games import parse_game
from lab.board.session import GameReview
from learners.failures.learner import Failures
from saves.library.library import Library
from tests.cli.cli_run import as_json, refused, run
from tests.libraries import library
from tests.saves.brains import boxed


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


def test_plain_play_saves_finished_games():
    ran = run("play", "--plain", "--first", "human", "--second", "human", lines="a3\nb3\nb2\nb1\nc1\n")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("Score: a person (X) 1, a person (O) 0, draws 0\n")
    assert library().path.exists()


def test_plain_play_is_against_the_reasoner_of_the_gallery_or_perfect_play():
    assert "X is you, O is save:riechel." in run("play", "--plain").out
    assert "W is perfect, B is you." in run("play", "--plain", "--game", "hexapawn").out
    assert not library().path.exists()


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
    told = [as_json("evaluate", name) for name in ("pawns", "save:pawns", "perfect")]
    assert told[0] == told[1]
    assert [(each["player"], each["game"]) for each in told[1:]] == [
        ("save:pawns", "hexapawn"),
        ("perfect", "tictactoe"),
    ]
    trained = run("train", "menace", "--game", "tictactoe", "--opponent", "riechel", "--games", "1", "--json")
    assert json.loads(trained.out)["opponent"] == "save:riechel"


def test_locate_prints_both_paths():
    told = as_json("locate")
    assert told == {
        "library": {"path": os.environ["NOUGHTS_LIBRARY"], "exists": False},
        "settings": {"path": os.environ["NOUGHTS_SETTINGS"], "exists": False},
    }
    library().save("a", Failures(parse_game("hexapawn"), "literal", 1).snapshot())
    assert as_json("locate")["library"]["exists"]
    assert "settings" in run("locate").out


TRAIN, MENACE, PLAIN = ["train", "failures"], ["train", "menace"], ["play", "--plain"]
CONNECT_FOUR = ["--game", "connectfour"]
REFUSED: list[tuple[list[str], int, str]] = [
    *(
        ([*TRAIN, "--games", games], 2, "1 to 100,000,000")
        for games in ("0", "1e9x", "100000001", "", "1,00", "9" * 10**4)
    ),
    (["train"], 2, "a learner"),
    (["train", "--gams", "1"], 2, "--games"),
    ([*TRAIN, "--game", "x" * 10_000], 2, "; noughts games playable lists all"),
    ([*TRAIN, "--seed", "-1"], 2, "whole number"),
    ([*TRAIN, "--set", "pick"], 2, "KEY=VALUE"),
    (["plya"], 2, "play"),
    (["saves", "frob"], 2, "frob"),
    (["saves", "show"], 2, "NAME"),
    (["train", "\x1b[31m[red]" * 1000], 1, "no learner"),
    (["train", "save:mine"], 2, "save:mine is a save: continue its training with --from mine"),
    ([*TRAIN, "--save", "a\x1b]0;x\x07b"], 1, "cannot be in a name"),
    ([*MENACE, "--opponent", "human"], 1, "noughts play --learn"),
    (["evaluate", "human"], 1, "human"),
    (["evaluate", "save:riechel", "--game", "misere"], 1, "plays Tic-tac-toe"),
    (["play", "--first", "save:nobody"], 1, "no save 'nobody'"),
    (["play", "--learn", "--second", "perfect"], 1, "--second save:NAME"),
    ([*PLAIN, "--seed", "x"], 2, "whole number"),
    ([*PLAIN, "--second", "minimax", *CONNECT_FOUR], 1, "give a depth"),
    (["judge", "perfect", "--as", "mine"], 1, "no table"),
    (["certify", "perfect", "--out", "."], 1, "does not name a file"),
    (["--library", "/dev/null/x", "saves", "list"], 1, "cannot be used"),
    (["--library", "/", *TRAIN, "--save", "a"], 1, "not a file"),
]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    REFUSED,
    ids=lambda value: " ".join(value)[:40].encode("ascii", "replace").decode() if isinstance(value, list) else "",
)
def test_bad_input_is_refused_in_two_lines_that_say_what_is_valid(arguments, code, words):
    refused(words, *arguments, code=code)


def test_an_error_message_has_two_lines_and_escapes_control_characters(capsys):
    print_error("one\x1b[31m \u202ethere\ntwo\nthree")
    assert capsys.readouterr().err == "noughts: one\\x1b[31m \\u202ethere\ntwo\n"


@pytest.mark.parametrize("command", ["solve", "locate"])
def test_no_character_of_a_name_is_dropped_from_a_message(command, capsys):
    assert main([command, "a\x01\x1fb"]) != 0
    assert "a\\x01\\x1fb" in capsys.readouterr().err


def test_an_unexpected_exception_is_raised(monkeypatch):
    monkeypatch.setattr("cli.commands.locate.settings_path", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run("locate")


@pytest.fixture(name="completed")
def _completed(monkeypatch, tmp_path, capsys):
    """What bash would be offered for the last of some words."""

    def completed(*words: str) -> list[str]:
        monkeypatch.setenv("_NOUGHTS_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("noughts", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit, match="0"):
            main([])
        return [line.partition(",")[2] for line in capsys.readouterr().out.splitlines() if line]

    monkeypatch.setenv("NOUGHTS_LIBRARY", str(tmp_path / "library.sqlite"))
    return completed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("train", "me"), ["menace"]),
        (("train", "menace", "--preset", "mi"), ["michie"]),
        (("train", "menace", "--game", "hexa"), ["hexapawn"]),
        (("train", "menace", "--opponent", "perf"), ["perfect"]),
        (("evaluate", "save:mi"), ["save:mine"]),
        (("saves", "show", "mi"), ["mine"]),
        (("play", "--second", "save:mi"), ["save:mine"]),
        (("race", "menace:mi"), ["menace:michie"]),
        (("papers", "not"), ["notakto"]),
    ],
    ids=" ".join,
)
def test_a_shell_completes(words: tuple[str, ...], expected: list[str], completed, tmp_path):
    Library(tmp_path / "library.sqlite").save("mine", boxed())
    found = completed(*words)
    assert [each for each in found if each in expected] == expected
    assert all(each.startswith(words[-1]) for each in found)


def test_a_damaged_library_offers_nothing(completed, tmp_path):
    (tmp_path / "library.sqlite").write_bytes(b"no library")
    assert completed("saves", "show", "mi") == []


def test_blocks_stand_beside_each_other():
    assert join_blocks([["ab", "c"], ["d"]], gap=1) == ["ab d", "c"]
    assert join_blocks([]) == []
