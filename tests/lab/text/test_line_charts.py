"""Charts of curves: where points stand, how labels are placed, and that every size can be drawn; the pace of one."""

import re
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import parse_game
from lab.jobs import JobState
from lab.text.axes import NUMBERS, Axes, axis_ticks, column_of, even_end, level_of, marks_at
from lab.text.curves import BLANK, Series, draw_curves
from lab.text.line_charts import draw_chart, rounds_at, spread
from lab.training.training_job import BURST_SECONDS, LOG_TIME_SECONDS, TrainingStatus, next_burst, seconds_left
from learners import parse_learner

FALLING = Series("falling 0 %", [(1, 1.0), (10, 1.0), (1000, 0.0)], "red", "f")
LEVEL = Series("level 50 %", [(1, 0.5), (1000, 0.5)], "blue", "l")


def plain(series, axes=Axes(1000), width=60, height=12, **options):  # noqa: B008  a frozen value
    return [line.plain for line in draw_chart(series, axes, width, height, **options)]


def test_labels_for_which_there_is_no_room_are_a_line_above_the_chart():
    lines = plain([FALLING, LEVEL], width=24)
    assert lines[0] == "falling 0 %  level 50 %"
    assert plain([FALLING, LEVEL], width=20)[:2] == ["falling 0 %", "level 50 %"]
    assert plain([FALLING, LEVEL], width=20, height=7)[0] == "falling  level"
    assert plain([FALLING, LEVEL], width=20, height=7, letters=True)[0] == "f falling  l level"
    assert plain([FALLING, LEVEL], width=17, height=6, letters=True)[0] == "f falling l level"
    assert plain([replace(FALLING, letter="F"), LEVEL], width=16, height=6, letters=True)[0] == "Falling level"
    assert plain([replace(FALLING, label="a" * 30), LEVEL], width=20)[:2] == ["a" * 19 + "…", "level 50 %"]
    crowd = [replace(LEVEL, label=f"{number} 50 %") for number in range(7)]
    assert plain(crowd, height=7)[0] == "  ".join(each.label for each in crowd)
    assert plain(crowd, height=10, width=24)[2] == "6 50 %"
    numbered = [
        replace(each, label=f"{number} 50 %", letter=str(number)) for number, each in enumerate([FALLING, LEVEL])
    ]
    assert plain(numbered, width=20, height=7, letters=True)[0] == "0 50 %  1 50 %", "the label begins with its letter"
    assert {len(lines), len(plain([FALLING, LEVEL], width=12))} == {12}


def has_dots(text):
    return any(BLANK < sign <= "\u28ff" for sign in text)


def test_a_horizontal_curve_is_one_row_with_its_label_at_the_end():
    rows = [line for line in plain([LEVEL], height=13) if has_dots(line)]
    assert len(rows) == 1
    assert rows[0].startswith(" 50 %┤")
    assert rows[0].endswith("─ level 50 %")


@pytest.mark.parametrize("height", [4, 8, 22])
def test_a_curve_lies_on_the_number_of_its_axis(height):
    for share, name in ((0.0, "  0 %"), (1.0, "100 %")):
        (row,) = (line for line in plain([Series("", [(1, share), (1000, share)])], height=height) if has_dots(line))
        assert row.startswith(name)
        assert row[6:].strip("\u2809\u2812\u2824\u28c0") == "", "one line of dots"


def test_a_curve_has_no_gaps_and_fills_two_dots_a_column():
    cells = draw_curves([FALLING], Axes(1000), 30, 10)
    for column in range(30):
        dots = [bin(ord(line.plain[column]) - ord(BLANK)) for line in cells if has_dots(line.plain[column])]
        assert sum(each.count("1") for each in dots) >= 2


def test_the_axes_name_their_ends_and_the_unit():
    lines = plain([LEVEL], Axes(1000, unit="generations"), width=80, height=13)
    assert lines[0].startswith("100 %┤")
    assert lines[-3].startswith("  0 %┤")
    assert lines[-2].strip().startswith("└")
    assert lines[-1].split() == ["1", "10", "100", "1k", "generations"]
    assert plain([LEVEL], Axes(1000), width=80)[-1].split() == ["1", "10", "100", "1k", "games"]


@pytest.mark.parametrize(("rounds", "names"), [(10**5, "1 100 100k games"), (10**6, "1 100 10k 1M games")])
def test_an_axis_without_room_for_all_labels_keeps_both_ends(rounds, names):
    assert plain([LEVEL], Axes(rounds), width=38)[-1].split() == names.split()


