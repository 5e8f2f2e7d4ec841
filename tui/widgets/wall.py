"""A wall of cards: a memory as small boards in rows, of which only the visible ones are drawn.

row    cards side by side
slot   the width of the widest card measured so far; every card gets this width
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.strip import Strip
from textual.timer import Timer

from lab.memory.card_filter import cells_of, group_starts
from lab.memory.matchbox import Matchbox, card_box, closed_box
from learners.core.learner import Learner
from tui.shell.guards import call_after
from tui.widgets.cursor_view import SIDEWAYS, CursorView
from tui.widgets.palette import palette_of
from tui.widgets.tiles import FRAMED, BoxForm, box_height, box_lines, box_width, row_spacing

SAMPLE_SIZE: Final = 40
"""The number of cards measured to estimate the width of a card."""
FLASH_SECONDS: Final = 0.6
"""Seconds for which a changed number is highlighted."""


def card_matchbox(
    learner: Learner, edge: int, lit: Mapping[int, int] | None = None, changed: frozenset[int] = frozenset()
) -> Matchbox:
    """Return the card of an edge as a matchbox.

    `lit` are the cells used in the last game, each with the beads it gained; `changed` are those just changed.
    """
    card, lit = learner.view.card(edge), lit or {}
    cells = cells_of(learner, card.position, card.thoughts) if lit or changed else {}
    drawn = [move for move, cell in cells.items() if cell in lit]
    flashing = [move for move, cell in cells.items() if cell in changed]
    box = card_box(learner.game, card, drawn=drawn, changed=flashing, lit=bool(drawn))
    for thought in card.thoughts:
        gain = lit.get(cells.get(thought.move, -1))
        if thought.hue and gain:
            return replace(box, gained=gain, gained_hue=thought.hue)
    return box


class Wall(CursorView):
    """Shows the cards of a learner with a cursor."""

    DEFAULT_CSS = "Wall { scrollbar-gutter: stable; }"
    BINDINGS: ClassVar[list[BindingType]] = [*SIDEWAYS]

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.edges: list[int] = []
        self.lit: Mapping[int, int] = {}
        """The cells used in the last game, each with what it gained; their cards are highlighted."""
        self.changed: frozenset[int] = frozenset()
        """The cells whose numbers have just changed."""
        self.form = FRAMED
        self.closed = False
        """Whether only the positions of the cards are seen."""
        self.groups_text = ""
        """How many cards each group has, in their order: `move 1: 1 · move 3: 12`; empty if they form no groups."""
        self._learner: Learner | None = None
        self._empty = ""
        self._slot = 1
        self._height = 1
        self._strips: dict[int, list[Strip]] = {}
        self._fading: Timer | None = None

    @property
    def count(self) -> int:
        return len(self.edges)

    @property
    def lines(self) -> int:
        rows = ceil(self.count / self._per_row)
        return max(1, rows * self._height + self._free_lines)

    @property
    def _free_lines(self) -> int:
        """The lines that whole rows leave; half of them are above the rows."""
        return self.size.height % self._height if self.page else 0

    @property
    def _lines_above(self) -> int:
        return (self._free_lines + 1) // 2 if self.form.framed else 0

    @property
    def page(self) -> int:
        return self.size.height // self._height

    @property
    def edge(self) -> int | None:
        return self.edges[self.cursor] if self.edges else None

    def show(self, learner: Learner, edges: Sequence[int], *, lit: Mapping[int, int] | None = None, empty: str) -> None:
        """Draw the cards of these edges, or the text `empty` if there are none. The cursor stays on its card."""
        edge = self.edge
        is_same_game = self._learner is not None and learner.game is self._learner.game
        self._learner, self._empty, self.lit = learner, empty, lit or {}
        if not is_same_game or edges != self.edges:
            self.edges = list(edges)
            self.cursor = self.edges.index(edge) if is_same_game and edge in self.edges else 0
            if not is_same_game:
                self._slot = 1
            self._count_groups(learner)
            self._measure()
        self.redraw()

    def _count_groups(self, learner: Learner) -> None:
        starts = [*group_starts(learner, self.edges), (len(self.edges), "")]
        groups = []
        for (start, name), (next_start, _) in pairwise(starts):
            if name:
                groups.append(f"{name.rpartition(', ')[2]}: {next_start - start:,}")
        self.groups_text = " · ".join(groups)

    def draw_as(self, form: BoxForm) -> None:
        if form is not self.form:
            self.styles.scrollbar_size_vertical = int(form.framed)  # a strip has no room for it
            self.form, self._slot = form, 1
            self._measure()

    def turn_to(self, edge: int) -> None:
        """Move the cursor to a card, given by its edge, without a message."""
        if edge in self.edges:
            self.cursor = self.edges.index(edge)
            self.redraw()
            self.scroll_to(y=self._cursor_row * self._height, animate=False, force=True, immediate=True)

    def flash(self, cells: frozenset[int]) -> None:
        """Highlight the changed numbers of these cells for a moment, unless motion is reduced."""
        if cells and self.app.animation_level != "none":
            self.changed = cells
            self.redraw()
            if self._fading is not None:
                self._fading.stop()
            self._fading = call_after(self, FLASH_SECONDS, self._fade)

    def _fade(self) -> None:
        self.changed = frozenset()
        self.redraw()

    def redraw(self) -> None:
        self._strips.clear()
        self.refresh()

    def box(self, learner: Learner, index: int) -> Matchbox:
        """Return a card of the learner that is shown, as it is drawn now, by its index in `edges`."""
        box = card_matchbox(learner, self.edges[index], self.lit, self.changed)
        return closed_box(box) if self.closed else box

    def _measure(self) -> None:
        learner, count = self._learner, len(self.edges)
        if learner is not None and count:
            sample = {*range(0, count, ceil(count / SAMPLE_SIZE)), count - 1}
            boxes = [self.box(learner, index) for index in sample]
            self._slot = max(self._slot, *(box_width(box, self.form) for box in boxes))
            self._height = max(box_height(box, self.form) for box in boxes)
        self.lay_out()

    def validate_scroll_y(self, value: float) -> float:
        """Keep a whole row of cards at the top."""
        return float(round(super().validate_scroll_y(value) / self._height) * self._height)

    def _scroll_rows(self, event: events.MouseScrollDown | events.MouseScrollUp, rows: int) -> None:
        if self.allow_vertical_scroll:
            event.stop()
            event.prevent_default()
            self.scroll_to(y=self.scroll_offset.y + rows * self._height, animate=False)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll_rows(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll_rows(event, -1)

    @property
    def _per_row(self) -> int:
        return max(1, (self.scrollable_content_region.width + self.form.apart) // (self._slot + self.form.apart))

    @property
    def _spacing(self) -> tuple[int, int]:
        """The columns before the cards of a row, and between two; equal ones where the cards fill more than a row."""
        count = self._per_row
        if not self.form.framed or len(self.edges) < count:
            return 0, self.form.apart
        return row_spacing(count, self._slot, self.scrollable_content_region.width, self.form)

    @property
    def _cursor_row(self) -> int:
        return self.cursor // self._per_row

    def render_line(self, y: int) -> Strip:
        strip = self._line(y)
        return strip.adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

    def _line(self, y: int) -> Strip:
        if not self.edges:
            return Strip([Segment(self._empty if y == 0 else "", Style(dim=True))])
        visible_line = y - self._lines_above
        if not 0 <= visible_line < max(1, self.page) * self._height:
            return Strip([])
        row, line_of_row = divmod(visible_line + self.scroll_offset.y, self._height)
        if row * self._per_row >= len(self.edges):
            return Strip([])
        if row not in self._strips:
            self._strips[row] = self._draw_row(row)
        return self._strips[row][line_of_row]

    def _draw_row(self, row: int) -> list[Strip]:
        learner = self._learner
        if learner is None:
            return []
        palette, first = palette_of(self), row * self._per_row
        boxes = [self.box(learner, index) for index in range(first, min(first + self._per_row, len(self.edges)))]
        widest = max(box_width(box, self.form) for box in boxes)
        if widest > self._slot:
            self._slot = widest
            self.call_next(self.lay_out)
        indent, apart = self._spacing
        lines: list[list[Segment]] = [[Segment(" " * indent)] for _ in range(self._height)]
        for index, box in enumerate(boxes, first):
            held = index == self.cursor and self.has_focus
            drawn = box_lines(box, self._slot, palette, self.form, held=held)
            drawn += [[Segment(" " * self._slot)]] * (self._height - len(drawn))
            for line, part in zip(lines, drawn, strict=True):
                line += [*part, Segment(" " * apart)]
        return [*map(Strip, lines)]

    def follow(self) -> None:
        """Scroll to the cursor, by as few rows as possible."""
        row, first_row = self._cursor_row, self.scroll_offset.y // self._height
        first_row = min(max(first_row, row - max(1, self.page) + 1), row)
        self.scroll_to(y=first_row * self._height, animate=False, force=True, immediate=True)

    def action_go_rows(self, rows: int) -> None:
        last = (len(self.edges) - 1) // self._per_row
        row = min(max(0, self._cursor_row + rows), max(0, last))
        self.go_to(row * self._per_row + self.cursor % self._per_row)

    def action_open(self) -> None:
        self.go_to(self.cursor)  # a click on the card under the cursor selects it as well

    def place_at(self, x: int, y: int) -> int | None:
        indent, apart = self._spacing
        row = (y - self._lines_above + self.scroll_offset.y) // self._height
        column = (x - indent) // (self._slot + apart)
        if row < 0 or not 0 <= column < self._per_row:
            return None
        index = row * self._per_row + column
        return index if index < len(self.edges) else None
