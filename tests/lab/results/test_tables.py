"""The tables of exact results, and the headline above them."""

import re

import pytest

from engine.evaluate import OPPONENTS, scoreboard
from engine.games import parse_game
from lab.results.exact_results import exact_of
from lab.results.tables import WIDE_TABLE, exact_text, headline
from lab.text.numbers import decimal_percent, in_games, percent_text
from learners import parse_player, revive
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves import gallery

TICTACTOE = parse_game("tictactoe")
RIECHEL = revive(gallery.load("riechel"))


def test_a_share_of_games_is_told_as_a_small_fraction():
    known = {
        0: "never",
        1: "in every game",
        0.75: "in 3 of 4 games",
        0.77: "in about 3 of 4 games",
        0.345: "in about 1 of 3 games",
        0.02: "in 1 of 50 games",
        0.0003: "in about 1 of 3,333 games",
        0.99: "in 99 of 100 games",
    }
    assert {each: in_games(each) for each in known} == known


def test_a_headline_tells_the_exact_results_in_words():
    assert headline(RIECHEL, exact_of(RIECHEL)) == (
        "Perfect play never beats it; a player that has read its memory beats it in 76.3 % of games."
    )
    pawns = Menace(TICTACTOE, "blog-fixed", 1)
    pawns.set_opponent(parse_player("random", TICTACTOE))
    pawns.train(20)
    assert headline(pawns, exact_of(pawns)).endswith(" (as X; O is untrained).")
    her = Menace(parse_game("hexapawn"), "michie", 1)
    her.train(20)
    assert headline(her, exact_of(her)).endswith(" (as W; perfect play always beats W).")


@pytest.mark.parametrize("room", [54])
def test_a_narrow_table_of_exact_results_has_all_opponents(room):
    exact = exact_of(RIECHEL)
    lines = exact_text(RIECHEL, exact, room).plain.splitlines()
    assert max(map(len, lines)) <= room
    assert lines[1].split() == ["random", "perfect", "itself", "reader", "perfect", "losing"]
    for line, results in zip(lines[2:], exact.values(), strict=True):
        told = [decimal_percent(results.against[opponent].loss) for opponent in OPPONENTS]
        assert line.split()[2:] == [*told, *percent_text(results.perfect_moves).split(), f"{results.losing_pairs:,}"]


def test_exact_results_are_aligned():
    lines = exact_text(RIECHEL, scoreboard(RIECHEL.space, RIECHEL.policy()), 80).plain.splitlines()
    assert lines[0].split()[0] == "%"
    assert lines[1].split() == [*["win", "draw", "loss"] * 4, "perfect", "losing"]
    assert [line[:4] for line in lines[2:]] == ["as X", "as O"]
    assert {len(line) for line in lines} == {WIDE_TABLE}
    for line in lines[2:]:
        *shares, perfect, losing = [float(share) for share in line[5:].replace(" %", "").replace(",", "").split()]
        assert len(shares) == 12
        assert 0 < perfect < 100
        assert losing == int(losing) > 0
        assert all(abs(sum(shares[at : at + 3]) - 100) < 0.25 for at in range(0, 12, 3))


def test_columns_of_exact_results_stay_apart_in_large_games():
    learner = Failures(parse_game("wild"), "literal", 1)
    learner.train(10)
    lines = exact_text(learner, exact_of(learner), WIDE_TABLE).plain.splitlines()
    assert all(len(line) <= WIDE_TABLE for line in lines)
    for line in lines[2:]:
        assert re.fullmatch(r"as [AB]( +[\d.<>]+){12} +[\d.]+ % +[\d,.]+k?", line)
