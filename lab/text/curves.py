"""Curves of dots in cells of a plot, several in one plot.

dot      an eighth of a cell: a cell has two dots across and four up, as a Braille character does
owner    the number of the curve whose style a cell has, `NOBODY` if it has no dots; curves that share cells take turns
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from lab.text.axes import ACROSS, UP, Axes, Points, column_of, level_of

NOBODY: Final = 1 << 20
"""Larger than the number of any curve."""
BITS: Final = np.array([[64, 4, 2, 1], [128, 32, 16, 8]])
"""What each dot of a cell adds to the code of its Braille character: by column, and from the bottom."""
BLANK: Final = "\u2800"
SHADE: Final = "░"
DASH: Final = 8
"""The columns in which one curve has the cells that it shares, before it is the turn of the next one."""


@dataclass(frozen=True)
class Series:
    label: str
    points: Points
    style: str = ""
    """A Rich style, such as a colour."""
    letter: str = ""
    """The character that draws the curve where colours cannot be relied on; without one, signs at three heights do."""
    low: Points = ()
    high: Points = ()
    """The lower and upper edge of a band around the curve, drawn dim; if they are empty, there is no band."""
    dim: bool = False
    """Whether the curve is drawn dim, for comparison only."""
    steps: bool = False
    """Whether the curve keeps a number until the next point, and changes there at once."""


def draw_curves(  # noqa: PLR0913  curves, and how they are drawn
    series: Sequence[Series], axes: Axes, columns: int, rows: int, *, letters: bool = False, whole: bool = False
) -> list[Text]:
    """Return only the curves of a chart: `rows` lines of `columns` cells.

    `draw_chart` explains `letters`, `level_of` explains `whole`.
    """
    return [line_of(cells) for cells in plot_of(series, axes, columns, rows, letters=letters, whole=whole)]


Cells = list[tuple[str, str]]
"""Signs from left to right, each with its style."""


def plot_of(  # noqa: PLR0913  curves, and how they are drawn
    series: Sequence[Series], axes: Axes, columns: int, rows: int, *, letters: bool, whole: bool = False
) -> list[Cells]:
    """Return the cells of each row of a plot, from the top. `draw_curves` says what the arguments do."""
    curves, bands = np.zeros((2, len(series), columns * ACROSS, rows * UP), np.bool_)
    for each, curve, band in zip(series, curves, bands, strict=True):
        _trace(curve, each, axes, whole=whole)
        _fill(band, each.low, each.high, axes, whole=whole)
    signs, owners = _cells(curves, series)
    shades, band_owners = _cells(bands, series)

    def cell(column: int, row: int) -> tuple[str, str]:
        owner, band_owner = int(owners[column, row]), int(band_owners[column, row])
        if owner != NOBODY:
            curve, sign = series[owner], int(signs[column, row])
            character = (curve.letter or _height_sign(sign)) if letters else chr(sign)
            return character, _style(curve)
        if band_owner != NOBODY:
            return SHADE if letters else chr(shades[column, row]), f"dim {series[band_owner].style}"
        return " ", ""

    return [[cell(column, row) for column in range(columns)] for row in range(rows)]


def _height_sign(sign: int) -> str:
    """Return the ASCII character whose ink is about where the dots of a Braille character are."""
    lowest, *_, highest = (bool(sign - ord(BLANK) & int(bits)) for bits in BITS.sum(axis=0))
    if lowest:
        return ":" if highest else "_"
    return "'" if highest else "-"


def _style(series: Series) -> str:
    return f"dim {series.style}" if series.dim else series.style


def _levels_by_column(
    points: Points, axes: Axes, dots: NDArray[np.bool_], *, whole: bool, steps: bool = False
) -> dict[int, int]:
    """Return the level of a curve in each column of dots from its first point to its last.

    Between two points the curve is a straight line, or with `steps` a step.
    """
    if not points:
        return {}
    columns, rows = dots.shape[0], dots.shape[1] // UP
    at = np.array([column_of(rounds, axes, columns) for rounds, _ in points])
    numbers = np.array([number for _, number in points], float)
    # of several points in one column, the last counts, since the curve leaves the column there
    last = np.append(np.flatnonzero(np.diff(at)), len(at) - 1)
    drawn_columns, at, numbers = [*range(int(at[0]), int(at[-1]) + 1)], at[last], numbers[last]
    if steps:
        heights = numbers[np.searchsorted(at, drawn_columns, "right") - 1]
    else:
        heights = np.interp(drawn_columns, at, numbers)
    levels = [level_of(float(height), axes, rows, whole=whole) for height in heights]
    return dict(zip(drawn_columns, levels, strict=True))


def _cells(dots: NDArray[np.bool_], series: Sequence[Series]) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return the code of the Braille character in each cell, and the owner of each cell.

    A cell that curves share has the dots of all, so that each stays connected. They take turns in its style, in long
    pieces, since short ones would look like stripes. A dim curve gives way to others.
    """
    count, columns, rows = len(dots), dots.shape[1] // ACROSS, dots.shape[2] // UP
    cells = dots.reshape(count, columns, ACROSS, rows, UP)[:, :, :, ::-1]
    codes = (cells * BITS[:, None, :]).sum(axis=(2, 4))
    if not count:
        return np.zeros((columns, rows), int), np.full((columns, rows), NOBODY)
    has_dots = codes > 0
    is_bright = has_dots & ~np.array([each.dim for each in series])[:, None, None]
    is_shown = np.where(is_bright.any(axis=0), is_bright, has_dots)
    curve_count = is_shown.sum(axis=0)
    turn = np.arange(columns)[:, None] // DASH % np.maximum(1, curve_count)
    owners = np.take_along_axis(np.argsort(~is_shown, axis=0, kind="stable"), turn[None], axis=0)[0]
    merged_codes = np.bitwise_or.reduce(np.where(is_shown, codes, 0), axis=0)
    return ord(BLANK) + merged_codes, np.where(curve_count > 0, owners, NOBODY)


def _trace(dots: NDArray[np.bool_], series: Series, axes: Axes, *, whole: bool) -> None:
    """Draw a curve, without gaps: where it is steep, fill the dots in between, half of them in either column."""
    levels = [*_levels_by_column(series.points, axes, dots, whole=whole, steps=series.steps).items()]
    for column, level in levels:
        dots[column, level] = True
    for (column, level), (following, after) in pairwise(levels):
        half = level if series.steps else (level + after) // 2
        dots[column, min(half, level) : max(half, level) + 1] = True
        dots[following, min(half, after) : max(half, after) + 1] = True


def _fill(dots: NDArray[np.bool_], low: Points, high: Points, axes: Axes, *, whole: bool) -> None:
    """Draw a band as every other dot of every other line."""
    bottoms = _levels_by_column(low, axes, dots, whole=whole)
    for column, top in _levels_by_column(high, axes, dots, whole=whole).items():
        bottom = bottoms[column]
        dots[column, bottom + (bottom + column) % 2 : top + 1 : 2] = True


def line_of(cells: Cells) -> Text:
    """Return cells as a line; adjacent cells with the same style become one piece."""
    line = Text(no_wrap=True)
    for style, run in groupby(cells, lambda cell: cell[1]):
        line.append("".join(sign for sign, _ in run), style)
    return line