@pytest.mark.parametrize("axes", [Axes(1000), Axes(12, logarithmic=False)])
@pytest.mark.parametrize("height", [4, 12])
def test_a_column_of_a_chart_stands_for_the_rounds_drawn_there(axes, height):
    line = draw_chart([LEVEL], axes, 60, height)[-1].plain
    for name, rounds in (("100", 100), ("10", 10)) if axes.logarithmic else (("6", 6), ("10", 10)):
        assert rounds_at(line.index(f" {name} ") + 1, [LEVEL], axes, 60, height) == pytest.approx(rounds, rel=0.1)
    assert rounds_at(0, [LEVEL], axes, 60, height) == (1 if axes.logarithmic else 0)
    assert rounds_at(59, [LEVEL], axes, 60, height) == pytest.approx(axes.rounds)


def test_marks_are_numbered_on_the_axis_of_rounds():
    floor = plain([LEVEL], Axes(1000, marks=(2, 20, 400)), width=80)[-2].rstrip()
    start = floor.index("└") + 1
    for number, rounds in enumerate((2, 20, 400)):
        assert floor.index(NUMBERS[number]) - start == column_of(rounds, Axes(1000), len(floor) - start)


@pytest.mark.parametrize(
    ("wanted", "marks"),
    [
        ([3, 9], [(3, "①"), (9, "②")]),
        ([3, 5], [(3, "①"), (5, "②")]),
        ([4, 5], [(4, "①…②")]),
        ([9, 9, 9], [(7, "①…③")]),
        ([0, 1, 6, 7], [(0, "①…②"), (6, "③…④")]),
        ([4, 5, 6, 8], [(4, "①…③"), (8, "④")]),
        ([4, 5, 6, 7], [(4, "①…④")]),
    ],
)
def test_marks_that_would_touch_are_one_group(wanted, marks):
    assert marks_at(wanted, 10) == marks


def test_a_curve_in_steps_has_no_slope():
    points = [(0, 1.0), (2, 0.0), (4, 0.0)]
    axes = Axes(4, logarithmic=False)
    (sloping,), (steps,) = ([Series("", points, "red", "x", steps=steps)] for steps in (False, True))
    drawn = [[line.plain for line in draw_curves([each], axes, 21, 5)] for each in (sloping, steps)]
    assert [len(rows[2].replace(BLANK, " ").split()) for rows in drawn] == [1, 1]
    assert drawn[1][2].replace(BLANK, " ").index(drawn[1][2].strip(f" {BLANK}")) == column_of(2, axes, 21)
    assert len(drawn[1][2].replace(BLANK, " ").strip()) == 1  # one column goes all the way down
    assert len(drawn[0][2].replace(BLANK, " ").strip()) > 1


def test_powers_of_ten_are_evenly_spaced_on_a_logarithmic_axis():
    axes = Axes(10_000)
    at = [column_of(rounds, axes, 101) for rounds in (0, 1, 10, 100, 1000, 10_000, 10**9)]
    assert at == [0, 0, 25, 50, 75, 100, 100]
    assert axis_ticks(axes) == [1, 10, 100, 1000, 10_000]


@pytest.mark.long
@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(8, 40))
def test_labels_are_in_the_order_of_the_values_each_on_a_row_of_its_own(values, rows):
    curves = [Series(f"<{number}>", [(1, 0.5), (1000, value)], "red", "x") for number, value in enumerate(values)]
    labels = [line.partition("<")[2].partition(">")[0] for line in plain(curves, height=rows + 3) if "<" in line]
    assert sorted(labels, key=int) == [str(number) for number in range(len(values))]
    assert [values[int(each)] for each in labels] == sorted(values, reverse=True)


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=4, unique_by=lambda value: level_of(value, Axes(1000), 21) // 4))
def test_labels_that_do_not_collide_are_on_the_rows_of_their_curves(values):
    curves = [Series(f"<{number}>", [(1, 0.5), (1000, value)], "red", "x") for number, value in enumerate(values)]
    lines = plain(curves, height=23)
    for number, value in enumerate(values):
        row = 20 - level_of(value, Axes(1000), 21) // 4
        assert lines[row].endswith(f"─ <{number}>")


@given(st.lists(st.floats(-5, 60), max_size=12), st.integers(0, 50))
def test_things_are_spread_in_order_without_overlap_and_within_the_room(wanted, room):
    wanted = sorted(wanted)
    placed = spread(wanted, room)
    assert len(placed) == min(len(wanted), room)
    assert placed == sorted(set(placed))
    assert all(0 <= place < room for place in placed)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=4))
