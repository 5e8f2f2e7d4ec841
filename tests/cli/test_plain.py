"""`noughts play --plain` from the outside: as a process that a pipe feeds, its options, and what it advises."""

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
from engine.analysis.rating import best_of, rate_moves
from engine.games import find_game, parse_game
from engine.notation import parse_game_text
from lab.board.seating import Sides
from lab.text.numbers import percent_text
from learners import parse_player
from learners.failures.learner import Failures
from learners.players.levels import Level
from saves.library.library import Library
from tests.cli.cli_run import run, without_progress
from tests.cli.plain_game import PlainGame
from tests.waiting import LIMIT

ROOT = Path(__file__).parents[2]
SESSION = """
help | board | moves | hint | hint | xray | memory | truth | ahead | check | b2 | back | b2 | position | record |
words | draw | new | learn | b2 | resign | debrief all | score | retry 1 | paste tictactoe b2 b3 c2 c3 a2 |
debrief | games | show 1 | swap | game hexapawn | c3c2 | players | game connectfour | d | threats |
game tictactoe | against random | b2 | quit | never read
"""
"""What a person writes, each line up to a bar."""


@pytest.mark.long
def test_a_whole_session_is_piped_with_every_word():
    Library(Path(os.environ["NOUGHTS_LIBRARY"])).save("a", Failures(parse_game("tictactoe"), "literal", 1).snapshot())
    lines = [line.strip() for line in SESSION.split("|")]
    done = subprocess.run(
        [sys.executable, "-m", "noughts", "play", "--plain", "--second", "save:a", "--seed", "1"],
        cwd=ROOT,
        input="\n".join(lines).encode(),
        capture_output=True,
        env={**os.environ, "LANG": "C", "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=LIMIT,
    )
    assert (done.returncode, without_progress(done.stderr.decode("ascii"))) == (0, "")
    assert {line.split()[0] for line in lines} >= LISTED.keys()
    told = done.stdout.decode("ascii")
    assert all(letter.isprintable() or letter == "\n" for letter in told)
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


FORK = ("a3", "b2", "c1", "a1")
"""X to move: O threatens in the other diagonal."""
LOST = "tictactoe a3 c3 b3 c2"
"""X to move, and best play wins for O."""


def test_hints_start_over_in_another_position_or_game():
    plain = PlainGame()
    plain.write("hint", "hint")
    for line in ("new", *FORK):
        plain.write(line)
        assert plain.answer("hint")[0].endswith("Write hint once more for the move.")
    assert plain.answer("hint") == [
        "c3 stops O in a diagonal, makes a fork: it threatens b3 and c2 and wins in 2 moves."
    ]


def test_after_the_end_advice_is_in_the_debrief():
    plain = PlainGame(second="perfect")
    plain.write("b2", "resign")
    for word in ("hint", "xray", "truth", "ahead", "resign"):
        assert plain.answer(word) == ["The game is over: debrief tells what decided it."]


def test_xray_shows_what_each_machine_thinks_of_every_legal_move_and_memory_is_the_same():
    plain = PlainGame(first="perfect")
    told = plain.answer("memory")
    game, position = plain.table.game, plain.table.match.position
    assert told[-9] == "What perfect knows about O's moves, and how likely it would play each:"
    assert told[-8:] == [
        f"  {game.move_name(thought.move)}: {thought.words}; plays it in {percent_text(thought.chance)} of games"
        for thought in parse_player("perfect", game).thoughts(position)
    ]
    assert plain.answer("xray") == told[-9:]
    assert PlainGame().answer("xray") == [
        "No machine plays. To see the result of each move with best play, write: truth"
    ]


def test_truth_tells_what_best_play_makes_of_each_move_the_best_first():
    plain = PlainGame()
    assert plain.answer(*FORK, "truth") == [
        "The result of each move of X with best play, the best first:",
        "  wins in 2 moves: c3",
        "  loses at once: b3, a2, c2, b1",
    ]


@pytest.mark.long
def test_beyond_the_search_horizon_the_answer_states_the_horizon():
    plain = PlainGame("mnk:6,6,4")
    told = plain.answer("truth")
    assert told[0] == "The result of each move of X with best play, as far as 6 moves ahead, the best first:"
    assert sum(len(line.partition(": ")[2].split(", ")) for line in told[1:]) == 36
    assert plain.answer("ahead")[0].startswith("As far as 6 moves ahead: ")


def test_connect_four_is_known_exactly():
    plain = PlainGame("connectfour")
    assert plain.answer("truth") == [
        "The result of each move of X with best play, the best first:",
        "  wins in 21 moves: d",
        "  draws: c, e",
        "  loses in 21 moves: b, f",
        "  loses in 20 moves: a, g",
    ]
    assert plain.answer("ahead") == ["With best play on both sides: X wins in 21 moves."]
    assert plain.answer("threats") == ["No square completes a line later on."]
    assert PlainGame().answer("threats")[0].startswith("Here every square can be played at once")


def test_the_check_holds_back_a_move_that_gives_something_away_until_it_is_written_again():
    plain = PlainGame()
    assert plain.answer("check") == ["The blunder check is on: moves that give something away are held back."]
    assert plain.answer("b2", "b3") == ["b3 loses in 3 moves. Write b3 once more to play it anyway."]
    assert plain.answer("c2")[0].startswith("c2 loses in")
    assert plain.moves == ["b2"]
    plain.write("b3")
    assert plain.moves == ["b2"], "another move was plain back in between"
    plain.write("b3")
    assert plain.moves == ["b2", "b3"]
    plain.write("back", "back", "b2", "a3")
    assert plain.moves == ["b2", "a3"]
    assert plain.answer("check") == ["The blunder check is off: no move is held back."]
    plain.write("back", "b3")
    assert plain.moves == ["b2", "b3"]


def test_a_machine_agrees_to_a_draw_unless_best_play_wins_for_it():
    plain = PlainGame(second="perfect")
    early = "A draw can be offered when it is your turn, once both sides have moved."
    assert plain.answer("draw") == [early]
    assert plain.answer("b2", "draw") == ["A draw was agreed."]
    assert plain.said[-1] == "Score: you (X) 0, perfect (O) 0, draws 1"
    assert plain.answer("draw") == [early]
    match = parse_game_text(LOST, find_game, plain.table.game)
    assert best_of(rate_moves(match.game, match.position))[0].value == -1
    assert plain.answer(f"paste {LOST}", "draw") == ["Perfect declines the draw."]
    assert plain.table.match.outcome is None


def test_between_two_people_the_other_agrees_with_the_same_word():
    plain = PlainGame()
    offer = "X offers a draw. If O agrees, write draw once more; any move declines."
    assert plain.answer("b2", "a3", "draw") == [offer]
    plain.write("a2", "c2")
    assert plain.answer("draw") == [offer]
    assert plain.answer("draw") == ["A draw was agreed."]
    assert [record.moves for record in plain.records] == [tuple(plain.table.match.moves)]
    plain.write("back")
    assert plain.table.match.outcome is None
    assert PlainGame("hexapawn").answer("draw") == ["Hexapawn has no draws."]


def test_players_are_listed_by_strength_with_their_levels():
    plain = PlainGame("hexapawn")
    told = plain.answer("players")
    assert told[0] == "Computing how strong the players are."
    assert told[1].startswith("  random: harmless. As B it loses")
    assert "  perfect: perfect. As B it never loses, whoever it plays." in told
    assert told[-2:] == [
        "W always loses against perfect play.",
        "To play against one of them, write for example: against perfect",
    ]
    assert all(isinstance(level, Level) for level in plain.view.levels.values())
