import os
import re
from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from engine import GAMES, parse_game
from engine.game import Game, Side
from engine.match import Record
from learners import parse_player
from learners.menace import Menace
from saves.errors import LibraryError
from saves.library import Library
from tui.cli.dialogue import Dialogue
from tui.lessons import Lesson, teach
from tui.session import HUMAN, Session


class Table:
    """A dialogue with everything that it said and kept."""

    def __init__(self, game: str, first: str, second: str, seed: int = 1, trouble: Exception | None = None) -> None:
        rules = parse_game(game)
        seats = _seat(first, rules), _seat(second, rules)
        self.session = Session(rules, seats, Random(seed))
        self.said: list[str] = []
        self.kept: list[Record] = []
        self.trouble = trouble
        self.dialogue = Dialogue(self.session, self.said.append, self.keep)

    def keep(self, record: Record) -> None:
        if self.trouble:
            raise self.trouble
        self.kept.append(record)

    def hold(self, lines: Iterable[str]) -> list[str]:
        self.dialogue.hold(iter(lines))
        return self.said


def _seat(label: str, game: Game):
    return None if label == HUMAN else parse_player(label, game)


def names(table: Table) -> list[str]:
    return [table.session.game.move_name(move) for move in table.session.match.moves]


def test_two_people_play_a_game_which_is_kept():
    table = Table("tictactoe", "human", "human")
    said = table.hold(["a3", "b3", "5", "B1 ", "c1"])
    assert "X (human) wins." in said
    assert said[-1] == "Score: human (X) 1, human (O) 0, draws 0"
    (record,) = table.kept
    assert record == table.session.match.record(("human", "human"))
    assert names(table) == ["a3", "b3", "b2", "b1", "c1"]


def test_the_board_is_said_before_each_question_and_the_side_to_move_is_named():
    said = Table("tictactoe", "human", "human").hold(["b2"])
    assert said[-7:-1] == ["X, your move:", "3  . . .", "2  . X .", "1  . . .", "   a b c", "O, your move:"]


def test_a_bad_line_gets_one_line_and_the_question_again_without_the_board():
    table = Table("tictactoe", "human", "human")
    said = table.hold(["b2", "b2", "z9", "", "\x1b[31m", "0", "99"])
    questions = [place for place, line in enumerate(said) if line == "O, your move:"]
    gaps = [later - earlier for earlier, later in pairwise(questions)]
    assert gaps == [2, 2, 1, 2, 2, 2]
    assert said[questions[0] + 1].startswith("b2 cannot be played in")
    assert not any("\x1b" in line for line in said)
    assert names(table) == ["b2"]


def test_the_machine_says_its_move_and_why():
    table = Table("tictactoe", "human", "perfect")
    said = table.hold(["b2"])
    (line,) = [line for line in said if line.startswith("O plays")]
    assert line.startswith(f"O plays {names(table)[1]} (")
    assert "against best play" in line


def test_without_people_one_game_is_played_and_not_kept():
    table = Table("misere", "random", "perfect")
    said = table.hold(["never read"])
    assert table.session.match.outcome is not None
    assert len([line for line in said if " plays " in line]) == len(table.session.match.moves)
    assert said[-1] == "   a b c"
    assert table.kept == []


def test_the_same_seed_makes_the_same_game():
    assert Table("tictactoe", "random", "random", seed=5).hold([]) == Table("tictactoe", "random", "random", 5).hold([])
    assert Table("tictactoe", "random", "random", seed=5).hold([]) != Table("tictactoe", "random", "random", 6).hold([])


def test_back_returns_to_the_last_decision_of_the_person():
    table = Table("tictactoe", "human", "random")
    table.hold(["back", "b2", "back"])
    assert "There is no move of yours to take back." in table.said
    assert names(table) == []
    as_second = Table("tictactoe", "random", "human")
    opening = Table("tictactoe", "random", "human")
    opening.hold([])
    as_second.hold(["back", "moves"])
    assert names(as_second) == names(opening)
    assert len(names(as_second)) == 1


def test_swap_changes_sides_and_the_score_stays_with_the_players():
    table = Table("tictactoe", "human", "human")
    table.hold(["a3", "b3", "b2", "b1", "c1", "swap"])
    assert table.session.points == [0, 1]
    machine = Table("tictactoe", "human", "random")
    machine.hold(["swap"])
    assert machine.session.labels == ("random", "human")
    assert machine.session.match.side is Side.SECOND
    assert "X is random, O is human." in machine.said


def test_new_begins_again():
    table = Table("tictactoe", "human", "human")
    table.hold(["b2", "new", "a1"])
    assert names(table) == ["a1"]


