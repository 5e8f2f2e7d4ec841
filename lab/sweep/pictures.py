"""Pictures of a sweep: bands over rounds, and a heat map over two columns; as SVG, and as lines for a terminal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, isnan, log10
from typing import Final

from engine.game import BadText
from lab.race.race_text import share_text
from lab.text.columns import columns, cut
from lab.text.line_charts import Series, draw_chart, share_axes
from lab.text.numbers import short_count
from learners.sweep.analysis import Group, Machines, groups

MAX_CURVES: Final = 8
"""The maximum number of curves of a picture: as many as there are colours."""
MAX_CELLS: Final = 40
"""The maximum number of columns of a heat map, and of rows."""
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
"""The palette of Okabe and Ito (2008), with grey in place of yellow: colour-blind people can tell its colours apart."""
LIGHT, DARK = (0xFF, 0xF7, 0xE6), (0x7A, 0x1F, 0x5C)
"""The colours of the smallest and the largest share in a heat map: red, green, blue."""
WIDTH, HEIGHT = 760, 420
LEFT, TOP, RIGHT, BOTTOM = 60, 44, 170, 44
"""The margins of the plot."""
LABEL_DISTANCE: Final = 15
"""The minimum distance between the labels of two curves."""
PLOT_ROWS: Final = 16
"""The lines of a plot in a terminal."""
MIN_WIDTH, MAX_WIDTH = 27, 107
"""The least and the greatest width of a plot in a terminal, in columns."""
LETTERS: Final = "ABCDEFGH"
"""The letters that draw the curves in a terminal."""
SHADES: Final = " ░▒▓█"
"""The shades that draw the levels of a heat map in a terminal."""


def _svg(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
        f'<text x="16" y="24" font-size="14">{escape(title)}</text>\n{body}\n</svg>\n'
    )


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(text)}</text>'


@dataclass(frozen=True)
class Curve:
    """The machines with the same values in some columns, as a group at each mark, ascending."""

    name: str
    points: tuple[tuple[int, Group], ...]


@dataclass(frozen=True)
class CurvePicture:
    """Medians and bands over rounds."""

    title: str
    curves: tuple[Curve, ...]
    left_out: int
    """How many curves are not drawn, since there are more than `MAX_CURVES`."""

    @property
    def _heading(self) -> str:
        return f"{self.title} ({self.left_out:,} more not drawn)" if self.left_out else self.title

    @property
    def _top(self) -> float:
        """The share at the top of the plot."""
        most = max((group.high for curve in self.curves for _, group in curve.points), default=0.0)
        return min(1.0, max(0.01, ceil(most * 20) / 20 if most > 0.05 else ceil(most * 100) / 100))

    @property
    def _last(self) -> float:
        """The logarithm of the last mark, at the right end of the plot."""
        return max(0.1, *(log10(curve.points[-1][0]) for curve in self.curves))

    def svg(self) -> str:
        """The picture as SVG."""
        wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

        def place(mark: int, share: float) -> str:
            return f"{LEFT + wide * log10(mark) / self._last:.1f},{TOP + high * (1 - share / self._top):.1f}"

        parts = [self._axes(wide, high)]
        for curve, colour in zip(self.curves, COLOURS, strict=False):
            upper = [place(mark, group.high) for mark, group in curve.points]
            lower = [place(mark, group.low) for mark, group in reversed(curve.points)]
            parts.append(f'<polygon points="{" ".join([*upper, *lower])}" fill="{colour}" fill-opacity="0.18"/>')
        ends = []
        for curve, colour in zip(self.curves, COLOURS, strict=False):
            middle = [place(mark, group.median) for mark, group in curve.points]
            parts.append(f'<polyline points="{" ".join(middle)}" fill="none" stroke="{colour}" stroke-width="2"/>')
            ends.append((float(middle[-1].partition(",")[2]), curve.name, colour))
        y = -float(LABEL_DISTANCE)
        for at, name, colour in sorted(ends):
            y = max(at + 4, y + LABEL_DISTANCE)
            parts.append(_text(LEFT + wide + 8, y, cut(name, 26), f' fill="{colour}"'))
        return _svg(WIDTH, HEIGHT, self._heading, parts)

    def _axes(self, wide: float, high: float) -> str:
        parts = []
        for step in range(5):
            y, share = TOP + high * (1 - step / 4), self._top * step / 4
            parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + wide}" y2="{y:.1f}" stroke="#e0e0e0"/>')
            parts.append(_text(LEFT - 8, y + 4, f"{100 * share:g} %", ' text-anchor="end" fill="#444444"'))
        for power in range(int(self._last + 1e-9) + 1):
            x = LEFT + wide * power / self._last
            parts.append(_text(x, TOP + high + 18, short_count(10**power), ' text-anchor="middle" fill="#444444"'))
        parts.append(_text(LEFT + wide / 2, HEIGHT - 8, "rounds", ' text-anchor="middle" fill="#444444"'))
        return "\n".join(parts)

    def lines(self, width: int) -> list[str]:
        """Return the picture as lines of at most `width` columns: letters for the medians, shades for the bands."""
        shown = list(zip(self.curves, LETTERS, strict=False))
        series = [
            Series(
                "",
                [(mark, group.median) for mark, group in curve.points],
                "",
                letter,
                [(mark, group.low) for mark, group in curve.points],
                [(mark, group.high) for mark, group in curve.points],
            )
            for curve, letter in shown
        ]
        axes = replace(share_axes(self._top, max(each.points[-1][0] for each in series), log=False), unit="rounds")
        chart = draw_chart(series, axes, max(MIN_WIDTH, min(MAX_WIDTH, width)), PLOT_ROWS + 1, letters=True)
        names = [f"  {letter} {curve.name}" for curve, letter in shown]
        return [cut(line, max(width, MIN_WIDTH)).rstrip() for line in [self._heading, *map(str, chart), *names]]


def curves(machines: Machines, by: Sequence[str], title: str, *, lower_is_better: bool) -> CurvePicture:
    """The curves of the groups by some columns, the best at the last mark first. Raises `BadText`."""
    found: dict[tuple[str, ...], list[tuple[int, Group]]] = {}
    for mark in machines.marks:
        for group in groups(machines.at(mark), by, lower_is_better=lower_is_better):
            if not isnan(group.median):
                found.setdefault(group.values, []).append((mark, group))
    if not found:
        raise BadText("no machine was trained for the chosen side")
    order = groups(machines.at(machines.marks[-1]), by, lower_is_better=lower_is_better)
    names = {
        group.values: ", ".join(f"{key} {value}" for key, value in zip(by, group.values, strict=True))
        for group in order
    }
    ranked = [values for group in order if (values := group.values) in found]
    drawn = tuple(Curve(names[values] or "all", tuple(found[values])) for values in ranked[:MAX_CURVES])
    return CurvePicture(title, drawn, max(0, len(ranked) - MAX_CURVES))


@dataclass(frozen=True)
class HeatMap:
    """The median of the machines for each pair of values in two columns."""

    title: str
    across: tuple[str, tuple[str, ...]]
    """The column whose values run across, and these values."""
    down: tuple[str, tuple[str, ...]]
    """The column whose values run down, and these values."""
    shares: dict[tuple[str, str], float]
    """The medians by the values across and down; pairs without a machine are missing."""

    def level(self, share: float) -> float:
        """Where a share lies between the smallest and the largest of the map, from 0 to 1."""
        least, most = min(self.shares.values()), max(self.shares.values())
        return (share - least) / (most - least) if most > least else 0.5

    def svg(self) -> str:
        """The picture as SVG."""
        side, left, top = (72, 32), 130, 84
        (name, values), (other, others) = self.across, self.down
        parts = [_text(left, top - 26, name, ' font-weight="bold"'), _text(16, top - 8, other, ' font-weight="bold"')]
        parts += [
            _text(left + side[0] * (nth + 0.5), top - 8, cut(value or "–", 11), ' text-anchor="middle"')
            for nth, value in enumerate(values)
        ]
        for row, below in enumerate(others):
            y = top + side[1] * row
            parts.append(_text(left - 10, y + 20, cut(below or "–", 18), ' text-anchor="end"'))
            for nth, value in enumerate(values):
                share = self.shares.get((value, below))
                if share is None:
                    continue
                level = self.level(share)
                red, green, blue = (round(a + (b - a) * level) for a, b in zip(LIGHT, DARK, strict=True))
                x = left + side[0] * nth
                parts.append(
                    f'<rect x="{x}" y="{y}" width="{side[0] - 2}" height="{side[1] - 2}" '
                    f'fill="#{red:02x}{green:02x}{blue:02x}"/>'
                )
                ink = "#ffffff" if level > 0.5 else "#000000"
                parts.append(_text(x + side[0] / 2, y + 20, share_text(share), f' text-anchor="middle" fill="{ink}"'))
        width, height = left + side[0] * len(values) + 24, top + side[1] * len(others) + 16
        return _svg(max(width, 16 + 7.2 * len(self.title)), height, self.title, parts)

    def lines(self, width: int) -> list[str]:
        """The picture as lines, with a shade beside each number."""
        (name, values), (other, others) = self.across, self.down
        rows = [(f"{other} \\ {name}", *(value or "–" for value in values))]
        for below in others:
            cells = []
            for value in values:
                share = self.shares.get((value, below))
                shade = "" if share is None else SHADES[min(4, int(self.level(share) * 5))] * 2
                cells.append("" if share is None else f"{share_text(share)} {shade}")
            rows.append((below or "–", *cells))
        return [self.title, "", *(cut(line, max(width, 20)) for line in columns(rows, "<" + ">" * len(values)))]


def heat_map(machines: Machines, axes: Sequence[str], title: str) -> HeatMap:
    """The heat map over two columns. Raises `BadText`."""
    if len(axes) != 2 or axes[0] == axes[1]:
        raise BadText("a heat map has two different columns: write --heat X,Y")
    found = groups(machines, axes, lower_is_better=True)
    across, down = ((axis, tuple(sorted(machines.values[axis], key=natural_key))) for axis in axes)
    if max(len(across[1]), len(down[1])) > MAX_CELLS:
        raise BadText(f"a heat map has room for {MAX_CELLS} values: choose another column, or draw curves")
    shares = {(group.values[0], group.values[1]): group.median for group in found if not isnan(group.median)}
    if not shares:
        raise BadText("no machine was trained for the chosen side")
    return HeatMap(title, across, down, shares)


def natural_key(text: str) -> tuple[int, float, str]:
    """A sort key: numbers by size, then words."""
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text
