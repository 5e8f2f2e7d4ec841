"""Matchboxes and large marks, drawn as text."""

from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.style import Style

from engine.games import parse_game
from engine.spaces import space_of
from lab.memory.matchbox import BEADS, Square, SquareKind, board_box, card_box
from learners import revive
from learners.core.player import Depiction, Thought
from learners.core.view import Card
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.q import QLearner
from tests.saves.brains import train
from tests.sizes import QUICK_GAMES
from tui.widgets import tiles
from tui.widgets.board import BoardView
from tui.widgets.board_shape import CELL_SIZES, DISCS, SHAPES, STONE, mark_lines
from tui.widgets.palette import DRAWN, PLAIN

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")
POSITION = TICTACTOE.from_text("XO./.X./... O")
COLOURED = replace(PLAIN, beads=tuple(Style(color=dark) for dark, _ in BEADS))


def test_a_matchbox_has_its_number_in_the_lower_border_and_a_bar_on_each_open_square():
    on = {
        2: Square(SquareKind.BEAD, level=0.5, hue=3),
        3: Square(SquareKind.BEAD, level=0.0),
        8: Square(SquareKind.SHARE, level=1.0),
    }
    assert tiles.boxes_text([board_box(TICTACTOE, POSITION, "41", on)], 40).plain.splitlines() == [
        "╭───────╮",
        "│ X O ▄ │",
        "│ · X · │",
        "│ · · ▇ │",
        "╰─ 41 ──╯",
    ]


@pytest.mark.parametrize(
    ("form", "lines"), [(tiles.BARE, ["X O ·", "· X ·", "· · ·", "  7  "]), (tiles.TIGHT, ["XO·", "·X·", "···"])]
)
def test_without_a_frame_the_caption_is_below_or_left_out(form, lines):
    assert tiles.boxes_text([board_box(TICTACTOE, POSITION, "7")], 40, PLAIN, form).plain.splitlines() == lines


def test_a_frame_is_as_wide_as_the_caption_needs_and_the_board_in_its_middle():
    lines = tiles.boxes_text([board_box(TICTACTOE, POSITION, "1,008,336")], 40).plain.splitlines()
    assert lines[1] == "│   X O ·   │"
    assert lines[-1] == "╰ 1,008,336 ╯"


@pytest.mark.parametrize(("gained", "text"), [(-3, "−3"), (1, "+1")])
def test_beads_that_came_or_went_are_in_the_upper_border(gained, text):
    box = replace(board_box(TICTACTOE, POSITION, "7"), gained=gained, gained_hue=2)
    top = tiles.box_lines(box, 9, COLOURED)[0]
    assert "".join(segment.text for segment in top) == f"╭─ {text}● ─╮"
    assert [segment.style for segment in top if "●" in segment.text] == [COLOURED.beads[1]]


def test_matchboxes_are_broken_into_rows_of_equal_width():
    boxes = [board_box(TICTACTOE, POSITION, str(number)) for number in range(5)]
    lines = tiles.boxes_text(boxes, 3 * 9 + 2).plain.splitlines()
    assert {len(line) for line in lines[:5]} == {29}
    assert [each for each in lines[4] if each.isdigit()] == ["0", "1", "2"]
    assert len(lines) == 10


@pytest.mark.parametrize("form", [tiles.FRAMED, tiles.BARE, tiles.TIGHT])
@pytest.mark.parametrize("width", [0, 8, 9, 18, 19, 28, 29, 100])
def test_a_row_has_as_many_matchboxes_as_fit(form, width):
    boxes = [board_box(TICTACTOE, POSITION)] * 40
    count, each = tiles.boxes_per_row(boxes, width, form), tiles.box_width(boxes[0], form)
    assert count == 1 or count * each + (count - 1) * form.apart <= width
    assert (count + 1) * each + count * form.apart > width


def test_matchboxes_of_full_rows_are_spread_out_evenly_over_the_width():
    assert tiles.row_spacing(11, 9, 116) == (3, 1)
    assert tiles.row_spacing(7, 9, 76) == (0, 2)
    for count, width in ((2, 19), (3, 40), (8, 80)):
        indent, apart = tiles.row_spacing(count, 9, width)
        assert 0 <= width - 2 * indent - 9 * count - apart * (count - 1) <= 1


def test_no_matchboxes_are_no_lines():
    assert tiles.boxes_text([], 40).plain == ""


@pytest.mark.long
def test_the_two_sides_differ_in_every_game_without_colours_too():
    for game in QUICK_GAMES:
        texts = [
            tiles.boxes_text([board_box(game, int(position))], 9, PLAIN, tiles.TIGHT)
            for position in space_of(game).position
        ]
        assert len({text.plain for text in texts}) > 1
        marks = {"●", "○"} if game.board.discs else {piece.mark for piece in game.board.pieces}
        assert {letter for text in texts for letter in text.plain} <= {*marks, "·", "\n"}


def test_hexapawn_shows_its_pawns():
    lines = tiles.boxes_text([board_box(HEXAPAWN, HEXAPAWN.start)], 9, PLAIN, tiles.TIGHT).plain.splitlines()
    assert lines == ["BBB", "···", "WWW"]