def test_things_move_as_little_as_possible(wanted):
    wanted = sorted(wanted)

    def cost(places):
        return sum((place - want) ** 2 for place, want in zip(places, wanted, strict=True))

    assert cost(spread(wanted, 10)) <= min(map(cost, combinations(range(10), len(wanted)))) + len(wanted) / 2


def test_a_label_stands_at_the_end_of_a_curve_that_has_not_reached_the_end_of_the_axis():
    half = Series("half", [(1, 0.5), (30, 0.5)], "red", "h")
    width = {plain([each], width=80, height=12)[5].index(each.label) for each in (half, replace(LEVEL, label="half"))}
    assert len(width) == 2
    behind = plain([half, replace(LEVEL, label="")], width=80, height=12)[4]  # above the other curve
    assert "half" in behind


@pytest.mark.parametrize(("name", "leader"), [("half", "─ half"), ("half of the games", "  half of the games s")])
def test_the_label_of_a_short_curve_needs_no_leader_through_another_curve(name, leader):
    short = Series(name, [(1, 0.9), (10, 0.4)], "red", "h")
    steep = Series("steep", [(1, 1.0), (30, 1.0), (60, 0.0), (1000, 0.0)], "blue", "s")
    lines = plain([short, steep], width=80, height=12, letters=True)
    assert [leader in line for line in lines].count(True) == 1


def test_no_label_is_written_over_another():
    random = Random(1)
    for _ in range(400):
        curves = [
            Series(
                f"curve {number}",
                [
                    (1, random.choice([0.1, 0.5, random.random()])),
                    (random.choice([50, 80, 100, 1000]), random.random()),
                ],
                "red",
                dim=random.random() < 0.3,
            )
            for number in range(random.randint(2, 5))
        ]
        lines = "\n".join(plain(curves, width=random.randint(50, 110), height=random.randint(8, 24)))
        assert [each.label for each in curves if each.label not in lines] == []


def test_a_band_is_shaded_around_its_curve():
    banded = Series("m", LEVEL.points, "blue", "m", low=[(1, 0.3), (1000, 0.3)], high=[(1, 0.7), (1000, 0.7)])
    assert 3 <= len([line for line in plain([banded]) if has_dots(line)]) <= 6
    assert 2 <= len([line for line in plain([banded], letters=True) if "░" in line]) <= 5


@settings(max_examples=30)
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
    levels = [level_of(number, axes, 25, whole=True) for number in (0, 1, 10, 100, 1000, 10_000, 10**9)]
    assert levels == [0, 0, 25, 50, 75, 99, 99]
    lines = plain([], axes, height=11)
    assert lines[0].startswith("10000┤")
    assert lines[8].startswith("    1┤")


def test_a_logarithmic_axis_of_numbers_names_powers_of_ten_where_there_is_room():
    axes = Axes(10, low=1.0, high=20_000.0, log_numbers=True, number_text=lambda number: f"{number:g}")
    for height, names in ((20, ["10000", "1000", "100", "10", "1"]), (7, ["10000", "100", "1"]), (4, ["10000", "1"])):
        lines = draw_chart([Series("", [(1, 1.0)], "red", "a")], axes, 40, height)
        assert scale(lines) == names


def scale(lines):
    """The labels of the vertical axis, from the top."""
    beside = [re.split("[┤└│]", line.plain)[0].strip() for line in lines[:-1]]
    return [name for name in beside if name]


@pytest.mark.parametrize(
    ("high", "height", "names"),
    [
        (1.0, 23, ["100 %", "80 %", "60 %", "40 %", "20 %", "0 %"]),
        (1.0, 19, ["100 %", "75 %", "50 %", "25 %", "0 %"]),
        (0.5, 19, ["50 %", "40 %", "30 %", "20 %", "10 %", "0 %"]),
        (0.05, 13, ["5 %", "2.5 %", "0 %"]),
        (1.0, 9, ["100 %", "50 %", "0 %"]),
        (1.0, 7, ["100 %", "50 %", "0 %"]),
    ],
)
def test_the_vertical_axis_has_round_numbers_and_0_at_its_foot(high, height, names):
    assert scale(draw_chart([], Axes(10, high=high), 60, height)) == names


