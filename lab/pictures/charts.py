"""Line charts in pictures: thin axes, bands, marks on the axis, and each label at the end of its curve."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import log10
from typing import Final

from lab.pictures.drawing import CURVES, HEAD, MARGIN, Picture, circle, heading, line, number, text
from lab.text.axes import Axes, Points, axis_ticks
from lab.text.curves import Series
from lab.text.line_charts import spread
from lab.text.numbers import short_count

LABEL_HEIGHT: Final = 16
"""The least distance between the labels of two curves."""
LEADER: Final = 14
"""The width of the line that joins a label to the end of its curve."""
STEPS: Final = 4
"""The number of intervals of the vertical axis."""


@dataclass(frozen=True)
class Frame:
    """The place of a chart; the labels are to the right of its width."""

    x: float
    y: float
    width: float
    height: float
    axes: Axes

    def across(self, rounds: float) -> float:
        return self.x + self.width * self.axes.across(rounds)

    def up(self, value: float) -> float:
        """Return the y of a number; beyond the end of the axis, the y of that end."""
        return self.y + self.height * (1 - self.axes.up(value))

    def path(self, points: Points) -> str:
        return "M" + "L".join(f"{number(self.across(at))} {number(self.up(value))}" for at, value in points)


def chart_elements(frame: Frame, curves: Sequence[Series], marks: Sequence[int] = ()) -> list[str]:
    """Return a whole chart: axes, marks at the rounds in `marks`, labelled curves in the colours of their order."""
    return [
        *axis_elements(frame),
        *_mark_elements(frame, marks),
        *_curve_elements(frame, curves),
        *_label_elements(frame, curves),
    ]


def axis_elements(frame: Frame) -> list[str]:
    """Return thin lines with numbers: the vertical scale at the left, and the rounds below."""
    axes, elements = frame.axes, []
    for step in range(STEPS + 1):
        value = axes.low + (axes.high - axes.low) * step / STEPS
        if axes.log_numbers:
            value = 10 ** (log10(axes.low) + (log10(axes.high) - log10(axes.low)) * step / STEPS)
        y = frame.up(value)
        elements.append(line(frame.x, y, frame.x + frame.width, y, "line"))
        elements.append(text(frame.x - 8, y + 4, axes.number_text(value), "quiet", 11, "e"))
    free_until = frame.x + frame.width + 60
    for tick in reversed(axis_ticks(axes)):
        x, words = frame.across(tick), short_count(tick)
        if tick >= axes.rounds:
            words = f"{words} {axes.unit}"
            elements.append(text(x + 24, frame.y + frame.height + 18, words, "quiet", 11, "e"))
            free_until = x + 16 - 7 * len(words)
        elif x + 4 * len(words) < free_until:
            elements.append(text(x, frame.y + frame.height + 18, words, "quiet", 11, "m"))
            free_until = x - 4 * len(words)
    return elements


def _curve_elements(frame: Frame, curves: Sequence[Series]) -> list[str]:
    """Return the curves; earlier ones lie on top."""
    elements = []
    for nth, curve in reversed(list(enumerate(curves))):
        role = curve_role(nth)
        if curve.low and curve.high:
            edge = [*curve.high, *reversed(curve.low)]
            elements.append(f'<path class="{role}-f" opacity="0.16" d="{frame.path(edge)}z"/>')
        if curve.points:
            elements.append(f'<path class="{role}-s l" stroke-width="2.2" d="{frame.path(curve.points)}"/>')
            rounds, value = curve.points[-1]
            elements.append(f'<path class="{role}-f" d="{circle(frame.across(rounds), frame.up(value), 3)}"/>')
    return elements


def _label_elements(frame: Frame, curves: Sequence[Series]) -> list[str]:
    """Return the labels in the order of the values, each joined to the end of its curve by a leader."""
    ends = sorted((frame.up(curve.points[-1][1]), nth) for nth, curve in enumerate(curves) if curve.points)
    rows = label_rows([y for y, _ in ends], frame.y - 4, frame.y + frame.height + 4)
    elements, x = [], frame.x + frame.width
    for (y, nth), row in zip(ends, rows, strict=True):
        end = frame.across(curves[nth].points[-1][0])
        path = f"M{number(end + 4)} {number(y)}L{number(x + 6)} {number(y)}L{number(x + LEADER)} {number(row)}"
        elements.append(f'<path class="{curve_role(nth)}-s l" opacity="0.5" d="{path}"/>')
        elements.append(text(x + LEADER + 4, row + 4, curves[nth].label, curve_role(nth), 13, "b"))
    return elements


def label_rows(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return rows for labels, ascending, at least `LABEL_HEIGHT` apart from `top` on, near the rows in `wanted`."""
    room = max(len(wanted), int((bottom - top) / LABEL_HEIGHT) + 1)
    return [top + LABEL_HEIGHT * place for place in spread([(row - top) / LABEL_HEIGHT for row in wanted], room)]


def _mark_elements(frame: Frame, rounds: Sequence[int]) -> list[str]:
    """Return numbers in circles on the axis of rounds, one for each turning point; circles that collide move right."""
    elements, free_from = [], frame.x
    for nth, at in enumerate(rounds, 1):
        x = max(frame.across(at), free_from)
        y = frame.y + frame.height
        elements.append(line(frame.across(at), frame.y, frame.across(at), y, "line"))
        elements.append(f'<path class="ground-f" d="{circle(x, y, 9)}"/>')
        elements.append(f'<path class="lit-s l" stroke-width="1.4" d="{circle(x, y, 8)}"/>')
        elements.append(text(x, y + 4, str(nth), "lit", 11, "m b"))
        free_from = x + 18
    return elements


def curve_role(nth: int) -> str:
    """Return the role of the colour of a curve, given its place in the list from 0."""
    return f"curve{nth % CURVES + 1}"


def chart_picture(title: str, series: Sequence[Series], axes: Axes) -> Picture:
    drawn = [each for each in series if each.points][:CURVES]
    curves = [replace(each, label=each.label or title) for each in drawn]
    frame = Frame(MARGIN + 40, HEAD, 600, 360, axes)
    body = [*heading(title, axes.unit), *chart_elements(frame, curves, axes.marks)]
    rows = [(curve.label, rounds, f"{value:.6g}") for curve in curves for rounds, value in curve.points]
    return Picture(title, 960, HEAD + 360 + 2 * MARGIN, body, ("curve", axes.unit, "value"), rows)
