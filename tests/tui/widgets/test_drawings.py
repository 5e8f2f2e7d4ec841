"""Small boards and large marks, drawn as text."""

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.color import Color

from engine.games import parse_game
from engine.spaces import space_of
from learners.core.cards import Card
from learners.core.player import Thought
from learners.menace.learner import Menace
from learners.q import QLearner
from tests.sizes import QUICK_GAMES
from tui.widgets.board import CELL_SIZES, SHAPES, mark_lines
from tui.widgets.tiles import (
    BEADS,
    GAP,
    PLAIN,
    Palette,
    Symbol,
    Tile,
    card_tile,
    lines_of,
    per_row,
    tile_lines,
    tile_width,
)

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")
POSITION = TICTACTOE.from_text("XO./.X./... O")


def test_a_little_board_shows_marks_symbols_and_its_caption():
    tile = Tile(TICTACTOE, POSITION, {2: Symbol("!"), 4: Symbol("?")}, "5 O c3")
    assert lines_of([tile], 40).plain.splitlines() == ["X O ! ", "· ? · ", "· · · ", "5 O c3"]


def test_a_board_is_in_the_middle_above_a_wide_caption():
    tile = Tile(TICTACTOE, POSITION, {}, "8,336 O c3")
    assert lines_of([tile], 40).plain.splitlines() == ["  X O ·   ", "  · X ·   ", "  · · ·   ", "8,336 O c3"]


def test_tiles_are_broken_into_rows_of_equal_width():
    tiles = [Tile(TICTACTOE, POSITION, {}, str(number)) for number in range(5)]
    lines = lines_of(tiles, 3 * 5 + 2 * GAP).plain.splitlines()
    assert len(lines) == 8
    assert {len(line) for line in lines[:4]} == {21}
    assert lines[3].split() == ["0", "1", "2"]
    assert lines[7].split() == ["3", "4"]


def test_rows_stand_apart_on_demand():
    tiles = [Tile(TICTACTOE, POSITION)] * 4
    assert lines_of(tiles, 13, apart=True).plain.splitlines()[4] == ""
    assert len(lines_of(tiles, 12, apart=True).plain.splitlines()) == 4 * 5 - 1


@pytest.mark.parametrize(("width", "count"), [(0, 1), (4, 1), (5, 1), (12, 1), (13, 2), (20, 2), (21, 3), (100, 12)])
def test_a_row_has_as_many_tiles_as_fit(width, count):
    assert per_row([Tile(TICTACTOE, POSITION)], width) == count
    assert count == 1 or count * tile_width(Tile(TICTACTOE, POSITION)) + (count - 1) * GAP <= width


def test_no_tiles_are_no_lines():
    assert lines_of([], 40).plain == ""


def test_the_two_sides_differ_in_every_game():
    for game in QUICK_GAMES:
        texts = [lines_of([Tile(game, int(position))], 9).plain for position in space_of(game).position]
        assert len(set(texts)) > 1
        assert {letter for text in texts for letter in text} <= {
            *(piece.mark for piece in game.board.pieces),
            "·",
            " ",
            "\n",
        }


def test_hexapawn_shows_its_pawns():
    assert lines_of([Tile(HEXAPAWN, HEXAPAWN.start)], 9).plain.splitlines()[:3] == ["B B B", "· · ·", "W W W"]


def test_squares_are_as_wide_as_the_widest_symbol_and_numbers_end_in_one_column():
    tile = Tile(TICTACTOE, POSITION, {2: Symbol("r12", 8), 3: Symbol("k4", 4), 8: Symbol("·", 9)}, "17")
    assert tile_width(tile) == 11
    assert lines_of([tile], 40).plain.splitlines() == ["  X   O r12", " k4   X   ·", "  ·   ·   ·", "    17     "]


def test_a_share_is_not_in_the_colour_of_a_failure():
    palette = Palette(**{**vars(PLAIN), "symbol": Style(color="red"), "share": Style(color="white")})
    assert palette.of(Symbol("!")).color == Style(color="red").color
    assert palette.of(Symbol("48%")).color == Style(color="white").color


def test_a_worth_is_shaded_from_a_loss_to_a_win_and_can_stand_out():
    shades = tuple(Style(bgcolor=f"rgb({10 * step},0,0)") for step in range(11))
    palette = Palette(**{**vars(PLAIN), "shades": shades})
    assert [palette.of(Symbol(".5", worth=worth)).bgcolor for worth in (0, 0.5, 1)] == [
        shades[step].bgcolor for step in (0, 5, 10)
    ]
    assert palette.of(Symbol(".5", drawn=True, worth=0.5)).reverse
    assert palette.of(Symbol("?")).bgcolor is None
    assert PLAIN.of(Symbol(".5", worth=0.5)).bgcolor is None, "where there are no colours"


