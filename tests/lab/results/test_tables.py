"""The tables of exact results, and the headline above them."""

import re

from engine.evaluate import OPPONENTS
from engine.games import parse_game
from lab.results.exact_results import exact_of
from lab.results.tables import exact_text, headline
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


def test_the_losses_to_all_opponents_stand_below_their_names_and_the_moves_are_told_in_words():
    exact = exact_of(RIECHEL)
    heads, *lines = exact_text(RIECHEL, exact).plain.splitlines()
    assert len(lines) == 4
    assert heads.split()[-4:] == ["random", "perfect", "itself", "reader"]
    for mark, line, moves, results in zip("XO", lines, lines[2:], exact.values(), strict=False):
        assert line.split() == ["as", mark, *(decimal_percent(results.against[each].loss) for each in OPPONENTS)]
        assert len(line) == len(heads) <= 54
        share, losing = percent_text(results.perfect_moves), results.losing_pairs
        assert moves == f"As {mark}: {share} perfect moves, {losing:,} losing moves left."


def test_columns_of_exact_results_stay_apart_in_large_games():
    learner = Failures(parse_game("wild"), "literal", 1)
    learner.train(10)
    lines = exact_text(learner, exact_of(learner)).plain.splitlines()
    assert all(len(line) <= 54 for line in lines)
    for line in lines[1:3]:
        assert re.fullmatch(r"as [AB]( +[\d.<>]+){4}", line)
