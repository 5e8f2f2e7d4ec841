"""What little boards and large marks look like, as text."""

import pytest
from rich.cells import cell_len

from engine import GAMES, parse_game
from engine.space import space_of
from tui.widgets.board import CELL_SIZES
from tui.widgets.shapes import SHAPES, drawn
from tui.widgets.tiles import GAP, Tile, lines_of, per_row, tile_width

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")
POSITION = TICTACTOE.from_text("XO./.X./... O")


def test_a_little_board_shows_marks_symbols_and_its_caption():
    tile = Tile(TICTACTOE, POSITION, {2: "!", 4: "?"}, "5 O c3")
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
    assert len(lines_of(tiles, 13, apart=True, count=1).plain.splitlines()) == 4 * 5 - 1


@pytest.mark.parametrize(("width", "count"), [(0, 1), (4, 1), (5, 1), (12, 1), (13, 2), (20, 2), (21, 3), (100, 12)])
def test_as_many_tiles_go_into_a_row_as_fit(width, count):
    assert per_row([Tile(TICTACTOE, POSITION)], width) == count
    assert count == 1 or count * tile_width(Tile(TICTACTOE, POSITION)) + (count - 1) * GAP <= width


def test_no_tiles_are_no_lines():
    assert lines_of([], 40).plain == ""


def test_the_two_sides_differ_in_every_game():
    for game in GAMES:
        texts = [lines_of([Tile(game, int(position))], 9).plain for position in space_of(game).position]
        assert len(set(texts)) > 1
        assert {letter for text in texts for letter in text} <= {*game.marks, "·", " ", "\n"}


def test_hexapawn_shows_its_pawns():
    assert lines_of([Tile(HEXAPAWN, HEXAPAWN.start)], 9).plain.splitlines()[:3] == ["B B B", "· · ·", "W W W"]


@pytest.mark.parametrize("mark", [*SHAPES, "?"])
@pytest.mark.parametrize(("width", "height"), CELL_SIZES)
def test_a_mark_fills_its_square_exactly_at_every_size(mark, width, height):
    lines = drawn(mark, width, height)
    assert len(lines) == height
    assert {cell_len(line) for line in lines} == {width}
    assert any(line.strip() for line in lines)


@pytest.mark.parametrize(("width", "height"), CELL_SIZES)
def test_no_two_marks_look_alike_at_any_size(width, height):
    drawings = {"\n".join(drawn(mark, width, height)) for mark in SHAPES}
    assert len(drawings) == len(SHAPES)


@pytest.mark.parametrize("mark", ["X", "O"])
def test_crosses_and_rings_are_the_same_seen_in_a_mirror(mark):
    lines = drawn(mark, 13, 7)
    assert lines == [line[::-1] for line in lines]
    assert lines == [line.translate(str.maketrans("▀▄", "▄▀")) for line in lines[::-1]]
