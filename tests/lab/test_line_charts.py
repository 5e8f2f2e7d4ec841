"""Charts of curves: where points stand, how labels are placed, and that every size can be drawn."""

from hypothesis import given
from hypothesis import strategies as st

from lab.text.line_charts import Axes, Series, axis_ticks, column_of, draw_chart, level_of

FALLING = Series("falling 0 %", [(1, 1.0), (10, 1.0), (1000, 0.0)], "red", "f")
LEVEL = Series("level 50 %", [(1, 0.5), (1000, 0.5)], "blue", "l")


def plain(series, axes=Axes(1000), width=60, height=12, **options):  # noqa: B008  a frozen value
    return [line.plain for line in draw_chart(series, axes, width, height, **options)]


def test_a_horizontal_curve_is_one_row_with_its_label_at_the_end():
    rows = [line for line in plain([LEVEL]) if "▀" in line or "▄" in line]
    assert len(rows) == 1
    assert rows[0].endswith(" level 50 %")
    assert rows[0].startswith(" 50 %│▀") or rows[0].startswith(" 50 %│▄")


def test_a_steep_curve_has_no_gaps():
    columns = [line[6:] for line in plain([FALLING])[:-1]]
    for column in range(40):
        assert any(column < len(line) and line[column] != " " for line in columns)


def test_the_axes_name_their_ends_and_the_unit():
    lines = plain([LEVEL], Axes(1000, unit="generations"), width=80)
    assert lines[0].startswith("100 %│")
    assert lines[-2].startswith("  0 %│")
    assert lines[-1].split() == ["1", "10", "100", "1k", "generations"]


def test_powers_of_ten_are_evenly_spaced_on_a_logarithmic_axis():
    axes = Axes(10_000)
    at = [column_of(rounds, axes, 101) for rounds in (0, 1, 10, 100, 1000, 10_000, 10**9)]
    assert at == [0, 0, 25, 50, 75, 100, 100]
    assert axis_ticks(axes) == [1, 10, 100, 1000, 10_000]


def test_a_linear_axis_is_even():
    axes = Axes(400, logarithmic=False)
    assert [column_of(rounds, axes, 101) for rounds in (0, 100, 200, 400)] == [0, 25, 50, 100]
    assert axis_ticks(axes) == [0, 100, 200, 300, 400]


def test_levels_reach_from_the_bottom_to_the_top():
    axes = Axes(10, low=-1, high=1)
    assert [level_of(number, axes, 21) for number in (-5, -1, 0, 1, 5)] == [0, 0, 10, 20, 20]


def test_labels_never_share_a_row():
    near = [Series(f"curve {number}", [(1, 0.5), (1000, 0.5)], "red", str(number)) for number in range(5)]
    rows = [line for line in plain(near) if "curve" in line]
    assert [line.split("curve ")[1] for line in rows] == ["0", "1", "2", "3", "4"]


def test_two_curves_in_one_cell_are_both_drawn():
    close = Series("near", [(1, 0.45), (1000, 0.45)], "blue", "n")
    half = Series("half", [(1, 0.5), (1000, 0.5)], "red", "h")
    styles = {str(span.style) for line in draw_chart([half, close], Axes(1000), 60, 12) for span in line.spans}
    assert {"red on blue", "blue on red"} & styles or {"red", "blue"} <= styles


def test_letters_need_no_colour():
    lines = plain([FALLING, LEVEL], letters=True)
    assert any("fff" in line for line in lines)
    assert any("lll" in line for line in lines)
    assert "▀" not in "".join(lines)


def test_a_band_is_shaded_around_its_curve():
    banded = Series("m", LEVEL.points, "blue", "m", low=[(1, 0.3), (1000, 0.3)], high=[(1, 0.7), (1000, 0.7)])
    shaded = [line for line in plain([banded]) if "░" in line]
    assert 3 <= len(shaded) <= 5


def test_a_chart_without_points_has_its_axes():
    lines = plain([Series("none", [], "red", "n")])
    assert len(lines) == 12
    assert lines[0] == "100 %│" + " " * (len(lines[0]) - 6)


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 10**9), st.floats(-1, 2)), max_size=30), max_size=8),
    st.integers(1, 10**9),
    st.integers(1, 200),
    st.integers(1, 60),
    st.booleans(),
)
def test_every_size_can_be_drawn(curves, rounds, width, height, letters):
    series = [Series(f"curve {number}", sorted(points), "red", "x") for number, points in enumerate(curves)]
    lines = draw_chart(series, Axes(rounds), width, height, letters=letters)
    assert len(lines) == max(2, height)
    assert all(line.cell_len <= max(width, 9) for line in lines)


def test_powers_of_ten_are_evenly_spaced_on_a_logarithmic_vertical_axis():
    axes = Axes(10, low=1.0, high=10_000.0, log_numbers=True, number_text=lambda number: f"{number:g}")
    assert [level_of(number, axes, 101) for number in (0, 1, 10, 100, 1000, 10_000, 10**9)] == [
        0,
        0,
        25,
        50,
        75,
        100,
        100,
    ]
    lines = plain([], axes, height=10)
    assert [lines[row].split("│")[0].strip() for row in (0, 4, 8)] == ["10000", "100", "1"]


def test_a_logarithmic_axis_of_numbers_names_powers_of_ten_where_there_is_room():
    axes = Axes(10, low=1.0, high=20_000.0, log_numbers=True, number_text=lambda number: f"{number:g}")
    for height, names in ((20, ["20000", "1000", "100", "10", "1"]), (6, ["20000", "100", "1"]), (4, ["20000", "1"])):
        lines = draw_chart([Series("", [(1, 1.0)], "red", "a")], axes, 40, height)
        assert [name for line in lines if (name := line.plain.partition("│")[0].strip()) and "│" in line.plain] == names
