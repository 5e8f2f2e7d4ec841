"""Hints, X-rays, the evaluation bar and debriefs in words: without an app."""

import re
from math import inf
from random import Random

import pytest

from engine.analysis import rating
from engine.analysis.debrief import assess, debrief
from engine.analysis.rating import RatedMove, best_of, rate_moves
from engine.game import Game, Position, Side
from engine.games import GAMES, find_game, parse_game
from engine.match import Match
from engine.notation import parse_game_text
from engine.plural import in_moves
from engine.spaces import space_of
from lab.advice import advice
from lab.advice.xray import Lens, lenses
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
from learners import parse_player
from learners.core.player import Thought
from learners.menace.learner import Menace
from tests.oracles.debrief import best, oracle_of
from tests.small_games import DOMINOES, PINS
from tui.widgets.xray_notes import Note, Notes, Tone, notes_in_steps, notes_of_mind, notes_of_truth, texts_of, xray_text

TICTACTOE, HEXAPAWN, FOUR = (parse_game(name) for name in ("tictactoe", "hexapawn", "connectfour"))


def position(text, game=TICTACTOE):
    return game.from_text(text)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("XX./OO./... X", "You can win at once.", "c3 completes the top row and wins."),
        ("XO./.O./.X. X", "You can make a fork: two threats at once.", "a1 makes a fork: it threatens a2 and c1 and"),
        ("X../.../... O", "1 of 8 moves does not lose.", "b2 keeps the draw"),
        ("X../.O./..X O", "Look out for a fork that X could make next.", " keeps the draw"),
        (
            "X.O/.../X.. O",
            "X threatens to win in the left column, and every move loses against best play: make it last.",
            "a2 loses in 2",
        ),
        (
            "X../XO./... O",
            "X threatens to win in the left column.",
            "a1 stops X in the left column, threatens c3 and keeps the draw",
        ),
        (
            ".../.../... X",
            "Nothing is decided yet: no move loses.",
            " keeps the draw. 7 of O's 8 answers lose, though not at once.",
        ),
        (".X./OXO/..X O", "X threatens to win in 2 ways.", "loses at once; no other"),
        ("XOX/OXX/O.O X", "There is only one move.", "and keeps the draw."),
    ],
)
def test_a_hint_first_tells_what_to_look_for_and_then_the_move(text, where, what):
    found = advice.find_hint(TICTACTOE, position(text))
    assert advice.hint_text(found) == where
    assert what in advice.hint_move_text(found)
    assert advice.hint_move_text(found).startswith(TICTACTOE.move_name(found.move))


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_hint_is_a_best_move_and_true(game):
    random = Random(3)
    for _ in range(15 if game.numbered else 1):
        now = game.start
        while game.outcome(now) is None:
            rated = rate_moves(game, now)
            found = advice.find_hint(game, now)
            where = advice.hint_text(found)
            assert found.move in [each.move for each in best_of(rated)]
            if "Only" in where:
                holding, every = map(int, re.findall("[0-9]+", where))
                assert (holding, every) == (sum(each.value != -1 for each in rated), len(rated))
            if "win" in where and "You" in where:
                assert best_of(rated)[0].value == 1
            now = game.play(now, random.choice(game.moves(now)))


@pytest.mark.parametrize(
    ("game", "squares", "name"),
    [
        (TICTACTOE, (2, 5, 8), "the right column"),
        (FOUR, (35, 36, 37, 38), "row 1"),
        (FOUR, (3, 10, 17, 24), "column d"),
        (FOUR, (0, 8, 16, 24), "the diagonal a6–d3"),
        (FOUR, (3, 9, 15, 21), "the diagonal a3–d6"),
        (TICTACTOE, (0, 4, 8), "a diagonal"),
    ],
)
def test_a_row_is_named_by_its_place(game, squares, name):
    assert advice.row_name(game, squares) == name


def test_moves_are_listed():
    assert [advice.names_text(TICTACTOE, TICTACTOE.start, moves) for moves in ([0], [0, 4], [0, 4, 8])] == [
        "a3",
        "a3 or b2",
        "a3, b2 or c1",
    ]


def test_what_a_move_leads_to_in_words():
    known = {
        RatedMove(0, 1, 1): "wins at once",
        RatedMove(0, 1, 3): "wins in 2 moves",
        RatedMove(0, -1, 2): "loses at once",
        RatedMove(0, 0): "draws",
        RatedMove(0, None, estimate=-3): "value −3",
    }
    assert {each: advice.rated_move_text(each) for each in known} == known


