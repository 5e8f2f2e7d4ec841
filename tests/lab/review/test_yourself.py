"""You beside the machines: what was given away, by a slow program; and when a lost position comes back."""

from pathlib import Path
from random import Random

import pytest

from engine.game import Outcome
from engine.games import parse_game
from engine.match import Match, Record
from lab.review.yourself import (
    KINDS,
    decisions_in,
    person_side,
    result_lines,
    summary_text,
    yourself,
    yourself_document,
)
from saves.library.library import Library
from tests.oracles.exact import value
from tests.oracles.rules import RULES

TICTACTOE = parse_game("tictactoe")


def random_record(game, random: Random) -> Record:
    match = Match(game)
    while match.outcome is None:
        match.play(random.choice(game.moves(match.position)))
    return match.record(random.choice([("human", "random"), ("random", "human")]))


def record_of(moves: str, *players: str) -> Record:
    match = Match(TICTACTOE)
    for name in moves.split():
        match.play(TICTACTOE.parse_move(match.position, name))
    return match.record(players)


HELD = record_of("b2 a3 a1 c3 b3 b1 c2 a2 c1", "random", "human")
LOST = record_of("b2 a3 a1 b3 c3", "random", "human")
"""The person, O, does not stop the threat at c3 that it stops in the other game."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["tictactoe", "hexapawn", "misere"])
def test_a_slow_program_finds_the_same_positions_and_the_same_mistakes(name):
    game, rules, random = parse_game(name), RULES[name], Random(4)
    for _ in range(15):
        record = random_record(game, random)
        side = person_side(record)
        worth, expected = value(rules, game.mark(side)), {}
        position = rules.start
        for ply, move in enumerate(record.moves):
            after = {each: worth(rules.play(position, each)) for each in rules.moves(position)}
            name_of = game.move_name(move)
            if position.endswith(game.mark(side)) and len(set(after.values())) > 1:
                expected[ply] = after[name_of] < max(after.values()), max(after.values())
            position = rules.play(position, name_of)
        found = {each.ply: (each.lost, each.value) for each in decisions_in(record, 1)}
        assert found == expected


def test_the_kind_of_a_position_is_the_most_urgent_one():
    kinds = {each.ply: (each.kind, each.lost) for each in decisions_in(LOST, 1)}
    assert kinds[3] == ("a threat to stop", True)
    assert {kind for kind, _ in kinds.values()} <= set(KINDS)
    assert decisions_in(HELD, 1)[1].lost is False


@pytest.mark.parametrize("further", [0, 1, 2, 3, 4, 9, 10, 11, 29, 30, 31])
def test_a_lost_position_comes_back_after_1_3_10_and_30_games(tmp_path: Path, further):
    games = Library(tmp_path / "x.db").games
    games.add(LOST)
    games.add(record_of("b2 a3 a1 c3 b3 b1 c2 a2 c1", "human", "human"))  # two people: not a game against a machine
    for _ in range(further):
        games.add(Record(TICTACTOE, ("random", "human"), (4,), Outcome.FIRST_WINS))  # given up at once
    due = yourself(games, TICTACTOE).exercises()
    position = TICTACTOE.to_text(due[-1].position) if due else ""
    assert (position == "O../.X./X.. O") is (further in (1, 3, 10, 30))


def test_a_game_that_was_given_up_at_once_has_no_position(tmp_path: Path):
    games = Library(tmp_path / "x.db").games
    games.add(Record(TICTACTOE, ("random", "human"), (4,), Outcome.FIRST_WINS))
    assert summary_text(yourself(games, TICTACTOE)).startswith("1 game: no position yet")


def test_a_position_that_was_held_since_does_not_come_back(tmp_path: Path):
    games = Library(tmp_path / "x.db").games
    games.add(LOST)
    games.add(HELD)
    you = yourself(games, TICTACTOE)
    assert you.games == 2
    assert summary_text(you).startswith("2 games: in 1 of ")
    assert "O../.X./X.. O" not in [TICTACTOE.to_text(each.position) for each in you.exercises()]


def test_menace_is_asked_after_as_many_games_in_the_same_positions(tmp_path: Path):
    games, random = Library(tmp_path / "x.db").games, Random(2)
    records = [random_record(TICTACTOE, random) for _ in range(12)]
    for record in records:
        games.add(record)
    you = yourself(games, TICTACTOE)
    assert list(you.machine) == [1, 2, 5, 10, 12]
    told = yourself_document(you, exercises=True)
    assert [each["games"] for each in told["menace"]] == [1, 2, 5, 10, 12]
    assert all(0 <= share <= 1 for shares in you.machine.values() for share in shares.values())
    assert told["curve"][-1]["share"] == you.share(12)
    winners = [(each.outcome.winner, person_side(each)) for each in records]
    won, drawn = sum(one is other for one, other in winners), sum(one is None for one, _ in winners)
    assert result_lines(you)[1].split() == ["Random", "12", str(won), str(drawn), str(12 - won - drawn)]
    assert yourself(Library(tmp_path / "none.db").games, TICTACTOE).machine == {}
