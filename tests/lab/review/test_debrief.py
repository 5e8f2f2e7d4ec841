"""Debriefs in words."""

from math import inf
from random import Random

import pytest

from engine.analysis.debrief import debrief
from engine.game import Side
from engine.games import GAMES, find_game, parse_game
from engine.match import Match
from engine.notation import parse_game_text
from engine.plural import in_moves
from engine.spaces import space_of
from lab.review.debrief import (
    mark_of,
    marks_text,
    match_ending_text,
    move_lines,
    turn_text,
    value_chart,
    value_lines,
    verdict_text,
)
from tests.oracles.debrief import best, oracle_of

TICTACTOE, HEXAPAWN, FOUR = (parse_game(name) for name in ("tictactoe", "hexapawn", "connectfour"))


def game(text, usual=TICTACTOE):
    match = parse_game_text(text, find_game, usual)
    return match, debrief(match)


@pytest.mark.parametrize(
    ("text", "ending", "verdict"),
    [
        ("a2 c2 a3 c1 a1", "X (you) win with the left column.", "Decided by move 4, O c1: it threw the draw away."),
        (
            "b2 a3 c1 a1 c3 c2",
            "The game is not over.",
            "So far: move 6, O c2: it gave a win away. Before it, move 5 (X c3) threw the draw away. Now best",
        ),
        ("misere b2 a3 resigned", "X (you) resigned.", "X resigned where best play leads to a draw."),
        ("misere [XOX/X.X/.OO O] resigned", "O (michie) resigned.", "O resigned where every move of O lost at once."),
        ("misere [XOX/X.X/.OO O]", "The game is not over.", "Now every move of O loses at once."),
        (
            "b2 a3 agreed",
            "A draw was agreed.",
            "No move gave anything away: with best play it is a draw. A draw was agreed where ",
        ),
        ("hexapawn b1b2 a3b2 a1b2 c3b2 c1b2", "W (you) win.", "Decided by move 4, B c3b2: "),
        (
            "hexapawn b1b2 a3b2 resigned",
            "W (you) resigned.",
            "No move gave anything away: with best play W loses from the start. W resigned where",
        ),
        ("a b a b a b a", "X (you) win with column a.", "Decided by move 6, O b: it turned a win into a loss."),
    ],
)
def test_a_debrief_in_a_few_sentences(text, ending, verdict):
    usual = FOUR if text.startswith("a b") else TICTACTOE
    match, turns = game(text, usual)
    assert match_ending_text(match, ("you", "michie")) == ending
    assert verdict in verdict_text(match, turns)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "dddddcfceggfge",  # nobody plays as well as possible after the mistake
            "Best play would go on to move 26, where the threat of O at b2 decides: X must play below it in the end.",
        ),
        (
            "aadfdccedcgffed",
            "it turned a win into a loss. Best play would go on to move 19, where X completes row 3. Before",
        ),
    ],
)
def test_a_debrief_says_what_the_win_rests_on_that_a_mistake_gave_away(text, why):
    match, turns = game(" ".join(text), FOUR)
    assert why in verdict_text(match, turns, seconds=inf)


@pytest.mark.parametrize("rules", [HEXAPAWN, pytest.param(TICTACTOE, marks=pytest.mark.long)], ids=str)
def test_the_value_of_a_resigned_position_is_correct(rules):
    for now in space_of(rules).position.tolist():
        foreseen = oracle_of(rules.name).foreseen(rules.to_text(now))
        if not foreseen:
            continue
        worth, plies, _ = foreseen[best(foreseen)[0]]
        mover, enemy = rules.mark(rules.side(now)), rules.mark(rules.side(now).other)
        match = Match(rules, [now])
        match.resign()
        told = {
            (0, False): f"{mover} resigned where best play leads to a draw.",
            (1, True): f"{mover} resigned where {mover} could win at once.",
            (1, False): f"{mover} resigned where {mover} could force a win {in_moves(plies)}.",
            (-1, True): f"{mover} resigned where every move of {mover} lost at once.",
            (-1, False): f"{mover} resigned where {enemy} could force a win {in_moves(plies)}.",
        }
        assert verdict_text(match, ()) == told[worth, worth != 0 and plies == 1]