def test_after_the_end_moves_are_refused_and_a_new_game_can_begin():
    table = Table("tictactoe", "human", "human")
    said = table.hold(["a3", "b3", "b2", "b1", "c1", "a1", "memory", "moves", "new", "a1"])
    assert any("none, the game is over" in line for line in said)
    assert "None: the game is over." in said
    assert names(table) == ["a1"]


def test_memory_tells_what_the_machine_holds_of_every_legal_move():
    table = Table("tictactoe", "perfect", "human")
    table.hold(["memory"])
    place = next(place for place, line in enumerate(table.said) if line.startswith("What perfect holds"))
    told = table.said[place + 1 : place + 9]
    thoughts = _seat("perfect", table.session.game).thoughts(table.session.match.position)
    assert [line.split()[:3] for line in told] == [
        [table.session.game.move_name(thought.move), thought.symbol, thought.words] for thought in thoughts
    ]
    assert "No machine plays." in Table("tictactoe", "human", "human").hold(["memory"])


def test_moves_and_help_list_what_can_be_said():
    said = Table("hexapawn", "human", "human").hold(["moves", "help"])
    assert "a1a2 b1b2 c1c2" in said
    for word in ("help", "board", "moves", "memory", "back", "new", "swap", "quit"):
        assert any(line.startswith(f"  {word} ") for line in said), word


def test_moves_of_two_squares_are_read_by_name_and_by_digits():
    table = Table("hexapawn", "human", "human")
    table.hold(["74", "B3-A2", "b1 a2"])
    assert names(table) == ["a1a2", "b3a2", "b1a2"]


@pytest.mark.parametrize("trouble", [LibraryError("the library\nis full"), OSError("no disk")])
def test_a_game_that_cannot_be_kept_is_one_line_of_warning(trouble):
    table = Table("tictactoe", "human", "human", trouble=trouble)
    table.hold(["a3", "b3", "b2", "b1", "c1", "new", "a1"])
    assert len([line for line in table.said if line.startswith("This game could not be kept")]) == 1
    assert names(table) == ["a1"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_can_be_played_to_its_end(game):
    table = Table(game.name, "human", "human")

    def first_moves():
        while (match := table.session.match).outcome is None:
            yield f"{game.move_name(game.moves(match.position)[0])}\n"

    table.hold(first_moves())
    assert len(table.kept) == 1


def test_a_save_learns_after_each_game_which_is_not_taken_back():
    library = Library(Path(os.environ["NOUGHTS_LIBRARY"]))
    library.save("a", Menace(parse_game("tictactoe"), "michie", 1).snapshot())
    table = Table("tictactoe", "human", "human")
    table.session = Session(table.session.game, (library.player("save:a", table.session.game), None), Random(1))
    table.dialogue = Dialogue(table.session, table.said.append, table.keep, partial(teach, library))

    def first_moves():
        for _ in range(2):
            while (match := table.session.match).outcome is None:
                yield match.game.move_name(match.game.moves(match.position)[0])
            yield "back"
            yield "new"

    table.hold(first_moves())
    assert table.said.count("save:a has learned from this game:") == 2
    assert table.said.count("This game is learned, and stays so: new begins another one.") == 2
    assert any(re.match(r"  [+−]\d+ \w+ in box 1, move 1$", line) for line in table.said)
    assert library.load("a").stats["games"] == 2
    assert table.session.seats[0].stats()["games"] == 2


def test_a_save_that_cannot_learn_is_told_and_the_game_goes_on():
    def refuse(_record: Record, _label: str) -> Lesson:
        raise LibraryError("the library\nis full")

    table = Table("tictactoe", "human", "human")
    pupil = Menace(table.session.game, "michie", 1)
    pupil.label = "save:a"
    table.session = Session(table.session.game, (pupil, None), Random(1))
    table.dialogue = Dialogue(table.session, table.said.append, table.keep, refuse)

    def first_moves():
        while (match := table.session.match).outcome is None:
            yield match.game.move_name(match.game.moves(match.position)[0])
        yield "new"

    table.hold(first_moves())
    assert "save:a has not learned from this game: the library is full" in table.said
    assert len(names(table)) == 1


def test_a_resignation_is_told():
    table = Table("tictactoe", "human", "human")
    pupil = Menace(table.session.game, "michie", 1)
    pupil.memory[:] = 0
    table.session = Session(table.session.game, (pupil, None), Random(1))
    table.dialogue = Dialogue(table.session, table.said.append, table.keep)
    said = table.hold([])
    assert any(line.startswith("X resigns (") for line in said)
    assert "O (human) wins." in said
    assert said[-1] == "Score: menace (X) 0, human (O) 1, draws 0"
    assert [record.moves for record in table.kept] == [()]