def test_values_are_drawn_on_their_cards_at_their_height():
    learner = QLearner(TICTACTOE, "exact", 1)
    learner.train(2000)
    card = learner.view.card(0)
    squares = [square for square in card_box(TICTACTOE, card).squares if square.kind is SquareKind.VALUE]
    assert [square.level for square in squares] == pytest.approx(
        [float(thought.symbol) for thought in card.thoughts], abs=0.01
    )


def test_a_failure_is_the_brightest_on_its_card_and_earlier_ones_of_its_position_are_darker():
    learner = revive(train(Failures(TICTACTOE, "literal", 1), 2000))
    for number, edge in enumerate(learner.view.cards().tolist(), 1):
        card = learner.view.card(edge)
        levels = [square.level for square in card_box(TICTACTOE, card).squares if square.kind is SquareKind.STRUCK]
        assert max(levels) == 1.0
        assert levels.count(1.0) == 1
        assert [round(level * number) for level in levels] == [
            int(learner.memory[each])
            for each in learner.space.edges(card.position)
            if 0 < learner.memory[each] <= number
        ]


def test_a_card_marks_the_moves_that_were_played_and_those_that_changed():
    learner = Menace(TICTACTOE, "michie", 1)
    card = learner.view.card(int(learner.view.cards()[1]))
    moves = [thought.move for thought in card.thoughts]
    box = card_box(TICTACTOE, card, drawn=moves[:1], changed=moves[1:2], lit=True)
    squares = [box.squares[TICTACTOE.board.squares(card.position, move)[0]] for move in moves]
    assert [square.drawn for square in squares] == [True] + [False] * (len(moves) - 1)
    assert [square.changed for square in squares[:3]] == [False, True, False]
    assert PLAIN.look(squares[0])[0] == DRAWN
    frames = [segment for segment in tiles.box_lines(box, 9, PLAIN)[-1] if segment.style != PLAIN.lit]
    assert frames == [], "frame and number stand out"


def test_beads_for_moves_of_pieces_are_below_the_board():
    learner = Menace(HEXAPAWN, "her", 1)
    for edge in learner.view.cards().tolist():
        card = learner.view.card(edge)
        box = card_box(HEXAPAWN, card)
        assert box.squares == board_box(HEXAPAWN, card.position).squares
        assert [(square.kind, square.hue) for square in box.below] == [
            (SquareKind.BEAD, thought.hue) for thought in card.thoughts
        ]
        assert sum(square.level for square in box.below) == pytest.approx(1)


def test_a_failed_capture_is_drawn_on_the_enemy_piece_and_others_are_not():
    position = HEXAPAWN.from_text(".BB/.B./W.W W")
    taking = [move for move in HEXAPAWN.moves(position) if HEXAPAWN.board.squares(position, move)[1] == 4]
    open_ = Card(position, (Thought(taking[0], 0.5, "·", ""),), "")
    failed = Card(position, (Thought(taking[0], 0.0, "!", "", excluded=True, drawing=Depiction.STRUCK),), "")
    assert card_box(HEXAPAWN, open_).squares[4].kind is SquareKind.PIECE
    assert card_box(HEXAPAWN, failed).squares[4].kind is SquareKind.STRUCK


@pytest.mark.parametrize("mark", [*SHAPES, "?"])
def test_a_mark_fills_its_square_exactly_at_every_size(mark):
    for width, height in CELL_SIZES:
        lines = mark_lines(mark, width, height)
        assert len(lines) == height
        assert {cell_len(line) for line in lines} == {width}
        assert any(line.strip() for line in lines)


def test_no_two_marks_look_alike_at_any_size():
    never_beside = DISCS[1], STONE  # the ring of a game with discs and an O, a stone and a disc
    marks = [mark for mark in SHAPES if mark not in never_beside]
    for width, height in CELL_SIZES:
        assert len({"\n".join(mark_lines(mark, width, height)) for mark in marks}) == len(marks)
        first, second = (mark_lines(disc, width, height) for disc in DISCS)
        assert first != second


@pytest.mark.parametrize("disc", DISCS)
def test_a_disc_is_drawn_in_a_small_square_too_and_reaches_its_edges(disc):
    for width, height in (size for size in CELL_SIZES if size >= (4, 2)):
        lines = mark_lines(disc, width, height)
        assert disc not in "".join(lines)
        assert lines[0].strip()
        assert max(len(line.strip()) for line in lines) >= min(width, 2 * height)


@pytest.mark.parametrize("mark", ["X", "O"])
def test_crosses_and_rings_are_symmetric(mark):
    lines = list(mark_lines(mark, 13, 7))
    assert lines == [line[::-1] for line in lines]
    assert lines == [line.translate(str.maketrans("▀▄", "▄▀")) for line in lines[::-1]]


@pytest.mark.parametrize(("people", "bad"), [((True, False), False), ((False, True), True), ((True, True), False)])
def test_a_row_is_a_bad_one_only_where_a_machine_beats_a_person(people, bad):
    game = parse_game("tictactoe")
    board = BoardView(game)
    board.show(game, game.from_text("XXX/OO./... O"))
    board.show_row(people)
    assert (board.row, board.has_class("-lost")) == ((0, 1, 2), bad)
