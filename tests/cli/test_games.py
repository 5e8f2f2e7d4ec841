import pytest

from engine.game import Outcome
from engine.games import FAMILIES, known_games, parse_game
from engine.games.hexapawn import THREE_BY_THREE as HEXAPAWN
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from tests.cli.cli_run import as_json, refused, run
from tests.libraries import library, sql

WON = Record(TICTACTOE, ("human", "save:riechel"), (0, 3, 1, 4, 2), Outcome.FIRST_WINS)
PAWNS = parse_game("hexapawn")
GIVEN_UP = Record(HEXAPAWN, ("perfect", "human"), PAWNS.moves(PAWNS.start)[:1], Outcome.FIRST_WINS)


@pytest.fixture
def kept():
    """Three games, the second of them damaged."""
    for record in (WON, WON, GIVEN_UP):
        library().games.add(record)
    sql(library().path, "UPDATE game SET moves = 'a1 a1', first = ? WHERE id = 2", "save:[red]\x1b[31mx")


@pytest.mark.usefixtures("kept")
def test_games_are_listed_newest_first_damaged_ones_included():
    lines = run("games", "list").out.splitlines()
    assert lines[0].split() == ["number", "when", "game", "first", "second", "ended", "moves"]
    assert [line.split()[0] for line in lines[1:]] == ["3", "2", "1"]
    assert lines[1].split()[3:] == ["hexapawn", "W", "Perfect", "B", "you", "you", "resigned", "1"]
    assert lines[2].split() == ["2", "unreadable"]
    assert lines[3].split()[3:] == ["tictactoe", "X", "you", "O", "riechel", "you", "won", "5"]
    told = as_json("games", "list")
    assert told["total"] == 3
    assert [game["number"] for game in told["games"]] == [3, 2, 1]
    assert "a1 cannot be played" in told["games"][1]["error"]


@pytest.mark.usefixtures("kept")
def test_a_list_can_be_limited_to_one_game_and_a_number():
    lines = run("games", "list", "--limit", "1", "--game", "tictactoe").out.splitlines()
    assert lines[1].split() == ["2", "unreadable"]
    assert lines[2:] == ["1 of 2 games, Tic-tac-toe, against everybody: --limit lists more"]
    assert [game["number"] for game in as_json("games", "list", "--limit", "1")["games"]] == [3]
    assert run("games", "list", "--game", "misere").out.startswith("No games of Misère tic-tac-toe yet.\n")


@pytest.mark.usefixtures("kept")
def test_games_without_a_subcommand_lists_them():
    for options in ((), ("--limit", "1"), ("--json",), ("--library", str(library().path))):
        assert run("games", *options) == run("games", "list", *options)
    assert "Commands:" in run("games", "--help").out
    assert run("games", "--library", str(library().path), "show", "1") == run("games", "show", "1")


@pytest.mark.usefixtures("kept")
def test_a_game_is_shown_move_by_move():
    out = run("games", "show", "1").out
    assert out.startswith("Game 1: Tic-tac-toe, ")
    for part in ("X  you", "O  riechel", "Start", "1. X a3", "2. O a2", "5. X c3", "3  X X X", "you won after 5 moves"):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80
    told = as_json("games", "show", "1")
    assert {**told, "played": None, "positions": None} == {
        "number": 1,
        "played": None,
        "game": "tictactoe",
        "first": "human",
        "second": "save:riechel",
        "moves": ["a3", "a2", "b3", "b2", "c3"],
        "positions": None,
        "plies": 5,
        "outcome": "first_wins",
        "ended": "board",
    }
    assert (told["positions"][0], told["positions"][-1]) == (".../.../... X", "XXX/OO./... O")
    assert "you resigned after 1 move" in run("games", "show", "3").out
    assert as_json("games", "show", "3")["ended"] == "resigned"


@pytest.mark.usefixtures("kept")
def test_games_are_deleted_damaged_ones_included():
    assert run("games", "delete", "1").out.startswith("Deleted game 1: Tic-tac-toe, ")
    assert as_json("games", "delete", "2") == {"number": 2, "deleted": True}
    assert [game["number"] for game in as_json("games", "list")["games"]] == [3]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("show", "4"), 1, "no game 4 in the library"),
        (("delete", "4"), 1, "no game 4 in the library"),
        (("show", "2"), 1, "game 2 cannot be read: a1 cannot be played"),
        (("show", "x"), 2, "'x' is not a whole number"),
        (("list", "--limit", "0"), 2, "'0' is not a whole number"),
        (("list", "--game", "chess"), 2, "no game 'chess'"),
    ],
)
def test_impossible_requests_are_refused_with_a_message(arguments, code, told):
    for json_wanted in ((), ("--json",)):
        refused(told, "games", *arguments, *json_wanted, code=code)


def test_your_games_are_told_beside_menace_and_exercises_can_be_switched_off():
    lost = Record(TICTACTOE, ("random", "human"), (4, 0, 6, 1, 2), Outcome.FIRST_WINS)
    given_up = Record(TICTACTOE, ("random", "human"), (4,), Outcome.FIRST_WINS)
    for record in (lost, given_up):
        library().games.add(record)
    told = as_json("games", "you")
    assert (told["games"], [each["games"] for each in told["menace"]]) == (2, [1, 2])
    assert "O../.X./X.. O" in [each["position"] for each in told["exercises"]]
    assert "O../.X./X.. O" in run("games", "you").out
    assert as_json("games", "you", "--exercises", "off")["exercises"] == as_json("games", "you")["exercises"] == []
    assert as_json("games", "you", "--exercises", "on")["exercises"] == told["exercises"]


@pytest.mark.usefixtures("kept")
def test_one_command_deletes_all_games():
    assert as_json("games", "delete", "all") == {"deleted": 3}
    assert as_json("games", "list")["total"] == 0
    assert run("games", "you").out == "No games of Tic-tac-toe against a machine yet.\n"


def test_the_games_that_can_be_played_are_listed_with_their_sizes():
    document = as_json("games", "playable")
    found = {each["name"]: each for each in document["games"]}
    assert [*found] == [each.name for each in known_games()]
    assert (found["tictactoe"]["positions"], found["tictactoe"]["edges"]) == (5478, 16167)
    assert (found["connectfour"]["positions"], found["connectfour"]["exact"]) == (None, False)
    assert (found["mnk:4,3,3"]["columns"], found["mnk:4,3,3"]["rows"]) == (4, 3)
    assert [each["form"] for each in document["families"]] == [f"{each.name}:{each.form}" for each in FAMILIES]
    text = run("games", "playable").out
    for each in document["games"]:
        assert f"{each['title']}: {each['summary']}" in text
