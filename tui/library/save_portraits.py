"""Saves as portraits: the level and what it follows from, the most used boxes, the losses as a curve, and the score.

slot    the width of a portrait; they are side by side in rows, as many as fit
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import ceil
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
from lab.results.portraits import Portrait, blank_portrait
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
from tui.widgets.line_chart import uses_letters
from tui.widgets.palette import palette_of, theme_colour
from tui.widgets.tiles import FRAMED, SMALL, CardFrame, box_height, box_lines, box_width, line_text

FORMS: Final = (*((lines, 58) for lines in range(96, 6, -5)), (6, 36), (5, 36))
"""The lines of the picture in a portrait, and the minimum width of the portrait in columns."""
LINES_AROUND: Final = 4
"""The lines of a portrait around its picture: the frame, the level, and what the level is made of."""
MAX_WIDTH: Final = 100
"""The maximum width of a portrait."""
TITLE_SHARE: Final = 0.45
"""The share of the width for the title of a learner, which is shorter if it needs more."""
NAME_SHARE: Final = 0.6
"""The share of the upper border for the name, if the learner's title needs the rest."""
MIN_TITLE: Final = 10
"""Where a text in a border does not fit, and has less room than this, it is left out."""
MIN_CURVE: Final = 12
"""The minimum width of the curve beside the boxes; where there is less room, boxes make way."""
AXES_FROM: Final = 30
"""The minimum width of a curve with axes."""
BOXES_SHARE, CURVE_BELOW_FROM = 0.62, 20
"""The maximum share of a portrait's width for the boxes beside the curve; the minimum number of lines of a picture with
the curve below them."""
CURVE_HEADINGS: Final = "games lost, 0–100 %", "lost, 0–100 %", "lost, %"
"""What a curve without axes shows, the longest text first."""
NEXT_TEXT: Final = "t trains another one"
"""What stands in the place of the next save, where the last row has room for it."""
Portraits = Mapping[LevelKey, Portrait | str]
"""The portraits computed so far, or why there is none."""


