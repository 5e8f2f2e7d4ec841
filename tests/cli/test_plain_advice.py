"""What the dialogue without a screen advises: hints, X-ray, truth, who is ahead, the check; and the offer of a draw."""

import pytest

from engine.games import parse_game
from engine.notation import parse_game_text
from engine.prospects import best_of, prospects
from lab.board.advice import hint
from lab.words.numbers import percent_text
from learners import parse_player
from learners.players.levels import Level
from saves.library.library import Library
from saves.paths import library_path
from tests.tui.tables import Held

FORK = ("a3", "b2", "c1", "a1")
"""X to move: O threatens in the other diagonal."""
LOST = "tictactoe a3 c3 b3 c2"
"""X to move, and best play wins for O."""


@pytest.mark.parametrize("game", ["tictactoe", "misere", "hexapawn", "connectfour"])
def test_a_hint_tells_what_to_look_for_and_then_the_move(game):
    held = Held(game)
    rules = parse_game(game)
    expected = hint(rules, rules.start)
    assert held.answer("hint") == [f"{expected.where} Write hint once more for the move."]
    assert held.answer("hint") == [f"Hint: {expected.what}"]
    assert rules.move_name(expected.move) in expected.what
    assert rules.move_name(expected.move) not in expected.where.split()


def test_another_position_or_game_is_hinted_at_from_the_first_step():
    held = Held()
    held.hold("hint", "hint")
    for line in ("new", *FORK):
        held.hold(line)
        assert held.answer("hint")[0].endswith("Write hint once more for the move.")
    assert held.answer("hint") == [
        "Hint: c3 stops O in a diagonal, makes a fork: it threatens b3 and c2 and wins in 3 moves."
    ]


def test_after_the_end_advice_is_in_the_debrief():
    held = Held(second="perfect")
    held.hold("b2", "resign")
    for word in ("hint", "truth", "ahead"):
        assert held.answer(word) == ["The game is over: debrief tells what decided it."]
    assert held.answer("xray") == ["The game is over: there is nothing to decide."]
    assert held.answer("resign") == ["The game is over."]


def test_xray_tells_what_each_machine_holds_of_every_legal_move_and_memory_is_the_same():
    held = Held(first="perfect")
    told = held.answer("memory")
    game, position = held.table.game, held.table.match.position
    assert told[-9] == "What perfect holds of O's moves, and how likely it would play each:"
    assert told[-8:] == [
        f"  {game.move_name(thought.move)}: {thought.words}, {percent_text(thought.chance)}"
        for thought in parse_player("perfect", game).thoughts(position)
    ]
    assert held.answer("xray") == told[-9:]
    assert Held().answer("xray") == ["No machine plays: truth tells what best play makes of each move."]


def test_truth_tells_what_best_play_makes_of_each_move_the_best_first():
    held = Held()
    assert held.answer(*FORK, "truth") == [
        "What best play makes of X's moves, the best first:",
        "  wins in 3 moves: c3",
        "  loses in 2 moves: b3, a2, c2, b1",
    ]


def test_where_the_end_is_out_of_sight_it_is_said_how_far_was_looked():
    held = Held("connectfour")
    told = held.answer("truth")
    assert told[0] == "What best play makes of X's moves, as far as 6 moves ahead, the best first:"
    assert sorted(name for line in told[1:] for name in line.partition(": ")[2].split(", ")) == list("abcdefg")
    assert held.answer("ahead") == ["As far as 6 moves ahead: even."]


def test_ahead_tells_who_wins():
    held = Held()
    assert held.answer("ahead") == ["With best play on both sides: draw."]
    assert held.answer(*FORK, "ahead") == ["With best play on both sides: X wins in 3 moves."]


def test_the_check_holds_a_move_back_that_gives_something_away_until_it_is_written_again():
    held = Held()
    assert held.answer("check") == ["The check is on: a move that gives something away is held back."]
    assert held.answer("b2", "b3") == ["b3 loses in 6 moves. Write b3 once more to play it all the same."]
    assert held.answer("c2")[0].startswith("c2 loses in")
    assert held.moves == ["b2"]
    held.hold("b3")
    assert held.moves == ["b2"], "another move was held back in between"
    held.hold("b3")
    assert held.moves == ["b2", "b3"]
    held.hold("back", "back", "b2", "a3")
    assert held.moves == ["b2", "a3"]
    assert held.answer("check") == ["The check is off: no move is held back."]
    held.hold("back", "b3")
    assert held.moves == ["b2", "b3"]


def test_the_check_says_what_would_come_of_a_move_or_what_it_misses():
    held = Held()
    (told,) = held.answer("check", "a3", "b2", "b3", "a1")
    assert told == "a1 lets X win at once. Write a1 once more to play it all the same."
    (told,) = held.answer("new", "a3", "b3", "b3", "a2", "c2", "c3")
    assert told == "c3 misses a win at once. Write c3 once more to play it all the same."


def test_a_machine_agrees_to_a_draw_unless_best_play_wins_for_it():
    held = Held(second="perfect")
    early = "A draw can be offered while the game goes on, once both sides have moved."
    assert held.answer("draw") == [early]
    assert held.answer("b2", "draw") == ["A draw was agreed."]
    assert held.said[-1] == "Score: you (X) 0, perfect (O) 0, draws 1"
    assert held.answer("draw") == [early]
    match = parse_game_text(LOST, (held.table.game,), held.table.game)
    assert best_of(prospects(match.game, match.position))[0].worth == -1
    assert held.answer(f"paste {LOST}", "draw") == ["perfect declines the draw."]
    assert held.table.match.outcome is None


def test_between_two_people_the_other_agrees_with_the_same_word():
    held = Held()
    offer = "X offers a draw. If O agrees, write draw once more; any move goes on."
    assert held.answer("b2", "a3", "draw") == [offer]
    held.hold("a2", "c2")
    assert held.answer("draw") == [offer]
    assert held.answer("draw") == ["A draw was agreed."]
    assert [record.moves for record in held.kept] == [tuple(held.table.match.moves)]
    held.hold("back")
    assert held.table.match.outcome is None
    assert Held("hexapawn").answer("draw") == ["Hexapawn has no draws."]


def test_resigning_counts_and_can_be_taken_back():
    held = Held(second="perfect")
    assert held.answer("b2", "resign") == ["X (you) resigned."]
    assert held.said[-1] == "Score: you (X) 0, perfect (O) 1, draws 0"
    assert held.answer("a1")[0].startswith("The game is over: new begins another one, ")
    assert held.answer("moves") == ["None: the game is over."]
    held.hold("back")
    assert held.table.match.outcome is None
    assert held.said[-1] == "Score: you (X) 0, perfect (O) 0, draws 0"


def test_a_game_that_is_taken_back_is_kept_no_longer():
    library = Library(library_path())
    held = Held(second="perfect", library=library)
    held.answer("b2", "resign")
    assert len(library.game_numbers()) == 1
    held.answer("back")
    assert library.game_numbers() == []
    held.answer("resign")
    assert len(library.game_numbers()) == 1


def test_players_are_listed_by_strength_with_their_levels():
    held = Held("hexapawn")
    told = held.answer("players")
    assert told[0] == "Working out how strong everybody is."
    assert told[1].startswith("  random: harmless. As B it loses")
    assert "  perfect: perfect. As B it never loses, whoever it plays." in told
    assert told[-2:] == [
        "W is lost against perfect play, whoever plays it.",
        "Play one of them with the word against, as in: against perfect",
    ]
    assert all(isinstance(level, Level) for level in held.table.levels.values())