def test_values_are_shaded_on_their_cards():
    learner = QLearner(TICTACTOE, "exact", 1)
    learner.train(2000)
    symbols = card_tile(TICTACTOE, learner.view.card(0)).symbols
    assert all(float(symbol.text) == pytest.approx(symbol.worth, abs=0.01) for symbol in symbols.values())


def test_beads_have_their_colour_and_what_stands_out_does_so_in_one_colour_too():
    colours = [dark for dark, _ in BEADS]
    palette = Palette(**{**vars(PLAIN), "beads": tuple(map(Style.parse, colours))})
    styles = [palette.of(Symbol("w4", hue)) for hue in range(1, 10)]
    assert [style.color.name for style in styles] == colours
    assert not any(style.reverse or style.bold or style.underline for style in styles)
    assert palette.of(Symbol("w4", 1, drawn=True)).reverse
    changed = palette.of(Symbol("w4", 1, changed=True))
    assert (changed.bold, changed.underline, changed.reverse) == (True, True, None)


def contrast(one, other):
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""

    def luminance(colour):
        parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    low, high = sorted(luminance(Color.parse(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("ground", "paper"), [(0, "#121212"), (0, "#2e3440"), (1, "#e0e0e0"), (1, "#fdf6e3")])
def test_every_bead_colour_is_readable_and_distinct(ground, paper):
    colours = [pair[ground] for pair in BEADS]
    assert len(set(colours)) == len(BEADS) == 9
    assert min(contrast(colour, paper) for colour in colours) >= 3


def test_a_card_marks_the_moves_that_were_played_and_stands_out_by_its_caption():
    learner = Menace(TICTACTOE, "michie", 1)
    card = learner.view.card(int(learner.view.cards()[1]))
    moves = [thought.move for thought in card.thoughts]
    tile = card_tile(TICTACTOE, card, drawn=moves[:1], changed=moves[1:2], lit=True)
    squares = [TICTACTOE.board.squares(card.position, move)[0] for move in moves]
    assert [tile.symbols[square].drawn for square in squares] == [True] + [False] * (len(moves) - 1)
    assert [tile.symbols[square].changed for square in squares[:3]] == [False, True, False]
    *_, caption = tile_lines(tile, 12, PLAIN)
    assert [segment.text for segment in caption if segment.style and segment.style.reverse] == [" 2 "]


def test_beads_for_moves_of_pieces_are_below_the_board():
    learner = Menace(HEXAPAWN, "her", 1)
    for edge in learner.view.cards().tolist():
        card = learner.view.card(edge)
        *board, beads, caption = lines_of([card_tile(HEXAPAWN, card)], 20).plain.splitlines()
        plain_board = lines_of([Tile(HEXAPAWN, card.position, {}, card.caption)], 20).plain.splitlines()[:3]
        assert [line.split() for line in board] == [line.split() for line in plain_board]
        assert beads.split() == [thought.symbol for thought in card.thoughts]
        assert caption.strip() == card.caption


def test_a_failed_capture_is_drawn_on_the_enemy_piece_and_others_are_not():
    position = HEXAPAWN.from_text(".BB/.B./W.W W")
    taking = [move for move in HEXAPAWN.moves(position) if HEXAPAWN.board.squares(position, move)[1] == 4]
    open_ = Card(position, (Thought(taking[0], 0.5, "·", ""),), "")
    failed = Card(position, (Thought(taking[0], 0.0, "!", "", excluded=True),), "")
    assert card_tile(HEXAPAWN, open_).symbols == {}
    assert card_tile(HEXAPAWN, failed).symbols == {4: Symbol("!")}


@pytest.mark.parametrize("mark", [*SHAPES, "?"])
@pytest.mark.parametrize(("width", "height"), CELL_SIZES)
def test_a_mark_fills_its_square_exactly_at_every_size(mark, width, height):
    lines = mark_lines(mark, width, height)
    assert len(lines) == height
    assert {cell_len(line) for line in lines} == {width}
    assert any(line.strip() for line in lines)


@pytest.mark.parametrize(("width", "height"), CELL_SIZES)
def test_no_two_marks_look_alike_at_any_size(width, height):
    drawings = {"\n".join(mark_lines(mark, width, height)) for mark in SHAPES}
    assert len(drawings) == len(SHAPES)


@pytest.mark.parametrize("mark", ["X", "O"])
def test_crosses_and_rings_are_symmetric(mark):
    lines = list(mark_lines(mark, 13, 7))
    assert lines == [line[::-1] for line in lines]
    assert lines == [line.translate(str.maketrans("▀▄", "▄▀")) for line in lines[::-1]]
