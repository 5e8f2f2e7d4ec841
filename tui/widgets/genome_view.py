"""A genome: one sign for each gene, shaded by the share of the population that agrees.

ten     a group of ten signs; there is a gap between groups, and a line has as many as fit
gutter  the columns left of a line, with the number of its first sign, counted from 1
"""

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from learners.core.view import Strand
from tui.widgets.mark_styles import palette_of, shade_of

GUTTER: Final = 5
TEN: Final = 10


class GenomeView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows a genome with a cursor. Posts `Selected` when the cursor moves."""

    DEFAULT_CSS = """
    GenomeView { height: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Before", show=False),
        Binding("right", "go(1)", "Next", show=False),
        Binding("up", "go_lines(-1)", "Line above", show=False),
        Binding("down", "go_lines(1)", "Line below", show=False),
        Binding("pageup", "go_lines(-5)", "Page before", show=False),
        Binding("pagedown", "go_lines(5)", "Next page", show=False),
        Binding("home", "go(-1000000)", "First", show=False),
        Binding("end", "go(1000000)", "Last", show=False),
    ]

    class Selected(Message):
        """Posted when the cursor moved to another sign."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.strand: Strand | None = None
        self.cursor = 0

    @property
    def edge(self) -> int | None:
        """The edge of the card of the selected gene; `None` for a gene that never decides anything."""
        edge = -1 if self.strand is None else int(self.strand.edges[self.cursor])
        return edge if edge >= 0 else None

    def show(self, strand: Strand) -> None:
        """Draw a genome; the cursor keeps its number, or goes to the last sign if the genome is too short."""
        grown = self.strand is None or len(strand.signs) != len(self.strand.signs)
        self.strand = strand
        if grown:
            self.cursor = min(self.cursor, max(0, len(strand.signs) - 1))
            self._measure()
        self.refresh()

    def select(self, edge: int) -> None:
        """Move the cursor to the sign of a card, given by its edge."""
        found = [] if self.strand is None else (self.strand.edges == edge).nonzero()[0].tolist()
        if found:
            self._go_to(found[0])

    @property
    def _per_line(self) -> int:
        return TEN * max(1, (self.size.width - GUTTER + 1) // (TEN + 1))

    def _measure(self) -> None:
        signs = "" if self.strand is None else self.strand.signs
        self.virtual_size = Size(self.size.width, -(-len(signs) // self._per_line))

    def on_resize(self) -> None:
        self._measure()
        self.call_after_refresh(self._follow)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def render_line(self, y: int) -> Strip:
        strand, first = self.strand, (y + self.scroll_offset.y) * self._per_line
        segments: list[Segment] = []
        if strand is not None and first < len(strand.signs):
            palette = palette_of(self)
            segments.append(Segment(f"{first + 1:>{GUTTER - 1}} ", palette.quiet))
            for number in range(first, min(first + self._per_line, len(strand.signs))):
                if number % TEN == 0 and number > first:
                    segments.append(Segment(" "))
                decides = strand.edges[number] >= 0
                style = shade_of(self, float(strand.shares[number])) if decides else palette.quiet
                if number == self.cursor:
                    style += palette.cursor + Style(reverse=self.has_focus, underline=True)
                segments.append(Segment(strand.signs[number], style))
        return Strip(segments).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

    def _go_to(self, number: int) -> None:
        if self.strand is not None and self.strand.signs:
            self.cursor = min(max(0, number), len(self.strand.signs) - 1)
            self._follow()
            self.refresh()
            self.post_message(self.Selected())

    def _follow(self) -> None:
        """Scroll to the cursor."""
        self.scroll_to_region(Region(0, self.cursor // self._per_line, 1, 1), animate=False, force=True, immediate=True)

    def action_go(self, step: int) -> None:
        self._go_to(self.cursor + step)

    def action_go_lines(self, step: int) -> None:
        signs = "" if self.strand is None else self.strand.signs
        goal = self.cursor + step * self._per_line
        column = self.cursor % self._per_line
        last = (len(signs) - 1 - column) // self._per_line * self._per_line + column
        self._go_to(min(max(column, goal), last))

    def on_click(self, event: events.Click) -> None:
        number = self.sign_at(event.x, event.y)
        if number is not None:
            self._go_to(number)

    def sign_at(self, x: int, y: int) -> int | None:
        """The number of the sign at a point of the widget, from 0, if any."""
        ten, within = divmod(x - GUTTER, TEN + 1)
        number = (y + self.scroll_offset.y) * self._per_line + TEN * ten + within
        inside = x >= GUTTER and within < TEN and TEN * ten < self._per_line
        return number if inside and self.strand is not None and number < len(self.strand.signs) else None