def test_every_move_of_a_game_in_words():
    match, turns = game("a2 c3 b2 b1 a1 a3 c1 b3")
    assert [mark_of(turn) for turn in turns] == ["", "??", "?", "??", "?!", "", "??", ""]
    told = [
        " ".join(turn_text(TICTACTOE, turn, follow, "michie" if turn.side is Side.FIRST else "you", 0.12))
        for turn, follow in zip(turns, [*turns[1:], None], strict=True)
    ]
    assert told[1] == (
        "O c3 threw the draw away. X can now force a win in 3 moves. Better: a3, b2, c2 or a1 (draws). "
        "You let that pass with b2, as it does here in 12 % of games."
    )
    assert told[3].startswith(
        "O b1 threw the draw away. X threatened c2 in the middle row, and the move did not stop it."
    )
    assert told[4] == "X a1 wins in 2 moves, later than it could. It could have won at once with c2."
    assert told[6] == (
        "X c1 turned a win into a loss. It could have won at once with c2. O threatened b3 in the top row, and the "
        "move did not stop it. Better: c2 (wins at once). michie answered b3, as it does here in 12 % of games."
    )
    assert told[7] == "O b3 wins at once."
    assert [" ".join(turn_text(TICTACTOE, turn)) for turn in game("a1 b2")[1]] == [
        "X a1 keeps the draw.",
        "O b2 keeps the draw, the only move that does.",
    ]
    small = value_lines(value_chart(match, turns, TICTACTOE.marks, ""), 8, 28, "", letters=True).plain.splitlines()
    assert small == [" X wins┤     ***  ******** │", "   draw┤****** ****      * │", " O wins┤                 ***"]
    marks = {mark_of(turn) for turn in turns} - {""}
    assert {part.split()[0] for part in marks_text(turns, 38).split("  ")} == marks
    assert all(marks_text(turns, 38).startswith(marks_text(turns, room)) for room in (0, 10, 20))
    names = "michie", "you"
    long, short = ([line.plain for line in move_lines(match, turns, names, room)] for room in (80, 34))
    assert all(any(name in line for name in names) for line in long)
    assert not any(name[:3] in line for name in names for line in short)  # rather than cut
    partly = [line.plain for line in move_lines(match, turns[-1:], names, 34)]  # while the moves are evaluated
    assert partly[-1] == short[-1]
    assert not any(sign in line for sign in ("wins", "loses", "draws") for line in partly[:-1])


def test_spaces_part_what_a_move_leads_to_from_who_made_it():
    match, turns = game("d d d", FOUR)
    assert "loses in 20 moves  " in move_lines(match, turns, ("michie", "you"), 80)[1].plain


@pytest.mark.parametrize(("width", "told"), [(30, "loses in 20 moves"), (22, "loses in 20"), (16, "loses")])
def test_what_a_move_leads_to_is_shortened_to_whole_words(width, told):
    match, turns = game("d d d", FOUR)
    assert move_lines(match, turns, ("michie", "you"), width)[1].plain.split(maxsplit=3)[3] == told


@pytest.mark.sample(1)
@pytest.mark.parametrize("rules", GAMES, ids=lambda game: game.name)
def test_any_game_can_be_put_into_words(rules):
    random = Random(8)
    for _ in range(5 if rules.numbered else 1):
        match = Match(rules)
        while match.outcome is None and len(match.moves) < 20:
            match.play(random.choice(rules.moves(match.position)))
        turns = debrief(match)
        assert match_ending_text(match, ("you", "it")).endswith(".")
        assert verdict_text(match, turns).endswith(".")
        for turn in turns:
            told = turn_text(rules, turn)
            assert all(sentence.endswith(".") for sentence in told)
            assert any("Better" in sentence for sentence in told) is (turn.cost > 0)
