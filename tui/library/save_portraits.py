"""Saves as portraits: the level and what it follows from, the most used boxes, the losses as a curve, and the score.

slot    the width of a portrait; they are side by side in rows, as many as fit
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from textwrap import wrap
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import BindingType
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from engine.games import GAMES, find_game
from lab.board.opponent_strength import METER, learner_title, level_lines, meter, preset_text, training_text
from lab.board.opponents import LevelKey, LevelOrReason, save_candidate
from lab.results.portraits import Portrait, to_come
from lab.text.axes import Axes
from lab.text.columns import cut, whole_clauses
from lab.text.curves import Series, draw_curves
from lab.text.line_charts import FLOOR, draw_chart
from lab.text.names import learner_name
from lab.text.numbers import short_count
from lab.text.sanitise import plain
from learners.players.levels import RANKS
from saves.library.library import Entry
from tui.library.save_table import SaveView, day_text
from tui.widgets.cursor_view import SIDEWAYS
from tui.widgets.line_chart import in_letters
from tui.widgets.tiles import (
    FRAMED,
    SMALL,
    CardFrame,
    box_height,
    box_lines,
    box_width,
    palette_of,
    text_of,
    theme_colour,
)

FORMS: Final = (*((lines, 58) for lines in range(96, 6, -5)), (6, 36), (5, 36))
"""The lines of the picture in a portrait, and the least width of the portrait."""
AROUND: Final = 4
"""The lines of a portrait around its picture: the frame, the level, and what the level is made of."""
MAX_WIDTH: Final = 100
"""The greatest width of a portrait."""
TITLE_SHARE: Final = 0.45
"""The share of the width for the title of a learner, which is shorter if it needs more."""
NAME_SHARE: Final = 0.6
"""The share of the upper border for the name, if the learner's title needs the rest."""
MIN_TITLE: Final = 10
"""Where a text in a border does not fit, and has less room than this, it is left out."""
MIN_CURVE: Final = 12
"""The least width of the curve beside the boxes; where there is less room, boxes make way."""
AXES_FROM: Final = 30
"""The least width of a curve with axes."""
BOXES_SHARE, HIGH_FROM = 0.62, 20
"""The maximum share of a portrait's width for the boxes; in a picture of `HIGH_FROM` lines, the curve is below them."""
LOST: Final = "games lost, 0–100 %", "lost, 0–100 %", "lost, %"
"""What a curve without axes shows, from the longest way to the shortest."""
NEXT: Final = "t trains another one"
"""What stands in the place of the next save, where the last row has room for it."""
Portraits = Mapping[LevelKey, Portrait | str]
"""The portraits computed so far, or why there is none."""


