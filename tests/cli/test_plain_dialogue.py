"""The dialogue of `play --plain`: its commands, and the ways to write a move."""

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from cli.plain.dialogue import ALIASES, COMMANDS, GROUPS, LISTED
from cli.plain.presenter import how_to_write_moves, name_of_move
from engine.games import GAMES, parse_game
from learners.menace.learner import Menace
from saves.errors import LibraryError
from saves.library.library import Library
from tests.cli.plain_game import PlainGame, RecordingLibrary
from tests.small_games import DOMINOES, PINS

WON = ("a3", "b3", "b2", "b1", "c1")
"""A game that the first side wins."""


def first_moves(plain: PlainGame) -> Iterator[str]:
    """The first legal move again and again, until the game is over."""
    while (match := plain.table.match).outcome is None:
        yield f"{match.game.move_name(match.game.moves(match.position)[0])}\n"


def test_the_board_is_said_before_each_question_and_the_side_to_move_is_named():
    said = PlainGame().write("b2")
    assert said[-7:-1] == ["X, your move:", "3  . . .", "2  . X .", "1  . . .", "   a b c", "O, your move:"]


def test_boards_are_told_in_words_from_now_on_or_drawn_again():
    plain = PlainGame()
    assert plain.answer("words") == ["The board is empty."]
    assert plain.answer("b2") == ["X on b2."]
    assert plain.answer("a1", "c3") == ["X on c3 and b2. O on a1."]
    assert plain.answer("board") == ["X on c3 and b2. O on a1."]
    assert plain.answer("words") == ["3  . . X", "2  . X .", "1  O . .", "   a b c"]


def test_a_bad_line_gets_one_line_and_the_question_again_without_the_board():
    plain = PlainGame()
    said = plain.write("b2", "b2", "z9", "", "\x1b[31m", "0", "99")
    questions = [place for place, line in enumerate(said) if line == "O, your move:"]
    gaps = [later - earlier for earlier, later in pairwise(questions)]
    assert gaps == [2, 2, 1, 2, 2, 2]
    assert said[questions[0] + 1] == "b2 is taken; legal: a3, b3, c3, a2, c2, a1, b1, c1 (or: help)"
    assert not any("\x1b" in line for line in said)
    assert plain.moves == ["b2"]


def test_a_move_that_only_names_the_square_is_asked_for_the_piece():
    plain = PlainGame("wild")
    assert plain.answer("5")[0] == "b2 can be b2x or b2o: write one of them (or: help)"
    plain.write("b2", "5o", "a3x")
    assert plain.moves == ["b2o", "a3x"]


def test_a_misspelt_command_is_answered_with_a_suggestion():
    plain = PlainGame()
    (told,) = plain.answer("hnit")
    assert told.startswith("'hnit' is not a move of Tic-tac-toe; legal here: a3,")
    assert told.endswith("(did you mean hint? or: help)")
    (told,) = plain.answer("good morning to you")
    assert told.endswith("(or: help)")
    assert plain.answer("new game") == ["Write new alone, with nothing after it."]


def test_the_machine_says_its_move_and_why():
    plain = PlainGame(second="perfect")
    (line,) = [line for line in plain.write("b2") if line.startswith("O plays")]
    assert line.startswith(f"O plays {plain.moves[1]} (")
    assert "against best play" in line


def test_without_people_one_game_is_played_and_not_kept():
    plain = PlainGame("misere", "random", "perfect")
    said = plain.write("never read")
    assert plain.table.match.outcome is not None
    assert len([line for line in said if " plays " in line]) == len(plain.moves)
    assert said[-1] == "   a b c"
    assert plain.records == []


@pytest.mark.parametrize("ended", [WON, ("b2", "resign"), ("b2", "a1", "draw", "draw")], ids=" ".join)
def test_after_the_end_any_line_but_a_command_is_answered_that_the_game_is_over(ended):
    over = "The game is over. Write new for another game, debrief for its analysis, back to undo its end"
    for line in ("foo", "1", "a3", "c2"):
        assert PlainGame().answer(*ended, line) == [f"{over} (or: help)"]
    assert PlainGame().answer(*ended, "debreif") == [f"{over} (did you mean debrief? or: help)"]


def test_moves_and_help_list_what_can_be_written():
    plain = PlainGame("hexapawn")
    assert plain.answer("moves") == ["a1a2 b1b2 c1c2"]
    told = plain.answer("help")
    listed = [line.split()[0] for line in told if line.startswith("  ")]
    assert listed == list(LISTED), "each once, and no other names of them"
    assert [line for line in told if not line.startswith("  ")] == [f"{title}:" for title in GROUPS]
    assert len({re.search(r"(?<=\S) {2,}(?=\S)", line).end() for line in told if line.startswith("  ")}) == 1
    assert max(map(len, told)) <= 80


def test_names_of_commands_in_the_app_are_understood_too():
    assert {also: COMMANDS[also] is COMMANDS[name] for also, name in ALIASES.items()} == dict.fromkeys(ALIASES, True)
    assert {"undo", "sides", "opponent", "forfeit"} <= ALIASES.keys()
    plain = PlainGame()
    assert plain.answer("b2", "copy") == [*plain.answer("position"), *plain.answer("record")]
    assert plain.answer("opponent random")[0].endswith("O is random.")
    assert plain.answer("Sides")[0].startswith("X is random, ")
    plain.write("forfeit", "undo")
    assert plain.table.match.outcome is None
    plain = PlainGame()
    assert plain.answer("?") == plain.answer("help")
    assert plain.answer("h") != plain.answer("help")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_command_is_also_a_move(game):
    assert not any(game.is_move_name(word) for word in COMMANDS)