@pytest.mark.parametrize(
    ("game", "text", "move", "warning"),
    [
        (TICTACTOE, "XO./.X./O.. X", "b1", "b1 misses an immediate win."),
        (TICTACTOE, "X.O/.../X.. O", "b1", None),
        (TICTACTOE, "X../XO./... O", "b3", "b3 lets X win at once."),
        (TICTACTOE, "X../.../... O", "b3", "b3 loses in 3 moves."),
        (TICTACTOE, "X.O/.../... X", "b2", "b2 gives a win away."),
        (HEXAPAWN, "BBB/.W./W.W B", "c3c2", "c3 to c2 lets W win at once."),
    ],
)
def test_a_warning_before_a_mistake_is_played(game, text, move, warning):
    now = position(text, game)
    turn = assess(game, now, game.parse_move(now, move))
    assert (advice.warning_text(game, turn) if turn.cost else None) == warning


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
            "With best play, after move 26, the threat of O at b2 decides: X must play below it in the end.",
        ),
        (
            "aadfdccedcgffed",
            "Decided by move 8, O e: it turned a win into a loss. With best play, X completes row 3 in move 19. Before",
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
    small = value_lines(value_chart(turns, TICTACTOE, TICTACTOE.marks, ""), 8, 28, "", letters=True).plain.splitlines()
    assert small == [" X wins┤     ***  ******** │", "   draw┤****** ****      * │", " O wins┤                 ***"]
    marks = {mark_of(turn) for turn in turns} - {""}
    assert {part.split()[0] for part in marks_text(turns, 38).split("  ")} == marks
    assert all(marks_text(turns, 38).startswith(marks_text(turns, room)) for room in (0, 10, 20))
    names = "michie", "you"
    long, short = ([line.plain for line in move_lines(match, turns, names, room)] for room in (80, 34))
    assert all(any(name in line for name in names) for line in long)
    assert not any(name[:3] in line for name in names for line in short)  # rather than cut


def test_a_space_parts_what_a_move_leads_to_from_who_made_it():
    match, turns = game("d d d", FOUR)
    assert "loses in 20 moves you" in move_lines(match, turns, ("michie", "you"), 80)[1].plain


def test_the_bar_tells_who_is_ahead(monkeypatch):
    monkeypatch.setattr(rating, "shape_of", lambda _: None)  # as in a game that has no solver

    def bar(text, game=TICTACTOE):
        now = position(text, game)
        rated = rate_moves(game, now)
        best = best_of(rated)[0] if rated else None
        return advice.share_of(game, now, best), advice.bar_text(game, now, best, 40, ("", "dim")).plain

    assert bar(".../.../... X") == (0.5, "X " + "█" * 15 + "░" * 15 + " O  draw")
    assert bar("XX./OO./X.. O") == (0.0, "X " + "░" * 20 + "  O wins at once")
    assert bar("XXX/OO./... O")[1].endswith("X has won")
    assert bar("XOX/XOO/OXX O")[0] == 0.5
    share, text = bar("......./......./......./......./......./...X... O", FOUR)
    assert 0.4 < share < 0.8
    assert text.endswith(("X looks ahead", "even"))


def test_the_x_ray_shows_each_machine_and_then_best_play():
    machine, other = (parse_player(label, TICTACTOE) for label in ("random", "perfect"))
    assert [lens.kind for lens in lenses((None, machine), TICTACTOE)] == ["off", "mind", "truth"]
    truth = lenses((machine, other), TICTACTOE)[-1]
    assert xray_text(TICTACTOE, truth, 40) == "X-ray: best play, +2 wins in 2, = draws"
    assert xray_text(TICTACTOE, truth, 32) == "best play: +2 wins in 2, = draws"
    assert xray_text(TICTACTOE, truth, 30) == "best play: +2 wins in 2"
    assert xray_text(TICTACTOE, truth, 22) == "X-ray: best play"
    assert [lens.title(TICTACTOE) for lens in lenses((machine, other), TICTACTOE)] == [
        "",
        "what Random would play",
        "what Perfect would play",
        "best play",
    ]
    assert len(lenses((machine, machine), TICTACTOE)) == 3
    assert last_notes(Lens("off"), TICTACTOE, TICTACTOE.start) == {}
    assert last_notes(Lens("truth"), TICTACTOE, position("XXX/OO./... O")) == {}
    assert last_notes(Lens("truth"), TICTACTOE, position("XX./OO./... X"))[2] == Note(
        ("wins at once", "+1", "+"), Tone.GOOD
    )
    assert {note.share for note in last_notes(Lens("mind", machine), TICTACTOE, TICTACTOE.start).values()} == {1 / 9}


def test_only_an_answer_that_is_likelier_than_all_others_is_named():
    """After X in a corner, O must take the centre; after X in the centre, each corner is equally good."""
    perfect = parse_player("perfect:any", TICTACTOE)
    notes = last_notes(Lens("mind", perfect, Side.SECOND), TICTACTOE, TICTACTOE.start)
    assert [notes[square].texts[1] for square in (0, 4)] == ["→b2", "any"]
    assert last_notes(Lens("mind", perfect, Side.SECOND), TICTACTOE, position("XX./OO./... X"))[2].texts[1] == "ends"
    wild = parse_game("wild")
    now = wild.play(wild.start, wild.parse_move(wild.start, "a3x"))
    both_signs = last_notes(Lens("mind", parse_player("perfect", wild), Side.FIRST), wild, now)
    assert both_signs[1].texts[1] == "2 moves", "a second X loses at once, an O does not"


def test_no_answer_is_named_of_a_machine_that_plays_at_random():
    for blind in (Menace(TICTACTOE, "michie", 1), parse_player("random", TICTACTOE)):
        lens = Lens("mind", blind, Side.SECOND)
        assert last_notes(lens, TICTACTOE, TICTACTOE.start) == {}
        assert lens.title(TICTACTOE).endswith("plays at random as O")
    assert Lens("mind", Menace(TICTACTOE, "michie", 1), Side.FIRST).title(TICTACTOE).endswith("likeliest answer")


def test_a_square_that_shares_beads_is_noted_as_the_one_that_stands_for_it():
    machine = Menace(TICTACTOE, "michie", 1)
    notes = last_notes(Lens("mind", machine), TICTACTOE, TICTACTOE.start)
    assert " ".join(notes[square].texts[2] for square in range(9)) == "33 33 =a3 =b3 33 =b3 =a3 =b3 =a3"


def test_all_squares_show_the_same_quantity_in_the_room_there_is(monkeypatch):
    monkeypatch.setattr(rating, "shape_of", lambda _: None)
    now = position("XX./OO./... X")
    truth = notes_of_truth(TICTACTOE, now, rate_moves(TICTACTOE, now))
    assert texts_of(truth, 17)[2] == "wins at once"
    assert {width: set(texts_of(truth, width).values()) for width in (9, 2, 1)} == {
        9: {"+1", "=", "−1"},
        2: {"+1", "=", "−1"},
        1: {"+", "=", "−"},
    }
    opening = position("......./......./......./......./......./...X... O", FOUR)
    searcher = parse_player("alphabeta:2", FOUR)
    for width in (3, 5, 7, 9):
        seen = texts_of(notes_of_mind(FOUR, opening, searcher.thoughts(opening)), width).values()
        assert len({text.endswith("%") for text in seen}) == 1
        assert all(text.removesuffix(" %").lstrip("<>").replace(".", "").isdigit() for text in seen)
        values = texts_of(notes_of_truth(FOUR, opening, rate_moves(FOUR, opening)), width).values()
        assert all(text.startswith(("value", "~")) for text in values)


def last_notes(lens: Lens, game: Game, now: Position) -> Notes:
    notes, looking = [*notes_in_steps(lens, game, now)][-1]
    assert not looking
    return notes


def test_the_x_ray_of_a_game_with_gravity_shows_lasting_threats():
    """X has b2, c2 and d2; O, to move, has the squares below them."""
    now = FOUR.start
    for column in "gbbccdd":
        now = FOUR.play(now, FOUR.parse_move(now, column))
    threats = lenses((None, None), FOUR)[-1]
    notes = last_notes(threats, FOUR, now)
    assert {FOUR.board.grid.name(square): note.texts[0] for square, note in notes.items()} == {
        "a2": "even: ●",
        "e2": "even: ●",
    }
    assert xray_text(FOUR, threats, 60) == "X-ray: squares that win later, ! counts at the end"
    assert xray_text(FOUR, threats, 60, bare=True) == "X-ray: no square wins later yet"
    truth = last_notes(Lens("truth"), FOUR, now)
    assert truth[FOUR.board.squares(now, 0)[0]].texts[1] == "+1"


def test_an_answer_that_is_still_looked_for_says_so():
    rated = (RatedMove(0, None, estimate=3),)
    assert advice.bar_text(FOUR, FOUR.start, rated[0], 60, ("", "dim"), looking=True).plain.endswith(
        "X looks ahead, still looking"
    )
    assert xray_text(FOUR, Lens("truth"), 60, looking=True).startswith("X-ray: best play, still looking")


def test_moves_of_two_squares_are_seen_at_the_pawn_and_then_where_it_goes():
    thoughts = [Thought(move, 0.2, "w1", "1 bead") for move in HEXAPAWN.moves(HEXAPAWN.start)]
    assert set(notes_of_mind(HEXAPAWN, HEXAPAWN.start, thoughts)) == {6, 7, 8}
    assert set(notes_of_mind(HEXAPAWN, HEXAPAWN.start, thoughts, (6,))) == {3}


def test_a_domino_is_seen_at_both_of_its_squares():
    thoughts = [Thought(move, 1 / 7, "w1", "1 bead") for move in DOMINOES.moves(DOMINOES.start)]
    notes = notes_of_mind(DOMINOES, DOMINOES.start, thoughts)
    assert [round(7 * notes[square].share) for square in range(6)] == [2, 3, 2, 2, 3, 2]
    assert set(notes_of_mind(DOMINOES, DOMINOES.start, thoughts, (4,))) == {1, 3, 5}


def test_the_shortest_note_keeps_the_option_and_the_sign():
    rated = rate_moves(PINS, PINS.start)
    assert texts_of(notes_of_truth(PINS, PINS.start, rated), 2) == {0: "1−", 1: "2+", 2: "1−", 3: "1−"}
    now = position("BBB/.W./W.W B", HEXAPAWN)
    truth = notes_of_truth(HEXAPAWN, now, rate_moves(HEXAPAWN, now))
    assert truth[0].tone is Tone.GOOD  # the pawn has a losing move as well: the best one counts
    assert notes_of_mind(HEXAPAWN, now, [Thought(m, 0.25, "w", "x") for m in HEXAPAWN.moves(now)])[0].texts[0] == "50 %"


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
