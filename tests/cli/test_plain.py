"""`noughts play --plain` from the outside: as a process that a pipe feeds, and its options."""

import gc
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.commands.play import SIDES
from cli.plain.dialogue import LISTED
from engine.games import parse_game
from lab.board.seating import Sides
from learners.failures.learner import Failures
from saves.library.library import Library
from tests.cli.cli_run import run
from tests.cli.plain_game import PlainGame
from tests.waiting import LIMIT

ROOT = Path(__file__).parents[2]
SESSION = """\
help
board
moves
hint
hint
xray
memory
truth
ahead
check
b2
back
b2
position
record
words
draw
new
learn
b2
resign
debrief all
score
retry 1
paste tictactoe b2 b3 c2 c3 a2
debrief
games
show 1
swap
game hexapawn
c3c2
players
game connectfour
d
threats
game tictactoe
against random
b2
quit
never read
"""


@pytest.mark.long
def test_a_whole_session_is_piped_with_every_word():
    Library(Path(os.environ["NOUGHTS_LIBRARY"])).save("a", Failures(parse_game("tictactoe"), "literal", 1).snapshot())
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "play", "--plain", "--second", "save:a", "--seed", "1"],
        cwd=ROOT,
        input=SESSION.encode(),
        capture_output=True,
        env={**os.environ, "LANG": "C", "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=LIMIT,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert {line.split()[0] for line in SESSION.splitlines()} >= LISTED.keys()
    told = done.stdout.decode("ascii")
    assert all(letter.isprintable() or letter == "\n" for letter in told)
    for part in (
        "Write hint once more for the move.",
        "keeps the draw. 7 of the 8 answers lose, though not at once.",
        "What save:a knows about X's moves, and how likely it would play each:",
        "The result of each move of X with best play, the best first:",
        "With best play on both sides: draw.",
        "The blunder check is on",
        "A draw was agreed.",
        "a learns from each game from now on.",
        "X (you) resigned.",
        "a has learned from this game. It ",
        "Move 1: X b2 ",
        "Practice: this game does not count and is not stored.",
        "Before move 2:",
        "1: Tic-tac-toe, ",
        "Game 1: Tic-tac-toe, ",
        "perfect: perfect. As B it never loses, whoever it plays.",
        "W is perfect, B is you.",
        "X is you, O is alphabeta:4.",
        "X is you, O is random.",
    ):
        assert part in told, part
    assert "Or: help" in told
    assert "or: help)" not in told, "every word was understood"
    assert told.endswith("Score: you (X) 0, random (O) 0, draws 0\n")


def test_a_series_with_sides_in_turn():
    assert tuple(Sides) == SIDES
    ran = run("play", "--plain", "--first", "random", "--second", "perfect", "--games", "3", "--sides", "alternate")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count("X is perfect, O is random.") == 1
    assert "The series of 3 games is over: " in ran.out.splitlines()[-1]


@pytest.mark.parametrize("option", [("--games", "3"), ("--sides", "random")])
def test_a_series_is_asked_for_line_by_line(option):
    ran = run("play", *option, terminal=True)
    assert ran.code == 2
    assert f"{option[0]} needs --plain; in the app, press o to choose it" in ran.err


def test_a_series_has_a_whole_number_of_games():
    assert run("play", "--plain", "--games", "10001").code == 2


@pytest.mark.long
def test_a_dialogue_without_end_fills_no_memory():
    plain = PlainGame()
    plain.library.games.add = lambda _record: 1
    plain.library.games.withdraw = lambda _number: None
    plain.view.say = lambda _line: None
    sizes = []

    def lines() -> Iterator[str]:
        for number in range(600):
            yield ("b2", "back", "zz", "hint", "check", "new", "resign", "board", "retry 1", "paste b2 a3")[number % 10]
            if number in {199, 599}:
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])

    tracemalloc.start()
    plain.go(lines())
    tracemalloc.stop()
    early, late = sizes
    assert late - early < 400 * 5, "less than the smallest thing for each line"