class SavePortraits(SaveView):
    """Shows saves as portraits, side by side in rows."""

    BINDINGS: ClassVar[list[BindingType]] = [*SIDEWAYS]

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], portraits: Portraits, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(levels, id=id)
        self._portraits = portraits
        self._per_row, self._picture_lines = 1, FORMS[-1][0]
        self._blank_lines = 0
        """The empty lines above the picture: one, if there is room for it."""
        self._drawn: dict[int, tuple[object, list[list[Segment]]]] = {}
        """The state of each portrait when it was drawn last, and its lines, by its place."""

    @property
    def page(self) -> int:
        return self.size.height // self._height

    @property
    def _height(self) -> int:
        return self._picture_lines + LINES_AROUND + self._blank_lines

    def _arrange(self) -> None:
        """Choose how many are side by side, and how high they are: as large as they can be without scrolling."""
        width, height, count = self.size.width, self.size.height, len(self.entries)
        fewest = max(1, ceil(width / (MAX_WIDTH + 1)))
        arrangements = [
            (columns, lines)
            for lines, min_width in FORMS
            for columns in range(fewest, max(fewest, (width + 1) // (min_width + 1)) + 1)
        ]
        fitting = [
            (columns, lines)
            for columns, lines in arrangements
            if ceil(count / columns) * (lines + LINES_AROUND) <= height
        ]
        largest = max(fitting, key=lambda arrangement: arrangement[1] / arrangement[0], default=arrangements[-1])
        self._per_row, self._picture_lines = largest
        rows = max(1, min(ceil(count / self._per_row), height // (self._picture_lines + LINES_AROUND)))
        if not fitting:  # as high as whole ones can be
            heights = (lines for lines, _ in FORMS if rows * (lines + LINES_AROUND) <= height)
            self._picture_lines = next(heights, FORMS[-1][0])
        spare = max(0, height // rows - self._picture_lines - LINES_AROUND)  # the visible ones are whole
        self._blank_lines = min(1, spare)
        self._picture_lines += spare - self._blank_lines

    @property
    def lines(self) -> int:
        return ceil(len(self.entries) / self._per_row) * self._height

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
        row, line_of_portrait = divmod(line, self._height)
        top = y - line_of_portrait
        if top >= 0 and top + self._height > self.size.height > self._height:  # cut off, below whole ones
            return Strip([]).adjust_cell_length(width).apply_style(self.visual_style.rich_style)
        portrait_width = (width - count + 1) // count
        segments: list[Segment] = []
        for place in range(row * count, (row + 1) * count):
            if place < len(self.entries):
                segments += [*self._portrait_lines(place, portrait_width)[line_of_portrait], Segment(" ")]
            elif place == len(self.entries) and place % count:
                segments += self._next_place(portrait_width)[line_of_portrait]
        return Strip(segments).adjust_cell_length(width).apply_style(self.visual_style.rich_style)

    def _next_place(self, width: int) -> list[list[Segment]]:
        """Return the place of the next save: an empty frame, with a text."""
        lines = [Text()] * ((self._height - 3) // 2) + [Text().append(f"{NEXT_TEXT:^{max(1, width - 4)}}", "dim")]
        frame = CardFrame(palette_of(self).frame)
        return frame_lines(self.app.console, lines, width, self._height, frame, ("", ""), ("", ""))

    def _portrait_lines(self, place: int, width: int) -> list[list[Segment]]:
        """Return the lines of a portrait; kept until something on it changes."""
        entry, is_selected = self.entries[place], place == self.cursor
        key = save_candidate(entry).key
        computed = self._levels.get(key), self._portraits.get(key), self.scores.get(entry.name)
        state = width, is_selected, is_selected and self.has_focus, computed
        if place in self._drawn:
            drawn_state, lines = self._drawn[place]
            if drawn_state == state:
                return lines
        lines = self._draw(entry, width, selected=is_selected)
        self._drawn[place] = state, lines
        return lines

    def _draw(self, entry: Entry, width: int, *, selected: bool) -> list[list[Segment]]:
        portrait, room = self._portraits.get(save_candidate(entry).key), width - 4
        if entry.trouble or isinstance(portrait, str):
            lines = [Text(line) for line in wrap(plain(entry.trouble or str(portrait)), room)]
        else:
            lines = self._level_lines(entry, room)
            lines += draw_portrait(self, portrait or blank_portrait(entry), room, self._picture_lines)
        title = learner_name(learner_title(entry), preset_text(entry), room=int(TITLE_SHARE * width))
        palette = palette_of(self)
        frame = CardFrame(palette.lit if selected else palette.frame, heavy=selected and self.has_focus)
        foot = self._foot(entry, room)
        about = whole_clauses(training_text(entry), room - cell_len(foot) - EDGES)
        return frame_lines(self.app.console, lines, width, self._height, frame, (entry.name, title), (about, foot))

    def _level_lines(self, entry: Entry, room: int) -> list[Text]:
        """Return the level as a bar and a word, and below it what it follows from."""
        candidate = save_candidate(entry)
        level, game = self._levels.get(candidate.key), find_game(entry.game) or GAMES[0]
        muted = Style(dim=True, color=theme_colour(self, "foreground"))
        bar = METER[1] * (len(RANKS) - 1) if level is None else meter(level)
        first, *reasons = level_lines(game, candidate, level, room, 1 + self._blank_lines)
        text = Text(f"{bar} ".lstrip(), theme_colour(self, "role-good"), no_wrap=True)
        lines = [text.append(first, muted if level is None else Style(bold=True, color=muted.color))]
        lines += [Text().append(reason, muted) for reason in reasons]
        return lines + [Text()] * (2 + self._blank_lines - len(lines))

    def _foot(self, entry: Entry, room: int) -> str:
        """Return the score, and the day of the last change, which gives way."""
        score, day = self.scores.get(entry.name, ""), ""
        if entry.gallery:
            day = "built in"
        elif not entry.trouble:
            day = f"saved {day_text(entry.updated, datetime.now().astimezone())}"
        text = " · ".join(filter(None, (score, day)))
        return score if score and cell_len(text) > room // 2 else text

    def action_go_rows(self, rows: int) -> None:
        self.go_to(max(self.cursor + rows * self._per_row, self.cursor % self._per_row))


def draw_portrait(widget: Widget, portrait: Portrait, room: int, rows: int) -> list[Text]:
    """Return `rows` lines: the boxes that a save uses most, and its losses as a curve beside them, or below."""
    if not portrait.has_curve:
        return _boxes(widget, portrait, room, rows, fill=True)
    if rows >= CURVE_BELOW_FROM:
        boxes = _boxes(widget, portrait, room, rows // 2)
        return [*boxes, Text(), *_curve(widget, portrait, room, rows - len(boxes) - 1)]
    lines = _boxes(widget, portrait, int(room * BOXES_SHARE), rows, fill=True)
    indent = max(line.cell_len for line in lines) + 2
    if room - indent >= MIN_CURVE:
        for line, curve_line in zip(lines, _curve(widget, portrait, room - indent, rows), strict=True):
            line.pad_right(indent - line.cell_len)
            line.append_text(curve_line)
    return lines


def _boxes(widget: Widget, portrait: Portrait, room: int, rows: int, *, fill: bool = False) -> list[Text]:
    """Return at most `rows` lines with as many boxes as fit; with `fill`, exactly `rows` lines."""
    palette = palette_of(widget)
    framed = not uses_letters(widget) and any(box_height(box) <= rows for box in portrait.boxes)
    form, gap = (FRAMED, 0) if framed else (SMALL, 1)
    boxes = [box for box in portrait.boxes if box_height(box, form) <= rows]
    width = max((box_width(box, form) for box in boxes), default=0)
    height = max((box_height(box, form) for box in boxes), default=rows)
    slot = width + 1 + 2 * gap
    across = max(1, (room + 1) // slot)
    down = min((rows + gap) // (height + gap), ceil(len(boxes) / across))
    spare = rows - down * (height + gap) + gap if boxes else 0
    heading_lines, step = min(1, spare), height + gap
    if 0 < down - 1 < spare:
        step += 1
    count = rows if fill else heading_lines + max(0, down - 1) * step + height
    lines = [Text(no_wrap=True) for _ in range(count)]
    if heading_lines:
        lines[0].append(cut(portrait.shown, across * slot - 1), "dim")
    for number, box in enumerate(boxes[: across * down]):
        row, column = divmod(number, across)
        box_texts = [line_text(line) for line in box_lines(box, width, palette, form)]
        for line, box_text in zip(lines[heading_lines + row * step :], box_texts, strict=False):
            line.pad_right(column * slot - line.cell_len)
            line.append_text(box_text)
    return lines


def _curve(widget: Widget, portrait: Portrait, width: int, rows: int) -> list[Text]:
    """Return the losses as a curve, under a heading. The curves of all saves have the same scale, from 0 to 100 %."""
    rounds = portrait.moments[-1]
    axes = Axes(max(2, rounds), "")
    series, letters = Series("", portrait.losses or (), theme_colour(widget, "role-bad")), uses_letters(widget)
    if width >= AXES_FROM:
        return [
            Text().append(whole_clauses(f"games lost, by {portrait.unit} trained", width), "dim"),
            *draw_chart([series], axes, width, rows - 1, letters=letters),
        ]
    curve = draw_curves([series], axes, width, rows - 2, letters=letters, whole=True)
    end = f"{short_count(rounds)} {portrait.unit}"
    if len(end) + 5 > width:
        end = short_count(rounds)
    heading = next((text for text in CURVE_HEADINGS if len(text) <= width), CURVE_HEADINGS[-1])
    return [Text(heading, "dim"), *curve, Text(f"1 {FLOOR * (width - len(end) - 3)} {end}", "dim")]


def frame_lines(  # noqa: PLR0913, PLR0917  a text, a size, and what stands in the frame
    console: Console,
    lines: Sequence[Text],
    width: int,
    height: int,
    frame: CardFrame,
    above: tuple[str, str],
    below: tuple[str, str],
) -> list[list[Segment]]:
    """Return lines in a frame, with a text at the left and the right of its upper and of its lower border."""
    inner_width = width - 4
    body = []
    for number in range(height - 2):
        text = lines[number].copy() if number < len(lines) else Text()
        text.truncate(inner_width, pad=True)
        body.append([Segment(" "), *text.render(console), Segment(" ")])
    upper = _border(frame, inner_width, above, Style(bold=True))
    return frame.around(body, upper, _border(frame, inner_width, below, DIM))


DIM: Final = Style(dim=True)
EDGES: Final = 5
"""The columns that two texts in a border leave to the spaces and lines around them."""


def _border(frame: CardFrame, inner_width: int, texts: tuple[str, str], style: Style) -> list[Segment]:
    """Return a border with two texts, the first one at the left in a style; the second one gives way."""
    left_text, right_text = map(plain, texts)
    left_text = cut(left_text, max(1, inner_width - cell_len(right_text) - EDGES, int(inner_width * NAME_SHARE)))
    room = inner_width - cell_len(left_text) - EDGES
    right_text = cut(right_text, room) if room >= min(MIN_TITLE, cell_len(right_text)) else ""
    start = [frame.line(1), Segment(f" {left_text} ", style)] if left_text else []
    end = [Segment(f" {right_text} ", DIM), frame.line(1)] if right_text else []
    line_width = inner_width + 2 - sum(cell_len(part.text) for part in (*start, *end))
    return [*start, frame.line(line_width), *end]
