"""The X-ray in words: what each square shows, and the title."""

from engine.analysis import rating
from engine.analysis.rating import rate_moves
from engine.game import Game, Position, Side
from engine.games import parse_game
from lab.advice.xray import Lens, lenses
from learners import parse_player
from learners.core.player import Thought
from learners.menace.learner import Menace
from tests.small_games import DOMINOES, PINS
from tui.widgets.xray_notes import (
    Note,
    Notes,
    Tone,
    note_texts,
    notes_in_steps,
    notes_of_mind,
    notes_of_truth,
    xray_text,
)

TICTACTOE, HEXAPAWN, FOUR = (parse_game(name) for name in ("tictactoe", "hexapawn", "connectfour"))


def position(text, game=TICTACTOE):
    return game.from_text(text)


def test_the_x_ray_shows_each_machine_and_then_best_play():
    machine, other = (parse_player(label, TICTACTOE) for label in ("random", "perfect"))
    assert [lens.kind for lens in lenses((None, machine), TICTACTOE, Side.FIRST)] == ["off", "mind", "truth"]
    truth = lenses((machine, other), TICTACTOE, Side.FIRST)[-1]
    assert xray_text(TICTACTOE, truth, 40, ("=", "+3")) == "X-ray: best play, +2 wins in 2, = draws"
    assert xray_text(TICTACTOE, truth, 32, ("=", "+3")) == "best play: +2 wins in 2, = draws"
    assert xray_text(TICTACTOE, truth, 30, ("=", "+3")) == "best play: +2 wins in 2"
    assert xray_text(TICTACTOE, truth, 22, ("=", "+3")) == "X-ray: best play"
    assert xray_text(TICTACTOE, truth, 40, ("wins at once",)) == "X-ray: best play"
    assert [lens.title(TICTACTOE) for lens in lenses((machine, other), TICTACTOE, Side.FIRST)] == [
        "",
        "what Random would play",
        "Perfect's likeliest answer",
        "best play",
    ]
    assert len(lenses((machine, machine), TICTACTOE, Side.FIRST)) == 3
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
    assert both_signs[1].texts == ("X →c3x O any", "c3x ·", "·"), "a second X loses at once, an O does not"


def test_in_heaps_the_frame_names_the_answer_to_the_move_under_the_cursor():
    nim = parse_game("nim:3,4,5")
    lens = Lens("mind", parse_player("perfect", nim), Side.SECOND)
    notes = last_notes(lens, nim, nim.start)
    assert set(note_texts(notes, 20).values()) == {""}
    heap = notes[6]
    assert heap.squares == (12, 13, 14)
    told = [xray_text(nim, lens, room, answered=heap.answered) for room in (40, 28)]
    assert told == ["X-ray: Perfect then takes 3 of heap 1", "then it takes 3 of heap 1"]


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
    assert note_texts(truth, 17)[2] == "wins at once"
    assert {width: set(note_texts(truth, width).values()) for width in (9, 4, 1)} == {
        9: {"+1", "=", "−1"},
        4: {"+1", "=", "−1"},
        1: {"+", "=", "−"},
    }
    opening = position("......./......./......./......./......./...X... O", FOUR)
    searcher = parse_player("alphabeta:2", FOUR)
    for width in (3, 5, 7, 9):
        seen = note_texts(notes_of_mind(FOUR, opening, searcher.thoughts(opening)), width).values()
        assert len({text.endswith("%") for text in seen}) == 1
        assert all(text.removesuffix(" %").lstrip("<>").replace(".", "").isdigit() for text in seen)
        values = note_texts(notes_of_truth(FOUR, opening, rate_moves(FOUR, opening)), width).values()
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
    threats = lenses((None, None), FOUR, Side.FIRST)[-1]
    notes = last_notes(threats, FOUR, now)
    assert {FOUR.board.grid.name(square): note.texts[0] for square, note in notes.items()} == {
        "a2": "even: ●",
        "e2": "even: ●",
    }
    assert xray_text(FOUR, threats, 60, ("●!",)) == "X-ray: squares that win later, ! counts at the end"
    assert xray_text(FOUR, threats, 60, ("●",)) == "X-ray: squares that win later"
    assert xray_text(FOUR, threats, 60, bare=True) == "X-ray: no square wins later yet"
    truth = last_notes(Lens("truth"), FOUR, now)
    assert truth[FOUR.board.squares(now, 0)[0]].texts[1] == "+1"


def test_an_answer_that_is_still_looked_for_says_so():
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
    assert note_texts(notes_of_truth(PINS, PINS.start, rated), 2) == {0: "1−", 1: "2+", 2: "1−", 3: "1−"}
    now = position("BBB/.W./W.W B", HEXAPAWN)
    truth = notes_of_truth(HEXAPAWN, now, rate_moves(HEXAPAWN, now))
    assert truth[0].tone is Tone.GOOD  # the pawn has a losing move as well: the best one counts
    assert notes_of_mind(HEXAPAWN, now, [Thought(m, 0.25, "w", "x") for m in HEXAPAWN.moves(now)])[0].texts[0] == "50 %"
