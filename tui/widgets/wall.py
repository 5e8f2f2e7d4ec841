"""A wall of cards: a memory as small boards in rows, of which only the visible ones are drawn.

row    cards side by side, with a heading above if a group begins here
slot   the width of the widest card measured so far; every card gets this width
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.timer import Timer

from lab.memory.card_filter import cells_of, group_starts
from lab.memory.matchbox import Matchbox, card_box
from learners.core.learner import Learner
from tui.shell.guards import call_after
from tui.widgets.cursor_view import SIDEWAYS, CursorView
from tui.widgets.tiles import FRAMED, BoxForm, Palette, box_height, box_lines, box_width, palette_of

SAMPLE: Final = 40
"""The number of cards measured to estimate the width of a card."""
FLASH: Final = 0.6
"""Seconds for which a changed number is highlighted."""


def box_of(
    learner: Learner, edge: int, lit: frozenset[int] = frozenset(), changed: frozenset[int] = frozenset()
) -> Matchbox:
    """Return the card of an edge as a matchbox.

    `lit` are the cells used in the last game, `changed` those just changed.
    """
    card = learner.view.card(edge)
    cells = cells_of(learner, card.position, card.thoughts) if lit or changed else {}
    drawn, flashing = ([move for move, cell in cells.items() if cell in some] for some in (lit, changed))
    return card_box(learner.game, card, drawn=drawn, changed=flashing, lit=bool(drawn))


@dataclass(frozen=True)
class WallRow:
    """A row of cards."""

    headings: tuple[tuple[int, str], ...]
    """The groups that begin in this row: the index of the first card, and the heading above it."""
    first: int
    """The index of the first card of the row in `Wall.edges`; `end` is the index after that of the last."""
    end: int


class Wall(CursorView):
    """Shows the cards of a learner with a cursor. Posts `Selected` when the cursor moves."""

    DEFAULT_CSS = """
    Wall { scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*SIDEWAYS]

    class Selected(Message):
        """Posted when the cursor moved to a card."""

        def __init__(self, edge: int) -> None:
            super().__init__()
            self.edge = edge

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.edges: list[int] = []
        self.lit: frozenset[int] = frozenset()
        """The cells used in the last game; their cards are highlighted."""
        self.changed: frozenset[int] = frozenset()
        """The cells whose numbers have just changed."""
        self.form = FRAMED
        """How the cards are drawn; without frames there are no headings either."""
        self._learner: Learner | None = None
        self._empty = ""
        self._rows: list[WallRow] = []
        self._tops: list[int] = []
        self._slot = 1
        self._height = 1
        self._strips: dict[int, list[Strip]] = {}
        self._fading: Timer | None = None

    @property
    def page(self) -> int:
        return self.size.height // self._height

    @property
    def edge(self) -> int | None:
        """The edge of the selected card."""
        return self.edges[self.cursor] if self.edges else None

    def show(self, learner: Learner, edges: Sequence[int], *, lit: frozenset[int] = frozenset(), empty: str) -> None:
        """Draw the cards of these edges, or the text `empty` if there are none. The cursor stays on its card."""
        edge, same_game = self.edge, self._learner is not None and learner.game is self._learner.game
        self._learner, self._empty, self.lit = learner, empty, lit
        if not same_game or edges != self.edges:
            self.edges = list(edges)
            self.cursor = self.edges.index(edge) if same_game and edge in self.edges else 0
            self._slot = 1 if not same_game else self._slot
            self._measure()
        self.redraw()

    def draw_as(self, form: BoxForm) -> None:
        """Draw the cards in another form."""
        if form is not self.form:
            self.styles.scrollbar_size_vertical = int(form.framed)  # a strip has no room for it
            self.form, self._slot = form, 1
            self._measure()

    def turn_to(self, edge: int) -> None:
        """Move the cursor to a card, given by its edge, without a message."""
        if edge in self.edges:
            self.cursor = self.edges.index(edge)
            self.redraw()
            if self._rows:
                self.scroll_to(y=self._tops[self._cursor_row], animate=False, force=True, immediate=True)

    def flash(self, cells: frozenset[int]) -> None:
        """Highlight the changed numbers of these cells for a moment, unless motion is reduced."""
        if cells and self.app.animation_level != "none":
            self.changed = cells
            self.redraw()
            if self._fading is not None:
                self._fading.stop()
            self._fading = call_after(self, FLASH, self._fade)

    def _fade(self) -> None:
        self.changed = frozenset()
        self.redraw()

    def redraw(self) -> None:
        self._strips.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self.redraw()

    def on_resize(self) -> None:
        self._lay_out()
        self.call_after_refresh(self._follow)

    def box(self, learner: Learner, index: int) -> Matchbox:
        """Return a card of the learner that is shown, as it is drawn now, by its index in `edges`."""
        return box_of(learner, self.edges[index], self.lit, self.changed)

    def _measure(self) -> None:
        """Find the size of the cards, then lay them out."""
        learner, count = self._learner, len(self.edges)
        if learner is not None and count:
            sample = {*range(0, count, -(-count // SAMPLE)), count - 1}
            boxes = [self.box(learner, index) for index in sample]
            self._slot = max(self._slot, *(box_width(box, self.form) for box in boxes))
            self._height = max(box_height(box, self.form) for box in boxes)
        self._lay_out()

    def _lay_out(self) -> None:
        """Lay the cards out in rows."""
        learner, count = self._learner, len(self.edges)
        self._strips.clear()
        rows: list[WallRow] = []
        if learner is not None and count:
            starts = group_starts(learner, self.edges) if self.form.framed else [(0, "")]
            for (begin, heading), (end, _) in pairwise([*starts, (count, "")]):
                if not (rows and heading and self._joins(rows[-1])):
                    rows.append(WallRow((), begin, begin))
                if heading:
                    rows[-1] = replace(rows[-1], headings=(*rows[-1].headings, (begin, heading)))
                cut = min(end, rows[-1].first + self._per_row)
                rows[-1] = replace(rows[-1], end=cut)
                rows += [WallRow((), at, min(end, at + self._per_row)) for at in range(cut, end, self._per_row)]
        heights = [bool(row.headings) + self._height for row in rows]
        self._rows, self._tops = rows, list(accumulate(heights, initial=0))[: len(rows)]
        self.virtual_size = Size(self.size.width, sum(heights) or 1)
        self.refresh()

    def _joins(self, row: WallRow) -> bool:
        """Return whether a further group can begin in a row: there is room for a card, and a heading ends before it."""
        if row.end - row.first >= self._per_row:
            return False
        last, heading = row.headings[-1] if row.headings else (row.first, "")
        return len(heading) < (row.end - last) * (self._slot + self.form.apart)

    @property
    def _per_row(self) -> int:
        return max(1, (self.scrollable_content_region.width + self.form.apart) // (self._slot + self.form.apart))

    def _row_at(self, line: int) -> int:
        return bisect_right(self._tops, line) - 1

    @property
    def _cursor_row(self) -> int:
        return bisect_right(self._rows, self.cursor, key=lambda row: row.first) - 1

    def render_line(self, y: int) -> Strip:
        line, width = y + self.scroll_offset.y, self.size.width
        if not self._rows:
            text = self._empty if y == 0 else ""
            strip = Strip([Segment(text, Style(dim=True))])
        elif line >= self.virtual_size.height:
            strip = Strip([])
        else:
            number = self._row_at(line)
            if number not in self._strips:
                self._strips[number] = self._draw_row(self._rows[number])
            strip = self._strips[number][line - self._tops[number]]
        return strip.adjust_cell_length(width).apply_style(self.visual_style.rich_style)

    def _draw_row(self, row: WallRow) -> list[Strip]:
        """Return the lines of a row: the heading, and the cards."""
        learner = self._learner
        if learner is None:
            return []
        palette = palette_of(self)
        boxes = [self.box(learner, index) for index in range(row.first, row.end)]
        widest = max(box_width(box, self.form) for box in boxes)
        if widest > self._slot:
            self._slot = widest
            self.call_next(self._lay_out)
        lines: list[list[Segment]] = [[] for _ in range(self._height)]
        for index, box in enumerate(boxes, row.first):
            drawn = box_lines(box, self._slot, palette, self.form, held=index == self.cursor and self.has_focus)
            drawn += [[Segment(" " * self._slot)]] * (self._height - len(drawn))
            for line, part in zip(lines, drawn, strict=True):
                line += [*part, Segment(" " * self.form.apart)]
        heading = [Strip(self._headings(learner, row, palette))] if row.headings else []
        return [*heading, *map(Strip, lines)]

    def _headings(self, learner: Learner, row: WallRow, palette: Palette) -> list[Segment]:
        """Return the line above a row, with each heading above the first card of its group, in its side's colour."""
        line, drawn = list[Segment](), 0
        for first, heading in row.headings:
            side = learner.view.side_of(self.edges[first])
            start = (first - row.first) * (self._slot + self.form.apart)
            line += [Segment(" " * (start - drawn)), Segment(heading, palette.second if side else palette.first)]
            drawn = start + len(heading)
        return line

    def go_to(self, place: int) -> None:
        if not self.edges:
            return
        self.cursor = min(max(0, place), len(self.edges) - 1)
        self.redraw()
        self._follow()
        self.post_message(self.Selected(self.edges[self.cursor]))

    def _follow(self) -> None:
        """Scroll to the cursor."""
        if self._rows:
            row = self._rows[self._cursor_row]
            region = Region(0, self._tops[self._cursor_row], 1, bool(row.headings) + self._height)
            self.scroll_to_region(region, animate=False, force=True, immediate=True)

    def action_go_rows(self, rows: int) -> None:
        if self._rows:
            here = self._cursor_row
            row = self._rows[min(max(0, here + rows), len(self._rows) - 1)]
            self.go_to(min(row.end - 1, row.first + self.cursor - self._rows[here].first))

    def card_at(self, x: int, y: int) -> int | None:
        """Return the index of the card at a point of the widget, if any."""
        line = y + self.scroll_offset.y
        if not self._rows or line >= self.virtual_size.height:
            return None
        number = self._row_at(line)
        row, line = self._rows[number], line - self._tops[number]
        index = row.first + x // (self._slot + self.form.apart)
        inside = bool(row.headings) <= line < bool(row.headings) + self._height
        return index if inside and index < row.end else None

    def on_click(self, event: events.Click) -> None:
        index = self.card_at(event.x, event.y)
        if index is not None:
            self.go_to(index)
