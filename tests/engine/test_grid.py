"""Lines, names and symmetries of boards of any shape."""

import pytest

from engine.grid import Grid, squares_of


def named(grid: Grid, mask: int) -> str:
    return " ".join(sorted(grid.name(square) for square in squares_of(mask)))


def test_names_are_ordered_from_the_top_left():
    assert Grid(3, 3).names == ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
    assert Grid(2, 4).names == ("a2", "b2", "c2", "d2", "a1", "b1", "c1", "d1")


def test_lines_of_three_by_three():
    grid = Grid(3, 3)
    assert {named(grid, line) for line in grid.lines(3)} == {
        "a3 b3 c3", "a2 b2 c2", "a1 b1 c1", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "columns", "length", "count"),
    [(3, 3, 3, 8), (4, 4, 4, 10), (6, 7, 4, 69), (15, 15, 5, 572), (3, 4, 3, 14), (2, 5, 3, 6), (2, 2, 3, 0)],
)
def test_the_number_of_lines(rows: int, columns: int, length: int, count: int):
    lines = Grid(rows, columns).lines(length)
    assert len(lines) == len(set(lines)) == count
    assert all(line.bit_count() == length for line in lines)


@pytest.mark.parametrize(("rows", "columns", "count"), [(3, 3, 8), (4, 4, 8), (3, 4, 4), (6, 7, 4)])
def test_symmetries_map_lines_to_lines(rows: int, columns: int, count: int):
    grid = Grid(rows, columns)
    lines = set(grid.lines(3))
    assert len(set(grid.symmetries)) == count
    assert grid.symmetries[0] == tuple(range(grid.size))
    for symmetry in grid.symmetries:
        assert {sum(1 << symmetry[square] for square in squares_of(line)) for line in lines} == lines