def test_moves_of_two_squares_are_read_by_name_and_by_digits():
    plain = PlainGame("hexapawn")
    plain.write("74", "B3-A2", "b1 a2")
    assert plain.moves == ["a1a2", "b3a2", "b1a2"]


def test_a_column_is_read_by_its_letter_or_its_number_as_in_the_app():
    plain = PlainGame("connectfour")
    told = plain.write("4", "D", "7")
    assert "Write a move as its column: a letter from a to g, or its number. Or: help" in told
    assert plain.moves == ["d", "d", "g"]
    for line in ("8", "44", "0"):
        refusal = f"'{line}' is not a move of Connect Four; legal here: a, b, c, d, e, f, g"
        assert plain.answer(line)[0].startswith(refusal)
    assert plain.moves == ["d", "d", "g"]


def test_another_game_comes_with_how_its_moves_are_written():
    plain, how = PlainGame(), "Write a move as a1a2, or as 74 (the squares counted in reading order)."
    assert how in plain.answer("game hexapawn")
    plain.write("game tictactoe")
    assert how in plain.answer("paste hexapawn b1b2")


@pytest.mark.parametrize("trouble", [LibraryError("the library\nis full"), OSError("no disk")])
def test_a_game_that_cannot_be_stored_is_one_line_of_warning(trouble):
    plain = PlainGame(library=RecordingLibrary(trouble))
    plain.write(*WON, "new", "a1")
    assert len([line for line in plain.said if line.startswith("This game could not be stored")]) == 1
    assert plain.moves == ["a1"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_can_be_played_to_its_end(game):
    plain = PlainGame(game.name)
    plain.go(first_moves(plain))
    assert len(plain.records) == 1


def test_a_save_learns_after_each_game_which_is_not_taken_back():
    library = Library(Path(os.environ["NOUGHTS_LIBRARY"]))
    library.save("a", Menace(parse_game("tictactoe"), "michie", 1).snapshot())
    plain = PlainGame(first="save:a", library=library, learning=True)

    def two_games() -> Iterator[str]:
        for _ in range(2):
            yield from first_moves(plain)
            yield "back"
            yield "new"

    plain.go(two_games())
    assert sum(line.startswith("a has learned from this game. It ") for line in plain.said) == 2
    assert plain.said.count("A save has learned from this game, so it cannot be taken back: new begins a new one.") == 2
    assert any(re.match(r"  [+−]\d+ \w+ beads? in box 1 \(move 1\)$", line) for line in plain.said)
    assert library.load("a").stats["games"] == 2
    assert plain.table.session.seats[0].stats()["games"] == 2
    assert plain.answer("learn") == ["a no longer learns."]
    plain.go(first_moves(plain))
    assert library.load("a").stats["games"] == 2
    assert plain.answer("learn") == ["a learns from each game from now on."]


def test_nothing_is_kept_of_practice_and_nothing_learned_from_it():
    library = RecordingLibrary()
    pupil = Menace(parse_game("tictactoe"), "michie", 1)
    pupil.label = "save:a"  # not in the library: a message would say that it has not learned
    plain = PlainGame(first=pupil, library=library, learning=True)
    plain.write("paste tictactoe b2", "resign")
    assert plain.records == []
    assert not any("learned" in line for line in plain.said)
    assert plain.said[-2].startswith("This was practice. Score: save:a (X) 0, you (O) 0, draws 0.")


def test_a_resignation_is_reported():
    machine = Menace(parse_game("hexapawn"), "scroggs", 1)
    machine.memory[:] = 0
    plain = PlainGame("hexapawn", first=machine)
    said = plain.write()
    assert any(line.startswith("W resigns (") for line in said)
    assert "W (menace) resigned." in said
    assert said[-1] == "Score: menace (W) 0, you (B) 1, draws 0"
    assert [record.moves for record in plain.records] == [()]


@pytest.mark.parametrize("game", [*GAMES, DOMINOES, PINS], ids=lambda game: game.name)
def test_the_spellings_that_are_proposed_are_read(game):
    words = how_to_write_moves(game)
    if "its column" in words:
        return
    spelt = words.removeprefix("Write a move as ").split(" (")[0].rstrip(".").split(", or as ")
    assert {name_of_move(game, game.start, each) for each in spelt} == {game.move_name(game.moves(game.start)[0])}


@pytest.mark.parametrize(
    ("game", "line", "name"),
    [
        (DOMINOES, "b1b2", "b2b1"),
        (DOMINOES, "b1-b2", "b2b1"),
        (DOMINOES, "52", "b2b1"),
        (DOMINOES, "1 4", "a2a1"),
        (DOMINOES, "15", "15"),
        (PINS, "2", "b1"),
        (PINS, "21", "b1"),
        (PINS, "22", "b1c1"),
        (PINS, "23", "b1c1"),
        (PINS, "b12", "b1c1"),
        (PINS, "42", "42"),
    ],
)
def test_a_move_is_read_by_its_squares_and_its_option(game, line, name):
    assert name_of_move(game, game.start, line) == name
