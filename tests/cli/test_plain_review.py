"""Whole games in the dialogue without a screen: the debrief, practice, text to copy and paste, earlier games, seats."""

import os
from pathlib import Path
from random import Random

import pytest

from cli.plain.commands import MAX_GAMES, MAX_OWN
from engine.analysis.debrief import debrief, mistakes
from engine.games import GAMES, find_game, known_games, parse_game
from engine.match import Record, play_match
from engine.notation import parse_game_text
from lab.review.debrief import match_ending_text, turn_text, verdict_text
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.library.library import Library
from tests.cli.plain_game import PlainGame
from tests.libraries import sql

LOST = "tictactoe b2 b3 c2 c3 a2"
"""O gives the draw away with its first move."""


def stored(*records: Record) -> Library:
    library = Library(Path(os.environ["NOUGHTS_LIBRARY"]))
    for record in records:
        library.games.add(record)
    return library


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_debrief_tells_the_ending_the_verdict_and_each_deciding_move_or_every_move(game):
    random = Random(5)
    turns = ()
    while not mistakes(turns):  # a game in which nobody erred tests little
        match = play_match(game, (lambda position: random.choice(game.moves(position)),) * 2)
        turns = debrief(match)
    while (again := debrief(match)) != turns:  # a value that takes long is exact the next time
        turns = again
    plain = PlainGame(game.name)
    plain.write("words", *(game.move_name(move) for move in match.moves))
    names = ("a person", "a person")

    def sentences(turn):
        follow = turns[turn.ply + 1] if turn.ply + 1 < len(turns) else None
        return f"Move {turn.ply + 1}: {' '.join(turn_text(game, turn, follow, names[turn.side.other]))}"

    for line, told in (("debrief", mistakes(turns)), ("debrief all", turns)):
        said = plain.answer(line)
        looking = [] if game.numbered else [f"Looking at {len(match.moves)} moves."]
        expected = [match_ending_text(match, names), *looking, verdict_text(match, turns)]
        assert said[: len(expected)] == expected
        assert [each for each in said if each.startswith("Move ")] == [sentences(turn) for turn in told]
        assert sum(each.startswith("Before move ") for each in said) == len(mistakes(turns))


def test_before_each_deciding_move_stands_the_board():
    plain = PlainGame()
    said = plain.answer("debrief") + plain.answer(f"paste {LOST}", "debrief")
    assert said[:1] == ["No move is made yet. To see finished games, write: games"]
    place = said.index("Before move 2:")
    assert said[place + 1 : place + 5] == ["3  . . .", "2  . X .", "1  . . .", "   a b c"]
    assert said[place + 5].startswith("Move 2: O b3 threw the draw away.")
    assert plain.answer("debrief some") == ["Write debrief, or debrief all for every move."]


def test_a_machines_answer_is_debriefed_with_how_likely_it_was():
    plain = PlainGame("misere", second="perfect")
    told = plain.answer("c3", "debrief")
    assert told[-2].endswith(f"Perfect answered {plain.moves[1]}, as it does here in 25 % of games.")


def test_retry_plays_on_from_before_a_move_as_practice():
    plain = PlainGame()
    assert plain.answer("retry") == ["No move is made yet."]
    plain.write("b2", "b3", "c2", "c3", "a2")
    assert plain.answer("retry 4")[0] == "Practice: this game does not count and is not stored."
    assert plain.moves == ["b2", "b3", "c2"]
    assert plain.answer("retry 4") == ["'4' is not a whole number from 1 to 3."]
    plain.write("a2", "c3", "b1", "resign")
    assert len(plain.records) == 1
    assert plain.said[-1] == "Score: a person (X) 1, a person (O) 0, draws 0"


def test_position_and_record_can_be_pasted_again():
    plain = PlainGame()
    assert plain.answer("b2", "a3", "position") == ["tictactoe O../.X./... X"]
    assert plain.answer("record") == ["tictactoe b2 a3"]
    plain.write("new", "paste tictactoe O../.X./... X", "c1")
    assert plain.answer("record") == ["tictactoe [O../.X./... X] c1"]
    plain.write("paste B2 A3 C1")
    assert plain.moves == ["b2", "a3", "c1"]
    assert plain.answer("paste b2 b2")[0].startswith("move 2: b2 cannot be played")
    assert plain.moves == ["b2", "a3", "c1"]
    assert plain.answer("paste") == ["Give a position or a game, as in: paste tictactoe b2 a3 c1"]