class SavePortraits(SaveView):
    """Shows saves as portraits, side by side in rows."""

    BINDINGS: ClassVar[list[BindingType]] = [*SIDEWAYS]

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], portraits: Portraits, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(levels, id=id)
        self._portraits = portraits
        self._per_row, self._picture_lines, self._air = 1, FORMS[-1][0], 0
        self._drawn: dict[int, tuple[object, list[list[Segment]]]] = {}

    @property
    def page(self) -> int:
        return self.size.height // self._height

    @property
    def _height(self) -> int:
        return self._picture_lines + AROUND + self._air

    def _arrange(self) -> None:
        """Choose how many are side by side, and how high they are: as large as they can be without scrolling."""
        width, height, count = self.size.width, self.size.height, len(self.entries)
        fewest = max(1, -(-width // (MAX_WIDTH + 1)))
        ways = [
            (columns, lines)
            for lines, least in FORMS
            for columns in range(fewest, max(fewest, (width + 1) // (least + 1)) + 1)
        ]
        fitting = [way for way in ways if -(-count // way[0]) * (way[1] + AROUND) <= height]
        self._per_row, self._picture_lines = max(fitting, key=lambda way: way[1] / way[0], default=ways[-1])
        rows = max(1, min(-(-count // self._per_row), height // (self._picture_lines + AROUND)))
        if not fitting:  # as high as whole ones can be
            self._picture_lines = next((lines for lines, _ in FORMS if rows * (lines + AROUND) <= height), FORMS[-1][0])
        left = max(0, height // rows - self._picture_lines - AROUND)  # the visible ones are whole
        self._air = min(1, left)  # above the picture
        self._picture_lines += left - self._air

    @property
    def lines(self) -> int:
        return -(-len(self.entries) // self._per_row) * self._height

    def visible_saves(self) -> Sequence[Entry]:
        top, count = self.scroll_offset.y // self._height - 1, self._per_row
        return self.entries[max(0, top * count) : (top + self.size.height // self._height + 3) * count]

    def region_of(self, place: int) -> Region:
        return Region(0, place // self._per_row * self._height, 1, self._height)

    def place_at(self, x: int, y: int) -> int | None:
        count = self._per_row
        column = x // ((self.size.width - count + 1) // count + 1)
        place = (y + self.scroll_offset.y) // self._height * count + column
        return place if column < count and place < len(self.entries) else None

    def lay_out(self) -> None:
        self._drawn.clear()
        self._arrange()
        super().lay_out()

    def render_line(self, y: int) -> Strip:
        line, count, width = y + self.scroll_offset.y, self._per_row, self.size.width
        row, within = divmod(line, self._height)
        wide = (width - count + 1) // count
        segments: list[Segment] = []
        cut_off = y >= within and y - within + self._height > self.size.height > self._height  # below whole ones
        for nth in () if cut_off else range(row * count, (row + 1) * count):
            if nth < len(self.entries):
                segments += [*self._framed(nth, wide)[within], Segment(" ")]
            elif nth == len(self.entries) and nth % count:
                segments += self._next_place(wide)[within]
        return Strip(segments).adjust_cell_length(width).apply_style(self.visual_style.rich_style)

    def _next_place(self, width: int) -> list[list[Segment]]:
        """Return the place of the next save: an empty frame, with a text."""
        lines = [Text()] * ((self._height - 3) // 2) + [Text().append(f"{NEXT:^{max(1, width - 4)}}", "dim")]
        frame = CardFrame(palette_of(self).frame)
        return framed(self.app.console, lines, width, self._height, frame, ("", ""), ("", ""))

    def _framed(self, nth: int, width: int) -> list[list[Segment]]:
        """Return the lines of a portrait; kept until something on it changes."""
        entry = self.entries[nth]
        key = save_candidate(entry).key
        computed = self._levels.get(key), self._portraits.get(key), self.scores.get(entry.name)
        state = width, nth == self.cursor and self.has_focus, nth == self.cursor, computed
        kept = self._drawn.get(nth)
        if kept is None or kept[0] != state:
            kept = self._drawn[nth] = (state, self._draw(entry, width, held=nth == self.cursor))
        return kept[1]

    def _draw(self, entry: Entry, width: int, *, held: bool) -> list[list[Segment]]:
        candidate = save_candidate(entry)
        level, portrait = self._levels.get(candidate.key), self._portraits.get(candidate.key)
        room = width - 4
        muted = Style(dim=True, color=theme_colour(self, "foreground"))
        bar = METER[1] * (len(RANKS) - 1) if level is None else meter(level)
        text = Text(f"{bar} ".lstrip(), theme_colour(self, "role-good"), no_wrap=True)
        first, *parts = level_lines(find_game(entry.game) or GAMES[0], candidate, level, room, 1 + self._air)
        lines = [text.append(first, muted if level is None else Style(bold=True, color=muted.color))]
        if entry.trouble or isinstance(portrait, str):
            lines = [Text(line) for line in wrap(plain(entry.trouble or str(portrait)), room)]
        else:
            lines += [*(Text().append(each, muted) for each in parts), *[Text()] * (1 + self._air - len(parts))]
            lines += picture(self, portrait or to_come(entry), room, self._picture_lines)
        title = learner_name(learner_title(entry), preset_text(entry), room=int(TITLE_SHARE * width))
        palette = palette_of(self)
        frame = CardFrame(palette.lit if held else palette.frame, heavy=held and self.has_focus)
        foot = self._foot(entry, room)
        about = whole_clauses(training_text(entry), room - cell_len(foot) - EDGES)
        return framed(self.app.console, lines, width, self._height, frame, (entry.name, title), (about, foot))

    def _foot(self, entry: Entry, room: int) -> str:
        """Return the score, and the day of the last change, which gives way."""
        day = "" if entry.trouble else f"saved {day_text(entry.updated, datetime.now().astimezone())}"
        score = self.scores.get(entry.name, "")
        whole = " · ".join(filter(None, (score, "built in" if entry.gallery else day)))
        return score if score and cell_len(whole) > room // 2 else whole

    def action_go_rows(self, rows: int) -> None:
        self.go_to(max(self.cursor + rows * self._per_row, self.cursor % self._per_row))


def picture(widget: Widget, portrait: Portrait, room: int, rows: int) -> list[Text]:
    """Return `rows` lines: the boxes that a save uses most, and its losses as a curve beside them, or below."""
    if portrait.has_curve and rows >= HIGH_FROM:
        boxes = _boxes(widget, portrait, room, rows // 2)
        return [*boxes, Text(), *_curve(widget, portrait, room, rows - len(boxes) - 1)]
    lines = _boxes(widget, portrait, int(room * (BOXES_SHARE if portrait.has_curve else 1)), rows)
    lines += [Text(no_wrap=True) for _ in range(rows - len(lines))]
    left = max(line.cell_len for line in lines)
    left += 2
    if portrait.has_curve and room - left >= MIN_CURVE:
        for line, beside in zip(lines, _curve(widget, portrait, room - left, rows), strict=True):
            line.pad_right(left - line.cell_len)
            line.append_text(beside)
    return lines


def _boxes(widget: Widget, portrait: Portrait, room: int, rows: int) -> list[Text]:
    """Return at most `rows` lines with as many boxes as fit."""
    palette = palette_of(widget)
    framed = not in_letters(widget) and any(box_height(each) <= rows for each in portrait.boxes)
    form, gap = (FRAMED, 0) if framed else (SMALL, 1)
    boxes = [each for each in portrait.boxes if box_height(each, form) <= rows]
    wide = max((box_width(each, form) for each in boxes), default=0)
    slot = wide + 1 + 2 * gap
    high = max((box_height(each, form) for each in boxes), default=rows)
    across, down = max(1, (room + 1) // slot), (rows + gap) // (high + gap)
    down = min(down, -(-len(boxes) // across))
    spare = rows - down * (high + gap) + gap if boxes else 0
    above, apart = min(1, spare), high + gap + (0 < down - 1 < spare)
    lines = [Text(no_wrap=True) for _ in range(above + max(0, down - 1) * apart + high)]
    lines[0].append(cut(portrait.shown, across * slot - 1) if above else "", "dim")
    for nth, each in enumerate(boxes[: across * down]):
        drawn = [text_of(parts) for parts in box_lines(each, wide, palette, form)]
        for line, part in zip(lines[above + nth // across * apart :], drawn, strict=False):
            line.pad_right(nth % across * slot - line.cell_len)
            line.append_text(part)
    return lines


def _curve(widget: Widget, portrait: Portrait, width: int, rows: int) -> list[Text]:
    """Return the losses as a curve, under a heading. The curves of all saves have the same scale, from 0 to 100 %."""
    rounds = portrait.moments[-1]
    axes = Axes(max(2, rounds), "")
    series, letters = Series("", portrait.losses or (), theme_colour(widget, "role-bad")), in_letters(widget)
    if width >= AXES_FROM:
        return [
            Text().append(whole_clauses(f"games lost, by {portrait.unit} trained", width), "dim"),
            *draw_chart([series], axes, width, rows - 1, letters=letters),
        ]
    curve = draw_curves([series], axes, width, rows - 2, letters=letters, whole=True)
    end = short_count(rounds)
    end = f"{end} {portrait.unit}" if len(end) + len(portrait.unit) + 6 <= width else end
    head = next((way for way in LOST if len(way) <= width), LOST[-1])
    return [Text(head, "dim"), *curve, Text(f"1 {FLOOR * (width - len(end) - 3)} {end}", "dim")]


def framed(  # noqa: PLR0913, PLR0917  a text, a size, and what stands in the frame
    console: Console,
    lines: Sequence[Text],
    width: int,
    height: int,
    frame: CardFrame,
    above: tuple[str, str],
    below: tuple[str, str],
) -> list[list[Segment]]:
    """Return lines in a frame, with a text at the left and the right of its upper and of its lower border."""
    inner = width - 4
    body = []
    for nth in range(height - 2):
        text = lines[nth].copy() if nth < len(lines) else Text()
        text.truncate(inner, pad=True)
        body.append([Segment(" "), *text.render(console), Segment(" ")])
    return frame.around(body, _border(frame, inner, above, Style(bold=True)), _border(frame, inner, below, DIM))


DIM: Final = Style(dim=True)
EDGES: Final = 5
"""The columns that two texts in a border leave to the spaces and lines around them."""


def _border(frame: CardFrame, inner: int, texts: tuple[str, str], style: Style) -> list[Segment]:
    """Return a border with two texts, the left one in a style; the right one gives way."""
    left, right = map(plain, texts)
    left = cut(left, max(1, inner - cell_len(right) - EDGES, int(inner * NAME_SHARE)))
    room = inner - cell_len(left) - EDGES
    right = cut(right, room) if room >= min(MIN_TITLE, cell_len(right)) else ""
    start = [frame.line(1), Segment(f" {left} ", style)] if left else []
    end = [Segment(f" {right} ", DIM), frame.line(1)] if right else []
    return [*start, frame.line(inner + 2 - sum(cell_len(part.text) for part in (*start, *end))), *end]