@pytest.mark.parametrize(
    ("rounds", "end"), [(0, 0), (7, 7), (11, 12), (13, 15), (101, 150), (5001, 6000), (10_001, 15_000)]
)
def test_an_even_axis_ends_at_its_next_label(rounds, end):
    assert even_end(rounds) == end
    ticks = axis_ticks(Axes(end, logarithmic=False))
    assert len({after - before for before, after in pairwise(ticks)}) == 1


def test_a_linear_axis_has_round_numbers():
    found = {end: axis_ticks(Axes(end, logarithmic=False)) for end in (5, 30, 37, 50_000)}
    assert found == {
        5: [0, 1, 2, 3, 4, 5],
        30: [0, 10, 20, 30],
        37: [0, 10, 20, 30, 37],
        50_000: [0, 10_000, 20_000, 30_000, 40_000, 50_000],
    }


@pytest.mark.parametrize("letters", [False, True])
def test_curves_that_share_cells_stay_connected_and_have_them_in_long_pieces_by_turns(letters):
    twins = [Series("", [(1, low), (1000, low)], colour, colour[0]) for colour, low in (("red", 0.5), ("blue", 0.51))]
    together, *alone = (draw_curves(some, Axes(1000), 32, 5, letters=letters) for some in (twins, *zip(twins)))
    ((pieces, *lines),) = (
        (line.spans, line.plain, *(each.plain for each in others))
        for line, *others in zip(together, *alone, strict=True)
        if line.plain.strip()
    )
    assert [(span.start, span.style) for span in pieces] == [(0, "red"), (8, "blue"), (16, "red"), (24, "blue")]
    if not letters:
        assert all(ord(sign) == ord(one) | ord(other) for sign, one, other in zip(*lines, strict=True))
    dim = [replace(twins[0], dim=True), twins[1]]
    assert {str(span.style) for line in draw_curves(dim, Axes(1000), 32, 5) for span in line.spans} == {"blue"}


def bursts(total: int) -> list[tuple[int, float]]:
    """All bursts of a training, in order."""
    found, done = [], 0
    while done < total:
        found.append(next_burst(done, total))
        done += found[-1][0]
    return found


@pytest.mark.parametrize("total", [1, 2, 3, 10, 500, 100_000, 10_000_000, 10**12])
def test_every_training_takes_the_same_time(total: int):
    found = bursts(total)
    assert sum(rounds for rounds, _ in found) == total
    assert sum(seconds for _, seconds in found) == pytest.approx(LOG_TIME_SECONDS)


def test_the_first_games_come_one_by_one_and_the_last_in_great_numbers():
    rounds = [count for count, _ in bursts(1_000_000)]
    assert rounds[:10] == [1] * 10
    assert rounds[-2] > 10_000
    assert all(before <= after for before, after in pairwise(rounds[:-1]))


@given(st.integers(1, 10**12).flatmap(lambda total: st.tuples(st.integers(0, total - 1), st.just(total))))
def test_a_burst_ends_within_the_training_and_is_short_unless_it_is_one_round(case: tuple[int, int]):
    done, total = case
    rounds, seconds = next_burst(done, total)
    assert 1 <= rounds <= total - done
    assert seconds > 0
    assert rounds == 1 or seconds <= BURST_SECONDS * 1.001


@pytest.mark.parametrize(("done", "total"), [(3, 3), (4, 3), (-1, 3)])
def test_no_burst_without_rounds_that_are_left(done: int, total: int):
    with pytest.raises(ValueError, match="none are left"):
        next_burst(done, total)


@given(st.integers(1, 10**12).flatmap(lambda total: st.tuples(st.integers(0, total - 1), st.just(total))))
def test_the_seconds_left_fall_by_those_of_each_burst(case: tuple[int, int]):
    done, total = case
    rounds, seconds = next_burst(done, total)
    assert seconds_left(done, total) - seconds_left(done + rounds, total) == pytest.approx(seconds)
    assert (seconds_left(0, total), seconds_left(total, total)) == (LOG_TIME_SECONDS, 0.0)


def test_the_share_of_a_training_goes_by_time_where_the_pace_determines_it():
    snapshot = parse_learner("failures")(parse_game("tictactoe"), "literal", 1).snapshot()
    view = TrainingStatus(JobState.RUNNING, 999, 1_000_000 - 1, 0.0, snapshot, {})
    assert view.share == pytest.approx(0.001, rel=0.01)
    assert replace(view, seconds_left=seconds_left(view.done, view.total)).share == pytest.approx(0.5)
    assert replace(view, perfect=True).share == 1