def test_a_position_of_another_game_is_pasted_and_its_usual_machine_replaces_one_that_cannot_play_it():
    plain = PlainGame(second="perfect")
    told = plain.answer("paste hexapawn a1a2")
    assert "W is you, B is perfect." in told
    assert len(plain.moves) == 2
    told = plain.answer("paste mnk:6,6,6 ....../X...../XOXOXO/XOXOXO/XOXOXO/XOXOXO O")  # few moves are left to search
    assert any(line.startswith("alphabeta:4 takes the seat: ") for line in told)
    assert "X is you, O is alphabeta:4." in told
    assert plain.moves == ["a6"]
    plain.write("back", "back")
    assert plain.table.game is parse_game("hexapawn")


def test_kept_games_are_listed_and_shown_with_what_decided_them():
    record = parse_game_text(LOST, find_game, GAMES[0]).record(("human", "save:riechel"))
    plain = PlainGame(library=stored(*[record] * (MAX_GAMES + 2)))
    told = plain.answer("games")
    assert [line.split(":")[0].strip() for line in told[:-1]] == [str(number) for number in range(MAX_GAMES + 2, 2, -1)]
    assert told[0].endswith("X you, O riechel; you won after 5 moves: b2 b3 c2 c3 a2")
    assert told[-1] == "  and 2 earlier games. To see one: show and its number."
    told = plain.answer("show 3")
    assert told[0].startswith("Game 3: Tic-tac-toe, ")
    assert told[1] == "X (you) win with the middle row."
    assert told[2].startswith("Decided by move ")
    assert told[-1] == f"To play on from any position of it: paste {LOST}"
    assert plain.answer("show") == ["Give the number of a game, as in: show 1. To list the games, write: games"]
    assert plain.answer("show 999") == ["no game 999 in the library."]
    assert plain.moves == []


def test_another_opponent_or_another_game():
    plain = PlainGame(second="random")
    plain.write("b2", "resign")
    assert plain.answer("against nobody")[0].startswith("no player 'nobody'; there are random, perfect,")
    assert plain.table.session.labels == ("human", "random")
    assert plain.answer("against save:michie")[0] == "X is save:michie, O is you.", "it was trained as X only"
    assert plain.answer("swap") == [
        "X is you, O is save:michie.",
        "michie plays X only: as O it moves at random. Write swap to swap sides.",
        "3  . . .",
        "2  . . .",
        "1  . . .",
        "   a b c",
    ]
    assert plain.said[-1] == "Score: you (X) 0, save:michie (O) 0, draws 0"
    plain.write("against riechel", "swap", "against michie@1", "against perfect@1")
    assert plain.table.session.labels == ("save:michie@1", "human")
    plain.write("against perfect")
    assert plain.table.session.labels == ("perfect", "human")
    assert plain.answer("against")[0].startswith("Give an opponent")
    assert [line.split(": ")[0] for line in plain.answer("game")] == [f"  {game.name}" for game in known_games()]
    assert "W is perfect, B is you." in plain.answer("game Hexapawn"), "B can win"
    assert plain.answer("game chess")[0].startswith("no game 'chess'")
    assert plain.table.game is parse_game("hexapawn")


def test_of_many_saves_the_newest_are_listed_among_the_players():
    library = stored()
    snapshot = Failures(parse_game("hexapawn"), "literal", 1).snapshot()
    for number in range(MAX_OWN + 2):
        library.save(f"s{number}", snapshot)
    told = PlainGame("hexapawn", library=library).answer("players")
    listed = {line.split(":")[1] for line in told if line.startswith("  save:s")}
    assert listed == {f"s{number}" for number in range(2, MAX_OWN + 2)}
    assert "  and 2 older saves, listed by the command noughts players" in told
    assert all(line.endswith("It can learn.") for line in told if line.startswith("  save:s"))


def test_learning_is_refused_without_a_player_that_can_learn():
    assert PlainGame(second="perfect").answer("learn") == [
        "Only a save of your own can learn: write against save:NAME."
    ]


def test_a_save_on_a_side_that_it_does_not_play_is_told_to_swap():
    learner = Menace(parse_game("tictactoe"), "michie", 1)
    learner.label = "save:a"
    told = "a plays X only: as O it cannot learn. Write swap to swap sides."
    assert PlainGame(second=learner).answer("learn") == [told]


def test_damaged_games_are_reported():
    record = parse_game_text("b2 resigned", find_game, GAMES[0]).record(("human", "\x1b[31mx"))
    library = stored()
    plain = PlainGame(library=library)
    assert plain.answer("games") == ["No games yet."]
    stored(record, record)
    sql(library.path, "UPDATE game SET moves = 'z9' WHERE id = 1")
    told = [*plain.answer("games"), *plain.answer("show 1"), *plain.answer("show 2")]
    assert any(line.startswith("  1: cannot be read: ") for line in told)
    assert any(line.startswith("Game 1 cannot be read: ") for line in told)
    assert not any("\x1b" in line for line in told)
